% if cfg.bounds:
<%
    from configs.zcache.schema import GROUP
    T, N, B, C = cfg.tile_bits, cfg.hierarchical.tiles, cfg.hierarchical.bits, cfg.claim_bits
    G = N // GROUP                            # groups of tiles
    M, g = (N - 1).bit_length(), (G - 1).bit_length()
    askers = helpers.askers(cfg)
    below = lambda number: f" & {number}[{T - 1}:{M}] == {T - M}'d0" if T > M else ""
%>\
// Bounds: of each of the first ${N} tiles of the surface the lowest and highest code of its depths, and their format.
//
// Interface: a claim is what a tile to be tested says of itself: its function and format, and the lowest and the
// highest code of its pixels; hopeless, that none of them can pass. A clear forgets a group of ${GROUP} tiles at once:
// what they hold is the clear's value. The test learns a tile's bounds from its line.
// Timing: looked up in the same cycle; a change shows from the next one on.
module zcache_bounds (
    input  wire clk, // clock
    input  wire bounding, // there was a clear: bounds count
    input  wire [31:0] blank_value, // what it gave tiles
    input  wire ${width(T + 1)} tiles, // tiles of the surface
% for asker in askers:
    input  wire ${width(T)} ${asker}_number, // a tile looked at by ${"the test" if asker == "test" else "a prefetch"}
    input  wire ${width(C)} ${asker}_claim, // its claim
    output wire ${asker}_hopeless, // it cannot pass
% endfor
    input  wire forget, // a group is forgotten
    input  wire ${width(g)} forget_group, // which
    input  wire move, // the test's tile moves on
    input  wire learn, // it is compared: in the cycle after, its line is here
    input  wire [511:0] line, // with what is stored
    input  wire [1:0] format // the tile's format
);

    localparam [1:0] D24X8 = 2'd0, D16 = 2'd2;

    // What the test learns
    reg  ${width(T)} number;               // of the tile that has moved on
    wire ${width(B)} line_low, line_high;
    wire learns = learn & bounding${below("number")};

    always @(posedge clk)
        if (move)
            number <= test_number;

    zcache_span line_span (
        .words(line),
        .format(format),
        .mask(16'hffff),
        .low(line_low),
        .high(line_high)
    );

% for asker in askers:
    wire ${width(GROUP)} ${asker}_learnt;
% endfor

<%include file="zcache_groups.mako" args="tiles=N, bits='learnt', all='forget', group='forget_group', one='learns', number='number', value='!forget'"/>\
% for asker in askers:

    // ${"The test's tile" if asker == "test" else "That of a prefetch"}
    wire [2:0] ${asker}_func;
    wire [1:0] ${asker}_format, ${asker}_bound_format;
    wire ${width(B)} ${asker}_low, ${asker}_high, ${asker}_bound_low, ${asker}_bound_high;

    assign {${asker}_high, ${asker}_low, ${asker}_format, ${asker}_func} = ${asker}_claim;

    ram_async #(
        .WIDTH(${2 + 2 * B}),
        .DEPTH(${N}),
        .INDEX_BITS(${M})
    ) ${asker}_bounds (
        .clk(clk),
        .write(learns),
        .write_index(number[${M - 1}:0]),
        .write_data({line_high, line_low, format}),
        .read_index(${asker}_number[${M - 1}:0]),
        .read_data({${asker}_bound_high, ${asker}_bound_low, ${asker}_bound_format})
    );

    wire ${width(B)} ${asker}_blank =
        ${asker}_format == D24X8 ? blank_value[23:${24 - B}] :
        ${asker}_format == D16   ? blank_value[15:${16 - B}] : blank_value[31:${32 - B}];
    wire ${asker}_knows = ${asker}_learnt[${asker}_number[3:0]];
    wire ${asker}_counts = bounding & {1'b0, ${asker}_number} < tiles${below(f"{asker}_number")}
        & (!${asker}_knows | ${asker}_bound_format == ${asker}_format);
    wire ${asker}_above = ${asker}_low > (${asker}_knows ? ${asker}_bound_high : ${asker}_blank);
    wire ${asker}_below = ${asker}_high < (${asker}_knows ? ${asker}_bound_low : ${asker}_blank);

    // A bit of the function for less, equal and greater: above all that is stored, greater alone can be true
    assign ${asker}_hopeless = ${asker}_counts &
        ((${asker}_above & !${asker}_func[2]) | (${asker}_below & !${asker}_func[0]) | ${asker}_func == 3'd0);
% endfor

    wire unused_blank = &{1'b0, blank_value};

endmodule
% endif
