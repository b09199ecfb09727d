// SPDX-License-Identifier: Apache-2.0
// texpipe_coordinate: each quad becomes its valid pixels, in order, from the lowest on, each once, the last one marked;
// a quad without any becomes one pixel marked "none". Of a quad with a fraction (trilinear) each pixel comes twice, on
// its level and on the next one. Pixels have the number of their own primitive, the mip of their level and, nearest and
// wrapped, places of their own coordinates (of one level: with two that takes z3 too long). Up to four quads are
// here at once; the one looked at is chosen by the solver: what holds of it holds of all. An offer stays until it is
// taken. At any time there may be a reset.
//
// Nothing is assumed but a first reset: what is used of a primitive is what it was when its quad was taken.
`include "geometry.svh"
import coordinates::*;
module texpipe_coordinate_properties #(
    parameter B = `CFG_MAX_LOG2,
    parameter TWO = `CFG_TRILINEAR,          // with a fraction and "more"
    parameter F = TWO ? 9 : 0                // their bits
) (
    input clk, rst, in_valid, in_ready, out_valid, out_ready, begins, empty, valid1, valid2, valid3, bilinear,
    input [4*`PRIM0_WIDTH-1:0] prims,
    input [283+8*TWO:0] in_quad,
    input [4*B+43+F:0] out_pixel,
    input [36+F:0] along1, along2, along3,
    input [3:0] left, mip_w, mip_h, modes,
    input [1:0] number_of_prim,
    input [17:0] offset,
    input [255:0] uv,
    input signed [43:0] scaled_u, scaled_v,
    input signed [36:0] whole_u, whole_v
);
    // A quad as it comes, and the pixel on offer
    wire [1:0] in_prim = in_quad[1:0];
    wire [3:0] in_pixels = in_quad[5:2], in_lod = in_quad[265:262];
    wire [17:0] in_offset = in_quad[283:266];
    wire [`PRIM0_WIDTH-1:0] prim = prims[in_prim*`PRIM0_WIDTH +: `PRIM0_WIDTH];
    wire [B-1:0] x0 = out_pixel[0 +: B], y0 = out_pixel[B +: B];
    wire [3+F:0] out_marks = out_pixel[4*B+16 +: 4+F]; // number, last, none, more, fraction
    wire out_last = out_marks[2], out_none = out_marks[3];
    wire [1:0] out_prim = out_pixel[4*B+20+F +: 2];
    wire [17:0] out_offset = out_pixel[4*B+22+F +: 18];
    wire [3:0] out_tiles = out_pixel[4*B+40+F +: 4];
    wire [7:0] in_fraction, fraction, out_fraction, fraction1, fraction2, fraction3;
    wire second, out_more, more1, more2, more3;

    generate
        if (TWO) begin : gen_two_levels
            assign in_fraction = in_quad[291:284];
            assign {fraction, second} = {texpipe_coordinate.fraction, texpipe_coordinate.second};
            assign {out_fraction, out_more} = out_marks[4 +: 9];
            assign {fraction1, more1} = along1[4 +: 9];
            assign {fraction2, more2} = along2[4 +: 9];
            assign {fraction3, more3} = along3[4 +: 9];
        end else begin : gen_one_level
            assign {in_fraction, fraction, out_fraction, fraction1, fraction2, fraction3} = 48'd0;
            assign {second, out_more, more1, more2, more3} = 5'd0;
        end
    endgenerate

    // Beats of a quad as a mask: of each pixel, from the lowest on, its level and the next one
    function automatic [7:0] beats(input [3:0] pixels, input both);
        beats = {pixels[3] & both, pixels[3], pixels[2] & both, pixels[2],
                 pixels[1] & both, pixels[1], pixels[0] & both, pixels[0]};
    endfunction

    function automatic [7:0] one_beat(input none, input [1:0] number, input next);
        one_beat = none ? 8'd0 : 8'd1 << {number, next};
    endfunction

    // Before all of mask (none: 0)
    function automatic precedes(input [7:0] one, input [7:0] mask);
        precedes = one == 0 | (mask & (one - 1'b1)) == 0;
    endfunction

    function automatic [3:0] smaller(input [3:0] log2, input [3:0] level);
        smaller = log2 > level ? log2 - level : 4'd0;
    endfunction

    function automatic [3:0] tiles(input [3:0] log2);
        tiles = log2 > 2 ? log2 - 4'd2 : 4'd0;
    endfunction

    wire takes = in_valid & in_ready, gives = out_valid & out_ready, ends = gives & out_last;

    reg started = 1'b0, stalled = 1'b0;
    reg [4*B+43+F:0] out_before;
    reg [2:0] here = 0;                      // quads that were taken, and have not left whole
    reg [1:0] waits = 0;                     // cycles without an offer, with a quad here
    reg follows = 1'b0;                      // one of them is looked at
    reg [2:0] ahead;                         // quads before it
    reg [7:0] due;                           // its beats that were not handed on
    reg [3:0] pixels, width, height, mode;   // its pixels, and of its primitive and level
    reg nearest;
    reg [1:0] its_prim;
    reg [17:0] its_offset;
    reg [7:0] its_fraction;
    reg [255:0] its_uv;
    (* anyseq *) wire choose;

    wire both = its_fraction != 0, none_due = pixels == 0;
    wire its_turn = follows & ahead == 0 & out_valid;
    wire next = out_fraction != 0;           // of two beats the second
    wire [7:0] handed = one_beat(out_none, out_marks[1:0], next);
    wire [3:0] next_w = smaller(width, 1), next_h = smaller(height, 1);
    wire [17:0] next_offset = its_offset - (18'd1 << ({1'b0, tiles(next_w)} + {1'b0, tiles(next_h)}));

    always @(posedge clk) begin
        started    <= 1'b1;
        stalled    <= !rst & out_valid & !out_ready;
        out_before <= out_pixel;
        here       <= rst ? 0 : here + takes - ends;
        waits      <= rst | out_valid | here == 0 ? 0 : waits + 1'b1;
        if (rst)
            follows <= 1'b0;
        else if (follows) begin
            ahead <= ahead - (ends & ahead != 0);
            if (gives & ahead == 0) begin
                due     <= due & ~handed;
                follows <= !out_last;
            end
        end else if (takes & choose) begin
            follows <= 1'b1;
            ahead   <= here - ends;
            due     <= beats(in_pixels, in_fraction != 0);
            pixels  <= in_pixels;
            width   <= smaller(prim[`PRIM0_LOG2W], in_lod);
            height  <= smaller(prim[`PRIM0_LOG2H], in_lod);
            mode    <= {prim[`PRIM0_MODE_V], prim[`PRIM0_MODE_U]};
            nearest <= !prim[`PRIM0_BILINEAR];
            {its_prim, its_offset, its_fraction, its_uv} <= {in_prim, in_offset, in_fraction, in_quad[261:6]};
        end
    end

    // Who is where: quads before the stages, and which of these have a pixel of the quad that is looked at
    wire [2:0] before2 = {2'd0, valid3 & along3[2]}, before1 = before2 + (valid2 & along2[2]);
    wire [2:0] before0 = before1 + (valid1 & along1[2]);
    wire its0 = follows & begins & before0 == ahead, its1 = follows & valid1 & before1 == ahead;
    wire its2 = follows & valid2 & before2 == ahead, its3 = follows & valid3 & ahead == 0;
    wire [7:0] rest = beats(left, fraction != 0);
    wire [7:0] beats0 = its0 ? (second ? rest & (rest - 1'b1) : rest) : 8'd0;
    wire [7:0] beat1 = its1 ? one_beat(along1[3], along1[1:0], fraction1 != 0) : 8'd0;
    wire [7:0] beat2 = its2 ? one_beat(along2[3], along2[1:0], fraction2 != 0) : 8'd0;
    wire [7:0] beat3 = its3 ? one_beat(along3[3], along3[1:0], fraction3 != 0) : 8'd0;

    // What goes with a beat of the quad
    function automatic its_own(input [36+F:0] along, input [7:0] fraction, input more, input last);
        its_own = along[3:2] == {none_due, last} & along[5+F:4+F] == its_prim
            & more == (both & !none_due & fraction == 0) & (fraction == 0 | fraction == its_fraction)
            & along[36+F:24+F] == {!nearest, mode, fraction != 0 ? {next_h, next_w} : {height, width}}
            & along[23+F:6+F] == (fraction != 0 ? next_offset : its_offset);
    endfunction

    wire [63:0] uv1 = its_uv[64*along1[1:0] +: 64], uv2 = its_uv[64*along2[1:0] +: 64];
    wire [63:0] uv3 = its_uv[64*along3[1:0] +: 64];
    wire [43:0] scaled2_u = scaled(uv2[31:0], along2[27+F:24+F]), scaled2_v = scaled(uv2[63:32], along2[31+F:28+F]);

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        if (started & !rst) begin
            pixel_of_a_quad: assert (!out_valid | here != 0);
            offered_after_four_cycles: assert (out_valid | waits != 2'd3);
            if (stalled)
                offer_is_stable: assert (out_valid & out_pixel == out_before);
            if (its_turn) begin
                none_is_marked: assert (out_none == none_due);
                lowest_pixel_next: assert (out_none | ((handed & due) != 0 & precedes(handed, due)));
                last_is_marked: assert (out_last == ((due & ~handed) == 0));
                two_levels_are_marked: assert (out_more == (both & !next & !none_due));
                fraction_of_its_own: assert (!next | out_fraction == its_fraction);
                primitive_of_its_own: assert (out_prim == its_prim);
                mip_of_its_level: assert (
                    out_offset == (next ? next_offset : its_offset) & out_tiles == tiles(next ? next_w : width));
            end
            if (!TWO & its_turn & !out_none & nearest & mode[1:0] == 2'd0)
                column_of_its_pixel: assert (x0 == B'(wrapped(uv3[31:0], next ? next_w : width)));
            if (!TWO & its_turn & !out_none & nearest & mode[3:2] == 2'd0)
                row_of_its_pixel: assert (y0 == B'(wrapped(uv3[63:32], next ? next_h : height)));
        end
        // What holds in between, so that the induction closes
        if (started) begin
            each_quad_has_its_last: assert (here == before0 + begins & (!follows | ahead < here));
            goes_on_until_its_last: assert ((!valid3 | along3[2] | valid2) & (!valid2 | along2[2] | valid1)
                & (!valid1 | along1[2] | left != 0));
            one_kind_at_a_time: assert (!empty | left == 0);
            second_of_two: assert (!second | (left != 0 & fraction != 0));
            waits_in_step: assert (out_valid | waits <= (valid2 ? 2 : valid1 ? 1 : 0) | here == 0);
            if (follows) begin
                each_in_one_place: assert ((beats0 | beat1 | beat2 | beat3) == due
                    & $countones(beats0) + $countones(beat1) + $countones(beat2) + $countones(beat3) == $countones(due)
                    & (due & ~beats(pixels, both)) == 0);
                places_in_order: assert (precedes(beat3, due) & precedes(beat2, due & ~beat3)
                    & precedes(beat1, due & ~beat3 & ~beat2));
                none_in_one_place: assert (none_due
                    ? {1'b0, its0} + {1'b0, its1} + {1'b0, its2} + {1'b0, its3} == 2'd1 & (!its0 | empty) : due != 0);
                quad_is_held: assert (!its0 | ({number_of_prim, offset, uv} == {its_prim, its_offset, its_uv}
                    & empty == none_due & {bilinear, modes, mip_h, mip_w} == {!nearest, mode, height, width}
                    & fraction == its_fraction));
                goes_with_its_pixels: assert (
                    (!its1 | its_own(along1, fraction1, more1, !its0))
                    & (!its2 | its_own(along2, fraction2, more2, !its0 & !its1))
                    & (!its3 | its_own(along3, fraction3, more3, !its0 & !its1 & !its2)));
                scaled_its_own: assert (TWO | !its1 | none_due | (scaled_u == scaled(uv1[31:0], along1[27+F:24+F])
                    & scaled_v == scaled(uv1[63:32], along1[31+F:28+F])));
                whole_of_its_own: assert (TWO | !its2 | none_due
                    | (whole_u[27:0] == scaled2_u[43:16] & whole_v[27:0] == scaled2_v[43:16]));
            end
        end
    end

    // Traces to see
    reg waited = 1'b0;
    reg [2:0] row = 0;                       // quads that left in a row
    always @(posedge clk) begin
        waited <= !rst & (waited | stalled);
        row    <= rst | !ends ? 0 : row + (row != 3'd7);
        if (started & !rst) begin
            four_quads_here: cover (here == 3'd4 & waited);
            a_quad_in_each_cycle: cover (row == 3'd5);
            two_of_four: cover (its_turn & gives & out_last & pixels == 4'b1010 & ahead == 0);
            without_pixels: cover (its_turn & gives & out_none);
            full_quad_behind_a_full_one: cover (its_turn & ends & pixels == 4'b1111 & here == 3'd2 & waited);
        end
    end
endmodule

bind texpipe_coordinate texpipe_coordinate_properties properties (.*);
