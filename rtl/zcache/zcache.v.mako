// zcache: a depth cache with its test, ${cfg.cache.ways} ways${", that prefetches what the rasterizer steps on" if cfg.prefetching else ""}.
//
//   tile -> tokens (in flight, shading) -> look (T0) -> test (T1) -> res
//              ahead (requests) -> lines (tags, states, PLRU) | fills (AR, R) | write buffer | barrier
// ${cfg.cache.capacity_bytes} bytes: ${cfg.cache.sets} sets of ${cfg.cache.ways} ways of a tile of 4x4 pixels each.
// Timing: a tile each cycle. One whose line is there when it is shaded, in cycle k, is offered as a result in k + 1. A
// line that is missed in cycle k is asked for in k + 1; a tile moves on in the cycle after its last beat has come.
<%
    cache, axi = cfg.cache, cfg.axi
    tile, res, evt, pre, perf = (cfg.all_streams[name] for name in ("tile", "res", "evt", "pre", "perf"))
    X, T, W, S, L = cfg.coordinate_bits, cfg.tile_bits, cache.way_bits, cache.set_bits, cache.line_bits
    R, N = S + W, cfg.write_buffer
    C, K, m = N.bit_length(), cfg.shading.tiles.bit_length(), axi.prefix
    queue, ahead = cfg.prefetch.mode == "queue", cfg.prefetch.mode == "ahead"
    prefetching, given = cfg.prefetching, cfg.given
    long_bits = 2 * X + tile.width - tile.offset("func")
    read_signals = [signal for signal in axi.signals[1:] if signal.name.startswith((f"{m}_ar", f"{m}_r"))]
    write_signals = [signal for signal in axi.signals[1:] if signal not in read_signals]
    extended = lambda bits, name: f"{{{L - bits}'d0, {name}}}" if L > bits else name
    victim = lambda asker: ("victim", "victim_way", "victim_valid", "victim_unused", "victim_dirty", "victim_number")
    askers = ["test", "ahead"] if prefetching else ["test"]
%>\
module zcache (
    input  wire clk, // clock
    input  wire rst, // synchronous; all is forgotten, AXI bursts under way are completed
% for stream in cfg.streams.values():
    // ${stream.doc}
${ports(stream_signals(stream))}
% endfor
    // memory: reads with the number of a fill as id, writes with id 0
${ports(axi.signals, last=True)}
);

    localparam [1:0] TILE = 2'd0;

    wire reset = rst | m_axi_rst;

    // After a reset, until memory has answered what it was asked for before
    reg  stale;
    wire reads_owed, writes_owed;
    wire hold = stale & (reads_owed | writes_owed);

    always @(posedge clk)
        stale <= reset | hold;

    // Tiles in flight
    wire take, take_tested;
    wire ${width(T)} take_number;
    wire ${width(S)} take_set;
    wire head_valid, head_test;
    wire [1:0] head_op;
    wire [15:0] head_mask;
    wire ${width(T)} head_number;
    wire ${width(S)} head_set;
    wire ${width(K)} waiting;
    wire ${width(long_bits)} text;
    wire ${width(X + 1)} pitch;
    wire ${width(L)} base;
    wire tile_moves, barrier_begins, barrier_done, done;
% if ahead:
    wire ${width(cfg.token_bits)} look;
    wire look_tested;
    wire ${width(T)} look_number;
    wire ${width(S)} look_set;
% endif
% if given:
    wire shaded = shade_valid;

    assign shade_ready = tile_moves;
% else:
    wire shaded;
% endif

    zcache_tokens tokens (
        .clk(clk),
        .rst(reset),
        .hold(hold),
        .pitch(pitch),
${connect(stream_signals(tile))}
        .take(take),
        .take_tested(take_tested),
        .take_number(take_number),
        .take_set(take_set),
        .head_valid(head_valid),
% if not given:
        .head_ripe(shaded),
% endif
        .head_op(head_op),
        .head_test(head_test),
        .head_mask(head_mask),
        .head_number(head_number),
        .head_set(head_set),
        .move(tile_moves | barrier_done),
        .fetch(tile_moves | barrier_begins),
        .text(text),
        .done(done),
% if ahead:
        .look(look),
        .look_tested(look_tested),
        .look_number(look_number),
        .look_set(look_set),
% endif
        .waiting(waiting)
    );

    // The look-up. A barrier has the test's port
    wire head_tile = head_valid & head_op == TILE & shaded;
    wire barrier_valid = head_valid & head_op != TILE;
    wire barrier_scans, barrier_cleans, barrier_clears, barrier_empties;
    wire ${width(R)} barrier_row;
    wire scan_dirty;
    wire ${width(T)} scan_number;
    wire ${width(S)} test_set = barrier_scans ? barrier_row[${R - 1}:${W}] : head_set;
    wire ${width(L)} test_line = base + ${extended(T, "head_number")};
