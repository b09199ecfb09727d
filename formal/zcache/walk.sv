// SPDX-License-Identifier: Apache-2.0
// zcache_barrier: a clear of a surface forgets the bounds of each of its tiles that can have them, in a row of cycles,
// before it is done, whatever it begins with; bounds count after a clear alone, and no more after a base, a reset, or a
// write that memory has refused. The solver chooses the tile.
`include "geometry.svh"

module zcache_walk (
    input clk, rst, valid, begins, done, forget, refused, bounding,
    input [1:0] op,
    input [95:0] arguments,
    input [`CFG_TILE_BITS:0] tile, tiles,
    input [31:0] blank_value
);
    localparam T = `CFG_TILE_BITS, N = `CFG_HIERARCHICAL_TILES;
    localparam [2:0] REST = 0, MARK = 6;

    reg [T-1:0] chosen;                      // a constant: nothing but itself drives it
    reg started = 1'b0, walked = 1'b0;
    wire mine = chosen < N & {1'b0, chosen} < tiles;
    wire [2:0] state = zcache_barrier.state;

    always @(posedge clk) begin
        chosen  <= chosen;
        started <= 1'b1;
        walked  <= forget & (walked | tile[T:4] == chosen / 16);
        if (!started)
            first_a_reset: assume (rst);
        else if ($past(state) != REST & !$past(done) & !$past(rst))
            word_stays: assume (valid & op == $past(op) & arguments == $past(arguments));
    end

    always @(posedge clk) if (started) begin
        all_are_forgotten: assert (!$past(forget) | $past(rst) | forget | walked | !mine);
        in_step: assert (state != MARK | (tile[3:0] == 0 & tile < N & tile < tiles));
        behind_it: assert (state != MARK | {1'b0, chosen} >= tile | !mine | walked);
        before_it: assert (state != 1 | !zcache_barrier.cleared);
        from_0: assert (tile == 0 | state == REST | state == 3 | state == MARK | zcache_barrier.cleared);
        for_a_clear: assert (state != MARK | op == 2);
        if (bounding & !$past(bounding))
            rises_in_a_clear: assert ($past(forget));
        if ($past(rst) | $past(refused) | ($past(done) & $past(op) == 3 & !$past(forget)))
            counts_no_more: assert (!bounding);
        if (bounding & $past(bounding) & tiles != $past(tiles))
            surface_stays: assert (0);
        if (!$past(forget) & blank_value != $past(blank_value))
            value_stays: assert (0);
        if ($past(forget) & !$past(rst))
            value_of_the_clear: assert (blank_value == $past(arguments[31:0]));
    end
endmodule

bind zcache_barrier zcache_walk properties (.*);
