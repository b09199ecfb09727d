// Two flip-flops that bring a register of another clock into this one: the only way of any signal between clocks,
// but for the words of async_fifo, which lie still while they are read.
//
// Of several bits, at most one may change at a time (a Gray code).
// Timing: a change shows after the second edge of clk, or one later.
module sync_bit #(
    parameter WIDTH = 1                   // bits
) (
    input  wire             clk,          // clock of q
    input  wire             rst,          // synchronous; clears both (or tied low)
    input  wire [WIDTH-1:0] d,            // a register of another clock
    output wire [WIDTH-1:0] q             // d, in the domain of clk
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (WIDTH < 1) begin : gen_illegal
            sync_bit_needs_WIDTH_1_or_more illegal ();
        end
    endgenerate

    (* ASYNC_REG = "TRUE" *) reg [WIDTH-1:0] meta;
    (* ASYNC_REG = "TRUE" *) reg [WIDTH-1:0] stable;

    assign q = stable;

    always @(posedge clk) begin
        if (rst) begin
            meta   <= {WIDTH{1'b0}};
            stable <= {WIDTH{1'b0}};
        end else begin
            meta   <= d;
            stable <= meta;
        end
    end

endmodule
