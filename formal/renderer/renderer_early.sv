// SPDX-License-Identifier: Apache-2.0
// renderer, depth tested early: the word of the rasterizer that a result of the depth test belongs to stands beside it.
// The parts are left to the solver. Assumed of the depth cache (proof tile_order): a result for each word, and no more
// words in flight than it has places. One word is followed, the one at a place in the order that the solver chooses.
`include "geometry.svh"

module renderer_early_properties #(parameter TILES = 4, COUNT_BITS = 3) (
    input clk, reset, tile_valid, tile_ready, zcache_tile_valid, zcache_tile_ready,
    input res_valid, res_ready, take, res_tile, flight_valid, flight_ready, quads_ready, collect_ready,
    input [1:0] tile_op,
    input [15:0] tile_mask, tile_prim, res_mask, res_prim,
    input [`CFG_COORDINATE_BITS-1:0] res_x, res_y
);
    reg started = 1'b0;
    reg [COUNT_BITS-1:0] words;              // at the depth test
    reg [COUNT_BITS-1:0] chosen;             // a constant: nothing but itself drives it
    reg [32:0] word;
    reg here = 1'b0;                         // the chosen word is at the depth test
    wire [COUNT_BITS-1:0] head = renderer.flight.head, tail = renderer.flight.tail;
    wire [COUNT_BITS-1:0] place = chosen - head, count = tail - head;
    wire comes = tile_valid & tile_ready;
    wire leaves = res_valid & res_ready;

    always @(posedge clk) begin
        started <= 1'b1;
        chosen  <= chosen;
        words   <= reset ? 0 : words + comes - leaves;
        if (reset)
            here <= 1'b0;
        else if (comes & tail == chosen) begin
            here <= 1'b1;
            word <= {tile_op == 2'd0, tile_prim, tile_mask};
        end else if (leaves & head == chosen)
            here <= 1'b0;
        begins_in_reset: assume (started | reset);
        if (started) begin
            a_result_for_each: assume (!res_valid | words != 0);
            none_beyond_its_places: assume (!zcache_tile_ready | words < TILES);
        end
    end

    always @(posedge clk) if (started & !reset) begin
        both_take_it: assert (comes == (zcache_tile_valid & zcache_tile_ready));
        never_in_the_way: assert (flight_ready | !zcache_tile_ready);
        as_many: assert (words <= TILES & count == words);
        is_there: assert (!res_valid | flight_valid);
        here_until_it_leaves: assert (here == (place < count));
        if (here)
            unharmed: assert (renderer.flight.words[chosen[COUNT_BITS-2:0]] == word);
        if (here & res_valid & place == 0) begin
            its_kind: assert (res_tile == word[32]);
            its_own: assert (!res_tile | {res_prim, res_mask} == word[31:0]);
        end
        a_barrier_has_nothing: assert (res_tile | {res_prim, res_mask, res_x, res_y} == 0);
        both_have_places: assert (!take | (quads_ready & collect_ready));
    end
endmodule

bind renderer renderer_early_properties #(.TILES(`CFG_ZCACHE_SHADING_TILES), .COUNT_BITS(`CFG_FLIGHT_BITS)) properties (.*);
