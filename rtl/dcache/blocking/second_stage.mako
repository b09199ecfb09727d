## Of a cache in which a miss stops all: the way that is chosen, what the second stage holds, errors.
<%
    cache, back = cfg.cache, cfg.write_back
    ways, A, T, S, W = cache.ways, cache.address_bits, cache.tag_bits, cache.index_bits, cache.way_bits
%>\
    // Second stage
    wire ${width(W)} way1 = found ? ${helpers.number_of("equal", ways)} : victim;
    wire ${width(T + 1)} victim_tag = tags[victim*${T + 1} +: ${T + 1}];

    replacement #(
        .WAYS(${ways}),
        .WAY_BITS(${W}),
        .SETS(${cache.sets}),
        .SET_BITS(${S}),
        .INVALID_FIRST(${int(cache.invalid_first)})
    ) replace (
        .clk(clk),
        .policy(policy),
        .set(walking ? walk : ${"looking ? scan : set1" if back else "set1"}),
        .valid(valids),
        .clear(walking${" | (look_on & s2_op == FLUSH)" if back else ""}),
        .update(${"lookup" if back else "lookup & (found | !store1)"}),
        .filled(!found),
        .way(way1),
        .victim(victim)
    );

    always @(posedge clk) begin
        if (move1) begin
            s2_access   <= s1_access;
            s2_first    <= s1_first;
            s2_last     <= s1_last;
            s2_lane     <= s1_lane;
            s2_op       <= s1_op;
            s2_warp     <= s1_warp;
            s2_address  <= s1_address[${A - 1}:2];
            s2_word     <= s1_word;
            s2_strobe   <= s1_strobe;
            s2_uncached <= uncached1;
            s2_words    <= read_words;
            s2_hit      <= lookup & found;
            s2_evict    <= fills1 & victim_tag[0];
            s2_victim   <= victim_tag[${T}:1];
            s2_way      <= way1;
% if back:
        end else if (looking) begin
            s2_victim   <= tags[next_number*${T + 1}+1 +: ${T}];
            s2_way      <= next_number;
% endif
        end
    end

    // The first address that failed, until it is asked for
    reg  error;
    reg  ${width(A)} error_address;
    wire error_now = ${"refused | (fill_ends & failed_now)" if back else "ends & failed_now"};

    always @(posedge clk) begin
        if (reset)
            error <= 1'b0;
        else
            error <= error_now | (error & !(leave2 & s2_op == STATUS));
        if (error_now & !error)
            error_address <= ${"refused & !s2_uncached ? stale : " if back else ""}{s2_address, 2'd0};
    end
