// SPDX-License-Identifier: Apache-2.0
// fifo: takes no word that it has no place for, gives none that it has not, and keeps their order.
//
// One word is followed, the one at a place in the order that the solver chooses: what holds for it holds for all.
module fifo_properties #(parameter WIDTH = 1, DEPTH = 4, COUNT_BITS = 3) (
    input clk, rst, in_valid, in_ready, out_valid, out_ready, push, pop,
    input [WIDTH-1:0] in_data, out_data,
    input [COUNT_BITS-1:0] head, tail, count
);
    reg started = 1'b0;                      // there was a reset
    reg [COUNT_BITS-1:0] chosen;             // a constant: nothing but itself drives it
    reg [WIDTH-1:0] word;
    reg held = 1'b0;                         // the chosen word is in the FIFO
    wire [COUNT_BITS-1:0] place = chosen - head;

    always @(posedge clk) begin
        started <= 1'b1;
        chosen  <= chosen;
        if (rst)
            held <= 1'b0;
        else if (push & tail == chosen) begin
            held <= 1'b1;
            word <= in_data;
        end else if (pop & head == chosen)
            held <= 1'b0;
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        else begin
            never_more_than_depth: assert (count <= DEPTH);
            no_push_when_full: assert (!push | count < DEPTH);
            no_pop_when_empty: assert (!pop | count != 0);
            takes_when_not_full: assert (in_ready | count == DEPTH);
            gives_when_not_empty: assert (out_valid | count == 0);
            held_from_push_to_pop: assert (held == (place < count));
            if (held)
                word_unharmed: assert (fifo.words[chosen[COUNT_BITS-2:0]] == word);
            if (out_valid & place == 0)
                in_order: assert (held & out_data == word);
        end
    end

    // Traces to see
    always @(posedge clk) begin
        if (started) begin
            full: cover (count == DEPTH);
            full_then_empty: cover (count == 0 & tail == DEPTH & !rst);
            push_and_pop_at_once: cover (push & pop);
        end
    end
endmodule

bind fifo fifo_properties #(.WIDTH(WIDTH), .DEPTH(DEPTH), .COUNT_BITS(COUNT_BITS)) properties (.*);
