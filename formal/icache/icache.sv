// SPDX-License-Identifier: Apache-2.0
// icache: a line is in one way at most, however errors, followers and resets come; AXI and streams keep their rules.
// The solver chooses a set and two of its ways. axi_reader.sv has AXI's rules and what is assumed of the memory.
`include "geometry.svh"

module icache_properties (
    input clk, rst, m_axi_rst, reset, res_valid, res_ready, burst, ar_valid, ours, starting, walking, come, missed,
    input s1_valid, s1_again, s1_repeat, s2_valid, s2_slow, s2_busy, s3_valid, leave2, chained, found, lookup,
    input fetch1, s2_wrong,
    input [2:0] s1_op, s2_op,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] s1_address, s2_address,
    input [`CFG_CACHE_WAY_BITS-1:0] s2_way,
    input [`CFG_BEAT_BITS-1:0] beat,
    input [`RES_WIDTH-1:0] res_data,
    input [`CFG_CACHE_WAYS*(`CFG_CACHE_TAG_BITS+1)-1:0] tags
);
    localparam WAYS = `CFG_CACHE_WAYS, TAG = `CFG_CACHE_TAG_BITS, OFFSET = `CFG_CACHE_OFFSET_BITS;
    localparam SET = `CFG_CACHE_SET_BITS, BEATS = `CFG_BEATS, FETCH = 0;

`include "kept_tags.svh"

    wire open = icache.memory.open;          // memory has a burst to give
    wire [`CFG_BEAT_BITS:0] given = icache.memory.given;
    wire [SET-1:0] s1_set = s1_address[OFFSET +: SET], s2_set = s2_address[OFFSET +: SET];
    wire [TAG-1:0] s2_tag = s2_address[OFFSET+SET +: TAG];
    wire [TAG-1:0] s1_tag = s1_address[OFFSET+SET +: TAG];

    // The promises
    wire settled = started & !starting;

    always @(posedge clk) if (started) begin
        if ($past(started & !reset & res_valid & !res_ready))
            res_stable: assert (!$past(started) | (res_valid & $stable(res_data)));
        if (settled)
            in_one_way: assert (!(kept[a][0] & kept[b][0] & kept[a][TAG:1] == kept[b][TAG:1]));
    end

    // What holds in between, so that the induction closes
    reg [SET:0] cleared;                     // sets from 0 on that a walk after a reset has done

    always @(posedge clk)
        cleared <= reset ? 0 : starting & walking ? cleared + 1'b1 : cleared;

    always @(posedge clk) if (started) begin
        burst_is_open: assert (burst == (ar_valid | open));
        beat_is_ours: assert (!(ours & open) | beat == given[`CFG_BEAT_BITS-1:0]);
        beat_begins: assert (!(ours & ar_valid) | beat == 0);
        ours_is_open: assert (!ours | burst);
        ours_is_waited_for: assert (ours == (missed & s2_valid & s2_busy));
        burst_of_one: assert (!burst | ours | starting);
        slow_is_there: assert (!s2_slow | s2_valid);
        busy_is_slow: assert (!s2_busy | s2_slow);
        slow_ops: assert (!s2_slow | s2_op == FETCH | s2_op == 3 | s2_op == 4);
        again_is_there: assert (!s1_again | (s1_valid & fetch1 & !s1_repeat & !s2_slow));
        if (starting)
            starts_empty: assert (!s1_valid & !s2_valid & !s3_valid & !ours);
        if (starting & !walking)
            walked: assert (cleared == `CFG_CACHE_SETS);
        if (starting & walking)
            walks: assert (cleared == {1'b0, icache.walk});
        if (s2_slow & s2_op != FETCH)
            clears_alone: assert (!s1_valid & walking == s2_busy);
        else
            walks_for_a_reason: assert (starting | !walking);
        if (starting & cleared > index)
            cleared_is_empty: assert (!kept[a][0] & !kept[b][0]);
        if (s1_valid & fetch1 & !s1_repeat & !s1_again & !missed & s1_set == index)
            read_is_kept: assert (read[a] == kept[a] & read[b] == kept[b]);
        if (missed & s2_busy & s2_set == index) begin
            absent: assert (a == s2_way | !kept[a][0] | kept[a][TAG:1] != s2_tag);
            absent_too: assert (b == s2_way | !kept[b][0] | kept[b][TAG:1] != s2_tag);
        end
    end

    // Traces to see
    always @(posedge clk) if (started & !reset) begin
        hit: cover (leave2 & s2_op == FETCH & icache.s2_hit & !icache.s2_repeat);
        follower_lost: cover (leave2 & !missed & s2_wrong);
        evicted: cover (leave2 & icache.s2_evict & s2_set == 1);
    end

    always @(posedge clk) begin
        reset_with_a_burst: cover (started & rst & open & ours);
    end
endmodule

bind icache axi_reader #(
    .DATA(`CFG_AXI_DATA_BITS), .ADDRESS(`CFG_CACHE_ADDRESS_BITS), .BEATS(`CFG_BEATS)
) memory (.*);
bind icache icache_properties properties (.*);
