// SPDX-License-Identifier: Apache-2.0
// dcache with misses: a line is in one way at most, and one that is under way keeps its place until the groups that
// wait for it were served, whatever memory answers and whenever resets come. The solver chooses a set, two of its ways,
// and a miss.
`include "geometry.svh"

module dcache_properties (
    input clk, reset, starting, clearing, acted, s1_valid, wants1,
    input [`CFG_CACHE_LINE_BITS-1:0] s1_line,
    input [`CFG_CACHE_SET_BITS-1:0] scan,
    input [`CFG_CACHE_WAYS*(`CFG_CACHE_TAG_BITS+1)-1:0] tags
);
    localparam WAYS = `CFG_CACHE_WAYS, TAG = `CFG_CACHE_TAG_BITS, SET = `CFG_CACHE_SET_BITS;
    localparam WAY = `CFG_CACHE_WAY_BITS, LINE = `CFG_CACHE_LINE_BITS, M = `CFG_MSHRS;

`include "kept_tags.svh"

    reg [$clog2(M)-1:0] e;                   // of a miss, a constant as well

    always @(posedge clk) begin
        e <= e;
        a_miss: assume (e < M);
    end

    // The chosen miss
    wire [LINE-1:0] missing = dcache.misses.lines[e*LINE +: LINE];
    wire under_way = dcache.misses.used[e] & missing[SET-1:0] == index & dcache.misses.ways[e*WAY +: WAY] == a;

    // The promises
    always @(posedge clk) if (started & !reset & !starting) begin
        in_one_way: assert (!(kept[a][0] & kept[b][0] & kept[a][TAG:1] == kept[b][TAG:1]));
        keeps_its_place: assert (!under_way | kept[a] == {missing[SET +: TAG], 1'b1});
    end

    // What holds in between, so that the induction closes
    reg [SET:0] cleared;                     // sets from 0 on that a walk after a reset has done

    always @(posedge clk)
        cleared <= reset ? 0 : starting & clearing ? cleared + 1'b1 : cleared;

    always @(posedge clk) if (started & !reset) begin
        none_under_way: assert (!(starting | acted) | dcache.misses.used == 0);
        walked: assert (!starting | (clearing ? cleared == {1'b0, scan} : cleared == `CFG_CACHE_SETS));
        if (starting & cleared > index)
            cleared_is_empty: assert (!kept[a][0] & !kept[b][0]);
        if (s1_valid & wants1 & s1_line[SET-1:0] == index)
            read_is_kept: assert (read[a] == kept[a] & read[b] == kept[b]);
    end
endmodule

bind dcache dcache_properties properties (.*);
