// SPDX-License-Identifier: Apache-2.0
// icache with restart at the word: a line is in one way at most, also while one comes; whole lines are read, from
// any beat on. The solver chooses a set and two of its ways. axi_bursts.sv has AXI's rules and the memory.
`include "geometry.svh"

module icache_restart (
    input clk, rst, m_axi_rst, reset, res_valid, res_ready, ar_valid, starting, walking, fill, ended, come, more, tail,
    input s1_valid, s1_in_fill, s1_refused, s1_repeat, s2_valid, s2_slow, s2_busy, s3_valid, leave2, lookup, ask, fill_ends,
    input missed, looks, s2_wrong, begins,
    input [1:0] bursts,
    input [2:0] s1_op, s2_op,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] s1_address, s2_address, m_axi_araddr,
    input [`CFG_CACHE_WAY_BITS-1:0] fill_way,
    input [`CFG_CACHE_LINE_BITS-1:0] fill_line,
    input [`CFG_CACHE_SET_BITS-1:0] fill_set,
    input [`CFG_BEAT_BITS-1:0] count, first_beat, beat,
    input [`RES_WIDTH-1:0] res_data,
    input [`CFG_CACHE_WAYS*(`CFG_CACHE_TAG_BITS+1)-1:0] tags
);
    localparam WAYS = `CFG_CACHE_WAYS, TAG = `CFG_CACHE_TAG_BITS, OFFSET = `CFG_CACHE_OFFSET_BITS;
    localparam SET = `CFG_CACHE_SET_BITS, BEATS = `CFG_BEATS, FETCH = 0, LOW = OFFSET - `CFG_BEAT_BITS;

`include "kept_tags.svh"

    wire [1:0] open = icache.memory.open;    // bursts that memory has to give
    wire [7:0] left0 = icache.memory.left0, left1 = icache.memory.left1;
    wire [SET-1:0] s1_set = s1_address[OFFSET +: SET];
    wire [TAG-1:0] fill_tag = fill_line[SET +: TAG];

    wire [`CFG_BEAT_BITS-1:0] s2_place = s2_address[LOW +: `CFG_BEAT_BITS] - first_beat;

    // The promises
    wire settled = started & !starting;
    wire mine = fill & fill_set == index;    // a line of the chosen set comes

    always @(posedge clk) if (started) begin
        if ($past(started & !reset & res_valid & !res_ready))
            res_stable: assert (!$past(started) | (res_valid & $stable(res_data)));
        if (settled)
            in_one_way: assert (!(kept[a][0] & kept[b][0] & kept[a][TAG:1] == kept[b][TAG:1])
                                | (mine & (fill_way == a | fill_way == b)));
        if (ar_valid & fill)
            of_the_line: assert (m_axi_araddr[`CFG_CACHE_ADDRESS_BITS-1:OFFSET] == fill_line);
        if (come)
            from_its_place: assert (icache.memory.address0 == {fill_line, beat, {LOW{1'b0}}});
        if (fill_ends)
            nothing_left: assert (open == 1 & left0 == 0);
    end

    // What holds in between, so that the induction closes
    reg [SET:0] cleared;                     // sets from 0 on that a walk after a reset has done
    wire [7:0] last = BEATS - 1;
    wire [`CFG_BEAT_BITS:0] end_beats = BEATS - first_beat;
    wire [`CFG_BEAT_BITS:0] due = BEATS - count;                   // beats of the line that comes

    always @(posedge clk)
        cleared <= reset ? 0 : starting & walking ? cleared + 1'b1 : cleared;

    always @(posedge clk) if (started) begin
        bursts_are_open: assert (bursts == open + {1'b0, ar_valid});
        fill_or_starting: assert (bursts == 0 | fill | starting);
        more_is_first: assert (!more | (ar_valid & !tail & fill & first_beat != 0));
        begins_with_its_end: assert (!(fill & ar_valid & !tail) | (count == 0 & open == 0 & more == (first_beat != 0)));
        if (fill & ar_valid & tail)
            beginning_offered: assert (first_beat != 0 & (count < end_beats ? open == 1 & left0 + 1 == end_beats - count
                                                          : open == 0 & count == end_beats));
        if (fill & !ar_valid & count < end_beats)
            end_comes: assert (left0 + 1 == end_beats - count & (first_beat == 0 ? open == 1 & tail : open == 2 & left1 + 1 == first_beat & tail));
        if (fill & !ar_valid & count >= end_beats)
            beginning_comes: assert (first_beat != 0 & open == 1 & left0 + 1 == due);
        if (fill & open != 0)
            beat_address: assert (icache.memory.address0 == {fill_line, beat, {LOW{1'b0}}});
        if (fill & open == 2)
            beginning_address: assert (icache.memory.address1 == {fill_line, {OFFSET{1'b0}}});
        slow_is_there: assert (!s2_slow | s2_valid);
        busy_is_there: assert (!s2_busy | s2_valid);
        if (s2_busy & s2_op == FETCH)
            awaited_comes: assert (fill & s2_address[`CFG_CACHE_ADDRESS_BITS-1:OFFSET] == fill_line & s2_place >= count);
        slow_ops: assert (!s2_slow | s2_op == FETCH | s2_op == 3 | s2_op == 4);
        in_that_line: assert (!(s1_valid & s1_in_fill) | s1_address[`CFG_CACHE_ADDRESS_BITS-1:OFFSET] == fill_line);
        ended_once: assert (!(ended & fill));
        if (starting)
            starts_empty: assert (!s1_valid & !s2_valid & !s3_valid & !fill & !ended);
        if (starting & !walking)
            walked: assert (cleared == `CFG_CACHE_SETS);
        if (starting & walking)
            walks: assert (cleared == {1'b0, icache.walk});
        if (s2_slow & s2_op != FETCH)
            clears_alone: assert (!s1_valid & walking == s2_busy & !fill);
        else
            walks_for_a_reason: assert (starting | !walking);
        busy_op: assert (!s2_busy | s2_slow | s2_op == FETCH);
        if (starting & cleared > index)
            cleared_is_empty: assert (!kept[a][0] & !kept[b][0]);
        if (s1_valid & !ended & s1_set == index)
            read_is_kept: assert (read[a] == kept[a] & read[b] == kept[b]);
        if (mine) begin
            absent: assert (a == fill_way | !kept[a][0] | kept[a][TAG:1] != fill_tag);
            absent_too: assert (b == fill_way | !kept[b][0] | kept[b][TAG:1] != fill_tag);
        end
    end

    // Traces to see
    always @(posedge clk) if (started & !reset) begin
        hit_meanwhile: cover (leave2 & fill & icache.s2_hit & !icache.s2_repeat & s2_address[OFFSET +: SET+TAG] != fill_line);
        follower_lost: cover (leave2 & !missed & s2_wrong);
        read_again: cover (ended & s1_valid & looks & !s1_in_fill & !s1_refused);
    end

    always @(posedge clk) begin
        reset_between: cover (started & rst & open == 1 & ar_valid & tail);
    end
endmodule

bind icache axi_bursts #(.DATA(`CFG_AXI_DATA_BITS), .ADDRESS(`CFG_CACHE_ADDRESS_BITS)) memory (.*);
bind icache icache_restart properties (.*);
