// SPDX-License-Identifier: Apache-2.0
// raster_edge, twice: the side of two triangles that share it, seen from either of them. Whatever tile the walk is at,
// each pixel lies on the inner side of one of the two: they share no pixel, and leave none out between them. A proof
// looks at one pixel of the tile (with more of them z3 has no answer in minutes).
// Assumed: the side has a length, and differences of coordinates fit, as raster_setup makes them.

module shared_side #(parameter PIXEL = 5) (
    input clk, load, moves, right, down,
    input signed [23:0] dx, dy,
    input signed [47:0] value
);
    wire [15:0] ours, theirs;

    raster_edge one (
        .clk(clk), .load(load), .in_dx(dx), .in_dy(dy), .in_value(value), .moves(moves), .right(right), .down(down),
        .covered(ours)
    );

    raster_edge other (
        .clk(clk), .load(load), .in_dx(-dx), .in_dy(-dy), .in_value(-value), .moves(moves), .right(right), .down(down),
        .covered(theirs)
    );

    reg started = 1'b0;                      // a side's edge function is in its register
    reg loaded = 1'b0, moved = 1'b0;         // it is here, and went into the rows

    always @(posedge clk) begin
        started <= 1'b1;
        loaded <= loaded | load;
        there_before: assume (!load | started);
        moved  <= moved | (loaded & moves);
        a_side: assume (dx != 0 | dy != 0);
        fits: assume (dx != 24'sh800000 & dy != 24'sh800000 & value[47:46] != 2'b01 & value[47:46] != 2'b10);
        if (moved)
            of_one_alone: assert (ours[PIXEL] != theirs[PIXEL]);
        // what holds in between, so that the induction closes
        if (moved)
            rows: assert (loaded & one.row0 == ~other.row0 & one.row1 == ~other.row1 & one.row2 == ~other.row2 & one.row3 == ~other.row3 &
                          one.dy1 == -other.dy1 & one.dy3 == -other.dy3);
        if (started)
            opposite_ahead: assert (one.signs == ~other.signs);
        if (loaded) begin
            opposite: assert (one.value == ~other.value & one.row_value == ~other.row_value);
            directions: assert (one.dx == -other.dx & one.dy == -other.dy);
            in_range: assert (one.dx != 24'sh800000 & one.dy != 24'sh800000);
        end
    end
endmodule
