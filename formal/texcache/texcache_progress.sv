// SPDX-License-Identifier: Apache-2.0
// texcache: nothing waits but for memory and for the consumer. A beat goes into the tag FIFO when all its lines have
// been asked for: the lines that beats in the FIFO and at its head still need, and those that were asked for the beat
// in the tag compare circuit, are the lines that the line reader was asked for and has not given. So the line that the
// head needs is on its way or here, and a look-up that finds no place for its line has beats before it that give
// theirs back. And who can go goes: a line is asked for if it has a place, a beat leaves if its lines are asked for, a
// footprint is taken if none is before it, requests go on if the tag FIFO has space. At any time there may be a reset;
// lines from before it keep their places until they have come.
//
// Look-up table, address circuit, output circuit and counters are left to the solver: any footprint and any pace of
// results. Assumed: memory as in reader_places.sv.
`include "geometry.svh"
module texcache_progress_properties (
    input clk, line_valid, memory_wait, miss_valid, beat_valid, beat_ready, compare_ready, usp_begin, stopped
);
    localparam DEPTH = `CFG_FIFO_DEPTH, PLACE_BITS = $clog2(DEPTH);

    function automatic [2:0] ones(input [3:0] flags);
        ones = flags[0] + flags[1] + flags[2] + flags[3];
    endfunction

    // The design's
    wire held = texcache.tag_compare.held, decided = texcache.tag_compare.decided;
    wire [3:0] missed = texcache.tag_compare.missed, sent = texcache.tag_compare.sent;
    wire head_valid = texcache.fifo_control.head_valid, head_step = texcache.fifo_control.head_step;
    wire head_needs = texcache.fifo_control.head_needs, read_held = texcache.fifo_control.read_held;
    wire [3:0] unfilled = texcache.fifo_control.unfilled;
    wire [11:0] queued = texcache.fifo_control.tag_fifo.count;
    wire [PLACE_BITS-1:0] oldest = texcache.fifo_control.tag_fifo.head;
    wire [11:0] reserved = texcache.reader.reserved, open = texcache.reader.open, stale = texcache.reader.stale;

    // Lines that beats behind the tag compare circuit still need
    wire [4*DEPTH-1:0] fills;
    reg [11:0] awaited;

    genvar n;
    generate
        for (n = 0; n < DEPTH; n = n + 1) begin : gen_queued
            wire [PLACE_BITS-1:0] place = oldest + n;
            assign fills[4*n +: 4] = n < queued ? texcache.fifo_control.miss_fifo.words[place] : 4'd0;
        end
    endgenerate

    always @* begin
        awaited = head_valid ? ones(unfilled) : 12'd0;
        for (int i = 0; i < DEPTH; i++)
            awaited = awaited + ones(fills[4*i +: 4]);
    end

    reg started = 1'b0;

    always @(posedge clk) begin
        started <= 1'b1;
        if (started) begin
            no_overflow: assert (queued <= DEPTH);
            misses_beside_beats: assert (
                texcache.fifo_control.miss_fifo.head == texcache.fifo_control.tag_fifo.head &
                texcache.fifo_control.miss_fifo.tail == texcache.fifo_control.tag_fifo.tail);
            queued_or_at_the_head: assert (
                (texcache.fifo_control.pushed | head_valid) == (queued != 0 | head_valid));
            if (decided)
                asked_for_misses: assert ((sent & ~missed) == 4'd0);
            promised_is_asked: assert (reserved == stale + awaited + (decided ? ones(sent) : 3'd0));
            if (head_needs)
                line_of_the_head_is_asked_for: assert (line_valid | open != stale);
            if (head_valid & !head_step)
                head_waits_for_memory_or_results: assert (memory_wait | read_held);
            asks_if_the_beat_has_a_place: assert (!decided | missed == sent | queued == DEPTH | miss_valid);
            leaves_if_all_are_asked_for: assert (
                !decided | missed != sent | queued == DEPTH | (beat_valid & beat_ready));
            decided_if_none_is_before_it: assert (!held | decided | texcache.tag_compare.decide);
            taken_if_it_is_empty: assert (held | compare_ready);
            goes_on_if_there_is_space: assert (!texcache.fifo_control.halted | queued == DEPTH | usp_begin);
            stops_for_a_full_fifo_alone: assert (!stopped | queued == DEPTH | usp_begin);
            if (decided & missed != sent & reserved == DEPTH)
                others_have_the_places: assert (stale != 12'd0 | awaited != 12'd0);
        end
    end
endmodule

bind texcache_line_reader reader_places #(.PLACES(`CFG_FIFO_DEPTH), .BEATS(`CFG_BEATS_PER_LINE)) places (
    .reserved(reserved), .open(open), .stale(stale), .came(data_fifo.count), .*);
bind texcache texcache_progress_properties properties (.*);
