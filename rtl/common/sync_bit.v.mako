// Two flip-flops that bring a register of another clock into this one: the only way of any signal between clocks,
// but for the words of async_fifo, which lie still while they are read.
//
// Of several bits, at most one may change at a time (a Gray code).
// Timing: a change shows after the second edge of clk, or one later; CACHEFORGE_LATE_SYNC makes simulations do both.
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

`ifdef CACHEFORGE_LATE_SYNC
    // In simulation a change may take an edge longer, as when it comes too close to one: at random, from +late=N on.
    reg [31:0]      chance;
    reg [WIDTH-1:0] earlier;
    integer         given;
    initial begin
        chance  = 32'd0;
        earlier = {WIDTH{1'b0}};
        given   = $value$plusargs("late=%d", chance);
    end
    always @(posedge clk) begin
        earlier <= d;
        chance <= {chance[30:0], chance[31] ^ chance[21] ^ chance[1] ^ chance[0]};
    end
    wire [WIDTH-1:0] taken = chance[0] ? earlier : d;
`else
    wire [WIDTH-1:0] taken = d;
`endif

    (* ASYNC_REG = "TRUE" *) reg [WIDTH-1:0] meta;
    (* ASYNC_REG = "TRUE" *) reg [WIDTH-1:0] stable;

    assign q = stable;

    always @(posedge clk) begin
        if (rst) begin
            meta   <= {WIDTH{1'b0}};
            stable <= {WIDTH{1'b0}};
        end else begin
            meta   <= taken;
            stable <= meta;
        end
    end

endmodule
