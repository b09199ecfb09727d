// Tiles in flight: up to ${cfg.shading.tiles}, from intake to result, in order; a barrier is the last until its result is taken.
//
// Interface: a word goes in as tile_*, is shown as head_* once it is the oldest that has not left, and leaves with
// move. Its long part (text) is shown in the cycle after fetch, until the next one.
% if cfg.given:
// When a tile is shaded is not decided here.
% else:
// head_ripe: it was taken ${cfg.shading.cycles} or more cycles ago.
% endif
// Timing: a word taken in cycle k is the head from k + 1 on. tile_ready depends on registers alone.
<%
    N, B, K = cfg.shading.tiles, cfg.token_bits, cfg.shading.tiles.bit_length()
    X, T, S = cfg.coordinate_bits, cfg.tile_bits, cfg.cache.set_bits
    C, R = cfg.column_bits, cfg.row_bits
    tile = cfg.all_streams["tile"]
    claim = cfg.claim_bits if cfg.bounds else 0
    short = 2 + 1 + 16 + T + S + claim        # op, test, mask, number, set, claim
    low, high = tile.offset("func"), tile.width  # func, write, format, depths
    long_bits = 2 * X + high - low
    step = lambda name: f"{name} == {B}'d{N - 1} ? {B}'d0 : {name} + 1'b1" if N > 1 else f"{B}'d0"
    one = lambda bit: f"{{{K - 1}'d0, {bit}}}" if K > 1 else bit
    ahead, ripens = cfg.walks, not cfg.given and cfg.shading.cycles > 1
    stamp = (cfg.shading.cycles - 1).bit_length()
    B_code = cfg.hierarchical.bits
    zeros = lambda bits: f"{bits}'d0, " if bits else ""
    def coordinate(name, low, bits):
        """Bits of a coordinate, 0 where it has none."""
        there = max(0, min(bits, X - low))
        parts = ([f"{bits - there}'d0"] if bits > there else []) + ([f"{name}[{low + there - 1}:{low}]"] if there else [])
        return "{" + ", ".join(parts) + "}"
    row = [coordinate("tile_y", 0, R)] if R else []
    column = [coordinate("tile_x", 0, C)]
    if cfg.index == "xor":
        row = [f"{word} ^ {coordinate('tile_y', R, R)}" for word in row]
        column = [f"{word} ^ {coordinate('tile_x', C, C)}" for word in column]
    set_of = f"number[{S - 1}:0]" if cfg.index == "linear" else "{" + ", ".join([*row, *column]) + "}"
