// SPDX-License-Identifier: Apache-2.0
// texcache_parity_compare: footprints pass in the order in which they come, none lost or doubled, each in one beat, with
// its own id, the banks, sets and places in their lines of its own texels, and the ways and misses that the tag banks
// say as it is decided. Each look-up is made once, of its own line; each miss is asked for once, in the order of
// look-ups, at the latest as the beat leaves: so in the order in which texcache_fifo_control waits for lines
// (lines_in_order.sv). A footprint that waits is kept, its beat stays as it is. And who can go goes: a line is asked for
// if the beat has a place, the beat leaves with its last line, a footprint is decided if no beat is before it or that
// leaves, and taken if none is before it. The texel looked at is chosen by the solver. At any time there may be a reset.
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
    input clk, rst, invalidate, in_valid, in_ready, miss_valid, miss_ready, beat_valid, beat_ready, beat_hit,
    input held, decided, decide,
    input [4*T-1:0] in_address, address,
    input [3:0] in_side, in_need, side, need, used, missed, sent,
    input [`CFG_ID_BITS-1:0] in_id, held_id, id,
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

    // The tag banks, and the look-up of each of them as it was routed
    wire [BANKS-1:0] hit, update, looked_up;
    wire [BANKS-1:0][W-1:0] way;
    wire [BANKS-1:0][S-1:0] set;
    wire [BANKS-1:0][T-O-S-1:0] tag;
    assign hit = {texcache_parity_compare.cache3.hit, texcache_parity_compare.cache2.hit,
        texcache_parity_compare.cache1.hit, texcache_parity_compare.cache0.hit};
    assign update = {texcache_parity_compare.cache3.update, texcache_parity_compare.cache2.update,
        texcache_parity_compare.cache1.update, texcache_parity_compare.cache0.update};
    assign looked_up = {texcache_parity_compare.looked_up3, texcache_parity_compare.looked_up2,
        texcache_parity_compare.looked_up1, texcache_parity_compare.looked_up0};
    assign way = {texcache_parity_compare.cache3.way, texcache_parity_compare.cache2.way,
        texcache_parity_compare.cache1.way, texcache_parity_compare.cache0.way};
    assign set = {texcache_parity_compare.cache3.set, texcache_parity_compare.cache2.set,
        texcache_parity_compare.cache1.set, texcache_parity_compare.cache0.set};
    assign tag = {texcache_parity_compare.cache3.tag, texcache_parity_compare.cache2.tag,
        texcache_parity_compare.cache1.tag, texcache_parity_compare.cache0.tag};

    wire [3:0][T-O-1:0] line = {texcache_parity_compare.line3, texcache_parity_compare.line2,
        texcache_parity_compare.line1, texcache_parity_compare.line0};

    // The footprint that was taken and is not decided
    reg started = 1'b0, stalled = 1'b0, had_place = 1'b0;
    reg [WIDTH-1:0] offered;
    reg comes = 1'b0;
    reg [4*T-1:0] new_address;
    reg [3:0] new_side, new_need;
    reg [`CFG_ID_BITS-1:0] new_id;

    wire [T-O-1:0] new_line = new_address[T*slot + O +: T-O];
    wire [B-1:0] new_bank = bank_of(new_address, new_side, slot);
    reg [3:0] misses;
    reg [BANKS-1:0] uses;

    always @* begin
        uses = 0;
        for (int i = 0; i < 4; i++) begin
            misses[i] = new_need[i] & !hit[bank_of(new_address, new_side, i)];
            if (new_need[i])
                uses[bank_of(new_address, new_side, i)] = 1'b1;
        end
    end

    // The footprint that was decided and has not left
    reg here = 1'b0;
    reg [4*T-1:0] its_address;
    reg [3:0] its_side, its_need, its_misses;
    reg [`CFG_ID_BITS-1:0] its_id;
    reg [W-1:0] its_way;
    reg [3:0] asked = 4'd0;                  // of its misses: asked for before

    wire [T-O-1:0] its_line = its_address[T*slot + O +: T-O];
    wire [3:0] to_ask = its_misses & ~asked, lowest = to_ask & (~to_ask + 1'b1);

    always @(posedge clk) begin
        started   <= 1'b1;
        slot      <= slot;
        offered   <= beat;
        stalled   <= !rst & beat_valid & !beat_ready;
        had_place <= !rst & miss_ready & !asks;
        comes     <= !rst & (take | (comes & !decide));
        here      <= !rst & (decide | (here & !leaves));
        asked     <= rst | decide ? 4'd0 : asked | (asks ? lowest : 4'd0);
        if (take) begin
            new_address <= in_address;
            new_side    <= in_side;
            new_need    <= in_need;
            new_id      <= in_id;
        end
        if (decide) begin
            its_address <= new_address;
            its_side    <= new_side;
            its_need    <= new_need;
            its_id      <= new_id;
            its_misses  <= misses;
            its_way     <= way[new_bank];
        end
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        no_two_in_a_bank: assume (!meet(in_address, in_side, in_need));
        place_stays: assume (!had_place | miss_ready);
        forgets_lines_without_footprints: assume (!invalidate | !(comes | here));
        if (started & !rst) begin
            none_lost_or_doubled: assert (!beat_valid | here);
            one_at_a_time: assert ((!take | !comes | decide) & (!decide | comes & (!here | leaves)));
            hits_on_offer: assert (!beat_hit | beat_valid);
            if (here) begin
                in_order_with_its_own_id: assert (beat[ID +: `CFG_ID_BITS] == its_id);
                all_in_one_beat: assert (beat[3:0] == its_need);
                bank_of_its_own: assert (beat[8 + B*slot +: B] == bank_of(its_address, its_side, slot));
                place_of_its_own: assert (beat[PLACES + O*slot +: O] == its_address[T*slot +: O]);
                if (its_need[slot]) begin
                    set_of_its_own_line: assert (beat[SETS + S*slot +: S] == set_of(its_line));
                    way_of_its_bank: assert (beat[WAYS + W*slot +: W] == its_way);
                end
                fills_what_it_misses: assert (beat[7:4] == its_misses & beat_hit == (its_misses == 4'd0));
            end
            looked_up_once: assert (update == (decide ? uses : 0));
            if (comes & new_need[slot])
                looked_up_by_its_own_line: assert (
                    set[new_bank] == set_of(new_line) & tag[new_bank] == new_address[T*slot + O + S +: T-O-S]);
            if (miss_valid)
                asks_in_order: assert (here & lowest != 4'd0 & (!lowest[slot] | miss_line == its_line));
            if (leaves)
                each_miss_is_asked_for: assert (to_ask == (asks ? lowest : 4'd0));
            if (stalled)
                offer_is_stable: assert (beat_valid & beat == offered);
            // Who can go goes
            asks_if_the_beat_has_a_place: assert (!(here & to_ask != 4'd0 & beat_ready) | miss_valid);
            leaves_with_its_last_line: assert (!(here & to_ask == lowest & (miss_ready | to_ask == 4'd0)) | beat_valid);
            decided_if_none_is_before_it: assert (decide == (comes & (!here | leaves)));
            taken_if_none_is_before_it: assert (in_ready == (!comes | decide));
        end
        // What holds in between, so that the induction closes
        if (started) begin
            footprint_is_kept: assert (held == comes & (!comes | (
                address == new_address & side == new_side & need == new_need & held_id == new_id)));
            beat_is_kept: assert (decided == here & (!here | (
                used == its_need & missed == its_misses & (its_misses & ~its_need) == 4'd0 & id == its_id)));
            lines_are_kept: assert (!here | line[slot] == its_line);
            routed: assert (!comes | looked_up == uses);
            asked_as_sent: assert (!here | (sent == asked & (asked & ~its_misses) == 4'd0));
            apart: assert (!comes | !meet(new_address, new_side, new_need));
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
            four_misses: cover (leaves & its_misses == 4'd15);
            misses_between_hits: cover (leaves & its_need == 4'd15 & its_misses == 4'd10);
            waited_between_misses: cover (asks & waited & asked == 4'd1 & miss_ready);
        end
    end
endmodule

bind texcache_parity_compare texcache_footprints_in_order #(.WIDTH($bits(beat))) properties (.*);
