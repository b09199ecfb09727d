// SPDX-License-Identifier: Apache-2.0
// texunit_coordinate: each quad becomes its valid pixels, from the lowest on, each once, the last one marked;
// a quad without any becomes one pixel marked "none". One quad is here at most: the one that is due is the
// last one taken. With the nearest texel and wrapping, places are those of the pixel's own coordinates; in
// any case the mip is that of the quad's level: the ROM gives its index back. A quad is taken if none is here, or as
// the last pixel of one leaves; its first pixel is offered in the sixth cycle, and from then on there is one in each.
//
// Assumed: the primitive stays while a quad is here (texunit_gate sees to that), within the largest side.
`include "geometry.svh"
import coordinates::*;
module texunit_coordinate_properties (
    input clk, rst, in_valid, in_ready, out_valid, out_ready, bilinear,
    input [3:0] log2w, log2h, in_pixels, in_lod,
    input [1:0] mode_u, mode_v,
    input [255:0] in_uv,
    input [4*`CFG_MAX_LOG2+41:0] out_pixel,
    input busy, empty, valid1, valid2, valid3, last1, last2, last3, none1, none2, none3,
    input [1:0] rom_step, number1, number2, number3,
    input [3:0] left, lod, mip_w, mip_h,
    input [17:0] offset,
    input [255:0] uv,
    input signed [43:0] scaled_u, scaled_v,
    input signed [36:0] whole_u, whole_v
);
    localparam B = `CFG_MAX_LOG2;

    wire [B-1:0] x0 = out_pixel[0 +: B], y0 = out_pixel[B +: B];
    wire [1:0] out_number = out_pixel[4*B+16 +: 2];
    wire out_last = out_pixel[4*B+18], out_none = out_pixel[4*B+19];
    wire [17:0] out_offset = out_pixel[4*B+20 +: 18];
    wire takes = in_valid & in_ready, gives = out_valid & out_ready;

    reg started = 1'b0, stalled = 1'b0, was_here = 1'b0;
    reg [2:0] taken = 0, given = 0;          // quads; they may wrap around
    reg [3:0] pixels, due;                   // of the quad: all; those not yet handed on
    reg [255:0] quad_uv;
    reg [3:0] quad_lod;
    reg [12:0] prim_before;
    reg [4*B+41:0] out_before;
    wire [2:0] here = taken - given;
    wire [12:0] prim = {log2w, log2h, mode_u, mode_v, bilinear};
    wire [3:0] handed = 4'd1 << out_number;

    // The ROM: an index presented at an edge shows its offset after the next
    reg [11:0] rom_read, rom_offset;

    always @(posedge clk) begin
        started <= 1'b1;
        stalled <= !rst & out_valid & !out_ready;
        was_here    <= !rst & here != 0;
        prim_before <= prim;
        out_before  <= out_pixel;
        taken <= rst ? 0 : taken + takes;
        given <= rst ? 0 : given + (gives & out_last);
        if (takes) begin
            pixels   <= in_pixels;
            due      <= in_pixels;
            quad_uv  <= in_uv;
            quad_lod <= in_lod;
        end else if (gives)
            due <= due & ~handed;
        if (rom_step == 2'd2)
            rom_read <= {log2w, log2h, lod};
        rom_offset <= rom_read;
    end

    // Pixels in the pipeline, as masks; those further on go first
    wire [3:0] one1 = valid1 & !none1 ? 4'd1 << number1 : 4'd0;
    wire [3:0] one2 = valid2 & !none2 ? 4'd1 << number2 : 4'd0;
    wire [3:0] one3 = valid3 & !none3 ? 4'd1 << number3 : 4'd0;
    wire [5:0] sum = {2'd0, left} + {2'd0, one1} + {2'd0, one2} + {2'd0, one3};
    wire [2:0] begun = {2'd0, valid1} + {2'd0, valid2} + {2'd0, valid3};
    wire none_due = pixels == 0;

    // Cycles since the quad was taken
    reg [2:0] since;
    wire to_begin = left != 0 | empty;
    wire [1:0] reads = since < 3'd2 ? 2'd2 - since : 2'd0;

    always @(posedge clk)
        since <= takes ? 3'd0 : since + (since != 3'd5);

    // Before all of mask (none: 0)
    function automatic precedes(input [3:0] one, input [3:0] mask);
        precedes = one == 0 | (mask & (one - 1'b1)) == 0;
    endfunction

    function automatic [3:0] smaller(input [3:0] log2);
        smaller = log2 > quad_lod ? log2 - quad_lod : 4'd0;
    endfunction

    wire [63:0] uv1 = quad_uv[64*number1 +: 64], uv2 = quad_uv[64*number2 +: 64];
    wire [63:0] uv3 = quad_uv[64*number3 +: 64];
    wire [43:0] scaled2_u = scaled(uv2[31:0], mip_w), scaled2_v = scaled(uv2[63:32], mip_h);

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        primitive_stays: assume (!was_here | prim == prim_before);
        within_the_largest_side: assume (log2w <= B & log2h <= B);
        rom_gives_its_index: assume (offset == {6'd0, rom_offset});
        if (started & !rst) begin
            none_lost_or_doubled: assert (here == {2'd0, busy});
            taken_if_none_is_here: assert (in_ready == (here == 0 | (gives & out_last)));
            offered_then: assert (out_valid == (here != 0 & since == 3'd5));
            if (out_valid) begin
                pixel_of_a_quad: assert (here != 0);
                lowest_pixel_next: assert (out_none | ((handed & due) != 0 & precedes(handed, due)));
                last_is_marked: assert (out_last == ((due & ~handed) == 0));
                none_is_marked: assert (out_none == none_due);
                mip_of_its_level: assert (out_offset == {6'd0, log2w, log2h, quad_lod});
            end
            if (out_valid & !out_none & !bilinear & mode_u == 2'd0)
                column_of_its_pixel: assert (x0 == B'(wrapped(uv3[31:0], mip_w)));
            if (out_valid & !out_none & !bilinear & mode_v == 2'd0)
                row_of_its_pixel: assert (y0 == B'(wrapped(uv3[63:32], mip_h)));
            if (stalled)
                offer_is_stable: assert (out_valid & out_pixel == out_before);
            // For the induction: what is where
            idle_is_empty: assert (here != 0 | (left == 0 & !empty & begun == 0 & rom_step == 0));
            in_step: assert (
                here == 0 | (rom_step == reads & since <= 3'd5 & (since > 3'd2 | begun == 0) &
                (since != 3'd3 | {valid1, valid2, valid3} == 3'b100) & (since != 3'd4 | {valid2, valid3} == 2'b10)));
            no_gaps: assert (
                here == 0 | since <= 3'd2 | ((valid1 | !to_begin) & (valid2 | !valid1 | since == 3'd3) &
                (since <= 3'd3 | valid2 | !to_begin)));
            quad_is_held: assert (here == 0 | (uv == quad_uv & lod == quad_lod));
            nothing_before_the_rom: assert (
                rom_step != 2'd3 & (rom_step == 0 | (begun == 0 & left == pixels & empty == none_due)));
            mip_is_known: assert (
                here == 0 | rom_step == 2'd2 | (mip_w == smaller(log2w) & mip_h == smaller(log2h)));
            rom_is_read: assert (
                here == 0 | rom_step == 2'd2 |
                (rom_read == {log2w, log2h, quad_lod} & (rom_step == 2'd1 | rom_offset == rom_read)));
            if (here != 0) begin
                each_in_one_place: assert (
                    (left | one1 | one2 | one3) == due & sum == {2'd0, due} & (due & ~pixels) == 0);
                places_in_order: assert (
                    precedes(one3, due) & precedes(one2, due & ~one3) & precedes(one1, due & ~one3 & ~one2));
                none_in_one_place: assert (
                    none_due ? {2'd0, empty} + begun == 3'd1 : !empty & (due != 0));
                marks_of_none: assert (
                    (!valid1 | none1 == none_due) & (!valid2 | none2 == none_due) &
                    (!valid3 | none3 == none_due));
                marks_of_last: assert (
                    (!valid1 | last1 == (left == 0)) & (!valid2 | last2 == (left == 0 & !valid1)) &
                    (!valid3 | last3 == (left == 0 & !valid1 & !valid2)));
                scaled_its_own: assert (
                    !valid1 | none1 |
                    (scaled_u == scaled(uv1[31:0], mip_w) & scaled_v == scaled(uv1[63:32], mip_h)));
                whole_of_its_own: assert (
                    !valid2 | none2 |
                    (whole_u[27:0] == scaled2_u[43:16] & whole_v[27:0] == scaled2_v[43:16]));
            end
        end
    end

    // Traces to see
    reg waited = 1'b0;
    always @(posedge clk) begin
        waited <= !rst & (waited | stalled);
        if (started & !rst) begin
            two_of_four: cover (gives & out_last & pixels == 4'b1010 & out_number == 2'd3);
            without_pixels: cover (gives & out_none);
            two_quads_through: cover (given == 3'd2 & waited & pixels == 4'b1111);
            taken_while_handed_on: cover (takes & gives & waited);
        end
    end
endmodule

bind texunit_coordinate texunit_coordinate_properties properties (.*);