% for asker in askers:
    wire ${asker}_found, ${asker}_victim, ${asker}_victim_valid, ${asker}_victim_unused, ${asker}_victim_dirty;
    wire ${width(W)} ${asker}_victim_way;
    wire ${width(T)} ${asker}_victim_number;
    wire ${asker}_held;                    // in the write buffer
    wire ${asker}_reserve;                 // the line is asked for
% endfor
    wire test_come, test_unused;
    wire ${width(W)} test_way;
    wire ${width(R)} test_row = {test_set, test_way};
    wire tests, access, hit, failed, first, touch, useful, waits;
    wire [15:0] live;
    wire [1:0] kind;
    wire fill, fill_ends, fill_failed, fill_free, ask_free;
    wire ${width(R)} fill_row;
    wire [1:0] fill_beat;
    wire room;
    wire test_free, test_empty;
    wire store_busy, store;                // first cycle of an access in T1; a depth is stored
    wire ${width(R)} store_row;
    wire ${width(S)} store_set = store_row[${R - 1}:${W}];
    wire [3:0] store_beats;
    wire [511:0] store_line;

    zcache_look look_up (
        .clk(clk),
        .rst(reset),
        .tile(head_tile),
        .test(head_test),
        .mask(head_mask),
        .kill(${"shade_data" if given else "16'd0"}),
        .test_free(test_free),
        .found(test_found),
        .come(test_come),
        .unused(test_unused),
        .held(test_held),
        .victim(test_victim),
        .victim_dirty(test_victim_dirty),
        .fails(fill_ends & fill_failed & fill_row == test_row),
        .fill_free(fill_free),
        .ask_free(ask_free),
        .room(room),
        .set_busy(store_busy & store_set == head_set),
        .tests(tests),
        .move(tile_moves),
        .access(access),
        .hit(hit),
        .failed(failed),
        .live(live),
        .kind(kind),
        .first(first),
        .reserve(test_reserve),
        .touch(touch),
        .useful(useful),
        .waits(waits)
    );
