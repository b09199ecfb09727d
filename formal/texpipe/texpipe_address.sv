// SPDX-License-Identifier: Apache-2.0
// texpipe_address: each line of each texel of a pixel is asked for, in its own bank, and that bank for no other: so no
// two lines of a pixel meet, in mips of any size up to the largest, around any edge, in each format. The texel looked
// at is chosen by the solver; so is everything else. What is told apart is the tile's first line, as the texel's own
// circuit has it.
//
// Assumed: texels of one tile have the same first line (the same expression of the same values), and, as texpipe_coordinate does it: the texels of a pixel are in the mip, neighbours in either direction, the
// same one, or at opposite edges; sides are powers of two. Primitives stay as they are.
`include "geometry.svh"
module texpipe_address_properties #(
    parameter C = `CFG_MAX_LOG2,
    parameter L = `CFG_CACHE_LINE_BITS
) (
    input clk, rst, in_valid, in_ready, out_valid, out_ready,
    input [4*`PRIM0_WIDTH-1:0] prims,
    input [C-1:0] in_x0, in_y0, in_x1, in_y1,
    input [1:0] in_prim,
    input in_none,
    input [L-1:0] line00, line01, line10, line11,
    input [8+8*L-1:0] out_lines
);
    // Constants: nothing but themselves drives them
    reg right, lower, final_line;            // the texel, and which of its lines
    reg [3:0] width, height;                 // log2 of the mip's sides
    reg [4*`PRIM0_WIDTH-1:0] kept;

    function near(input [C-1:0] one, input [C-1:0] other, input [3:0] log2);
        reg [C:0] side;
        begin
            side = 1 << log2;
            near = {1'b0, one} < side & {1'b0, other} < side & (one == other
                | {1'b0, other} == (({1'b0, one} + 1'b1) & (side - 1'b1))
                | {1'b0, one} == (({1'b0, other} + 1'b1) & (side - 1'b1)));
        end
    endfunction

    // The chosen texel of each pixel on its way
    reg [C-1:0] x1, x2, x3, y1, y2, y3;
    reg [L-1:0] first;                       // line of its tile
    reg xs1, xs2, ys1, ys2;                  // its texels are in one column of tiles, in one row
    reg [1:0] prim1, prim2, prim3;
    reg none1, none2, none3, valid1 = 0, valid2 = 0, valid3 = 0, started = 0;

    always @(posedge clk) begin
        started <= 1'b1;
        {right, lower, final_line} <= {right, lower, final_line};
        {width, height} <= {width, height};
        kept <= kept;
        if (in_ready) begin
            {x3, x2, x1} <= {x2, x1, right ? in_x1 : in_x0};
            {y3, y2, y1} <= {y2, y1, lower ? in_y1 : in_y0};
            {prim3, prim2, prim1} <= {prim2, prim1, in_prim};
            {none3, none2, none1} <= {none2, none1, in_none};
            {xs2, xs1} <= {xs1, in_x1[C-1:2] == in_x0[C-1:2]};
            {ys2, ys1} <= {ys1, in_y1[C-1:2] == in_y0[C-1:2]};
            first <= right ? (lower ? line11 : line10) : (lower ? line01 : line00);
        end
        if (rst)
            {valid3, valid2, valid1} <= 3'b000;
        else if (in_ready)
            {valid3, valid2, valid1} <= {valid2, valid1, in_valid};
    end

    wire [`PRIM0_WIDTH-1:0] prim = prims[prim3*`PRIM0_WIDTH +: `PRIM0_WIDTH];
    wire [1:0] format = prim[`PRIM0_FORMAT];
    wire counts = !none3 & (prim[`PRIM0_BILINEAR] | (!right & !lower));
    wire [C-3:0] column = x3[C-1:2], row = y3[C-1:2];     // the tile
    wire [5:0] place = {4'd0, y3[1:0]} * 12 + {4'd0, x3[1:0]} * 3; // of an RGB8 texel in its tile, in bytes
    wire [5:0] line_place = (place + (final_line ? 6'd2 : 6'd0)) >> 4;
    wire [1:0] in_tile = format == 0 ? y3[1:0] : format == 1 ? line_place[1:0] : 2'd0;
    wire [L-1:0] line = first + in_tile;
    wire [1:0] inner = format == 0 ? y3[1:0] : format == 1 ? in_tile + row[1:0] : {row[0], column[1]};
    wire [2:0] bank = {column[0], inner};

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        primitives_stay: assume (prims == kept);
        sides: assume (width <= C & height <= C);
        one_column: assume (!xs2 | (line00 == line10 & line01 == line11));
        one_row: assume (!ys2 | (line00 == line01 & line10 == line11));
        neighbours: assume (near(in_x0, in_x1, width) & near(in_y0, in_y1, height));
        if (started & !rst) begin
            in_three_cycles: assert (out_valid == valid3);
            if (out_valid & counts) begin
                line_is_asked_for: assert (out_lines[bank] & out_lines[8 + L*bank +: L] == line);
            end
            if (out_valid & none3)
                none_asks_for_none: assert (out_lines[7:0] == 8'd0);
        end
    end
endmodule

bind texpipe_address texpipe_address_properties properties (.*);
