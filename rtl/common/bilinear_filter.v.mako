// Bilinear filter: lerp(lerp(s0, s1, u), lerp(s2, s3, u), v) for four channels of 8 bits.
//
// Interface: a pixel in each cycle, no back-pressure. Timing: eight cycles.
//
// Two channels share a multiplier: (c1 << 16 | c0) * weight holds both products. lerp(x, y, a) is taken as
// x - a*x + a*y, ${"rounded to nearest" if rounding == "nearest" else "truncated"}: 12 multiplications in place of 24.
<%
    half = 128 if rounding == "nearest" else 0
%>\
module ${module} (
    input  wire clk, // clock
    input  wire [127:0] in_texels,   // s0 lowest; channel 0 in the low byte
    input  wire [15:0] in_weights,   // v, u
    output reg  [31:0] out_texel // the filtered pixel
);

    // Cycle 1: inputs
    reg [127:0] texels;
    reg [7:0] weight_u1;
    reg [7:0] weight_v1, weight_v2, weight_v3, weight_v4;

    always @(posedge clk) begin
        texels    <= in_texels;
        {weight_v1, weight_u1} <= in_weights;
        weight_v2 <= weight_v1;
        weight_v3 <= weight_v2;
        weight_v4 <= weight_v3;
    end

    % for i in range(4):
    wire [31:0] in_texel${i} = texels[${32 * i + 31}:${32 * i}];
% endfor
% for pair, (low, high) in (("rb", (0, 16)), ("ga", (8, 24))):

    // Channels ${" and ".join(pair)}; cycles 2 and 3: products of the rows
% for i in range(4):
    wire [15:0] ${pair}${i} = {in_texel${i}[${high + 7}:${high}], in_texel${i}[${low + 7}:${low}]};
    reg  [31:0] ${pair}${i}_product2, ${pair}${i}_product3;
% endfor
    reg  [15:0] ${pair}0_2, ${pair}0_3, ${pair}2_2, ${pair}2_3;

    always @(posedge clk) begin
        {${pair}0_3, ${pair}0_2} <= {${pair}0_2, ${pair}0};
        {${pair}2_3, ${pair}2_2} <= {${pair}2_2, ${pair}2};
% for i in range(4):
        ${pair}${i}_product2 <= {8'd0, ${pair}${i}[15:8], 8'd0, ${pair}${i}[7:0]} * {24'd0, weight_u1};
        ${pair}${i}_product3 <= ${pair}${i}_product2;
% endfor
    end

    // Cycle 4: rows. Cycles 5 and 6: their products. Cycle 7: the pixel.
    reg [15:0] ${pair}_upper, ${pair}_lower, ${pair}_pixel;
    reg [15:0] ${pair}_upper5, ${pair}_upper6;
    reg [31:0] ${pair}_upper_product5, ${pair}_upper_product6, ${pair}_lower_product5, ${pair}_lower_product6;
% for name, x, ax, ay in (("upper", "0_3", "0_product3", "1_product3"), ("lower", "2_3", "2_product3", "3_product3"), ("pixel", "_upper6", "_upper_product6", "_lower_product6")):
% for part, at, product in (("low", "7:0", "15:0"), ("high", "15:8", "31:16")):
    wire [15:0] ${pair}_${name}_${part} = {${pair}${x}[${at}], 8'd${half}} - ${pair}${ax}[${product}] + ${pair}${ay}[${product}];
% endfor
% endfor

    always @(posedge clk) begin
        ${pair}_upper          <= {${pair}_upper_high[15:8], ${pair}_upper_low[15:8]};
        ${pair}_lower          <= {${pair}_lower_high[15:8], ${pair}_lower_low[15:8]};
        ${pair}_upper5         <= ${pair}_upper;
        ${pair}_upper6         <= ${pair}_upper5;
        ${pair}_upper_product5 <= {8'd0, ${pair}_upper[15:8], 8'd0, ${pair}_upper[7:0]} * {24'd0, weight_v4};
        ${pair}_lower_product5 <= {8'd0, ${pair}_lower[15:8], 8'd0, ${pair}_lower[7:0]} * {24'd0, weight_v4};
        ${pair}_upper_product6 <= ${pair}_upper_product5;
        ${pair}_lower_product6 <= ${pair}_lower_product5;
        ${pair}_pixel          <= {${pair}_pixel_high[15:8], ${pair}_pixel_low[15:8]};
    end

    wire unused_${pair} = &{1'b0, ${", ".join(f"{pair}_{name}_{part}[7:0]" for name in ("upper", "lower", "pixel") for part in ("low", "high"))}};
% endfor

    // Cycle 8
    always @(posedge clk) begin
        out_texel <= {ga_pixel[15:8], rb_pixel[15:8], ga_pixel[7:0], rb_pixel[7:0]};
    end

endmodule
