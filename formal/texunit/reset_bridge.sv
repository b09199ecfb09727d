// SPDX-License-Identifier: Apache-2.0
// reset_bridge between two clocks that the solver moves as it likes, with resets of either side at any time.
//
// Assumed: it begins at rest. Two flip-flops of a crossing are taken as plain delays.
module reset_bridge_properties (
    input a_clk, a_rst, a_reset, a_clear, a_request, a_release, a_pending, a_confirm,
    input b_clk, b_rst, b_reset, b_clear, b_request, b_release, b_pending, b_confirm
);
    // A handshake's way: request, to the other side, its answer, and back
    wire [5:0] from_a = {
        a_request, reset_bridge.to_b.meta, reset_bridge.to_b.stable,
        b_confirm, reset_bridge.back_to_a.meta, reset_bridge.back_to_a.stable};
    wire [5:0] from_b = {
        b_request, reset_bridge.to_a.meta, reset_bridge.to_a.stable,
        a_confirm, reset_bridge.back_to_b.meta, reset_bridge.back_to_b.stable};

    // Its one edge: ones that go forth while it is asked for, then zeros after them
    function automatic one_edge(input [5:0] way, input request, input release_);
        one_edge = request ? !release_ & ((~way & (~way + 6'd1)) == 6'd0) :
                   release_ ? (way & (way + 6'd1)) == 6'd0 : way == 6'd0;
    endfunction

    reg a_started = 1'b0, b_started = 1'b0;
    reg [3:0] a_chosen, b_chosen;                  // constants: nothing but themselves drives them
    reg [3:0] a_count = 4'd0, b_count = 4'd0;      // cycles of reset; one of them is looked at
    reg a_owes = 1'b0, b_owes = 1'b0;              // it came
    reg a_was = 1'b0, b_was = 1'b0;                // in reset at the last edge
    reg a_stale = 1'b0, b_stale = 1'b0;            // not cleared since it was out of reset
    reg a_done = 1'b0, b_done = 1'b0;              // the other side was in reset since then

    always @(posedge a_clk) begin
        a_started <= 1'b1;
        a_chosen  <= a_chosen;
        a_count   <= a_count + {3'd0, a_rst};
        a_owes    <= a_owes | (a_rst & a_count == a_chosen);
        a_was     <= a_reset;
        a_stale   <= !a_reset | (a_stale & !a_clear);
        b_done    <= b_owes & (b_done | a_reset);
    end

    always @(posedge b_clk) begin
        b_started <= 1'b1;
        b_chosen  <= b_chosen;
        b_count   <= b_count + {3'd0, b_rst};
        b_owes    <= b_owes | (b_rst & b_count == b_chosen);
        b_was     <= b_reset;
        b_stale   <= !b_reset | (b_stale & !b_clear);
        a_done    <= a_owes & (a_done | b_reset);
    end

    always @* begin
        if (!a_started & !b_started)
            at_rest: assume (from_a == 0 & from_b == 0 & !(a_release | a_pending | b_release | b_pending));
        handshakes: assert (one_edge(from_a, a_request, a_release) & one_edge(from_b, b_request, b_release));
        // with both sides out of reset nothing is left that puts one into it again
        no_reset_of_its_own: assert (
            a_reset | b_reset |
            (from_a == 0 & from_b == 0 & !(a_release | a_pending | b_release | b_pending)));
        // however short it was, a side stays in reset until the other one has been, too
        none_is_lost: assert ((!a_owes | a_done | a_reset) & (!b_owes | b_done | b_reset));
        // what the other side looks at goes back only while that is in reset, and has when the reset ends
        other_is_in_reset: assert ((!a_clear | b_reset) & (!b_clear | a_reset));
        cleared: assert ((!a_was | a_reset | !a_stale) & (!b_was | b_reset | !b_stale));
        asks_until_cleared: assert ((!a_was | !a_stale | a_request) & (!b_was | !b_stale | b_request));
        cleared_when_confirmed: assert (
            !(a_stale & (a_release | a_pending)) & !(b_stale & (b_release | b_pending)));
        // how it gets there
        on_its_way: assert (
            (!a_owes | a_done | a_pending | a_request | (a_release & reset_bridge.to_b.stable)) &
            (!b_owes | b_done | b_pending | b_request | (b_release & reset_bridge.to_a.stable)));
    end

    // Traces to see
    always @* begin
        both_at_once: cover (a_request & b_request);
        again_while_one_ends: cover (a_release & b_pending);
    end
endmodule

bind reset_bridge reset_bridge_properties properties (.*);
