## Tiles in flight, from intake to the look-up.
<%
    cache, tile = cfg.cache, cfg.all_streams["tile"]
    X, T, S, L, K = cfg.coordinate_bits, cfg.tile_bits, cache.set_bits, cache.line_bits, cfg.shading.tiles.bit_length()
    queue, ahead, given = cfg.prefetch.mode == "queue", cfg.walks, cfg.given
    long_bits = 2 * X + tile.width - tile.offset("func")
    wired = helpers.wired
%>\
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
