// SPDX-License-Identifier: Apache-2.0
// texpipe_address: each pixel leaves once, in order, with its own number, marks, weights and places, the format and
// colour table of its own primitive; its lines are made of the first ones of its own texels' tiles (how: that says
// texpipe_address.sv); a quad is told to be found once, with its primitive's number, when its last pixel leaves. An
// offer stays until it is taken. The pixel looked at is chosen by the solver, and so is its texel. At any time there
// may be a reset.
//
// Assumed, as texpipe_setup does it: a primitive stays until its pixels have left.
`include "geometry.svh"
module texpipe_address_in_order #(
    parameter C = `CFG_MAX_LOG2,
    parameter L = `CFG_CACHE_LINE_BITS,
    parameter T = `CFG_SLOT_BITS,
    parameter F = `CFG_TRILINEAR ? 9 : 0,    // bits of "more" and fraction
    parameter P = 36 + F                     // of what is passed on: places, weights, number, last, none
) (
    input clk, rst, in_valid, in_ready, out_valid, out_ready, valid1, valid2, valid3, found,
    input [4*`PRIM0_WIDTH-1:0] prims,
    input [4*T-1:0] slots,
    input [4*C+43+F:0] in_pixel,
    input [8+8*L-1:0] out_lines,
    input [P+T+1:0] out_sample,
    input [1:0] found_prim, prim1, prim2, prim3, format2, format3,
    input [T-1:0] slot2, slot3,
    input [P-1:0] passing1, passing2, passing3,
    input [18:0] tile00, tile10, tile01, tile11,
    input [L-1:0] line00, line10, line01, line11
);
    wire [C-1:0] in_x0 = in_pixel[0 +: C], in_y0 = in_pixel[C +: C];
    wire [C-1:0] in_x1 = in_pixel[2*C +: C], in_y1 = in_pixel[3*C +: C];
    wire [1:0] in_prim = in_pixel[4*C+20+F +: 2];
    wire [17:0] in_offset = in_pixel[4*C+22+F +: 18];
    wire [3:0] in_tiles = in_pixel[4*C+40+F +: 4];

    reg started = 1'b0, stalled = 1'b0;
    reg [8+8*L+P+T+1:0] out_before;
    reg [1:0] here = 0;                      // pixels that were taken and have not left
    reg [1:0] waits = 0;                     // cycles without an offer, with a pixel here
    reg right, lower;                        // the texel; constants: nothing but themselves drive them
    reg follows = 1'b0;                      // one of the pixels here is looked at
    reg [1:0] ahead;                         // pixels before it
    reg [P-1:0] its_marks;
    reg [1:0] its_prim;
    reg [18:0] its_tile;                     // of its chosen texel
    reg [`PRIM0_WIDTH-1:0] prim_before;
    reg [T-1:0] slot_before;
    (* anyseq *) wire choose;

    wire takes = in_valid & in_ready, gives = out_valid & out_ready, its_turn = follows & ahead == 0 & out_valid;
    wire [`PRIM0_WIDTH-1:0] prim = prims[its_prim*`PRIM0_WIDTH +: `PRIM0_WIDTH];
    wire [T-1:0] slot = slots[its_prim*T +: T];
    wire [1:0] format = prim[`PRIM0_FORMAT];

    // A texel's tile from the start of the mips: tiles of 4 x 4, row by row
    wire [C-1:0] x = right ? in_x1 : in_x0, y = lower ? in_y1 : in_y0;
    wire [18:0] tile = {1'b0, in_offset} + ({{21-C{1'b0}}, y[C-1:2]} << in_tiles) + {{21-C{1'b0}}, x[C-1:2]};

    // Its first line, behind the colour table; all bits of it take z3 too long
    localparam LOW = 8;
    wire [L-1:0] base = prim[`PRIM0_BASE];
    wire [LOW-1:0] start = base[LOW-1:0] + (format == 2 ? 8'd64 : format == 3 ? 8'd48 : 8'd0);
    wire [LOW-1:0] its_line = start + (format == 0 ? its_tile[LOW-1:0] << 2 :
        format == 1 ? its_tile[LOW-1:0] << 1 : its_tile[LOW-1:0]) + (format == 1 ? its_tile[LOW-1:0] : 8'd0);
    wire [LOW-1:0] line = lower ? (right ? line11[LOW-1:0] : line01[LOW-1:0]) :
        right ? line10[LOW-1:0] : line00[LOW-1:0];

    always @(posedge clk) begin
        started     <= 1'b1;
        {right, lower} <= {right, lower};
        stalled     <= !rst & out_valid & !out_ready;
        out_before  <= {out_lines, out_sample};
        prim_before <= prim;
        slot_before <= slot;
        here        <= rst ? 0 : here + takes - gives;
        waits       <= rst | out_valid | here == 0 ? 0 : waits + 1'b1;
        if (rst)
            follows <= 1'b0;
        else if (follows) begin
            ahead <= ahead - gives;
            if (gives & ahead == 0)
                follows <= 1'b0;
        end else if (takes & choose) begin
            follows   <= 1'b1;
            ahead     <= here - gives;
            its_marks <= {in_pixel[4*C +: 20+F], in_y1[3:0], in_x1[3:0], in_y0[3:0], in_x0[3:0]};
            its_tile  <= tile;
            its_prim  <= in_prim;
            // it stays from now on
            prim_before <= prims[in_prim*`PRIM0_WIDTH +: `PRIM0_WIDTH];
            slot_before <= slots[in_prim*T +: T];
        end
    end

    // The pixel that is looked at, by stages
    wire its3 = follows & valid3 & ahead == 0, its2 = follows & valid2 & ahead == valid3;
    wire its1 = follows & valid1 & ahead == {1'b0, valid3} + {1'b0, valid2};

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        primitive_stays: assume (!follows | (prim == prim_before & slot == slot_before));
        if (started & !rst) begin
            pixel_of_one_taken: assert (!out_valid | here != 0);
            offered_after_three_cycles: assert (out_valid | waits < 2);
            if (stalled)
                offer_is_stable: assert (out_valid & {out_lines, out_sample} == out_before);
            if (its_turn) begin
                in_order_with_its_own_marks: assert (out_sample[P-1:0] == its_marks);
                format_and_table_of_its_own: assert (out_sample[P+T+1:P] == {slot, format});
                found_with_the_last: assert (found == (gives & its_marks[34]));
                found_of_its_own: assert (found_prim == its_prim);
            end
            found_once: assert (!found | gives);
        end
        if (started & !rst & its2)
            first_line_of_its_own_tile: assert (line == its_line);
        // What holds in between, so that the induction closes
        if (started) begin
            each_in_one_stage: assert (here == {1'b0, valid1} + {1'b0, valid2} + {1'b0, valid3}
                & (!follows | {1'b0, its1} + {1'b0, its2} + {1'b0, its3} == 2'd1));
            waits_in_step: assert (out_valid | here == 0 | waits <= valid2);
            if (its1)
                its_own_in_stage_1: assert (passing1 == its_marks & prim1 == its_prim
                    & (lower ? (right ? tile11 : tile01) : right ? tile10 : tile00) == its_tile);
            if (its2)
                its_own_in_stage_2: assert (passing2 == its_marks & prim2 == its_prim
                    & {slot2, format2} == {slot, format});
            if (its3)
                its_own_in_stage_3: assert (passing3 == its_marks & prim3 == its_prim
                    & {slot3, format3} == {slot, format});
        end
    end

    // Traces to see
    reg waited = 1'b0;
    reg [2:0] row = 0;                       // pixels that left in a row
    always @(posedge clk) begin
        waited <= !rst & (waited | stalled);
        row    <= rst | !gives ? 0 : row + (row != 3'd7);
        if (started & !rst) begin
            three_pixels_here: cover (here == 3 & stalled);
            a_pixel_in_each_cycle: cover (row == 3'd4 & waited);
            found_while_another_comes: cover (found & takes & here == 3);
        end
    end
endmodule

bind texpipe_address texpipe_address_in_order properties (.*);
