## Of a cache that serves hits under misses: the first stage, which looks a line up and allocates.
<%
    cache = cfg.cache
    ways, T, S, W = cache.ways, cache.tag_bits, cache.index_bits, cache.way_bits
%>\
    always @(posedge clk) begin
        if (reset)
            s1_valid <= 1'b0;
        else
            s1_valid <= issue | ${"ahead | " if cfg.prefetch else ""}(s1_valid & !move1);
        if (issue) begin
            s1_store  <= next_op == STORE;
            s1_slot   <= next_warp;
            s1_mask   <= group;
            s1_lowest <= lowest;
            s1_line   <= line;
            s1_err    <= d_valid & !d_access & (told ? error : scans & op_failed);
            s1_wrote  <= d_valid & scans & op_wrote;
% if cfg.prefetch:
            s1_whole  <= begins & last_group;
            s1_ahead  <= 1'b0;
        end else if (ahead) begin
            s1_store  <= 1'b0;
            s1_mask   <= 8'd0;
            s1_lowest <= 8'd0;
            s1_line   <= s1_line + 1'b1;
            s1_ahead  <= 1'b1;
% endif
        end
    end
% if cfg.prefetch:

    // The next line, behind a group that misses or is the first to use a line that was read ahead, and is all of its
    // request: what lies apart is not followed by its neighbours
    always @(posedge clk)
        ahead <= ahead1 & !reset;
% endif

    // The policy in force
    reg  [1:0] policy;

    always @(posedge clk) begin
        if (reset)
            policy <= 2'd${cache.policy_number};
        else if (act & d_op == POLICY)
            policy <= d_addrs[1:0];
    end

    // The look-up
    wire ${width(S)} set1 = ${helpers.line_set(cfg, "s1_line")};
    wire ${width(ways * (T + 1))} tags;    // of all ways: a tag, below it its valid bit
    wire ${width(ways)} valids;
    wire ${width(ways)} equal;
    wire ${width(W)} victim;
    wire found = equal != ${ways}'d0;
    wire ${width(W)} way1 = found ? ${helpers.number_of("equal", ways)} : victim;
    wire ${width(T + 1)} victim_tag = tags[victim*${T + 1} +: ${T + 1}];
    wire access1 = s1_mask != 8'd0;
    wire here, closed, full, none;         // the line at that place is under way; see dcache_misses
    wire stale   = dirty[victim] & victim_tag[0];
    wire to2     = free2 & !serve_valid;
    wire hits1   = access1 & found;
    wire joins1  = hits1 & here;
    wire wants1  = access1${" | s1_ahead" if cfg.prefetch else ""};
    wire misses1 = wants1 & !found;
    wire can_join = !closed & !full;
    wire can_miss = !here & !none & (!stale | (room & to2));

    assign move1 = s1_valid & (joins1 ? can_join : misses1 ? can_miss : to2${" | s1_ahead" if cfg.prefetch else ""});

    wire look  = move1 & access1;
    wire open  = move1 & misses1;
    wire stale_out = open & stale;         // its victim is read
