// SPDX-License-Identifier: Apache-2.0
// zcache_bounds: a tile that bounds reject could not have passed. The solver chooses a tile and a depth; of the tile one
// pixel is looked at (the others are like it; with any of them z3 had no answer in 900 seconds). `shadow` is what
// was stored in it when the tile's bounds were learnt last, and `learnt` whether they were since the last clear: else it
// has the clear's value. If the depth is one that the tile's claim allows, and the claim is hopeless, for the test or for
// a prefetch, then the tile's function is false of depth and pixel.
// Assumed, each as another proof or the page has it: a clear forgets every tile (`walk`), none is tested meanwhile; the
// surface and the clear's value stay; what is stored is learnt in the same cycle (docs/zcache.md, bounds).
`include "geometry.svh"

module zcache_bounds_properties (
    input clk, bounding, forget, move, learn, test_hopeless, ahead_hopeless,
    input [31:0] blank_value,
    input [`CFG_TILE_BITS:0] tiles,
    input [`CFG_TILE_BITS-1:0] test_number, ahead_number,
    input [2*`CFG_HIERARCHICAL_BITS+4:0] test_claim, ahead_claim,
    input [$clog2(`CFG_HIERARCHICAL_TILES/16)-1:0] forget_group,
    input [511:0] line,
    input [1:0] format
);
    localparam T = `CFG_TILE_BITS, N = `CFG_HIERARCHICAL_TILES, B = `CFG_HIERARCHICAL_BITS;

    // Constants: nothing but themselves drives them
    reg [T-1:0] tile;
    reg [31:0] depth;
    wire [3:0] pixel = 9;

    always @(posedge clk) begin
        tile  <= tile;
        depth <= depth;
    end

    function [31:0] bits(input [1:0] of);
        bits = of == 0 ? 32'h00ffffff : of == 2 ? 32'h0000ffff : 32'hffffffff;
    endfunction

    function [B-1:0] code(input [31:0] word, input [1:0] of);
        code = of == 0 ? word[23 -: B] : of == 2 ? word[15 -: B] : word[31 -: B];
    endfunction

    function allowed(input [2*B+4:0] claim); // the claim is one of a tile that has this depth
        allowed = code(depth, claim[4:3]) >= claim[5 +: B] & code(depth, claim[4:3]) <= claim[5+B +: B];
    endfunction

    // What is stored
    wire mine = tile < N & forget_group == tile / 16;
    reg [T-1:0] moved;                       // the tile in T1
    reg [31:0]  shadow;
    reg started = 1'b0, learnt, known = 1'b0, walked = 1'b0;
    wire [31:0] stored = learnt ? shadow : blank_value;
    wire test_passes, ahead_passes;

    depth_passes test_compare (
        .func(test_claim[2:0]), .given(depth & bits(test_claim[4:3])), .stored(stored & bits(test_claim[4:3])),
        .passes(test_passes)
    );

    depth_passes ahead_compare (
        .func(ahead_claim[2:0]), .given(depth & bits(ahead_claim[4:3])), .stored(stored & bits(ahead_claim[4:3])),
        .passes(ahead_passes)
    );

    always @(posedge clk) begin
        started <= 1'b1;
        if (move)
            moved <= test_number;
        if (learn & moved == tile)
            shadow <= line[pixel*32 +: 32];
        learnt <= !(forget & mine) & (learnt | (learn & bounding & moved == tile));
        known  <= (forget & mine) | (known & (bounding | forget));
        walked <= forget & (mine | walked);
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (!bounding & !forget & !learn & moved == zcache_bounds.number);
        barrier_alone: assume (!(forget & learn));
        if (started) begin
            rises_in_a_clear: assume (!bounding | $past(bounding) | $past(forget));
            surface_stays: assume (!bounding | !$past(bounding) | tiles == $past(tiles));
            value_stays: assume ($past(forget) | blank_value == $past(blank_value));
            all_are_forgotten: assume (!$past(forget) | forget | walked | tile >= N | {1'b0, tile} >= tiles);
        end
    end

    // The promises
    wire counts = started & bounding & !forget & {1'b0, tile} < tiles & tile < N;

    always @(posedge clk) begin
        rejects_none_that_passes: assert (!(counts & test_hopeless & test_number == tile &
                                            allowed(test_claim) & test_passes));
        drops_none_that_passes: assert (!(counts & ahead_hopeless & ahead_number == tile &
                                          allowed(ahead_claim) & ahead_passes));
        none_beyond: assert (!(test_hopeless & ({1'b0, test_number} >= tiles | test_number >= N | !bounding)));
    end

    // What holds in between, so that the induction closes: both copies are right
    wire [4:0] low5 = tile[4:0];
    wire [2*B+1:0] test_bound = zcache_bounds.test_bounds.words[low5], ahead_bound = zcache_bounds.ahead_bounds.words[low5];
    wire [15:0] test_bits, ahead_bits;
    genvar n;
    generate
        for (n = 0; n < 16; n = n + 1) begin : gen_bit
            assign test_bits[n]  = zcache_bounds.gen_tile[n].test_ram.words[tile[4]];
            assign ahead_bits[n] = zcache_bounds.gen_tile[n].ahead_ram.words[tile[4]];
        end
    endgenerate
    wire [B-1:0] held = code(shadow, test_bound[1:0]);

    always @(posedge clk) if (started) begin
        moved_is_number: assert (moved == zcache_bounds.number);
        known_if_counts: assert (!counts | known);
        known_in_walk: assert (!walked | known);
        if (known & tile < N) begin
            learnt_is_learnt: assert (test_bits[tile[3:0]] == learnt & ahead_bits[tile[3:0]] == learnt);
            copies_agree: assert (!learnt | test_bound == ahead_bound);
            bounded: assert (!learnt | (test_bound[2 +: B] <= held & held <= test_bound[2+B +: B]));
        end
    end
endmodule

bind zcache_bounds zcache_bounds_properties properties (.*);
