## The look-up of the tile at the test, what it says to the other parts, and how far ahead prefetches are.
<%
    cache, askers = cfg.cache, helpers.askers(cfg)
    T, W, S, L, K = cfg.tile_bits, cache.way_bits, cache.set_bits, cache.line_bits, cfg.shading.tiles.bit_length()
    R = S + W
    wired = helpers.wired
%>\
    // The look-up. A barrier has the test's port
    wire head_tile = head_valid & head_op == TILE & shaded;
    wire barrier_valid = head_valid & head_op != TILE;
    wire barrier_scans, barrier_cleans, barrier_clears, barrier_empties;
    wire ${width(R)} barrier_row;
    wire scan_dirty;
    wire ${width(T)} scan_number;
    wire ${width(S)} test_set = barrier_scans ? barrier_row[${R - 1}:${W}] : head_set;
    wire ${width(L)} test_line = base + ${helpers.extended("head_number", T, L)};
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
    wire [6:0] wait_causes;
    wire [15:0] live;
    wire [1:0] kind;
    wire fill, fill_ends, fill_failed, fill_free, ask_free;
    wire ${width(R)} fill_row;
    wire [1:0] fill_beat;
    wire room;
    wire test_free, test_empty;
% if cfg.adapts:
    wire looks, beyond, reaches, lost, farther, nearer;
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
        .kill(${"shade_data" if cfg.given else "16'd0"}),
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
${wired("wait_causes")}
        .waits(waits)
    );
% if cfg.adapts:

    // How far ahead
    zcache_distance adapting (
${wired("clk rst=reset looks kind beyond reaches lost farther nearer")}
        .distance(distance)
    );
% endif
