// SPDX-License-Identifier: Apache-2.0
// line_reader: never asks for more lines than it has places for, so that R need not wait; AXI's rules of AR; and,
// whatever is reset when: a line that is given was asked for since the last reset, is whole and in order, and none
// of those is lost.
//
// Assumed of the memory: it answers bursts that were asked for and no others, in order, each with all its beats;
// nothing but a reset of its own makes it forget. One burst is followed, the one at a place in the order that the
// solver chooses, and the lowest bit of one of its beats: what holds for it holds for all.
`include "geometry.svh"
module line_reader_properties (
    input clk, rst, axi_rst, take, give, waiting, ar_valid, ar_ready, r_valid, r_last, whole_valid, fill_ready,
    input address_valid, address_ready, line_valid, line_error,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] ar_addr,
    input [`CFG_CACHE_LINE_BITS-1:0] address,
    input [`CFG_AXI_DATA_BITS-1:0] r_data,
    input [1:0] r_resp,
    input [8*`CFG_CACHE_LINE_BYTES-1:0] line_data
);
    localparam DEPTH = `CFG_AXI_OUTSTANDING, BEATS = `CFG_BEATS_PER_LINE, DATA = `CFG_AXI_DATA_BITS;
    localparam LINE = 8 * `CFG_CACHE_LINE_BYTES, PLACE_BITS = $clog2(DEPTH);

    // Bursts are numbered as they are taken, modulo 256; a reset that memory does not hear of moves no number.
    reg [7:0] taken = 8'd0, granted = 8'd0, ended = 8'd0; // the next to be taken, to reach memory, to end
    reg [7:0] first = 8'd0;                  // the first taken since the last reset, or the next to end if that is later
    reg [7:0] given = 8'd0;                  // the next to be given
    reg [7:0] beat = 8'd0;                   // of the burst that is next to end: beats that came
    wire [7:0] unended = taken - ended, unanswered = granted - ended, ungranted = taken - granted;
    wire [7:0] from_before = first - ended, ungiven = taken - given, come = ended - given;
    wire accepts = address_valid & address_ready & !rst;
    wire ends = r_valid & r_last;

    // The burst that is followed; constants: nothing but themselves drives them
    reg [7:0] chosen, chosen_beat;
    reg followed = 1'b0;                     // taken since the last reset, and not yet given
    reg data, failed;                        // the bit as it came; a beat came with an error
    wire mine_next = ended == chosen;         // it is the next to end
    wire mine = r_valid & mine_next;
    wire [7:0] place = chosen - given;
    wire [15:0] index = chosen_beat * DATA;

    // The design's
    reg started = 1'b0, stalled = 1'b0, had_place = 1'b0;
    reg [`CFG_CACHE_ADDRESS_BITS-1:0] addr_before;
    reg [`CFG_CACHE_LINE_BITS-1:0] asked;          // the line taken last
    wire [7:0] held = `MODULE.data_fifo.count;
    wire [7:0] reserved = `MODULE.reserved, open = `MODULE.open, stale = `MODULE.stale;
    wire [PLACE_BITS-1:0] slot = `MODULE.data_fifo.head + place;
    wire [LINE:0] stored = `MODULE.data_fifo.words[slot];

    always @(posedge clk) begin
        started <= 1'b1;
        stalled <= !axi_rst & ar_valid & !ar_ready;
        had_place <= !rst & address_ready & !accepts;
        addr_before <= ar_addr;
        if (accepts)
            asked <= address;
        taken   <= axi_rst ? 8'd0 : taken + accepts;
        granted <= axi_rst ? 8'd0 : granted + (ar_valid & ar_ready);
        ended   <= axi_rst ? 8'd0 : ended + ends;
        first   <= axi_rst ? 8'd0 : rst ? taken : first + (ends & first == ended);
        given   <= axi_rst ? 8'd0 : rst ? taken : given + give;
        beat    <= axi_rst | ends ? 8'd0 : beat + r_valid;
        chosen      <= chosen;
        chosen_beat <= chosen_beat;
        followed <= !rst & (accepts & taken == chosen | followed & !(give & given == chosen));
        if (mine & beat == chosen_beat)
            data <= r_data[0];
        if (mine)
            failed <= beat != 8'd0 & failed | r_resp[1];
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (axi_rst);
        memory_is_not_reset_alone: assume (!axi_rst | rst);
        answers_what_was_asked: assume (!r_valid | unanswered != 0);
        whole_bursts: assume (!r_valid | r_last == (beat == BEATS - 1));
        a_beat: assume (chosen_beat < BEATS);
        if (started) begin
            beats_in_range: assert (beat < BEATS & (beat == 0 | unanswered != 0));
            one_address_waits_at_most: assert (ungranted == waiting & ungranted <= unended);
            open_is_counted: assert (open == unended);
            stale_is_counted: assert (stale == from_before & stale <= open);
            every_line_has_its_place: assert (reserved == open + held);
            never_more_than_depth: assert (reserved <= DEPTH & unanswered <= DEPTH & held <= DEPTH);
            what_has_come_is_held: assert (stale == 0 ? held == come : held == 0 & given == first);
            taken_if_there_is_a_place: assert (address_ready | (waiting & !ar_ready) | reserved == DEPTH);
            place_stays: assert (!had_place | address_ready);
            r_never_waits: assert (!whole_valid | fill_ready);
            none_lost: assert (followed == (place < ungiven));
            if (followed & place < held)
                kept_unharmed: assert (stored[index] == data & stored[LINE] == failed);
            if (line_valid)
                nothing_stale: assert (stale == 0 & come != 0);
            if (line_valid & followed & place == 0)
                its_own_beats: assert (line_data[index] == data & line_error == failed);
            if (stalled)
                ar_is_stable: assert (ar_valid & ar_addr == addr_before);
            if (ar_valid)
                asks_for_the_line: assert (ar_addr == {asked, {$clog2(`CFG_CACHE_LINE_BYTES){1'b0}}});
        end
    end

    generate
        if (BEATS > 1) begin : gathering
            wire [15:0] there = (BEATS - 1 - beat + chosen_beat) * DATA;
            always @(posedge clk)
                if (started) begin
                    if (mine_next & beat > chosen_beat)
                        beat_gathered: assert (`MODULE.gathered[there] == data);
                    error_gathered: assert (
                        beat == 0 ? !`MODULE.gathered_error : !mine_next | `MODULE.gathered_error == failed);
                end
        end
    endgenerate

    // Traces to see
    reg gave = 1'b0, late = 1'b0;            // a line was given; one from before a reset came after it
    always @(posedge clk) begin
        gave <= started & !rst & (gave | give);
        late <= started & !rst & (late | ends & stale != 0);
        if (started & !rst) begin
            all_places_taken: cover (reserved == DEPTH & open == DEPTH);
            all_lines_waiting: cover (held == DEPTH);
            drained_again: cover (reserved == 0 & gave);
            address_waits_through_reset: cover (stalled & stale == open & open != 0 & !late);
            old_and_new_on_their_way: cover (stale == 2 & open == DEPTH);
            given_after_old_ones: cover (late & give);
        end
    end
endmodule

bind `MODULE line_reader_properties properties (.*);
