// FIFO between two clocks that need not know each other: Gray-coded pointers, two flip-flops each way.
//
// Interface: valid/ready on both sides, each synchronous to its own clock; first word falls through. in_rst and
// out_rst must overlap; each side keeps still while its own is high, and its pointer goes to 0 with in_clear or
// out_clear, once the other side is in reset, too (reset_bridge sees to both).
// Timing: a word shows at the output three out_clk edges after in_clk has taken it, give or take one; a place
// becomes free for the input as long after the word has left.
module async_fifo #(
    parameter WIDTH = 8,                  // bits of a word
    parameter DEPTH = 4,                  // words; a power of two, at least 4
    parameter COUNT_BITS = 3              // bits that hold the values 0 to DEPTH
) (
    input  wire                  in_clk, // clock of the input
    input  wire                  in_rst,  // synchronous to in_clk
    input  wire                  in_clear, // within it: the output is in reset
    input  wire                  in_valid, // a word is offered
    output wire                  in_ready, // there is a place: it is taken
    input  wire [WIDTH-1:0]      in_data, // the word
    input  wire                  out_clk, // clock of the output
    input  wire                  out_rst, // synchronous to out_clk
    input  wire                  out_clear, // within it: the input is in reset
    output wire                  out_valid, // a word is here
    input  wire                  out_ready, // it is taken
    output wire [WIDTH-1:0]      out_data // the oldest word
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (WIDTH < 1 || DEPTH < 4 || DEPTH != 1 << (COUNT_BITS - 1)) begin : gen_illegal
            async_fifo_needs_WIDTH_1_or_more_and_DEPTH_4_or_more_that_is_2_to_the_COUNT_BITS_less_1 illegal ();
        end
    endgenerate

    localparam INDEX_BITS = COUNT_BITS - 1;
    localparam [COUNT_BITS-1:0] FULL = {2'b11, {COUNT_BITS-2{1'b0}}}; // Gray codes of pointers DEPTH apart

    reg [WIDTH-1:0] words [0:DEPTH-1];

    // Binary pointers, one bit more than an index needs; their Gray codes are registered before they cross.
    reg [COUNT_BITS-1:0] tail, tail_gray;
    reg [COUNT_BITS-1:0] head, head_gray;
    wire [COUNT_BITS-1:0] tail_seen, head_seen;

    sync_bit #(.WIDTH(COUNT_BITS)) to_output (.clk(out_clk), .rst(out_rst), .d(tail_gray), .q(tail_seen));
    sync_bit #(.WIDTH(COUNT_BITS)) to_input (.clk(in_clk), .rst(in_rst), .d(head_gray), .q(head_seen));

    // Input side
    wire push = in_valid & in_ready;
    wire [COUNT_BITS-1:0] tail_next = tail + {{COUNT_BITS-1{1'b0}}, push};

    assign in_ready = !in_rst & tail_gray != (head_seen ^ FULL);

    always @(posedge in_clk) begin
        if (push)
            words[tail[INDEX_BITS-1:0]] <= in_data;
    end

    always @(posedge in_clk) begin
        if (in_clear) begin
            tail      <= {COUNT_BITS{1'b0}};
            tail_gray <= {COUNT_BITS{1'b0}};
        end else begin
            tail      <= tail_next;
            tail_gray <= tail_next ^ {1'b0, tail_next[COUNT_BITS-1:1]};
        end
    end

    // Output side
    wire pop = out_valid & out_ready;
    wire [COUNT_BITS-1:0] head_next = head + {{COUNT_BITS-1{1'b0}}, pop};

    assign out_valid = !out_rst & head_gray != tail_seen;
    assign out_data  = words[head[INDEX_BITS-1:0]];

    always @(posedge out_clk) begin
        if (out_clear) begin
            head      <= {COUNT_BITS{1'b0}};
            head_gray <= {COUNT_BITS{1'b0}};
        end else begin
            head      <= head_next;
            head_gray <= head_next ^ {1'b0, head_next[COUNT_BITS-1:1]};
        end
    end

endmodule
