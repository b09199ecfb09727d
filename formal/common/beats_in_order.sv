// SPDX-License-Identifier: Apache-2.0
// Beats of look-ups wait for their lines in a tag FIFO, behind it as the head, in the fill stage and in the read stage.
// They are read in the order in which they came, none lost or doubled. A beat that is read finds in each place (bank,
// set and way) what its tag check promised: all lines that beats up to it bring there are written, none of a later beat
// is. So no line goes between its tag check and its read. If AT_ONCE, a line that is here and wanted is taken as soon as
// beats are read; else reads may keep it waiting.
//
// Place and beat looked at are chosen by the solver: what holds of them holds of all.
//
// Assumed, as the tag compare circuit does it: a beat on offer stays as it is; it fills places that it reads, each but
// once; and, if SPARED, it fills none that the beat right before it reads, which is the last that replacement chooses.
module beats_in_order #(
    parameter WIDTH = 32,                    // bits of a beat; the lowest COUNT tell the look-ups, the next ones the fills
    parameter COUNT = 4,                     // look-ups
    parameter DEPTH = 4,                     // of the tag FIFO
    parameter SPARED = 1,
    parameter AT_ONCE = 1
) (
    input clk, rst,
    // the design's
    input beat_valid, beat_ready, beat_hit, read_valid, read_ready, line_ready, head_needs,
    input head_valid, stage_valid, stage_fill, read_held,
    input [WIDTH-1:0] beat, head, stage, read_stage, read_beat,
    input [COUNT-1:0] filled, stage_bank,
    input [$clog2(DEPTH):0] queued,
    input [WIDTH*DEPTH-1:0] waiting,         // beats in the tag FIFO, the oldest lowest
    // of the chosen place: look-ups of it, and whether a line is written there
    input [COUNT-1:0] beat_uses, head_uses, stage_uses, read_uses,
    input [COUNT*DEPTH-1:0] waiting_uses,
    input written
);
    localparam SLOTS = DEPTH + 3;            // read stage, fill stage, head, FIFO

    wire take = beat_valid & beat_ready, read = read_valid & read_ready;
    wire fills_it = (beat[COUNT +: COUNT] & beat_uses) != 0, uses_it = beat_uses != 0;

    reg started = 1'b0, stalled = 1'b0, used_before = 1'b0;
    reg [WIDTH-1:0] offered;
    reg [3:0] count = 0;                     // beats that were taken and not read
    reg [3:0] to_come = 0;                   // lines that they bring to the place, not written yet
    reg chosen = 1'b0;                       // one of the beats here is looked at
    reg [WIDTH-1:0] its_text;
    reg its_use;                             // it looks the place up
    reg [3:0] its_turn, its_lines;           // beats, and lines of the place, before it is read
    (* anyseq *) wire choose;

    always @(posedge clk) begin
        started <= 1'b1;
        offered <= beat;
        stalled <= !rst & beat_valid & !beat_ready;
        if (rst) begin
            {count, to_come} <= 0;
            {used_before, chosen} <= 2'b00;
        end else begin
            count   <= count + take - read;
            to_come <= to_come + (take & fills_it) - written;
            if (take)
                used_before <= uses_it;
            if (chosen) begin
                its_turn  <= its_turn - read;
                its_lines <= its_lines - written;
                if (read & its_turn == 0)
                    chosen <= 1'b0;
            end else if (take & !(read & count == 0) & choose) begin
                chosen    <= 1'b1;
                its_text  <= beat;
                its_use   <= uses_it;
                its_turn  <= count - read;
                its_lines <= to_come + fills_it - written;
            end
        end
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        if (stalled)
            stays_on_offer: assume (beat_valid & beat == offered);
        if (beat_valid) begin
            fills_what_it_reads: assume ((beat[COUNT +: COUNT] & ~beat[0 +: COUNT]) == 0);
            each_place_once: assume ((beat_uses & (beat_uses - 1'b1)) == 0);
            told_that_it_hits: assume (beat_hit == (beat[COUNT +: COUNT] == 0));
            if (SPARED)
                not_the_place_before: assume (!(used_before & fills_it));
        end
    end

    // The promises. With none here a beat may go straight through: it is taken and read in one cycle
    always @(posedge clk) if (started & !rst) begin
        none_doubled: assert (!read | count != 0 | (beat_valid & beat_hit & beat_ready & read_beat == beat));
        if (read & count == 0 & uses_it)
            finds_its_lines_at_once: assert (to_come == 0);
        if (read & chosen & its_turn == 0) begin
            in_order: assert (read_beat == its_text);
            finds_its_lines: assert (!its_use | its_lines == 0);
        end
        if (written & chosen & its_use)
            no_later_line: assert (its_lines != 0);
        if (AT_ONCE)
            wanted_line_is_taken: assert (!(head_needs & read_ready) | line_ready);
    end

    // What holds in between, so that the induction closes. Beats by slots, from the oldest on: is one there, and does
    // it look the place up, fill it, and still wait for that line? The line in the fill stage is of the beat there or
    // of the head.
    wire [SLOTS-1:0] here, uses, fills, awaits, once;
    wire [WIDTH*SLOTS-1:0] words = {waiting, head, stage, read_stage};
    wire [COUNT*SLOTS-1:0] looks = {waiting_uses, head_uses, stage_uses, read_uses};
    wire in_stage = stage_fill & (stage_bank & stage_uses) != 0; // the line there is one of the place

    genvar n;
    generate
        for (n = 0; n < SLOTS; n = n + 1) begin : gen_slot
            wire [COUNT-1:0] look = looks[n*COUNT +: COUNT], fill = words[n*WIDTH + COUNT +: COUNT];
            assign here[n]   = n == 0 ? read_held : n == 1 ? stage_valid : n == 2 ? head_valid : n - 3 < queued;
            assign uses[n]   = here[n] & look != 0;
            assign fills[n]  = here[n] & (look & fill) != 0;
            assign awaits[n] = n > 1 & here[n] & (look & fill & ~(n == 2 ? filled : {COUNT{1'b0}})) != 0;
            assign once[n]   = !here[n] | ((look & (look - 1'b1)) == 0 & (fill & ~words[n*WIDTH +: COUNT]) == 0);
        end
    endgenerate

    reg [3:0] older, older_lines;            // beats in older slots, and lines of the place that these wait for
    reg last_uses;                           // the beat before looks the place up
    reg in_its_slot, lines_as_counted, apart;

    always @* begin
        older       = 0;
        older_lines = in_stage;
        last_uses   = 1'b0;
        {in_its_slot, lines_as_counted, apart} = 3'b111;
        for (int i = 0; i < SLOTS; i++) begin
            if (last_uses & fills[i])
                apart = 1'b0;
            if (here[i]) begin
                older_lines = older_lines + awaits[i];
                if (chosen & its_turn == older) begin
                    if (words[i*WIDTH +: WIDTH] != its_text | uses[i] != its_use)
                        in_its_slot = 1'b0;
                    if (its_use & its_lines != (i == 0 ? 4'd0 : older_lines))
                        lines_as_counted = 1'b0;
                end
                last_uses = uses[i];
                older     = older + 1'b1;
            end
        end
    end

    always @(posedge clk) if (started) begin
        no_overflow: assert (queued <= DEPTH);
        beats_are_here: assert (count == older & (!chosen | its_turn < count));
        lines_are_to_come: assert (to_come == older_lines);
        beat_in_its_slot: assert (in_its_slot);
        its_lines_are_to_come: assert (lines_as_counted);
        each_as_checked: assert (&once);
        if (SPARED) begin
            places_apart: assert (apart);
            used_as_noted: assert (older == 0 | used_before == last_uses);
        end
        if (head_valid)
            filled_of_fills: assert ((filled & ~head[COUNT +: COUNT]) == 0);
        if (stage_fill) begin
            one_line: assert (stage_bank != 0 & (stage_bank & (stage_bank - 1'b1)) == 0 & (stage_bank & ~stage[COUNT +: COUNT]) == 0);
            of_the_head: assert (stage_valid | (head_valid & stage == head & (stage_bank & ~filled) == 0));
        end
    end
endmodule
