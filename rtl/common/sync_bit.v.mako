// Two flip-flops that bring one bit into another clock domain.
//
// Timing: a change shows after the second edge of clk, or one later.
module sync_bit (
    input  wire clk, // clock of q
    input  wire d,      // a register of another clock
    output reg  q // d, in the domain of clk
);

    reg meta;

    always @(posedge clk) begin
        meta <= d;
        q    <= meta;
    end

endmodule
