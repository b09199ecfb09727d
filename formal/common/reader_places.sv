// SPDX-License-Identifier: Apache-2.0
// Places of a line reader, and the memory behind it: each line that it was asked for has a place, whether it is still
// to be asked for on AR, in memory, or has come; those from before a reset come first. To be bound to the line reader
// beside the properties of whoever waits for its lines: one is asked for as soon as it has a place. line_reader.sv proves the reader alone, words included.
//
// Assumed: the memory answers what it was asked for, whole bursts.
module reader_places #(parameter PLACES = 4, BEATS = 1) (
    input clk, axi_rst, ar_valid, ar_ready, r_valid, r_last, waiting, address_ready,
    input [11:0] reserved, open, stale, came
);
    // Bursts that memory has yet to answer, and beats of the first of them that came
    reg started = 1'b0;
    reg [11:0] owed = 12'd0, beat = 12'd0;
    wire ends = r_valid & r_last;

    always @(posedge clk) begin
        started <= 1'b1;
        owed    <= axi_rst ? 12'd0 : owed + (ar_valid & ar_ready) - ends;
        beat    <= axi_rst | ends ? 12'd0 : beat + r_valid;
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (axi_rst);
        memory_answers_what_was_asked: assume (!r_valid | owed != 12'd0);
        memory_whole_bursts: assume (r_last == (beat == BEATS - 1));
        if (started) begin
            no_overflow: assert (came <= PLACES & reserved <= PLACES & owed <= PLACES);
            asked_if_there_is_a_place: assert (address_ready | (waiting & !ar_ready) | reserved == PLACES);
            beats_of_a_line: assert (beat < BEATS);
            every_line_has_its_place: assert (reserved == open + came & open == owed + {11'd0, waiting});
            stale_ones_come_first: assert (stale <= open & (stale == 12'd0 | came == 12'd0));
        end
    end
endmodule
