// Performance counters${", and what is there to be watched" if cfg.observe else ""}.
//
% if cfg.observe:
// Timing: evt is there in the cycle after its result was taken, pre in the cycle after what it tells.
% endif
// Counters show an event two cycles later.
<%
    from configs.zcache.counters import CAUSES
    W, T, ahead = cfg.cache.way_bits, cfg.tile_bits, cfg.prefetching
    evt, pre, perf = (cfg.all_streams[name] for name in ("evt", "pre", "perf"))
    when = lambda flag, bits, word: f"{{{bits}{{{flag}}}}} & {word}"
%>\
module zcache_counters (
    input  wire clk, // clock
    input  wire rst, // synchronous; counters are 0
    // results
    input  wire done, // one is taken
    input  wire ${width(evt.width)} event_word, // what became of it
    input  wire [15:0] passed, // pixels that passed
    input  wire res_failed, // it has an error
    input  wire res_waits, // it is not taken
    input  wire tile_waits, // a word is offered, and not taken
    // lines
    input  wire waits, // a tile waits for its line
    input  wire [6:0] wait_causes, // why: bits as in the look-up
    input  wire useful, // it finds one that was prefetched
    input  wire reserve, // one is asked for
    input  wire test_reserve, // by the test
    input  wire ${width(T)} reserve_number, // number of its tile
    input  wire ${width(W)} reserve_way, // where it goes
    input  wire evict, // a line is replaced
    input  wire evict_unused, // that nobody has used
    input  wire evict_dirty, // that is written
    input  wire ${width(T)} victim_number, // number of its tile
% if cfg.marks:
    input  wire reserve_blank, // memory is not read for it
% endif
    input  wire stores, // memory has a line
    input  wire store_fails, // or has refused it
% if ahead:
    // requests to prefetch
    input  wire ahead, // the line is asked for by one
    input  wire ahead_decided, // one is decided
    input  wire [2:0] ahead_outcome, // how
    input  wire ${width(T)} ahead_number, // number of its tile
    input  wire ahead_full, // one found no place
% endif
% if cfg.adapts:
    // the distance
    input  wire lost, // a line is missed that was there, or dropped, when it was to be prefetched
    input  wire farther, // it grows
    input  wire nearer, // it shrinks
% endif
% if cfg.observe:
    // what is there to be watched
${ports(stream_signals(evt))}
${ports(stream_signals(pre))}
% endif
    output wire ${width(perf.width)} perf_data // counters
);

    localparam [1:0] TILE = 2'd0;

    wire tile = done & event_word[${evt.offset("op") + 1}:${evt.offset("op")}] == TILE;
    wire [1:0] kind = event_word[${evt.offset("kind") + 1}:${evt.offset("kind")}] & {2{tile}};
    wire [4:0] pixels = ${" + ".join(f"{{4'd0, passed[{p}]}}" for p in range(16))};
% if cfg.observe:

    reg  event_valid, asked_valid;
    reg  ${width(evt.width)} event_data;
    reg  ${width(pre.width)} asked_data;
<%
    fields = {
        "fill": "reserve", "demand": "test_reserve", "number": when("reserve", T, "reserve_number"),
        "way": when("reserve", W, "reserve_way"), "evict": "evict", "unused": "evict_unused", "dirty": "evict_dirty",
        "victim": when("evict", T, "victim_number"), "decided": "ahead_decided" if ahead else "1'b0",
        "outcome": when("ahead_decided", 3, "ahead_outcome") if ahead else "3'd0",
        "request": when("ahead_decided", T, "ahead_number") if ahead else f"{T}'d0",
        "full": "ahead_full" if ahead else "1'b0",
    } | ({"blank": "reserve & reserve_blank"} if cfg.marks else {})
%>\
    always @(posedge clk) begin
        event_valid <= done & !rst;
        asked_valid <= (reserve${" | ahead_decided | ahead_full" if ahead else ""}) & !rst;
        if (done)
            event_data <= event_word;
        asked_data <= ${pack(pre, indent=8, values=fields)};
    end

    assign evt_valid = event_valid;
    assign evt_data  = event_data;
    assign pre_valid = asked_valid;
    assign pre_data  = asked_data;
% else:
    wire unused = &{1'b0, event_word, reserve, reserve_number, reserve_way, evict_dirty, victim_number${", ahead_number" if ahead else ""}};
% endif
<%
    outcome = lambda number: f"ahead_decided & ahead_outcome == 3'd{number}" if ahead else "1'b0"
    steps = {
        "tiles": "tile", "hits": "kind == 2'd1", "lates": "kind == 2'd2", "misses": "kind == 2'd3",
        "passed": "pixels & {5{tile}}", "errors": "{1'b0, tile & res_failed} + {1'b0, store_fails}",
        "fills": "test_reserve", "prefetches": "ahead" if ahead else "1'b0", "present": outcome(1),
        "writing": outcome(2), "untouched": outcome(3), "busy": outcome(4), "stale": outcome(5),
        "full": "ahead_full" if ahead else "1'b0", "useful": "useful", "evictions": "evict", "unused": "evict_unused",
        "writebacks": "stores", "wait_cycles": "waits", "result_wait_cycles": "res_waits",
        "tile_wait_cycles": "tile_waits",
        **{f"{cause}_wait_cycles": f"wait_causes[{bit}]" for bit, cause in enumerate(CAUSES)},
        "lost": "lost", "farther": "farther", "nearer": "nearer",
        "blanks": "reserve & reserve_blank", "hopeless": outcome(6),
        "rejected": f"tile & event_word[{evt.offset('rejected')}]" if cfg.bounds else "1'b0",
    }
    bits = {"passed": 5, "errors": 2}
%>\
% for field in perf.fields:

% if field.name in bits:
    counter #(
        .STEP_BITS(${bits[field.name]})
    ) count_${field.name} (
% else:
    counter count_${field.name} (
% endif
        .clk(clk),
        .rst(rst),
        .step(${steps[field.name]}),
        .count(perf_data[${perf.offset(field.name) + 31}:${perf.offset(field.name)}])
    );
% endfor

endmodule