% if prefetching:

    // Requests to prefetch
    wire ahead_valid, ahead_decided;
    wire ${width(T)} ahead_number;
    wire ${width(S)} ahead_set;
    wire [2:0] ahead_outcome;
    wire ahead_full, ahead_waits;
    wire ${width(L)} ahead_line = base + ${extended(T, "ahead_number")};

    zcache_ahead requests (
        .clk(clk),
        .rst(reset),
        .move(tile_moves | barrier_done),
        .tests(head_tile),
% if queue:
        .take(take),
        .take_tested(take_tested),
        .take_number(take_number),
        .take_set(take_set),
        .full(ahead_full),
        .waits(ahead_waits),
% else:
        .waiting(waiting),
        .look(look),
        .look_tested(look_tested),
        .look_number(look_number),
        .look_set(look_set),
% endif
        .ask_valid(ahead_valid),
        .ask_number(ahead_number),
        .ask_set(ahead_set),
        .present(ahead_found),
        .writing(ahead_held),
        .closed((tests & ahead_set == head_set) | (store_busy & ahead_set == store_set)),
        .fill_free(fill_free),
        .victim(ahead_victim),
        .ready(!test_reserve & ask_free & (!ahead_victim_dirty | (room & !hit))),
        .reserve(ahead_reserve),
        .decided(ahead_decided),
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

    // The line that is asked for, and what it replaces
<% pick = lambda name: f"test_reserve ? test_{name} : ahead_{name}" if prefetching else f"test_{name}" %>\
    wire reserve = test_reserve${" | ahead_reserve" if prefetching else ""};
    wire ${width(T)} reserve_number = ${"test_reserve ? head_number : ahead_number" if prefetching else "head_number"};
    wire ${width(S)} reserve_set = ${"test_reserve ? head_set : ahead_set" if prefetching else "head_set"};
    wire ${width(W)} reserve_way = ${pick("victim_way")};
    wire ${width(R)} reserve_row = {reserve_set, reserve_way};
    wire ${width(T)} victim_number = ${pick("victim_number")};
    wire evict        = reserve & ${"(test_reserve ? test_victim_valid : ahead_victim_valid)" if prefetching else "test_victim_valid"};
    wire evict_unused = evict & ${"(test_reserve ? test_victim_unused : ahead_victim_unused)" if prefetching else "test_victim_unused"};
    wire evict_dirty  = evict & ${"(test_reserve ? test_victim_dirty : ahead_victim_dirty)" if prefetching else "test_victim_dirty"};

    zcache_lines lines (
        .clk(clk),
        .rst(reset),
% for asker in askers:
        .${asker}_set(${asker}_set),
        .${asker}_number(${"head" if asker == "test" else asker}_number),
        .${asker}_found(${asker}_found),
% if asker == "test":
        .test_come(test_come),
        .test_unused(test_unused),
        .test_way(test_way),
% endif
% for name in victim(asker):
        .${asker}_${name}(${asker}_${name}),
% endfor
% endfor
        .scan_row(barrier_row),
        .scan_dirty(scan_dirty),
        .scan_number(scan_number),
        .touch(touch),
        .hit(hit),
        .reserve(reserve),
        .reserve_row(reserve_row),
        .reserve_number(reserve_number),
        .reserve_touched(test_reserve),
        .fill_ends(fill_ends),
        .fill_failed(fill_failed),
        .fill_row(fill_row),
        .store(store),
        .store_row(store_row),
        .clean(barrier_cleans),
        .empty(barrier_empties)
    );

    zcache_fills fills (
        .clk(clk),
        .rst(reset),
        .free(fill_free),
        .ask_free(ask_free),
        .start(reserve),
        .start_line(${"test_reserve ? test_line : ahead_line" if prefetching else "test_line"}),
        .start_row(reserve_row),
        .r_free(!store),
        .drop(stale),
        .fill(fill),
        .fill_row(fill_row),
        .fill_beat(fill_beat),
        .fill_ends(fill_ends),
        .fill_failed(fill_failed),
        .owed(reads_owed),
        .m_axi_rst(m_axi_rst),
${connect(read_signals, last=True)}
    );

    // Lines: a bank for each row of a tile, written by a beat or by T1, read for T1 or for the write buffer
    wire [511:0] line;
    wire victim_read = evict_dirty | barrier_cleans;
    wire ${width(R)} read_row = barrier_cleans ? barrier_row : reserve ? reserve_row : test_row;

    genvar b;
    generate
        for (b = 0; b < 4; b = b + 1) begin : gen_bank
            localparam [1:0] NUMBER = b;

            ram_1r1w #(
                .WIDTH(128),
                .DEPTH(${cache.sets * cache.ways}),
                .INDEX_BITS(${R})
            ) bank (
                .clk(clk),
                .write(store_beats[b] | (fill & fill_beat == NUMBER)),
                .write_index(store ? store_row : fill_row),
                .write_data(store ? store_line[b*128 +: 128] : m_axi_rdata),
                .read(hit | victim_read),
                .read_index(read_row),
                .read_data(line[b*128 +: 128])
            );
        end
    endgenerate

    // The test
    wire [15:0] passed;
    wire res_failed;
    wire ${width(evt.width)} event_word;
    wire answered, refused;                // memory has answered a write
    wire write_ends = answered & !stale;
    reg  write_failed;                     // one has failed since the last barrier

    always @(posedge clk)
        write_failed <= !reset & ((write_failed & !barrier_done) | (write_ends & refused));

    zcache_test test (
        .clk(clk),
        .rst(reset),
        .load(tile_moves | barrier_done),
        .load_op(head_op),
        .load_access(access),
        .load_failed(failed),
        .load_err(barrier_done & write_failed),
        .load_live(live & {16{!barrier_done}}),
        .load_kind(kind),
        .load_first(first),
        .load_row(test_row),
        .text(text),
        .line(line),
        .free(test_free),
        .empty(test_empty),
        .busy(store_busy),
        .row(store_row),
        .store(store),
        .store_beats(store_beats),
        .store_line(store_line),
        .done(done),
        .event_word(event_word),
        .passed(passed),
        .failed(res_failed),
${connect(stream_signals(res), last=True)}
    );

    // The write buffer. What goes there was read the cycle before, or is a line of a clear
    reg  put, put_clear;
    reg  ${width(L)} put_line;
    wire ${width(C)} held;
    wire ${width(C + 1)} coming = {1'b0, held} + {${C}'d0, put};
    wire written = coming == ${C + 1}'d0;
    wire ${width(T + 1)} clear_tile;
    wire [31:0] clear_value;
    wire ${width(T)} put_number = barrier_scans ? scan_number : victim_number;
    wire ${width(T + 1)} put_tile = barrier_clears ? clear_tile : {1'b0, put_number};

    assign room = coming < ${C + 1}'d${N};

    always @(posedge clk) begin
        put       <= (victim_read | barrier_clears) & !reset;
        put_clear <= barrier_clears;
        put_line  <= base + ${extended(T + 1, "put_tile")};
    end

    zcache_write_buffer #(
        .ASKS(${len(askers)})
    ) write_buffer (
        .clk(clk),
        .rst(reset),
        .put(put),
        .put_line(put_line),
        .put_data(put_clear ? {16{clear_value}} : line),
        .count(held),
        .ask_line(${"{ahead_line, test_line}" if prefetching else "test_line"}),
        .ask_held(${"{ahead_held, test_held}" if prefetching else "test_held"}),
        .answered(answered),
        .refused(refused),
        .busy(writes_owed),
        .m_axi_rst(m_axi_rst),
${connect(write_signals, last=True)}
    );

    zcache_barrier barrier (
        .clk(clk),
        .rst(reset),
        .valid(barrier_valid),
        .op(head_op),
        .arguments(text[${2 * X + 6 + 95}:${2 * X + 6}]),
        .quiet(test_empty & !ahead_waits & !reads_owed & written),
        .begins(barrier_begins),
        .done(barrier_done),
        .empty(barrier_empties),
        .scans(barrier_scans),
        .row(barrier_row),
        .dirty(scan_dirty),
        .clean(barrier_cleans),
        .clear(barrier_clears),
        .tile(clear_tile),
        .value(clear_value),
        .room(room),
        .written(written),
        .base(base),
        .pitch(pitch)
    );
