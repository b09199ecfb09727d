// Performance counter: 32 bits, since reset, wrapping around. It begins with 0, or with what the macro
// CACHEFORGE_COUNTER_START says: a testbench lets it wrap around soon, so that every carry is seen.
//
// Timing: an event shows two cycles later, in which the step is registered first: what is counted may come late in
// its cycle without the counter's adder behind it.
module counter #(
    parameter STEP_BITS = 1                // bits of a step
) (
    input  wire                 clk,       // clock
    input  wire                 rst,       // synchronous; clears
    input  wire [STEP_BITS-1:0] step,      // events of this cycle
    output reg  [31:0]          count      // events so far
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (STEP_BITS < 1 || STEP_BITS > 31) begin : gen_illegal
            counter_needs_STEP_BITS_from_1_to_31 illegal ();
        end
    endgenerate

`ifdef CACHEFORGE_COUNTER_START
    localparam [31:0] START = `CACHEFORGE_COUNTER_START;
`else
    localparam [31:0] START = 32'd0;
`endif

    reg [STEP_BITS-1:0] step_before;

    always @(posedge clk) begin
        if (rst) begin
            step_before <= {STEP_BITS{1'b0}};
            count       <= START;
        end else begin
            step_before <= step;
            count       <= count + {{32-STEP_BITS{1'b0}}, step_before};
        end
    end

endmodule
