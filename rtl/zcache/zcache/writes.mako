## The write buffer, what a clear leaves to it or spares it, and barriers.
<%
    axi, askers, prefetching = cfg.axi, helpers.askers(cfg), cfg.prefetching
    X, T, m = cfg.coordinate_bits, cfg.tile_bits, axi.prefix
    write_signals = [signal for signal in axi.signals[1:] if not signal.name.startswith((f"{m}_ar", f"{m}_r"))]
    wired = helpers.wired
%>\
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
