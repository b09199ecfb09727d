// RAM with a synchronous write and an asynchronous read port. Maps to distributed (look-up table) RAM.
//
// Timing: the word under read_index is shown in the same cycle; a write shows from the next cycle on.
// Contents after power-up are unknown.
module ram_async #(
    parameter WIDTH = 8,                  // bits of a word
    parameter DEPTH = 16,                 // words
    parameter INDEX_BITS = 4              // bits of an index
) (
    input  wire                  clk, // clock
    input  wire                  write, // write write_data at write_index
    input  wire [INDEX_BITS-1:0] write_index, // of the word to write
    input  wire [WIDTH-1:0]      write_data, // word to write
    input  wire [INDEX_BITS-1:0] read_index, // of the word to read
    output wire [WIDTH-1:0]      read_data // that word
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (WIDTH < 1 || DEPTH < 1 || DEPTH > 1 << INDEX_BITS) begin : gen_illegal
            ram_async_needs_WIDTH_and_DEPTH_1_or_more_and_INDEX_BITS_for_DEPTH_words illegal ();
        end
    endgenerate

    reg [WIDTH-1:0] words [0:DEPTH-1];

    assign read_data = words[read_index];

    always @(posedge clk) begin
        if (write)
            words[write_index] <= write_data;
    end

endmodule
