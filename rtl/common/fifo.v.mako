// First-in first-out buffer, first word falls through.
//
// Interface: valid/ready on both sides. Timing: a word taken at an edge is offered at the output right after
// it; a full FIFO takes a word only in the cycle after one has left (in_ready depends on registers alone).
module fifo #(
    parameter WIDTH = 8,                  // bits of a word
    parameter DEPTH = 4,                  // words; a power of two, at least 2
    parameter COUNT_BITS = 3              // bits that hold the values 0 to DEPTH
) (
    input  wire                  clk, // clock
    input  wire                  rst,     // synchronous; empties the FIFO
    input  wire                  in_valid, // a word is offered
    output wire                  in_ready, // there is a place: it is taken
    input  wire [WIDTH-1:0]      in_data, // the word
    output wire                  out_valid, // a word is here
    input  wire                  out_ready, // it is taken
    output wire [WIDTH-1:0]      out_data // the oldest word
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (WIDTH < 1 || DEPTH < 2 || DEPTH != 1 << (COUNT_BITS - 1)) begin : gen_illegal
            fifo_needs_WIDTH_1_or_more_and_DEPTH_2_or_more_that_is_2_to_the_COUNT_BITS_less_1 illegal ();
        end
    endgenerate

    localparam INDEX_BITS = COUNT_BITS - 1;

    reg [WIDTH-1:0] words [0:DEPTH-1];

    // One bit more than the index needs: equal pointers mean empty, pointers DEPTH apart mean full.
    reg [COUNT_BITS-1:0] head;
    reg [COUNT_BITS-1:0] tail;

    wire [COUNT_BITS-1:0] count = tail - head; // words held
    wire push = in_valid & in_ready;
    wire pop  = out_valid & out_ready;

    assign in_ready  = !count[COUNT_BITS-1];
    assign out_valid = head != tail;
    assign out_data  = words[head[INDEX_BITS-1:0]];

    always @(posedge clk) begin
        if (push)
            words[tail[INDEX_BITS-1:0]] <= in_data;
    end

    always @(posedge clk) begin
        if (rst) begin
            head <= {COUNT_BITS{1'b0}};
            tail <= {COUNT_BITS{1'b0}};
        end else begin
            if (push)
                tail <= tail + 1'b1;
            if (pop)
                head <= head + 1'b1;
        end
    end

endmodule
