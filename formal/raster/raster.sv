// SPDX-License-Identifier: Apache-2.0
// raster: what leaves it stays until it is taken, no pixel lies outside the window that its primitive was begun in, and
// no tile of a triangle comes twice. The pixel and the tile that are looked at are chosen by the solver.
//
// Left to the solver, at any time: what is set up, which pixels a triangle covers, depths. Assumed: bounds of a triangle
// are as raster_setup gives them (raster_setup.sv), and a window has as many pixels as begin may say.
`include "geometry.svh"
module raster_properties (
    input clk, rst,
    input vtx_valid, tile_valid, tile_ready, passed, taken, walking, found, moves, none, looks, pending,
    input [`VTX_WIDTH-1:0] vtx_data,
    input [`TILE_WIDTH-1:0] tile_data,
    input [1:0] kind, walk_kind,
    input [`CFG_COORDINATE_BITS+1:0] last_x, last_y,
    input [`CFG_COORDINATE_BITS-1:0] tile_x, tile_y, first_column, last_column, first_row, last_row
);
    localparam [1:0] LINE = 2'd1, TRIANGLE = 2'd2;
    localparam B = `CFG_COORDINATE_BITS;

    reg started = 1'b0;
    reg [3:0] pixel;                         // constants: nothing but themselves drives them
    reg [B-1:0] column, row;
    always @(posedge clk) begin
        started <= 1'b1;
        pixel   <= pixel;
        column  <= column;
        row     <= row;
    end

    wire signed [22:0] width = vtx_data[`VTX_X], height = vtx_data[`VTX_Y];
    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        if (vtx_valid & vtx_data[`VTX_OP] == 2'd0)
            window: assume (width >= 1 & width <= 4 << B & height >= 1 & height <= 4 << B);
        if (taken & kind == TRIANGLE & !none)
            bounds: assume (first_column <= last_column & last_column <= last_x[B+1:2] &
                            first_row <= last_row & last_row <= last_y[B+1:2]);
    end

    // The window of what is walked, and of the word that is offered
    reg [B+1:0] walk_x, walk_y, out_x, out_y;
    always @(posedge clk) begin
        if (taken)
            {walk_x, walk_y} <= {last_x, last_y};
        if (found & moves)
            {out_x, out_y} <= {walk_x, walk_y};
    end

    function automatic in_window(input [B-1:0] x, y, input [B+1:0] limit_x, limit_y);
        in_window = {x, pixel[1:0]} <= limit_x & {y, pixel[3:2]} <= limit_y;
    endfunction

    // The promises
    reg came = 1'b0;                       // a tile of this triangle was the chosen one
    wire chosen = found & moves & looks & tile_x == column & tile_y == row;
    wire [15:0] mask = tile_data[`TILE_MASK];

    always @(posedge clk) begin
        came <= !rst & !taken & (came | chosen);
        if (started & !$past(rst) & $past(tile_valid & !tile_ready))
            tile_stays: assert (tile_valid & $stable(tile_data));
        if (started & $past(rst))
            reset_forgets: assert (!tile_valid & !walking & !pending);
        if (started & tile_valid & !passed)
            mask_within_the_window: assert (!mask[pixel] | in_window(tile_data[`TILE_X], tile_data[`TILE_Y], out_x, out_y));
        if (started & !rst)
            a_tile_once: assert (!(came & chosen));
    end

    // What holds in between
    wire [B-1:0] left = raster.walk.left_column, right = raster.walk.right_column, bottom = raster.walk.bottom_row;
    wire last_word = raster.walk.last_word;
    wire steep = raster.walk.line.steep;
    wire [15:0] limit_x = raster.walk.line.limit_x, limit_y = raster.walk.line.limit_y;
    wire [15:0] line_mask = raster.word.line_mask;
`ifdef CFG_WALK_SERPENTINE
    wire back = raster.walk.back;
    wire passed_by = row < tile_y | (row == tile_y & (back ? column > tile_x : column < tile_x));
`else
    wire passed_by = row < tile_y | (row == tile_y & column < tile_x);
`endif

    always @(posedge clk) if (started & !$past(rst)) begin
        if (walking) begin
            window_of_the_walk: assert (raster.walk.last_x == walk_x & raster.walk.last_y == walk_y);
            limits_of_a_line: assert (limit_x == (steep ? walk_y : walk_x) & limit_y == (steep ? walk_x : walk_y));
        end
        if (looks)
            within_bounds: assert (left <= tile_x & tile_x <= right & right <= walk_x[B+1:2] &
                                   tile_y <= bottom & bottom <= walk_y[B+1:2]);
        if (walking & walk_kind == TRIANGLE & came)
            walks_on: assert (passed_by | (none & !looks));
        if (walking & last_word)
            line_has_a_word: assert (walk_kind == LINE & pending);
        if (pending) begin
            line_is_walked: assert (walking & walk_kind == LINE & !raster.walk.none);
            line_within_the_window: assert (
                !line_mask[pixel] | in_window(raster.word.line_x, raster.word.line_y, walk_x, walk_y));
        end
        came_in_this_walk: assert (!came | (walking & walk_kind == TRIANGLE) | !walking);
    end
endmodule

bind raster raster_properties properties (.*);
