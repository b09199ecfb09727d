## Requests to prefetch, if there are any.
<%
    cache = cfg.cache
    T, S, L = cfg.tile_bits, cache.set_bits, cache.line_bits
    queue, ahead, prefetching = cfg.prefetch.mode == "queue", cfg.walks, cfg.prefetching
    wired = helpers.wired
%>\
% if prefetching:

    // Requests to prefetch
    wire ahead_valid, ahead_decided;
    wire ${width(T)} ahead_number;
    wire ${width(S)} ahead_set;
    wire [2:0] ahead_outcome;
    wire ahead_full, ahead_waits;
% if cfg.bounds:
    wire ${width(cfg.claim_bits)} ahead_claim;
% endif
    wire ${width(L)} ahead_line = base + ${helpers.extended("ahead_number", T, L)};

    zcache_ahead requests (
${wired("clk rst=reset")}
        .move(tile_moves | barrier_done),
${wired("tests=head_tile")}
% if queue:
${wired("take take_tested take_number take_set full=ahead_full waits=ahead_waits")}
% else:
% if cfg.adapts:
${wired("distance beyond reaches")}
% endif
${wired("waiting look look_tested look_number look_set")}
% endif
% if cfg.bounds:
${wired("take_claim" if queue else "look_claim")}
${wired("ask_claim=ahead_claim hopeless=ahead_hopeless")}
% endif
${wired("ask_valid=ahead_valid ask_number=ahead_number ask_set=ahead_set present=ahead_found writing=ahead_held")}
        .closed((tests & ahead_set == head_set) | (store_busy & ahead_set == store_set)),
        .fill_free(${"fill_free | ahead_marked" if cfg.marks else "fill_free"}),
${wired("victim=ahead_victim")}
        .ready(!test_reserve & ${"(ask_free | ahead_marked)" if cfg.marks else "ask_free"} & (!ahead_victim_dirty | (room & !hit))),
${wired("reserve=ahead_reserve decided=ahead_decided")}
        .outcome(ahead_outcome)
    );
% if ahead:

    assign ahead_full  = 1'b0;
    assign ahead_waits = 1'b0;             // the pointer never is behind the oldest word that has not left
    wire unused_take = &{1'b0, take, take_tested, take_number, take_set, ahead_valid};
% else:
    wire unused_ahead = &{1'b0, ahead_valid, waiting};
% endif
% else:
    wire ahead_waits = 1'b0;
    wire unused_take = &{1'b0, take, take_tested, take_number, take_set, waiting, tests};
% endif
