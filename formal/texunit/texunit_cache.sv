// SPDX-License-Identifier: Apache-2.0
// texunit_cache: a line is in one way of its set at most, the way that hits or is replaced is one, an invalid one if
// there is any, and each query is answered once, with what memory gives for its line. The set looked at, a line of it
// and what memory holds there are chosen by the solver. A query is taken if none is here, but while sets are swept,
// each once; a hit is answered after its look-up of seven cycles, a miss asks at once, and is answered as its line
// comes.
//
// Assumed, as texunit_setup and line_reader do it: forget and invalidate come when no query is here, nor with one;
// memory gives a line only after it was asked, once, and always the same (with an error anything).
`include "geometry.svh"

`define WAY(i) \
    if (i < WAYS) begin \
        assign kept[i] = texunit_cache.tag_ram``i.words[chosen]; \
        assign read[i] = texunit_cache.tag_ram``i.read_data; \
        assign held[i] = texunit_cache.tag``i; \
        assign stored[i] = texunit_cache.data_ram.words[chosen * WAYS + i]; \
    end

module texunit_cache_properties (
    input clk, rst, forget, invalidate, query_ready, take, repeats, answer_next, answer_valid, address_valid,
    input address_ready,
    input [`CFG_CACHE_LINE_BITS-1:0] address,
    input line_valid, line_error, asked, came, hit, last_valid, decided_hit, keep, answer_error,
    input [127:0] line_data, answer_line, data_held,
    input [1:0] state,
    input [6:0] step,
    input [`CFG_CACHE_SET_BITS-1:0] sweep, set,
    input [`CFG_CACHE_LINE_BITS-1:0] query_line, last_line,
    input [`CFG_CACHE_WAYS-1:0] same, valids, pick
);
    localparam WAYS = `CFG_CACHE_WAYS, TAG = `CFG_CACHE_TAG_BITS, SET_BITS = `CFG_CACHE_SET_BITS;
    localparam READY = 2'd0, LOOKUP = 2'd1, MISS = 2'd2, SWEEP = 2'd3;

    reg started = 1'b0;
    reg open = 1'b0;                         // a query is here
    reg [2:0] since;                         // cycles that it is
    reg [15:0] sweeping;                     // since sets were to be swept
    reg on_its_way = 1'b0;                   // its line was asked for
    reg [SET_BITS-1:0] chosen;               // constants: nothing but themselves drives them
    reg [TAG-1:0] chosen_tag;
    reg [127:0] content;                     // of the chosen line
    reg [`CFG_CACHE_LINE_BITS-1:0] asked_line;     // asked of memory last
    reg told = 1'b0;                         // an answer was decided on
    reg failed;                              // the line that came last came with an error

    always @(posedge clk) begin
        started <= 1'b1;
        chosen  <= chosen;
        chosen_tag <= chosen_tag;
        content    <= content;
        failed     <= came & line_error;
        since      <= take ? 3'd0 : since + (since != 3'd7);
        sweeping   <= rst | invalidate ? 16'd0 : sweeping + !(&sweeping);
        if (address_valid & address_ready)
            asked_line <= address;
        told    <= !rst & answer_next;
        open    <= !rst & (take | open) & !answer_next;
        on_its_way <= !rst & ((address_valid & address_ready) | (on_its_way & !line_valid));
    end

    // The chosen set's tags, {valid, tag}; what the RAMs have read, and what is compared
    wire [WAYS-1:0][TAG:0] kept, read, held;
    wire [WAYS-1:0][127:0] stored;
    generate
        `WAY(0) `WAY(1) `WAY(2) `WAY(3) `WAY(4) `WAY(5) `WAY(6) `WAY(7)
    endgenerate
    wire [TAG:0] wanted = {1'b1, last_line[`CFG_CACHE_LINE_BITS-1:SET_BITS]};
    wire here = set == chosen;
    wire chosen_line = last_line == {chosen_tag, chosen};
    wire swept = state != SWEEP | sweep > chosen;

    reg once, no_way_has_it, read_is_kept, held_is_kept, valids_are_kept, same_are_kept, content_is_stored;
    reg [WAYS-1:0] kept_valid, kept_same;

    always @* begin
        once = 1'b1;
        content_is_stored = 1'b1;
        for (int i = 0; i < WAYS; i++) begin
            if (kept[i] == {1'b1, chosen_tag} & stored[i] != content)
                content_is_stored = 1'b0;
            kept_valid[i] = kept[i][TAG];
            kept_same[i]  = kept[i] == wanted;
            for (int j = 0; j < i; j++)
                if (kept[i][TAG] & kept[i] == kept[j])
                    once = 1'b0;
        end
        no_way_has_it = kept_same == 0;
        read_is_kept  = read == kept;
        held_is_kept  = held == kept;
        valids_are_kept = valids == kept_valid;
        same_are_kept   = same == kept_same;
    end

    // How far the look-up is: one bit moves through step
    wire compared = step[4] | step[5] | step[6] | state == MISS;

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        when_no_query_is_here: assume (!(forget | invalidate) | !(open | take));
        line_after_asking: assume (!line_valid | on_its_way);
        always_the_same: assume (
            !line_valid | line_error | asked_line != {chosen_tag, chosen} | line_data == content);
        if (started & !rst) begin
            one_step: assert (
                (step & (step - 1'b1)) == 0 & (state != LOOKUP | step != 0) &
                (step == 0 | state == LOOKUP | (state == MISS & step[6:5] != 0)));
            in_step: assert (state != LOOKUP | step == 7'd1 << since);
            swept_in_time: assert (state != SWEEP | sweeping < `CFG_CACHE_SETS);
            set_by_set: assert (state != SWEEP | sweeping <= sweep);
            taken_if_none_is_here: assert (query_ready == (!open & state != SWEEP));
            asks_if_missed: assert (address_valid == (state == MISS & !on_its_way));
            answered: assert (answer_next == ((take & repeats) |
                (open & (state == MISS ? on_its_way & line_valid : since == 3'd6))));
            told_then: assert (answer_valid == told);
            no_answer_yet: assert (state != LOOKUP | step[6:5] == 0 | decided_hit);
            open_while_busy: assert (open == (state == LOOKUP | state == MISS));
            asked_and_on_its_way: assert (
                state == MISS ? asked == on_its_way : !on_its_way & (state != LOOKUP | !asked));
            if (swept)
                line_in_one_way_at_most: assert (once);
            if (swept)
                kept_as_it_came: assert (content_is_stored);
            // The look-up of the chosen set, step by step
            if (here & (step[1]))
                tags_read: assert (read_is_kept);
            if (here & step[2])
                tags_held: assert (held_is_kept);
            if (here & step[3])
                tags_compared: assert (same_are_kept & valids_are_kept & held_is_kept);
            if (here & compared) begin
                tags_stay: assert (same_are_kept & valids_are_kept & held_is_kept);
                one_way_picked: assert (pick != 0 & (pick & (pick - 1'b1)) == 0);
                hit_is_told: assert (decided_hit == !no_way_has_it);
                picks_what_hits: assert (!decided_hit | pick == kept_same);
                invalid_ways_go_first: assert (decided_hit | &valids | (pick & valids) == 0);
            end
            if (state == MISS)
                miss_is_a_miss: assert (!decided_hit);
            asks_for_the_line: assert (!on_its_way | asked_line == last_line);
            if (chosen_line & hit & step[6])
                held_as_it_came: assert (data_held == content);
            if (chosen_line & state == READY & last_valid)
                last_line_stays: assert (answer_line == content);
            error_of_its_line: assert (!answer_valid | answer_error == failed);
            if (chosen_line & answer_valid & !answer_error)
                answers_with_its_line: assert (answer_line == content);
            answers_a_query: assert (!answer_next | open | take);
            one_line_at_a_time: assert (!(address_valid & on_its_way));
        end
    end

    // Traces to see
    reg missed = 1'b0;
    always @(posedge clk) begin
        missed <= missed | keep;
        if (started & !rst) begin
            hit_after_miss: cover (missed & step[6] & hit);
            repeated: cover (take & repeats);
            not_kept_after_error: cover (came & line_error);
            second_way_filled: cover (keep & here & valids != 0);
            swept_again: cover (missed & state == SWEEP & &sweep);
        end
    end
endmodule

bind texunit_cache texunit_cache_properties properties (.*);
