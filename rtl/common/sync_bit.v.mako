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
    // In simulation a change may take an edge longer, as when it comes too close to one: at random, by the time and
    // +late=N, never with N = 0. So a test that begins at a multiple of 2 ** 32 ps draws what it would draw alone. One
    // bit and a pointer draw each for itself.
    reg [WIDTH-1:0] earlier;
    reg             late;
    time            now;                  // in ps: simulations have a unit of 1 ns
    reg [31:0]      given, mixed;
    integer         found;
    initial begin
        given   = 32'd0;
        found   = $value$plusargs("late=%d", given);
        earlier = {WIDTH{1'b0}};
        late    = 1'b0;
    end
    always @(posedge clk) begin
        earlier <= d;
        now     = $realtime * 1000.0;
        mixed   = (now[31:0] ^ given ^ (WIDTH - 1)) * 32'h9e3779b1;
        mixed   = (mixed ^ (mixed >> 15)) * 32'h85ebca77;
        late    <= given != 32'd0 & mixed[19];
    end
    wire [WIDTH-1:0] taken = late ? earlier : d;
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
