## The test.
<%
    res, evt, wired = cfg.all_streams["res"], cfg.all_streams["evt"], helpers.wired
%>\
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
