## The line that is asked for, the lines' states, reads of memory, and the RAM.
<%
    cache, axi, askers, prefetching = cfg.cache, cfg.axi, helpers.askers(cfg), cfg.prefetching
    T, W, S, m = cfg.tile_bits, cache.way_bits, cache.set_bits, axi.prefix
    R = S + W
    read_signals = [signal for signal in axi.signals[1:] if signal.name.startswith((f"{m}_ar", f"{m}_r"))]
    wired = helpers.wired
%>\
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
