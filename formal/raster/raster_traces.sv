// SPDX-License-Identifier: Apache-2.0
// raster: traces of points and passed words. A word is offered though nobody has ever been ready; all stages are full and
// go on; a pixel of the window's last column.
`include "geometry.svh"
module raster_traces (
    input clk, rst, vtx_valid, tile_valid, tile_ready, passed, done, taken, found, moves,
    input [`VTX_WIDTH-1:0] vtx_data,
    input [`TILE_WIDTH-1:0] tile_data,
    input [`CFG_COORDINATE_BITS+1:0] last_x
);
    reg started = 1'b0, never_ready = 1'b1, full = 1'b0;
    reg [`CFG_COORDINATE_BITS+1:0] walk_x, out_x;
    wire [15:0] mask = tile_data[`TILE_MASK];

    always @(posedge clk) begin
        started     <= 1'b1;
        never_ready <= never_ready & !tile_ready;
        full        <= !rst & (full | (tile_valid & !tile_ready & found & done));
        if (taken)
            walk_x <= last_x;
        if (found & moves)
            out_x <= walk_x;
        if (!started)
            first_a_reset: assume (rst);
        if (started & !rst) begin
            offered_without_ready: cover (tile_valid & never_ready);
            goes_on_when_full: cover (full & taken);
            last_column: cover (tile_valid & !passed & mask[4] & {tile_data[`TILE_X], 2'd0} == out_x & out_x != 0);
        end
    end
endmodule

bind raster raster_traces properties (.*);
