## What is told of it all.
<%
    prefetching, wired = cfg.prefetching, helpers.wired
%>\
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
        .tile_waits(tile_valid & !tile_ready),
${wired("evict_dirty victim_number useful waits wait_causes")}
        .perf_data(perf_data)
    );
