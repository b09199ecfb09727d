// Makes a reset of either of two clock domains a reset of both.
//
// A domain that is reset asks the other one for it, stays in reset until the other has confirmed, and then until
// the confirmation is withdrawn again: a pulse of one cycle is enough, whatever the ratio of the clocks.
// Interface: a_rst, b_rst: from outside, synchronous to their clocks. a_reset, b_reset: for the logic of each domain.
// a_clear, b_clear: within these, the other domain is in reset, too: what it looks at may go back (a pointer that
// went back at once might be seen before the request is, and be taken for one that went on).
// Before first use both a_rst and b_rst must have been high together for three cycles of each clock.
module reset_bridge (
    input  wire a_clk, // clock of domain a
    input  wire a_rst, // from outside
    output wire a_reset, // for the logic of domain a
    output wire a_clear, // for what domain b looks at
    input  wire b_clk, // clock of domain b
    input  wire b_rst, // from outside
    output wire b_reset, // for the logic of domain b
    output wire b_clear // for what domain a looks at
);

    // A request is up from the reset until it is confirmed, then released until the confirmation is gone, too; a
    // reset that comes meanwhile waits its turn, its side in reset.
    reg  a_request, a_release, a_pending;
    reg  b_request, b_release, b_pending;
    wire a_asked, b_asked;         // the other domain's request, as seen here
    reg  a_confirm, b_confirm;     // the answer to it
    wire a_confirmed, b_confirmed; // the answer to one's own, as seen here

    sync_bit to_b (.clk(b_clk), .rst(1'b0), .d(a_request), .q(b_asked));
    sync_bit to_a (.clk(a_clk), .rst(1'b0), .d(b_request), .q(a_asked));
    sync_bit back_to_a (.clk(a_clk), .rst(1'b0), .d(b_confirm), .q(a_confirmed));
    sync_bit back_to_b (.clk(b_clk), .rst(1'b0), .d(a_confirm), .q(b_confirmed));

    assign a_reset = a_rst | a_request | a_release | a_pending | a_asked;
    assign b_reset = b_rst | b_request | b_release | b_pending | b_asked;
    assign a_clear = a_asked | (a_request & a_confirmed);
    assign b_clear = b_asked | (b_request & b_confirmed);

    always @(posedge a_clk) begin
        a_confirm <= a_asked;
        a_pending <= a_release & (a_pending | a_rst);
        if (a_release) begin
            a_request <= 1'b0;
            a_release <= a_confirmed;
        end else if (a_request) begin
            a_request <= a_rst | !a_confirmed;
            a_release <= !a_rst & a_confirmed;
        end else begin
            a_request <= a_rst | a_pending;
            a_release <= 1'b0;
        end
    end

    always @(posedge b_clk) begin
        b_confirm <= b_asked;
        b_pending <= b_release & (b_pending | b_rst);
        if (b_release) begin
            b_request <= 1'b0;
            b_release <= b_confirmed;
        end else if (b_request) begin
            b_request <= b_rst | !b_confirmed;
            b_release <= !b_rst & b_confirmed;
        end else begin
            b_request <= b_rst | b_pending;
            b_release <= 1'b0;
        end
    end

endmodule
