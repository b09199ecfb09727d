// SPDX-License-Identifier: Apache-2.0
// Beats of look-ups wait for their lines in a tag FIFO and behind it as the head; a line that the head takes waits in
// the fill stage until it is written. Each line that comes is written once, unharmed, to the place of the look-up that
// it was asked for: lines come in the order of beats and, in a beat, of look-ups, the lowest first. No more are taken
// than beats miss. When they are written and when beats are read: beats_in_order.sv.
//
// The look-up looked at and its beat are chosen by the solver: what holds of them holds of all.
//
// Assumed, as the tag compare circuit does it: a beat on offer stays as it is, and is told to hit if it fills nothing.
module lines_to_places #(
    parameter COUNT = 4,                     // look-ups
    parameter DEPTH = 4,                     // of the tag FIFO
    parameter PLACE = 4,                     // bits of a place: bank, set and way
    parameter LINE = 129                     // bits of a line, with its error
) (
    input clk, rst,
    // the design's
    input beat_valid, beat_ready, beat_hit, line_valid, line_ready, head_valid, stage_fill,
    input [COUNT-1:0] filled, stage_bank,
    input [$clog2(DEPTH):0] queued,
    input [LINE-1:0] line, stage_line, fill_data,
    input writes,                            // a line is written
    input [PLACE-1:0] written_place,
    // of beats what they fill, and the place of the look-up looked at, a constant; the oldest in the tag FIFO lowest
    input [$clog2(COUNT)-1:0] look,
    input [COUNT-1:0] beat_fills, head_fills,
    input [PLACE-1:0] beat_place, head_place, stage_place,
    input [COUNT*DEPTH-1:0] waiting_fills,
    input [PLACE*DEPTH-1:0] waiting_places
);
    function automatic [5:0] ones(input [COUNT-1:0] flags);
        ones = 6'd0;
        for (int i = 0; i < COUNT; i++)
            ones = ones + flags[i];
    endfunction

    wire take = beat_valid & beat_ready, come = line_valid & line_ready;
    wire [COUNT-1:0] below = ~({COUNT{1'b1}} << look);

    reg started = 1'b0, stalled = 1'b0;
    reg [COUNT+PLACE-1:0] offered;
    reg [5:0] owed = 6'd0;                   // lines of beats that were taken, to come
    reg unwritten = 1'b0;                    // a line came and is not written
    reg awaited = 1'b0, came = 1'b0;         // the line of the look-up is to come, or has come and is not written
    reg [PLACE-1:0] its_place;
    reg [5:0] before_it;                     // lines to come before it
    reg [LINE-1:0] its_line;
    (* anyseq *) wire choose;

    always @(posedge clk) begin
        started <= 1'b1;
        offered <= {beat_fills, beat_place};
        stalled <= !rst & beat_valid & !beat_ready;
        if (rst) begin
            owed <= 6'd0;
            {unwritten, awaited, came} <= 3'd0;
        end else begin
            owed      <= owed + (take ? ones(beat_fills) : 6'd0) - come;
            unwritten <= come | (unwritten & !writes);
            if (awaited & come) begin
                before_it <= before_it - 1'b1;
                if (before_it == 0) begin
                    {awaited, came} <= 2'b01;
                    its_line <= line;
                end
            end else if (came & writes) begin
                came <= 1'b0;
            end else if (!awaited & !came & take & beat_fills[look] & choose) begin
                awaited   <= 1'b1;
                its_place <= beat_place;
                before_it <= owed + ones(beat_fills & below) - come;
            end
        end
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        if (stalled)
            stays_on_offer: assume (beat_valid & {beat_fills, beat_place} == offered);
        if (beat_valid)
            told_that_it_hits: assume (beat_hit == (beat_fills == 0));
        if (started & !rst) begin
            no_line_too_many: assert (!come | owed != 0);
            none_written_twice: assert (!writes | unwritten);
            none_lost: assert (!come | !unwritten | writes);
            if (came & writes)
                lines_in_order: assert (written_place == its_place & fill_data == its_line);
        end
    end

    // What holds in between, so that the induction closes: of the beats at the head and in the tag FIFO, from the
    // oldest on, what they still wait for
    wire [DEPTH:0] here;
    wire [COUNT*(DEPTH+1)-1:0] fills;
    wire [PLACE*(DEPTH+1)-1:0] places = {waiting_places, head_place};
    reg [5:0] older;
    reg in_its_turn;

    genvar n;
    generate
        for (n = 0; n <= DEPTH; n = n + 1) begin : gen_slot
            assign here[n] = n == 0 ? head_valid : n - 1 < queued;
            if (n == 0)
                assign fills[0 +: COUNT] = head_valid ? head_fills & ~filled : {COUNT{1'b0}};
            else
                assign fills[n*COUNT +: COUNT] = here[n] ? waiting_fills[(n-1)*COUNT +: COUNT] : {COUNT{1'b0}};
        end
    endgenerate

    always @* begin
        older = 6'd0;
        in_its_turn = 1'b0;
        for (int i = 0; i <= DEPTH; i++) begin
            if (fills[i*COUNT + look] & older + ones(fills[i*COUNT +: COUNT] & below) == before_it
                & places[i*PLACE +: PLACE] == its_place)
                in_its_turn = 1'b1;
            older = older + ones(fills[i*COUNT +: COUNT]);
        end
    end

    always @(posedge clk) if (started) begin
        no_overflow: assert (queued <= DEPTH);
        lines_are_counted: assert (owed == older);
        its_line_is_to_come: assert (!awaited | (before_it < owed & in_its_turn));
        line_is_in_the_fill_stage: assert (unwritten == stage_fill & (!stage_fill | stage_bank != 0));
        its_line_is_kept: assert (!came | (!awaited & stage_fill & stage_line == its_line & stage_place == its_place
            & stage_bank == {{COUNT-1{1'b0}}, 1'b1} << look));
        filled_of_fills: assert (!head_valid | (filled & ~head_fills) == 0);
    end
endmodule
