// SPDX-License-Identifier: Apache-2.0
// texpipe_texels: what belongs to a pixel comes out ten cycles after its texels came, none lost or doubled: number,
// marks, fraction, and an error of its own lines or, if it has a colour table, of that table; a pixel marked "none" has
// no error. Into the filter go its own texels (those of a table as the table gives them) with its own weights, and 0
// where a texel has no weight. The texel (corner) looked at is chosen by the solver. Resets at any time.
//
// Colour tables and filter are left to the solver: that they take two cycles and eight is not looked at.
`include "geometry.svh"
module texpipe_texels_properties #(
    parameter T = `CFG_SLOT_BITS,
    parameter F = `CFG_TRILINEAR ? 9 : 0     // bits of "more" and fraction
) (
    input clk, rst, in_valid, in_error, out_valid, error1, error2,
    input [`CFG_TABLES-1:0] table_errors,
    input [127:0] in_texels, colours, opaque,
    input [37+T+F:0] in_sample, sample1, sample2,
    input [36+F:0] out_pixel,
    input [7:0] pixel_weight_u, pixel_weight_v,
    input [9:0] under_way,
    input [8*(5+F)-1:0] beside
);
    reg [1:0] corner;                        // a constant: nothing but itself drives it
    reg started = 1'b0;
    reg [9:0] due = 0;                       // a pixel came one cycle ago, two, ...
    reg [37+T+F:0] came1, came2;
    reg failed1, failed2;
    reg [31:0] texel1, texel2;
    reg [7:0][4+F:0] marks;                  // of pixels that came three to ten cycles ago: theirs, and the error

    wire [1:0] format = came2[36+F +: 2];
    wire [T-1:0] slot = came2[38+F +: T];
    wire none = came2[35], counts = (!corner[0] | came2[23:16] != 0) & (!corner[1] | came2[31:24] != 0);
    wire failing = failed2 | (format[1] & table_errors[slot]);
    wire [31:0] texel = format[1] ? colours[32*corner +: 32] : texel2;
    wire [31:0] its_own = {format[0] ? 8'hff : texel[31:24], texel[23:0]};

    always @(posedge clk) begin
        started <= 1'b1;
        corner  <= corner;
        due     <= rst ? 10'd0 : {due[8:0], in_valid};
        {came2, came1}     <= {came1, in_sample};
        {failed2, failed1} <= {failed1, in_error};
        {texel2, texel1}   <= {texel1, in_texels[32*corner +: 32]};
        marks <= {marks[6:0], {failing & !none, came2[32 +: 4+F]}};
    end

    wire [7:0] same;                         // marks beside the filter
    genvar n;
    generate
        for (n = 0; n < 8; n = n + 1) begin : gen_beside
            assign same[n] = !due[n + 2] | beside[n*(5+F) +: 5+F] == marks[n];
        end
    endgenerate

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        if (started & !rst) begin
            ten_cycles_after_its_texels: assert (out_valid == due[9]);
            if (out_valid) begin
                in_order_with_its_own_marks: assert (out_pixel[32 +: 4+F] == marks[7][3+F:0]);
                error_of_its_own: assert (out_pixel[36+F] == marks[7][4+F]);
            end
            if (due[1]) begin
                filtered_with_its_own_weights: assert ({pixel_weight_v, pixel_weight_u} == came2[31:16]);
                filtered_from_its_own_texels: assert (opaque[32*corner +: 32] == (counts ? its_own : 32'd0));
            end
        end
        // What holds in between, so that the induction closes
        if (started) begin
            in_step: assert (under_way == due & (!due[0] | {error1, sample1} == {failed1, came1})
                & (!due[1] | {error2, sample2} == {failed2, came2}) & (&same));
            texels_in_step: assert ((!due[0] | texpipe_texels.texels1[32*corner +: 32] == texel1)
                & (!due[1] | texpipe_texels.texels2[32*corner +: 32] == texel2));
        end
    end
endmodule

bind texpipe_texels texpipe_texels_properties properties (.*);
