## Of a cache in which a miss stops all: what the look-up says, sets that are cleared, the policy.
<%
    cache, back = cfg.cache, cfg.write_back
    ways, A, S, W = cache.ways, cache.address_bits, cache.index_bits, cache.way_bits
%>\
    // The look-up, and what it needs of memory
% if cfg.uncached_bits:
    wire uncached1 = s1_access & (&s1_address[${A - 1}:${A - cfg.uncached_bits}]);
% else:
    wire uncached1 = 1'b0;
% endif
    wire ${width(ways)} valids;
    wire ${width(ways)} equal;
    wire found   = equal != ${ways}'d0;
    wire ${width(W)} victim;
    wire lookup  = move1 & s1_access & !uncached1;
% if back:
    wire fills1  = lookup & !found;        // a line is to be replaced
    wire ask1    = fills1 | (move1 & uncached1);
% else:
    wire fills1  = lookup & !found & !store1;
    wire ask1    = fills1 | (move1 & uncached1) | (lookup & store1);
% endif
    wire slow1   = ask1 | (move1 & alone1);

    always @(posedge clk) begin
        if (reset) begin
            s1_valid <= 1'b0;
            s2_valid <= 1'b0;
            s2_slow  <= 1'b0;
            s3_valid <= 1'b0;
        end else begin
            s1_valid <= issue | (s1_valid & !move1);
            if (flow) begin
                s2_valid <= move1;
                s2_slow  <= slow1;
            end
            if (free)
                s3_valid <= leave2 & s2_last;
        end
    end

    // Clearing: a set each cycle, after a reset or for a request in the second stage
    reg  walking;
% if cache.set_bits:
    reg  ${width(S)} walk;
    wire walk_ends = walking & (&walk);
% else:
    wire ${width(S)} walk = 1'd0;          // the only set
    wire walk_ends = walking;
% endif
    wire forget    = walking & (starting | s2_op != POLICY);

    always @(posedge clk) begin
% if cache.set_bits:
        if (reset)
            {walking, walk} <= {1'b1, ${S}'d0};
        else begin
            walking <= (move1 & walks1) | (walking & !walk_ends);
            walk    <= walking ? walk + 1'b1 : ${S}'d0;
        end
% else:
        walking <= reset | (move1 & walks1);
% endif
    end

    // The policy in force
    reg  [1:0] policy;

    always @(posedge clk) begin
        if (reset)
            policy <= 2'd${cache.policy_number};
        else if (move1 & s1_op == POLICY)
            policy <= s1_address[1:0];
    end
