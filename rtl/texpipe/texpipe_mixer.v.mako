// Mixes a pixel of two levels: lerp(p, q, a) = p + (((q - p) * a + ${128 if cfg.rounding == "nearest" else 0}) >> 8) for four channels of 8 bits.
//
// Interface: a beat in each cycle, no back-pressure. The first of two beats stays here until the second comes, which
// brings the fraction of the level. A pixel of one beat passes as it is. Timing: three cycles.
//
// Two channels share a multiplier, as in the bilinear filter: p - a*p + a*q, ${"rounded to nearest" if cfg.rounding == "nearest" else "truncated"}.
<%
    beat, pixel = helpers.sampled(cfg), helpers.coloured()
    half = 128 if cfg.rounding == "nearest" else 0
    ends = [f.name for f in pixel.fields if f.name not in ("texel", "error")]
    kept = len(ends) + 2                 # number has two bits
%>\
module texpipe_mixer (
    input  wire clk, // clock
    input  wire rst, // synchronous
    input  wire in_valid, // a beat is here
    input  wire ${width(beat.width)} in_beat, // ${", ".join(f.name for f in beat.fields)}
    output wire out_valid, // a pixel is here
    output wire ${width(pixel.width)} out_pixel // ${", ".join(f.name for f in pixel.fields)}
);

    ${unpack(beat, "in_beat", "in")}

    // The first of two
    reg  [31:0] first;
    reg         first_error;
    wire second = in_fraction != 8'd0;

    always @(posedge clk) begin
        if (in_valid & in_more) begin
            first       <= in_texel;
            first_error <= in_error;
        end
    end

    // Cycle 1: both, and the fraction. Cycle 2: products. Cycle 3: the pixel.
    reg  [2:0]  under_way;
    reg  ${width(kept)} marks1, marks2, marks3;
    reg  [31:0] near, far, near2;
    reg  [7:0]  fraction1;

    always @(posedge clk) begin
        if (rst)
            under_way <= 3'd0;
        else
            under_way <= {under_way[1:0], in_valid & !in_more};
    end

    always @(posedge clk) begin
        near      <= second ? first : in_texel;
        far       <= in_texel;
        fraction1 <= in_fraction;
        marks1    <= {in_error | (second & first_error), ${", ".join(f"in_{name}" for name in reversed(ends))}};
        near2     <= near;
        marks2    <= marks1;
        marks3    <= marks2;
    end
% for pair, (low, high) in (("rb", (0, 16)), ("ga", (8, 24))):

    // Channels ${" and ".join(pair)}
    reg  [31:0] ${pair}_near, ${pair}_far;
    reg  [15:0] ${pair}_mixed;
% for part, at, product in (("low", low, 0), ("high", high, 16)):
    wire [15:0] ${pair}_${part} = {near2[${at + 7}:${at}], 8'd${half}} - ${pair}_near[${product + 15}:${product}] + ${pair}_far[${product + 15}:${product}];
% endfor

    always @(posedge clk) begin
% for side in ("near", "far"):
        ${pair}_${side} <= {8'd0, ${side}[${high + 7}:${high}], 8'd0, ${side}[${low + 7}:${low}]} * {24'd0, fraction1};
% endfor
        ${pair}_mixed <= {${pair}_high[15:8], ${pair}_low[15:8]};
    end

    wire unused_${pair} = &{1'b0, ${pair}_high[7:0], ${pair}_low[7:0]};
% endfor

    assign out_valid = under_way[2];
    assign out_pixel = {marks3, ga_mixed[15:8], rb_mixed[15:8], ga_mixed[7:0], rb_mixed[7:0]};

endmodule
