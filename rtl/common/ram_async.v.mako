// RAM with a synchronous write and an asynchronous read port. Maps to distributed (look-up table) RAM.
//
// Timing: the word under read_index is shown in the same cycle; a write shows from the next cycle on.
// Contents after power-up are unknown.
module ram_async #(
    parameter WIDTH = 8,                  // bits of a word
    parameter DEPTH = 16,                 // words
    parameter INDEX_BITS = 4              // bits of an index
) (
    input  wire                  clk,
    input  wire                  write,
    input  wire [INDEX_BITS-1:0] write_index,
    input  wire [WIDTH-1:0]      write_data,
    input  wire [INDEX_BITS-1:0] read_index,
    output wire [WIDTH-1:0]      read_data
);

    reg [WIDTH-1:0] words [0:DEPTH-1];

    assign read_data = words[read_index];

    always @(posedge clk) begin
        if (write)
            words[write_index] <= write_data;
    end

endmodule
