// Single-port RAM: in each cycle one read or one write. Maps to block RAM ("no change" mode).
//
// Timing: a read at an edge shows its word right after it; the output keeps it until the next read, a write
// in between does not disturb it. Contents after power-up are unknown.
module ram_1p #(
    parameter WIDTH = 8,                  // bits of a word
    parameter DEPTH = 16,                 // words
    parameter INDEX_BITS = 4              // bits of an index
) (
    input  wire                  clk,
    input  wire                  read,    // ignored while write is high
    input  wire                  write,
    input  wire [INDEX_BITS-1:0] index,
    input  wire [WIDTH-1:0]      write_data,
    output reg  [WIDTH-1:0]      read_data
);

    reg [WIDTH-1:0] words [0:DEPTH-1];

    always @(posedge clk) begin
        if (write)
            words[index] <= write_data;
        else if (read)
            read_data <= words[index];
    end

endmodule
