% if cfg.bounds:
<%
    B = cfg.hierarchical.bits
%>\
// The lowest and the highest code of a tile's depths: of each the top ${B} bits, in its format.
//
// Of no pixels at all the lowest is the highest that there is, the highest 0.
// Timing: combinational, four comparisons deep.
module zcache_span (
    input  wire [511:0] words, // a word for each pixel, first lowest
    input  wire [1:0] format, // what of it is a depth
    input  wire [15:0] mask, // pixels that count
    output wire ${width(B)} low, // the lowest code
    output wire ${width(B)} high // the highest code
);

    localparam [1:0] D24X8 = 2'd0, D16 = 2'd2;

    // A tree: node n is of nodes 2n and 2n + 1, the pixels are nodes 16 to 31
    wire ${width(32 * B)} lows, highs;

    assign low  = lows[${2 * B - 1}:${B}];
    assign high = highs[${2 * B - 1}:${B}];
    assign lows[${B - 1}:0]  = ${B}'d0;
    assign highs[${B - 1}:0] = ${B}'d0;

    genvar n;
    generate
        for (n = 0; n < 16; n = n + 1) begin : gen_pixel
            wire [31:0] word = words[n*32 +: 32];
            wire ${width(B)} code =
                format == D24X8 ? word[23:${24 - B}] :
                format == D16   ? word[15:${16 - B}] : word[31:${32 - B}];
            wire unused = &{1'b0, word};

            assign lows[(16+n)*${B} +: ${B}]  = mask[n] ? code : {${B}{1'b1}};
            assign highs[(16+n)*${B} +: ${B}] = mask[n] ? code : ${B}'d0;
        end

        for (n = 1; n < 16; n = n + 1) begin : gen_node
            wire ${width(B)} low0  = lows[2*n*${B} +: ${B}], low1 = lows[(2*n+1)*${B} +: ${B}];
            wire ${width(B)} high0 = highs[2*n*${B} +: ${B}], high1 = highs[(2*n+1)*${B} +: ${B}];

            assign lows[n*${B} +: ${B}]  = low0 < low1 ? low0 : low1;
            assign highs[n*${B} +: ${B}] = high0 > high1 ? high0 : high1;
        end
    endgenerate

    wire unused_roots = &{1'b0, lows[${B - 1}:0], highs[${B - 1}:0]};

endmodule
% endif
