// SPDX-License-Identifier: Apache-2.0
// texcache_tag_compare: a footprint's look-ups are made once each, no two of a beat in one single-port cache, and
// a beat leaves when each of its misses has been sent once.
`include "geometry.svh"
module texcache_tag_compare_properties (
    input clk, rst, in_valid, in_ready, take, go, last, held, miss_valid, miss_ready,
    input beat_valid, beat_hit, beat_ready,
    input [3:0] in_need, need, done, now, pending, miss, sent, unsent, first,
    input [`CFG_BANK_BITS-1:0] bank0, bank1, bank2, bank3,
    input [`CFG_ID_BITS-1:0] in_id, id
);
    reg started = 1'b0;
    reg [3:0] footprint;                     // the look-ups of the footprint that is here
    reg [3:0] made = 4'd0;                   // those that beats have made
    reg [3:0] asked = 4'd0;                  // misses of this beat sent before

    always @(posedge clk) begin
        started <= 1'b1;
        if (rst | go)
            asked <= 4'd0;
        else if (miss_valid & miss_ready)
            asked <= asked | first;
        if (take)
            footprint <= in_need;
        if (rst | take)
            made <= 4'd0;
        else if (go)
            made <= made | now;
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        both_rows: assume (in_need[1:0] == 2'b11);
        hits_on_offer: assert (!beat_hit | beat_valid);
        if (started & !rst & !held)
            nothing_asked_when_idle: assert (asked == 4'd0);
        if (started & !rst & held) begin
            bookkeeping: assert (need == footprint & done == made & sent == asked & (need & 4'd3) == 4'd3);
            more_to_do: assert ((footprint & ~made) != 0 & (made & ~footprint) == 0);
            only_what_is_needed: assert ((now & ~(footprint & ~made)) == 0);
            something_in_every_beat: assert (now != 0);
            one_look_up_per_bank: assert (
                !(now[0] & now[1] & bank0 == bank1) & !(now[0] & now[2] & bank0 == bank2) &
                !(now[0] & now[3] & bank0 == bank3) & !(now[1] & now[2] & bank1 == bank2) &
                !(now[1] & now[3] & bank1 == bank3) & !(now[2] & now[3] & bank2 == bank3));
            in_slot_order: assert (!last | (made | now) == footprint);
            one_miss_at_a_time: assert ((first & (first - 1'b1)) == 0 & (first & ~miss & ~asked) == 0);
            if (go)
                all_misses_sent: assert ((asked | (first & {4{miss_valid & miss_ready}})) == miss);
            asked_for_misses: assert ((asked & ~miss) == 0);
        end
    end

    // Traces to see
    always @(posedge clk) begin
        if (started & !rst & held) begin
            four_at_once: cover (go & now == 4'hf & last);
            four_beats: cover (go & last & made == 4'd7);
            four_misses_in_a_beat: cover (go & miss == 4'hf & asked == 4'd7);
        end
    end
endmodule

bind texcache_tag_compare texcache_tag_compare_properties properties (.*);
