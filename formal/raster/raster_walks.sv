// SPDX-License-Identifier: Apache-2.0
// raster: traces of a triangle with several tiles in several rows and of a line with two words. What set-up gives is left
// to the solver.
`include "geometry.svh"
module raster_walks (
    input clk, rst, found, moves, looks, ended, gathers, tile_valid, tile_ready,
    input [1:0] walk_kind,
    input [`CFG_COORDINATE_BITS-1:0] tile_x, tile_y
);
    reg started = 1'b0, below = 1'b0;
    reg [2:0] tiles = 0;                     // of this triangle
    reg [`CFG_COORDINATE_BITS-1:0] first_y;
    wire passes = ended & moves;             // the last cycle of a primitive

    always @(posedge clk) begin
        started <= 1'b1;
        tiles   <= rst | passes ? 0 : tiles + (looks & found & moves);
        below   <= !rst & !passes & (below | (looks & tiles != 0 & tile_y != first_y));
        if (looks & tiles == 0)
            first_y <= tile_y;
        if (!started)
            first_a_reset: assume (rst);
        if (started & !rst) begin
            several_tiles: cover (tiles == 3'd4 & below & tile_x != 0);
            two_words_of_a_line: cover (walk_kind == 2'd1 & found & gathers & tile_valid & !tile_ready);
        end
    end
endmodule

bind raster raster_walks properties (.*);