%>\
module zcache_tokens (
    input  wire clk, // clock
    input  wire rst, // synchronous; all words are forgotten
    input  wire hold, // no word is taken
    input  wire ${width(X + 1)} pitch, // tiles of a row
${ports(stream_signals(tile))}
    output wire take, // a word is taken,
    output wire take_tested, // and makes a request to prefetch
    output wire ${width(T)} take_number, // its tile's number,
    output wire ${width(S)} take_set, // its set
% if claim and not ahead:
    output wire ${width(claim)} take_claim, // its claim: function, format, lowest and highest code of its pixels
% endif
    // the oldest word that has not left
    output wire head_valid, // there is one
% if not cfg.given:
    output wire head_ripe, // it is shaded
% endif
    output wire ${width(2)} head_op, // what it is
    output wire head_test, // it is tested
    output wire ${width(16)} head_mask, // pixels that are covered
    output wire ${width(T)} head_number, // the tile's number
    output wire ${width(S)} head_set, // its set
% if claim:
    output wire ${width(claim)} head_claim, // its claim
% endif
    input  wire move, // it leaves
    input  wire fetch, // its long part is to be shown
    output wire ${width(long_bits)} text, // that: x, y, func, write, format, depths, first lowest
    input  wire done, // the result of the word that left last is taken
% if ahead:
    // one of those that have not left
    input  wire ${width(B)} look, // its place
    output wire look_tested, // it makes a request to prefetch
    output wire ${width(T)} look_number, // its tile's number
    output wire ${width(S)} look_set, // its set
% if claim:
    output wire ${width(claim)} look_claim, // its claim
% endif
% endif
    output wire ${width(K)} waiting // words that have not left
);

    localparam [1:0] TILE = 2'd0;

    ${unpack(tile, "tile_data", fields=("op", "x", "y", "mask", "test", *(("func", "format") if claim else ())))}

    reg  ${width(B)} head, tail;           // the places of the oldest word and of the next
    reg  ${width(K)} queued;               // words that have not left
    reg  ${width(K)} flight;               // words whose result was not taken
    reg  barrier;                          // one of them is a barrier

    assign waiting    = queued;
    assign tile_ready = flight != ${K}'d${N} & !barrier & !hold;
    assign head_valid = queued != ${K}'d0;
    assign take       = tile_valid & tile_ready;

    always @(posedge clk) begin
        if (rst) begin
            head    <= ${B}'d0;
            tail    <= ${B}'d0;
            queued  <= ${K}'d0;
            flight  <= ${K}'d0;
            barrier <= 1'b0;
        end else begin
            if (move)
                head <= ${step("head")};
            if (take)
                tail <= ${step("tail")};
            queued  <= queued + ${one("take")} - ${one("move")};
            flight  <= flight + ${one("take")} - ${one("done")};
            barrier <= take ? tile_op != TILE : barrier & !(done & queued == ${K}'d0);
        end
    end

    // A tile's number. The pitch changes only while no word is in flight but the one that changes it
    wire ${width(T)} number = {${X}'d0, tile_y} * {${zeros(X - 1)}pitch} + {${X}'d0, tile_x};

    assign take_tested = take & tile_op == TILE & tile_test;
    assign take_number = number;
    assign take_set    = ${set_of};
% if claim:

    // What can be said of its pixels, those that the shader will discard included
    wire ${width(B_code)} low, high;
% if ahead:
    wire ${width(claim)} take_claim;
% endif

    zcache_span span (
        .words(tile_data[${high - 1}:${high - 512}]),
        .format(tile_format),
        .mask(tile_mask),
        .low(low),
        .high(high)
    );

    assign take_claim = {high, low, tile_format, tile_func};
% endif

    ram_async #(
        .WIDTH(${short}),
        .DEPTH(${N}),
        .INDEX_BITS(${B})
    ) heads (
        .clk(clk),
        .write(take),
        .write_index(tail),
        .write_data({${"take_claim, " if claim else ""}tile_op, tile_test, tile_mask, take_number, take_set}),
        .read_index(head),
        .read_data({${"head_claim, " if claim else ""}head_op, head_test, head_mask, head_number, head_set})
    );

    ram_1r1w #(
        .WIDTH(${long_bits}),
        .DEPTH(${N}),
        .INDEX_BITS(${B})
    ) texts (
        .clk(clk),
        .write(take),
        .write_index(tail),
        .write_data({tile_data[${high - 1}:${low}], tile_y, tile_x}),
        .read(fetch),
        .read_index(head),
        .read_data(text)
    );
% if ahead:

    ram_async #(
        .WIDTH(${1 + T + S + claim}),
        .DEPTH(${N}),
        .INDEX_BITS(${B})
    ) looks (
        .clk(clk),
        .write(take),
        .write_index(tail),
        .write_data({${"take_claim, " if claim else ""}take_tested, take_number, take_set}),
        .read_index(look),
        .read_data({${"look_claim, " if claim else ""}look_tested, look_number, look_set})
    );
% endif
% if ripens:

    // Words ripen one by one, each ${cfg.shading.cycles} cycles after it was taken: the next one to do so is compared
    reg  ${width(stamp)} now;
    reg  ${width(B)} next;                 // its place
    reg  ${width(K)} ripe;                 // those ahead of it
    wire ${width(stamp)} taken;            // when it was taken
    wire ripens = ripe != queued & now - taken == ${stamp}'d${cfg.shading.cycles - 1};

    assign head_ripe = ripe != ${K}'d0;

    always @(posedge clk) begin
        now <= rst ? ${stamp}'d0 : now + 1'b1;
        if (rst) begin
            next <= ${B}'d0;
            ripe <= ${K}'d0;
        end else if (move & !head_ripe) begin // a barrier does not wait to ripen; there is nothing behind it
            next <= tail;
            ripe <= ${K}'d0;
        end else begin
            if (ripens)
                next <= ${step("next")};
            ripe <= ripe + ${one("ripens")} - ${one("move")};
        end
    end

    ram_async #(
        .WIDTH(${stamp}),
        .DEPTH(${N}),
        .INDEX_BITS(${B})
    ) stamps (
        .clk(clk),
        .write(take),
        .write_index(tail),
        .write_data(now),
        .read_index(next),
        .read_data(taken)
    );
% elif not cfg.given:
    assign head_ripe = 1'b1;
% endif

endmodule
