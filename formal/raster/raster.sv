// SPDX-License-Identifier: Apache-2.0
// raster: what leaves it stays until it is taken, no pixel lies outside the window that its primitive was begun in, and
// no tile of a triangle comes twice. The pixel and the tile that are looked at are chosen by the solver.
//
// Left to the solver, at any time: what is set up, which pixels a triangle covers, depths. Assumed: bounds of a triangle
// are as raster_setup gives them (raster_setup.sv), and a window has as many pixels as begin may say.
`include "geometry.svh"
module raster_properties (
    input clk, rst,
    input vtx_valid, tile_valid, tile_ready, passed, taken, walking, found, moves, none, gathers, fresh,
    input [`VTX_WIDTH-1:0] vtx_data,
    input [`TILE_WIDTH-1:0] tile_data,
    input [15:0] tile_mask,
    input [1:0] kind, walk_kind,
    input [`CFG_COORDINATE_BITS+1:0] last_x, last_y,
    input [`CFG_COORDINATE_BITS-1:0] tile_x, tile_y, first_column, last_column, first_row, last_row
);
    localparam [1:0] LINE = 2'd1, TRIANGLE = 2'd2, PASSED = 2'd3;
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
            bounds: assume (started & $stable({first_column, last_column, first_row, last_row}) &
                            first_column <= last_column & last_column <= last_x[B+1:2] &
                            first_row <= last_row & last_row <= last_y[B+1:2]);
    end

    // The window of what is walked, of the rows and pixels behind it, and of the words
    reg [B+1:0] walk_x, walk_y, row_x, row_y, pixel_x, pixel_y, line_x, line_y, out_x, out_y;
    always @(posedge clk) begin
        if (taken)
            {walk_x, walk_y} <= {last_x, last_y};
        if (moves)
            {row_x, row_y, pixel_x, pixel_y} <= {walk_x, walk_y, row_x, row_y};
        if (moves & gathers)
            {line_x, line_y} <= {pixel_x, pixel_y};
        if (found & moves)
            {out_x, out_y} <= {pixel_x, pixel_y};
    end

    function automatic in_window(input [B-1:0] x, y, input [B+1:0] limit_x, limit_y);
        in_window = {x, pixel[1:0]} <= limit_x & {y, pixel[3:2]} <= limit_y;
    endfunction

    // The promises
    reg came = 1'b0;                       // a tile of this triangle was the chosen one
    wire here = raster.walk.here1, gathered = raster.walk.gathered;
    wire [1:0] at_kind = raster.walk.at_kind;
    wire [B-1:0] at_x = raster.walk.column, at_y = raster.walk.tile_row;
    wire at_tile = walking & at_kind == TRIANGLE & !raster.walk.none;
    wire chosen = at_tile & moves & at_x == column & at_y == row;
    wire [15:0] mask = tile_data[`TILE_MASK];

    always @(posedge clk) begin
        came <= !rst & !taken & (came | chosen);
        if (started & !$past(rst) & $past(tile_valid & !tile_ready))
            tile_stays: assert (tile_valid & $stable(tile_data));
        if (started & $past(rst))
            reset_forgets: assert (!tile_valid & !walking & !here & !found & !gathered & !gathers);
        if (started & tile_valid & !passed)
            mask_within_the_window: assert (!mask[pixel] | in_window(tile_data[`TILE_X], tile_data[`TILE_Y], out_x, out_y));
        if (started & !rst)
            a_tile_once: assert (!(came & chosen));
    end

    // What holds in between
    wire [B-1:0] right = raster.walk.before_right + 1'b1, bottom = raster.walk.before_bottom + 1'b1;
    wire steep = raster.walk.line.steep;
    wire [15:0] limit_x = raster.walk.line.limit_x, limit_y = raster.walk.line.limit_y;
    wire drawn = raster.walk.drawn1, ends = raster.walk.ends1;
    wire [1:0] row_kind = raster.walk.kind1;
    wire [B+1:0] x = raster.walk.x1, y = raster.walk.y1;
    wire row_line = here & row_kind == LINE;
    wire [B-1:0] gathered_x = raster.walk.gathered_x, gathered_y = raster.walk.gathered_y;
    wire [15:0] line_mask = raster.word.line_mask;
    wire [B-1:0] word_x = raster.word.line_x, word_y = raster.word.line_y;
    reg any = 1'b0;                          // a line's pixel came to its word
    always @(posedge clk)
        any <= started & (any | (moves & gathers));
`ifdef CFG_WALK_SERPENTINE
    wire [B-1:0] left = raster.walk.after_left - 1'b1;
    wire back = raster.walk.back;
    wire [B-1:0] row_end = back ? left : right;
    wire passed_by = row < at_y | (row == at_y & (back ? column > at_x : column < at_x));
`else
    wire [B-1:0] left = raster.walk.left_column;
    wire [B-1:0] row_end = right;
    wire passed_by = row < at_y | (row == at_y & column < at_x);
`endif

    always @(posedge clk) if (started & !$past(rst)) begin
        if (walking) begin
            window_of_the_walk: assert (raster.walk.last_x == walk_x & raster.walk.last_y == walk_y);
            limits_of_a_line: assert (limit_x == (steep ? walk_y : walk_x) & limit_y == (steep ? walk_x : walk_y));
        end
        if (at_tile) begin
            ends_ahead: assert (raster.walk.row_ends == (at_x == row_end) & raster.walk.narrow == (left == right) &
                                raster.walk.bottom == (at_y == bottom));
            within_bounds: assert (left <= at_x & at_x <= right & right <= walk_x[B+1:2] &
                                   at_y <= bottom & bottom <= walk_y[B+1:2]);
        end
        if (walking & at_kind == TRIANGLE & came)
            walks_on: assert (passed_by | !at_tile);
        if (here & raster.walk.looks1)
            rows_within_the_window: assert (!raster.walk.window1[pixel] |
                                            in_window(x[B+1:2], y[B+1:2], row_x, row_y));
        if (here & drawn)
            pixel_within_the_window: assert (!row_kind[1] & x <= row_x & y <= row_y);
        if (row_line & !ends)
            line_goes_on: assert (walking & at_kind == LINE & !raster.walk.none & {walk_x, walk_y} == {row_x, row_y});
        if (row_line & ends)
            line_ends: assert (!drawn & (raster.walk.last1 | !gathered));
        if (gathered)
            line_is_walked: assert (row_line);
        if (gathers)
            gathers_it: assert (walk_kind == LINE & gathered & {pixel_x, pixel_y} == {row_x, row_y} & {gathered_x, gathered_y} == {tile_x, tile_y} &
                                (fresh | (any & {line_x, line_y} == {pixel_x, pixel_y} & {word_x, word_y} == {tile_x, tile_y})));
        else if (gathered)
            gathered_it: assert (any & {line_x, line_y} == {row_x, row_y} & {gathered_x, gathered_y} == {word_x, word_y});
        if (found & walk_kind == LINE)
            word_of_the_line: assert (any & {line_x, line_y} == {pixel_x, pixel_y});
        if (found & walk_kind != LINE | gathers)
            pixels_within_the_window: assert (walk_kind == PASSED | !tile_mask[pixel] | in_window(tile_x, tile_y, pixel_x, pixel_y));
        came_in_this_walk: assert (!came | (walking & at_kind == TRIANGLE) | !walking);
    end
    always @(posedge clk)
        if (any)
            line_within_the_window: assert (!line_mask[pixel] | in_window(word_x, word_y, line_x, line_y));
endmodule

bind raster raster_properties properties (.*);
