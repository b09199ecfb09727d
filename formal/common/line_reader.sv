// SPDX-License-Identifier: Apache-2.0
// line_reader: never asks for more lines than it has places for, so that R need not wait; AXI's rules of AR.
//
// Assumed of the memory: it answers bursts that were asked for and no others, each with all its beats.
`include "geometry.svh"
module line_reader_properties (
    input clk, rst, take, give, waiting, drained, ar_valid, ar_ready, r_valid, r_last, whole_valid, fill_ready,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] ar_addr,
    input [`CFG_CACHE_LINE_BITS-1:0] address
);
    localparam DEPTH = `CFG_AXI_OUTSTANDING, BEATS = `CFG_BEATS_PER_LINE;

    reg started = 1'b0, stalled = 1'b0;
    reg [7:0] open = 8'd0, beat = 8'd0;      // bursts that memory has yet to answer; beats of the first that came
    reg [`CFG_CACHE_ADDRESS_BITS-1:0] addr_before;
    reg [`CFG_CACHE_LINE_BITS-1:0] asked;          // the line taken last
    wire [7:0] held = `MODULE.data_fifo.count;
    wire [7:0] reserved = `MODULE.reserved;
    wire [15:0] in_page = {4'd0, ar_addr[11:0]};

    always @(posedge clk) begin
        started <= 1'b1;
        stalled <= !rst & ar_valid & !ar_ready;
        addr_before <= ar_addr;
        if (take)
            asked <= address;
        if (rst) begin
            open <= 8'd0;
            beat <= 8'd0;
        end else begin
            open <= open + (ar_valid & ar_ready) - (r_valid & r_last);
            if (r_valid)
                beat <= r_last ? 8'd0 : beat + 8'd1;
        end
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        answers_what_was_asked: assume (!r_valid | open != 0);
        whole_bursts: assume (!r_valid | r_last == (beat == BEATS - 1));
        if (started & !rst) begin
            beats_in_range: assert (beat < BEATS & (beat == 0 | open != 0));
            every_line_has_its_place: assert (reserved == open + held + waiting);
            never_more_than_depth: assert (reserved <= DEPTH & open <= DEPTH & held <= DEPTH);
            r_never_waits: assert (!whole_valid | fill_ready);
            drained_is_drained: assert (!drained | (open == 0 & held == 0 & !ar_valid));
            if (stalled)
                ar_is_stable: assert (ar_valid & ar_addr == addr_before);
            if (ar_valid)
                asks_for_the_line: assert (ar_addr == {asked, {$clog2(`CFG_CACHE_LINE_BYTES){1'b0}}});
            within_a_page: assert (!ar_valid | in_page + `CFG_CACHE_LINE_BYTES <= 4096);
        end
    end

    // Traces to see
    reg gave = 1'b0;
    always @(posedge clk) begin
        gave <= started & !rst & (gave | give);
        if (started & !rst) begin
            all_places_taken: cover (reserved == DEPTH & open == DEPTH);
            all_lines_waiting: cover (held == DEPTH);
            drained_again: cover (drained & gave);
        end
    end
endmodule

bind `MODULE line_reader_properties properties (.*);