% if cfg.observe:

    // What became of a word, in the cycle after its result was taken; of lines and requests, in the cycle after
    reg  event_valid, asked_valid;
    reg  ${width(evt.width)} event_data;
    reg  ${width(pre.width)} asked_data;
<%
    when = lambda flag, bits, word: f"{{{bits}{{{flag}}}}} & {word}"
    fields = {
        "fill": "reserve", "demand": "test_reserve", "number": when("reserve", T, "reserve_number"),
        "way": when("reserve", W, "reserve_way"), "evict": "evict", "unused": "evict_unused", "dirty": "evict_dirty",
        "victim": when("evict", T, "victim_number"), "decided": "ahead_decided" if prefetching else "1'b0",
        "outcome": when("ahead_decided", 3, "ahead_outcome") if prefetching else "3'd0",
        "request": when("ahead_decided", T, "ahead_number") if prefetching else f"{T}'d0",
        "full": "ahead_full" if prefetching else "1'b0",
    }
%>\
    always @(posedge clk) begin
        event_valid <= done & !reset;
        asked_valid <= (reserve${" | ahead_decided | ahead_full" if prefetching else ""}) & !reset;
        if (done)
            event_data <= event_word;
        asked_data <= ${pack(pre, indent=8, values=fields)};
    end

    assign evt_valid = event_valid;
    assign evt_data  = event_data;
    assign pre_valid = asked_valid;
    assign pre_data  = asked_data;
% endif

    // Counters, of tiles as their results are taken
    wire tile_done = done & event_word[${evt.offset("op") + 1}:${evt.offset("op")}] == TILE;
    wire [1:0] kind_done = event_word[${evt.offset("kind") + 1}:${evt.offset("kind")}] & {2{tile_done}};
    wire [4:0] pixels = ${" + ".join(f"{{4'd0, passed[{p}]}}" for p in range(16))};
    wire unused_event = &{1'b0, event_word};
<%
    outcome = lambda number: f"ahead_decided & ahead_outcome == 3'd{number}" if prefetching else "1'b0"
    steps = {
        "tiles": "tile_done", "hits": "kind_done == 2'd1", "lates": "kind_done == 2'd2", "misses": "kind_done == 2'd3",
        "passed": "pixels & {5{tile_done}}",
        "errors": "{1'b0, tile_done & res_failed} + {1'b0, write_ends & refused}",
        "fills": "test_reserve", "prefetches": "ahead_reserve" if prefetching else "1'b0",
        "present": outcome(1), "writing": outcome(2), "untouched": outcome(3), "busy": outcome(4), "stale": outcome(5),
        "full": "ahead_full" if prefetching else "1'b0", "useful": "useful", "evictions": "evict",
        "unused": "evict_unused", "writebacks": "write_ends & !refused", "wait_cycles": "waits",
        "result_wait_cycles": "res_valid & !res_ready",
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
        .rst(reset),
        .step(${steps[field.name]}),
        .count(perf_data[${perf.offset(field.name) + 31}:${perf.offset(field.name)}])
    );
% endfor

endmodule
