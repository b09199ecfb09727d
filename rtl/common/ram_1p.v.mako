// Single-port RAM: in each cycle one read or one write. Maps to block RAM ("no change" mode).
//
// Timing: a read at an edge shows its word right after it; the output keeps it until the next read, a write
// in between does not disturb it. Contents after power-up are unknown.
module ram_1p #(
    parameter WIDTH = 8,                  // bits of a word
    parameter DEPTH = 16,                 // words
    parameter INDEX_BITS = 4              // bits of an index
) (
    input  wire                  clk, // clock
    input  wire                  read,    // ignored while write is high
    input  wire                  write, // write write_data at index
    input  wire [INDEX_BITS-1:0] index, // of the word to read or write
    input  wire [WIDTH-1:0]      write_data, // word to write
    output reg  [WIDTH-1:0]      read_data // word read last
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (WIDTH < 1 || DEPTH < 1 || DEPTH > 1 << INDEX_BITS) begin : gen_illegal
            ram_1p_needs_WIDTH_and_DEPTH_1_or_more_and_INDEX_BITS_for_DEPTH_words illegal ();
        end
    endgenerate

    reg [WIDTH-1:0] words [0:DEPTH-1];

    always @(posedge clk) begin
        if (write)
            words[index] <= write_data;
        else if (read)
            read_data <= words[index];
    end

endmodule
