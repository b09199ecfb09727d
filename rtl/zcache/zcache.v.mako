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
    queue, ahead = cfg.prefetch.mode == "queue", cfg.walks
    prefetching, given = cfg.prefetching, cfg.given
    long_bits = 2 * X + tile.width - tile.offset("func")
    read_signals = [signal for signal in axi.signals[1:] if signal.name.startswith((f"{m}_ar", f"{m}_r"))]
    write_signals = [signal for signal in axi.signals[1:] if signal not in read_signals]
    extended = lambda bits, name: f"{{{L - bits}'d0, {name}}}" if L > bits else name
    askers = ["test", "ahead"] if prefetching else ["test"]
    def wired(names):
        """Connections of ports to wires of their names, or port=wire."""
        pairs = (name.partition("=") for name in names.split())
        return "\n".join(f"        .{port}({wire or port})," for port, _, wire in pairs)
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
% if cfg.bounds:
    wire ${width(cfg.claim_bits)} look_claim;
% endif
% endif
% if cfg.bounds:
    wire ${width(cfg.claim_bits)} head_claim;
% if queue:
    wire ${width(cfg.claim_bits)} take_claim;
% elif not ahead:
    wire ${width(cfg.claim_bits)} take_claim;
    wire unused_claim = &{1'b0, take_claim};
% endif
% endif
% if given:
    wire shaded = shade_valid;

    assign shade_ready = tile_moves;
% else:
    wire shaded;
% endif

    zcache_tokens tokens (
${wired("clk rst=reset hold pitch")}
${connect(stream_signals(tile))}
${wired("take take_tested take_number take_set head_valid")}
% if not given:
${wired("head_ripe=shaded")}
% endif
${wired("head_op head_test head_mask head_number head_set")}
        .move(tile_moves | barrier_done),
        .fetch(tile_moves | barrier_begins),
${wired("text done")}
% if ahead:
${wired("look look_tested look_number look_set")}
% endif
% if cfg.bounds:
${wired("head_claim look_claim" if ahead else "head_claim take_claim")}
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
% if cfg.adapts:
    wire looks, beyond, lost, farther, nearer;
    wire ${width(K)} distance;
% endif
    wire store_busy, store;                // first cycle of an access in T1; a depth is stored
    wire ${width(R)} store_row;
    wire ${width(S)} store_set = store_row[${R - 1}:${W}];
    wire [3:0] store_beats;
    wire [511:0] store_line;
% if cfg.walked:
    wire [31:0] blank_value;
    wire ${width(T + 1)} surface_tiles;
% endif
% if cfg.marks:
    wire marking, barrier_marks, barrier_sweeps;
    wire test_blank;                       // the line is as a clear left it
% for asker in askers:
    wire ${asker}_marked;
% endfor
% endif
% if cfg.bounds:
    wire bounding, barrier_forgets;
    wire learn;                            // T1 has a line whose bounds can be learnt
    wire [511:0] learn_line;
    wire rejected;
% for asker in askers:
    wire ${asker}_hopeless;                // it cannot pass by its bounds
% endfor
% endif

    zcache_look look_up (
${wired("clk rst=reset tile=head_tile test=head_test mask=head_mask")}
        .kill(${"shade_data" if given else "16'd0"}),
${wired("test_free found=test_found come=test_come unused=test_unused held=test_held victim=test_victim")}
${wired("victim_dirty=test_victim_dirty")}
        .fails(fill_ends & fill_failed & fill_row == test_row),
${wired("fill_free ask_free room")}
% if cfg.marks:
${wired("blank=test_marked")}
% endif
% if cfg.bounds:
${wired("hopeless=test_hopeless rejected")}
% endif
        .set_busy(store_busy & store_set == head_set),
${wired("tests move=tile_moves access hit failed live kind first reserve=test_reserve touch useful")}
% if cfg.adapts:
        .looks(looks),
% endif
        .waits(waits)
    );
% if cfg.adapts:

    // How far ahead
    zcache_distance adapting (
${wired("clk rst=reset looks kind beyond lost farther nearer")}
        .distance(distance)
    );
% endif
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
    wire ${width(L)} ahead_line = base + ${extended(T, "ahead_number")};

    zcache_ahead requests (
${wired("clk rst=reset")}
        .move(tile_moves | barrier_done),
${wired("tests=head_tile")}
% if queue:
${wired("take take_tested take_number take_set full=ahead_full waits=ahead_waits")}
% else:
% if cfg.adapts:
${wired("distance beyond")}
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

    // The line that is asked for, and what it replaces
<% pick = lambda name, own="test": f"(test_reserve ? {own}_{name} : ahead_{name})" if prefetching else f"{own}_{name}" %>\
    wire reserve = test_reserve${" | ahead_reserve" if prefetching else ""};
    wire ${width(T)} reserve_number = ${pick("number", "head")};
    wire ${width(S)} reserve_set = ${pick("set", "head")};
    wire ${width(W)} reserve_way = ${pick("victim_way")};
    wire ${width(R)} reserve_row = {reserve_set, reserve_way};
    wire ${width(T)} victim_number = ${pick("victim_number")};
% if cfg.marks:
    wire reserve_blank = ${pick("marked")};
% endif
    wire evict        = reserve & ${pick("victim_valid")};
    wire evict_unused = evict & ${pick("victim_unused")};
    wire evict_dirty  = evict & ${pick("victim_dirty")};

    zcache_lines lines (
${wired("clk rst=reset")}
${wired("test_set test_number=head_number test_found test_come test_unused test_way")}
% if prefetching:
${wired("ahead_set ahead_number ahead_found")}
% endif
% for asker in askers:
${wired(" ".join(f"{asker}_victim{name}" for name in ("", "_way", "_valid", "_unused", "_dirty", "_number")))}
% endfor
${wired("scan_row=barrier_row scan_dirty scan_number touch hit reserve reserve_row reserve_number")}
% if cfg.marks:
${wired("test_blank reserve_blank")}
% endif
${wired("reserve_touched=test_reserve fill_ends fill_failed fill_row store store_row clean=barrier_cleans")}
        .empty(barrier_empties)
    );

    zcache_fills fills (
${wired("clk rst=reset free=fill_free ask_free")}
        .start(${"reserve & !reserve_blank" if cfg.marks else "reserve"}),
        .start_line(${pick("line")}),
${wired("start_row=reserve_row")}
        .r_free(!store),
${wired("drop=stale fill fill_row fill_beat fill_ends fill_failed owed=reads_owed m_axi_rst")}
${connect(read_signals, last=True)}
    );

    wire [511:0] line;
    wire victim_read = evict_dirty | barrier_cleans;
    wire ${width(T)} put_number = barrier_scans ? scan_number : victim_number;

    zcache_banks banks (
${wired("clk store store_row store_beats store_line fill fill_row fill_beat fill_data=m_axi_rdata")}
        .read(hit | victim_read),
        .read_row(barrier_cleans ? barrier_row : hit ? test_row : reserve_row),
        .line(line)
    );

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
${wired("clk rst=reset")}
        .load(tile_moves | barrier_done),
${wired("load_op=head_op load_access=access load_failed=failed")}
        .load_err(barrier_done & write_failed),
        .load_live(live & {16{!barrier_done${" & !rejected" if cfg.bounds else ""}}}),
% if cfg.marks:
${wired("load_blank=test_blank blank_value")}
% endif
% if cfg.bounds:
${wired("load_rejected=rejected learn learn_line")}
% endif
${wired("load_kind=kind load_first=first load_row=test_row text line free=test_free empty=test_empty")}
${wired("busy=store_busy row=store_row store store_beats store_line done event_word passed failed=res_failed")}
${connect(stream_signals(res), last=True)}
    );

    // The write buffer. What goes there is read in the cycle before, or is a line of a clear
    wire written;
    wire ${width(T + 1)} clear_tile;
    wire [31:0] clear_value;

    zcache_writes writes (
${wired("rst=reset victim=victim_read")}
        .victim_number(put_number),
${wired("clear=barrier_clears clk base clear_tile clear_value line room written answered refused")}
% for asker in askers:
${wired(f"{asker}_line {asker}_held")}
% endfor
${wired("owed=writes_owed m_axi_rst")}
${connect(write_signals, last=True)}
    );

% if cfg.marks:
    zcache_marks marks (
${wired("clk marking tiles=surface_tiles")}
        .test_number(barrier_sweeps ? clear_tile[${T - 1}:0] : head_number),
${wired("test_marked")}
% if prefetching:
${wired("ahead_number ahead_marked")}
% endif
        .mark(barrier_marks),
        .mark_group(clear_tile[${(cfg.fast_clear - 1).bit_length() - 1}:4]),
        .unmark(victim_read | (barrier_sweeps & barrier_clears)),
        .unmark_number(barrier_sweeps ? clear_tile[${T - 1}:0] : put_number)
    );

% endif
% if cfg.bounds:
    zcache_bounds bounds (
${wired("clk bounding blank_value tiles=surface_tiles test_number=head_number test_claim=head_claim test_hopeless")}
% if prefetching:
${wired("ahead_number ahead_claim ahead_hopeless")}
% endif
        .forget(barrier_forgets),
        .forget_group(clear_tile[${(cfg.walked - 1).bit_length() - 1}:4]),
${wired("move=tile_moves learn line=learn_line")}
        .format(text[${2 * X + 5}:${2 * X + 4}])
    );

% endif
    zcache_barrier barrier (
${wired("clk rst=reset valid=barrier_valid op=head_op")}
        .arguments(text[${2 * X + 6 + 95}:${2 * X + 6}]),
        .quiet(test_empty & !ahead_waits & !reads_owed & written),
${wired("begins=barrier_begins done=barrier_done empty=barrier_empties scans=barrier_scans row=barrier_row")}
${wired("dirty=scan_dirty clean=barrier_cleans clear=barrier_clears tile=clear_tile value=clear_value room")}
% if cfg.marks:
${wired("sweeps=barrier_sweeps marked=test_marked mark=barrier_marks marking")}
% endif
% if cfg.bounds:
${wired("forget=barrier_forgets bounding")}
        .refused(write_ends & refused),
% endif
% if cfg.walked:
${wired("blank_value tiles=surface_tiles")}
% endif
${wired("written base")}
        .pitch(pitch)
    );

    // What is told of it all
    zcache_counters counters (
${wired("rst=reset")}
        .store_fails(write_ends & refused),
% if cfg.marks:
        .reserve_blank(reserve_blank),
% endif
        .stores(write_ends & !refused),
        .res_waits(res_valid & !res_ready),
% if prefetching:
${wired("ahead=ahead_reserve ahead_decided ahead_outcome ahead_full ahead_number")}
% endif
% if cfg.adapts:
${wired("lost farther nearer")}
% endif
% if cfg.observe:
${wired("evt_valid evt_data pre_valid pre_data")}
% endif
${wired("clk done event_word passed res_failed reserve test_reserve reserve_number reserve_way evict evict_unused")}
${wired("evict_dirty victim_number useful waits")}
        .perf_data(perf_data)
    );

endmodule
