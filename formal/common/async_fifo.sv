// SPDX-License-Identifier: Apache-2.0
// async_fifo between two clocks that the solver moves as it likes: both, one or none of them at each step.
//
// Assumed: the resets overlap until each side has been cleared, and then end for good, each when it likes.
// The two flip-flops of a crossing are taken as plain delays: what is proved of the Gray codes is what makes this
// right on silicon, where a flip-flop may settle either way.
module async_fifo_properties #(parameter WIDTH = 1, DEPTH = 4, COUNT_BITS = 3) (
    input in_clk, in_rst, in_clear, out_clk, out_rst, out_clear, push, pop, in_ready, out_valid,
    input [WIDTH-1:0] in_data, out_data,
    input [COUNT_BITS-1:0] tail, tail_gray, tail_seen, head, head_gray, head_seen
);
    function automatic [COUNT_BITS-1:0] binary(input [COUNT_BITS-1:0] gray);
        for (int i = 0; i < COUNT_BITS; i++)
            binary[i] = ^(gray >> i);
    endfunction

    reg in_cleared = 1'b0, in_released = 1'b0, out_cleared = 1'b0, out_released = 1'b0;
    reg [COUNT_BITS-1:0] chosen;             // a constant: nothing but itself drives it
    reg [WIDTH-1:0] word;
    reg [COUNT_BITS-1:0] tail_gray_before, head_gray_before;

    always @(posedge in_clk) begin
        in_cleared  <= in_cleared | in_clear;
        in_released <= in_released | !in_rst;
        chosen      <= chosen;
        tail_gray_before <= in_cleared ? tail_gray : {COUNT_BITS{1'b0}};
        if (push & tail == chosen)
            word <= in_data;
    end

    always @(posedge out_clk) begin
        out_cleared  <= out_cleared | out_clear;
        out_released <= out_released | !out_rst;
        head_gray_before <= out_cleared ? head_gray : {COUNT_BITS{1'b0}};
    end

    wire both = in_cleared & out_cleared;
    wire [COUNT_BITS-1:0] held = tail - head; // words held
    wire [COUNT_BITS-1:0] tail_meta = async_fifo.to_output.meta, head_meta = async_fifo.to_input.meta;
    wire [COUNT_BITS-1:0] known = binary(head_seen), coming = binary(head_meta);
    wire [COUNT_BITS-1:0] shown = binary(tail_seen), going = binary(tail_meta);
    wire [COUNT_BITS-1:0] held_coming = tail - coming, held_known = tail - known; // for all the input knows
    wire [COUNT_BITS-1:0] held_going = going - head, held_shown = shown - head;   // for all the output sees
    wire [COUNT_BITS-1:0] place = chosen - head;
    wire [COUNT_BITS-1:0] tail_change = tail_gray ^ tail_gray_before;
    wire [COUNT_BITS-1:0] head_change = head_gray ^ head_gray_before;

    always @* begin
        resets_overlap: assume (both | (in_rst & out_rst));
        clear_in_reset: assume ((!in_clear | (in_rst & out_rst)) & (!out_clear | (in_rst & out_rst)));
        resets_end: assume (!(in_released & in_rst) & !(out_released & out_rst));
        // each side is empty from the edge that cleared it to its release, whatever the other one does
        in_reset_is_empty: assert (
            (!in_cleared | in_released | (tail == 0 & tail_gray == 0 & known == 0 & coming == 0)) &
            (!out_cleared | out_released | (head == 0 & head_gray == 0 & shown == 0 & going == 0)) &
            (both | !(in_released | out_released)));
        one_bit_at_a_time: assert (
            (!in_cleared | (tail_change & (tail_change - 1'b1)) == 0) &
            (!out_cleared | (head_change & (head_change - 1'b1)) == 0));
        if (both) begin
            never_more_than_depth: assert (held <= DEPTH);
            no_push_when_full: assert (!push | held < DEPTH);
            no_pop_when_empty: assert (!pop | held != 0);
            gray_codes: assert (tail_gray == (tail ^ tail >> 1) & head_gray == (head ^ head >> 1));
            // each side is a little behind the other, and never ahead
            input_knows_no_more: assert (
                held <= held_coming & held_coming <= held_known & held_known <= DEPTH);
            output_sees_no_more: assert (held_shown <= held_going & held_going <= held);
            if (place < held)
                word_unharmed: assert (async_fifo.words[chosen[COUNT_BITS-2:0]] == word);
            if (out_valid & place == 0)
                in_order: assert (out_data == word & held != 0);
        end
    end

    // Traces to see
    always @* begin
        full: cover (both & held == DEPTH & !in_ready & !in_rst);
        full_then_empty: cover (both & held == 0 & tail == DEPTH & !out_valid);
    end
endmodule

bind async_fifo async_fifo_properties #(.WIDTH(WIDTH), .DEPTH(DEPTH), .COUNT_BITS(COUNT_BITS)) properties (.*);
