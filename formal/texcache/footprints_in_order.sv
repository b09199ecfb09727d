// SPDX-License-Identifier: Apache-2.0
// texcache_tag_compare with banks by parity: footprints pass in the order in which they come, none lost or doubled,
// each in one beat, with its own id, the banks, sets and places in their lines of its own texels, the ways that the
// tag banks say and the misses that they say. Each look-up is made once, of its own line; each miss is asked for once,
// in the order of look-ups, at the latest as the beat leaves: so in the order in which texcache_fifo_control waits for
// lines (lines_in_order.sv). A footprint that waits is kept, its beat stays as it is. And who can go goes: a line is
// asked for if the beat has a place, the beat leaves with its last line, a footprint is taken if none is before it.
// The texel looked at is chosen by the solver. At any time there may be a reset.
//
// Assumed: the look-ups of a footprint go to different banks (texcache_address.sv, of each size of the machine); the
// line reader's place stays until a line is asked for (line_reader.sv); lines are forgotten only when no footprint is
// here, as texcache does it.
`include "geometry.svh"
module texcache_footprints_in_order #(
    parameter T = `CFG_TEXEL_BITS,
    parameter O = `CFG_PLACE_BITS,
    parameter B = `CFG_BANK_BITS,
    parameter S = `CFG_CACHE_SET_BITS,
    parameter W = `CFG_CACHE_WAY_BITS,
    parameter BANKS = 4,
    parameter WIDTH = 1                      // bits of a beat
) (
    input clk, rst, invalidate, in_valid, in_ready, miss_valid, miss_ready, beat_valid, beat_ready, beat_hit, held,
    input [4*T-1:0] in_address, address,
    input [3:0] in_side, in_need, side, need, sent,
    input [`CFG_ID_BITS-1:0] in_id, id,
    input [T-O-1:0] miss_line,
    input [WIDTH-1:0] beat
);
    // Where the fields of a beat begin, behind its look-ups and its misses
    localparam SETS = 8 + 4*B, WAYS = SETS + 4*S, PLACES = WAYS + 4*W, ID = PLACES + 4*O;

    reg [1:0] slot;                          // a constant: nothing but itself drives it

    wire take = in_valid & in_ready, leaves = beat_valid & beat_ready, asks = miss_valid & miss_ready;

    function automatic [B-1:0] bank_of(input [4*T-1:0] texels, input [3:0] sides, input [1:0] i);
        bank_of = {sides[i], texels[T*i + O]};
    endfunction

    // The set of a line: three groups of bits above the lowest one, exclusive or
    function automatic [S-1:0] set_of(input [T-O-1:0] line);
        set_of = (line >> 1) ^ (line >> 1 + S) ^ (line >> 1 + 2*S);
    endfunction

    // Two look-ups in one bank
    function automatic meet(input [4*T-1:0] texels, input [3:0] sides, input [3:0] needed);
        meet = 1'b0;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < i; j++)
                if (needed[i] & needed[j] & bank_of(texels, sides, i) == bank_of(texels, sides, j))
                    meet = 1'b1;
    endfunction

    // The tag banks
    wire [BANKS-1:0] hit, update;
    wire [BANKS-1:0][W-1:0] way;
    wire [BANKS-1:0][S-1:0] set;
    wire [BANKS-1:0][T-O-S-1:0] tag;
    assign hit = {texcache_tag_compare.cache3.hit, texcache_tag_compare.cache2.hit,
        texcache_tag_compare.cache1.hit, texcache_tag_compare.cache0.hit};
    assign update = {texcache_tag_compare.cache3.update, texcache_tag_compare.cache2.update,
        texcache_tag_compare.cache1.update, texcache_tag_compare.cache0.update};
    assign way = {texcache_tag_compare.cache3.way, texcache_tag_compare.cache2.way,
        texcache_tag_compare.cache1.way, texcache_tag_compare.cache0.way};
    assign set = {texcache_tag_compare.cache3.set, texcache_tag_compare.cache2.set,
        texcache_tag_compare.cache1.set, texcache_tag_compare.cache0.set};
    assign tag = {texcache_tag_compare.cache3.tag, texcache_tag_compare.cache2.tag,
        texcache_tag_compare.cache1.tag, texcache_tag_compare.cache0.tag};

    // The footprint that was taken and has not left
    reg started = 1'b0, stalled = 1'b0, had_place = 1'b0;
    reg [WIDTH-1:0] offered;
    reg here = 1'b0;
    reg [4*T-1:0] its_address;
    reg [3:0] its_side, its_need;
    reg [`CFG_ID_BITS-1:0] its_id;
    reg [3:0] asked = 4'd0;                  // of its misses: asked for before

    wire [T-O-1:0] its_line = its_address[T*slot + O +: T-O];
    wire [B-1:0] its_bank = bank_of(its_address, its_side, slot);
    reg [3:0] misses;
    reg [BANKS-1:0] looked_up;

    always @* begin
        looked_up = 0;
        for (int i = 0; i < 4; i++) begin
            misses[i] = its_need[i] & !hit[bank_of(its_address, its_side, i)];
            if (its_need[i])
                looked_up[bank_of(its_address, its_side, i)] = 1'b1;
        end
    end

    // The look-ups of each bank
    wire [BANKS-1:0][3:0] uses;
    genvar n, i;
    generate
        for (n = 0; n < BANKS; n = n + 1)
            for (i = 0; i < 4; i = i + 1)
                assign uses[n][i] = its_need[i] & bank_of(its_address, its_side, i) == n;
    endgenerate

    wire [3:0] to_ask = misses & ~asked, lowest = to_ask & (~to_ask + 1'b1);

    always @(posedge clk) begin
        started   <= 1'b1;
        slot      <= slot;
        offered   <= beat;
        stalled   <= !rst & beat_valid & !beat_ready;
        had_place <= !rst & miss_ready & !asks;
        here      <= !rst & (take | (here & !leaves));
        asked     <= rst | leaves ? 4'd0 : asked | (asks ? lowest : 4'd0);
        if (take) begin
            its_address <= in_address;
            its_side    <= in_side;
            its_need    <= in_need;
            its_id      <= in_id;
        end
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        no_two_in_a_bank: assume (!meet(in_address, in_side, in_need));
        place_stays: assume (!had_place | miss_ready);
        forgets_lines_without_footprints: assume (!invalidate | !here);
        if (started & !rst) begin
            none_lost_or_doubled: assert (!beat_valid | here);
            one_at_a_time: assert (!take | !here | leaves);
            if (beat_valid) begin
                in_order_with_its_own_id: assert (beat[ID +: `CFG_ID_BITS] == its_id);
                all_in_one_beat: assert (beat[3:0] == its_need);
                bank_of_its_own: assert (beat[8 + B*slot +: B] == its_bank);
                place_of_its_own: assert (beat[PLACES + O*slot +: O] == its_address[T*slot +: O]);
                if (its_need[slot]) begin
                    set_of_its_own_line: assert (beat[SETS + S*slot +: S] == set_of(its_line));
                    way_of_its_bank: assert (beat[WAYS + W*slot +: W] == way[its_bank]);
                end
                fills_what_it_misses: assert (beat[7:4] == misses & beat_hit == (misses == 4'd0));
            end
            looked_up_once: assert (update == (leaves ? looked_up : 0));
            if (here & its_need[slot])
                looked_up_by_its_own_line: assert (
                    set[its_bank] == set_of(its_line) & tag[its_bank] == its_address[T*slot + O + S +: T-O-S]);
            if (miss_valid)
                asks_in_order: assert (here & lowest != 4'd0 & (!lowest[slot] | miss_line == its_line));
            if (leaves)
                each_miss_is_asked_for: assert (to_ask == (asks ? lowest : 4'd0));
            if (stalled)
                offer_is_stable: assert (beat_valid & beat == offered);
            // Who can go goes
            asks_if_the_beat_has_a_place: assert (!(here & to_ask != 4'd0 & beat_ready) | miss_valid);
            leaves_with_its_last_line: assert (!(here & to_ask == lowest & (miss_ready | to_ask == 4'd0)) | beat_valid);
            taken_if_none_is_before_it: assert (in_ready == (!here | leaves));
        end
        // What holds in between, so that the induction closes
        if (started) begin
            footprint_is_kept: assert (held == here & (!here | (
                address == its_address & side == its_side & need == its_need & id == its_id)));
            routed: assert (!here | texcache_tag_compare.uses == uses);
            asked_as_sent: assert (here ? sent == asked & (asked & ~misses) == 4'd0 : asked == 4'd0);
            apart: assert (!here | !meet(its_address, its_side, its_need));
        end
    end

    // Traces to see
    reg waited = 1'b0;                       // the beat had no place
    reg [2:0] row = 0;                       // footprints that left in a row
    always @(posedge clk) begin
        waited <= !rst & here & !leaves & (waited | !beat_ready);
        row    <= rst | !leaves ? 0 : row + (row != 3'd7);
        if (started & !rst) begin
            a_footprint_in_each_cycle: cover (row == 3'd5);
            four_misses: cover (leaves & misses == 4'd15);
            misses_between_hits: cover (leaves & its_need == 4'd15 & misses == 4'd10);
            waited_between_misses: cover (asks & waited & asked == 4'd1 & miss_ready);
        end
    end
endmodule

bind texcache_tag_compare texcache_footprints_in_order #(.WIDTH($bits(beat))) properties (.*);
