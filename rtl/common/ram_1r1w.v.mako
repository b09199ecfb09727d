// RAM with a read and a write port: in each cycle one read and one write. Maps to block RAM.
//
// Timing: a read at an edge shows its word right after it; the output keeps it until the next read, writes do not
// disturb it. A read of the word that is written at the same edge shows what is written: it goes past the RAM, so
// that nothing hangs on what the RAM itself shows then. Contents after power-up are unknown.
module ram_1r1w #(
    parameter WIDTH = 8,                  // bits of a word
    parameter DEPTH = 16,                 // words
    parameter INDEX_BITS = 4              // bits of an index
) (
    input  wire                  clk, // clock
    input  wire                  write, // write write_data at write_index
    input  wire [INDEX_BITS-1:0] write_index, // of the word to write
    input  wire [WIDTH-1:0]      write_data, // word to write
    input  wire                  read, // read the word at read_index
    input  wire [INDEX_BITS-1:0] read_index, // of the word to read
    output wire [WIDTH-1:0]      read_data // word read last
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (WIDTH < 1 || DEPTH < 1 || DEPTH > 1 << INDEX_BITS) begin : gen_illegal
            ram_1r1w_needs_WIDTH_and_DEPTH_1_or_more_and_INDEX_BITS_for_DEPTH_words illegal ();
        end
    endgenerate

    reg [WIDTH-1:0] words [0:DEPTH-1];
    reg [WIDTH-1:0] stored;                // read from the RAM,
    reg [WIDTH-1:0] passing;               // or written while it was read
    reg             passed;

    always @(posedge clk) begin
        if (write)
            words[write_index] <= write_data;
        if (read)
            stored <= words[read_index];
    end

    always @(posedge clk) begin
        if (read) begin
            passed  <= write & write_index == read_index;
            passing <= write_data;
        end
    end

    assign read_data = passed ? passing : stored;

endmodule
