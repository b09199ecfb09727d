// SPDX-License-Identifier: Apache-2.0
// raster_edge, twice: the side of two triangles that share it, seen from either of them. Whatever tile the walk is at,
// each pixel lies on the inner side of one of the two: they share no pixel, and leave none out between them. A proof
// looks at one pixel of the tile (with more of them z3 has no answer in minutes).
// Assumed: the side has a length, and differences of coordinates fit, as raster_setup makes them.

module shared_side #(parameter PIXEL = 5) (
    input clk, load, right, down,
    input signed [23:0] dx, dy,
    input signed [47:0] value
);
    wire [15:0] ours, theirs;

    raster_edge one (
        .clk(clk), .load(load), .in_dx(dx), .in_dy(dy), .in_value(value), .right(right), .down(down), .covered(ours)
    );

    raster_edge other (
        .clk(clk), .load(load), .in_dx(-dx), .in_dy(-dy), .in_value(-value), .right(right), .down(down),
        .covered(theirs)
    );

    reg loaded = 1'b0;

    always @(posedge clk) begin
        loaded <= loaded | load;
        a_side: assume (dx != 0 | dy != 0);
        fits: assume (dx != 24'sh800000 & dy != 24'sh800000 & value[47:46] != 2'b01 & value[47:46] != 2'b10);
        if (loaded) begin
            of_one_alone: assert (ours[PIXEL] != theirs[PIXEL]);
            // what holds in between, so that the induction closes
            opposite: assert (one.value == ~other.value & one.row_value == ~other.row_value);
            directions: assert (one.dx == -other.dx & one.dy == -other.dy);
            in_range: assert (one.dx != 24'sh800000 & one.dy != 24'sh800000);
        end
    end
endmodule
