// Colour tables: 256 colours of 4 or 3 bytes each, kept as they lie in memory, in lines of 16 bytes.
//
// A colour of 3 bytes may lie in two lines; even and odd lines have a RAM each, so that both are read at once. Of one
// table alone lines are written while nobody looks a colour up; of several, beside reads of another table.
// Timing: an index presented at an edge shows its colour after the next but one edge.
module colour_table #(
    parameter SLOTS = 1,                  // tables; a power of two
    parameter SLOT_BITS = 1               // bits of a table's number, at least one
) (
    input  wire clk, // clock
    // lines of a table
    input  wire write, // write a line
    input  wire [SLOT_BITS-1:0] write_slot, // of this table
    input  wire [5:0] write_index, // as this line of it
    input  wire [127:0] write_data, // the line
    // colours
    input  wire read, // look index up
    input  wire [SLOT_BITS-1:0] slot, // in this table
    input  wire rgb,                 // which has colours of 3 bytes
    input  wire [7:0] index, // of the colour
    output reg  [31:0] colour        // of 3 bytes: the upper 8 bits mean nothing
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (SLOTS < 1 || (SLOTS > 1 && SLOTS != 1 << SLOT_BITS)) begin : gen_illegal
            colour_table_needs_SLOTS_1_or_2_to_the_SLOT_BITS illegal ();
        end
    endgenerate

    wire [9:0] address = rgb ? {1'b0, index, 1'b0} + {2'd0, index} : {index, 2'd0};
    wire [5:0] line    = address[9:4];
    wire [4:0] even    = line[5:1] + {4'd0, line[0]}; // the even one of this line and the next

    wire [127:0] even_line, odd_line;
    reg          swap;               // the colour begins in the odd line
    reg  [3:0]   place;

    generate
        if (SLOTS == 1) begin : gen_one
            ram_1p #(.WIDTH(128), .DEPTH(32), .INDEX_BITS(5)) even_ram (
                .clk(clk),
                .read(read),
                .write(write & !write_index[0]),
                .index(write ? write_index[5:1] : even),
                .write_data(write_data),
                .read_data(even_line)
            );

            ram_1p #(.WIDTH(128), .DEPTH(32), .INDEX_BITS(5)) odd_ram (
                .clk(clk),
                .read(read),
                .write(write & write_index[0]),
                .index(write ? write_index[5:1] : line[5:1]),
                .write_data(write_data),
                .read_data(odd_line)
            );

            wire unused = &{1'b0, slot, write_slot};
        end else begin : gen_several
            ram_1r1w #(.WIDTH(128), .DEPTH(32 * SLOTS), .INDEX_BITS(SLOT_BITS + 5)) even_ram (
                .clk(clk),
                .write(write & !write_index[0]),
                .write_index({write_slot, write_index[5:1]}),
                .write_data(write_data),
                .read(read),
                .read_index({slot, even}),
                .read_data(even_line)
            );

            ram_1r1w #(.WIDTH(128), .DEPTH(32 * SLOTS), .INDEX_BITS(SLOT_BITS + 5)) odd_ram (
                .clk(clk),
                .write(write & write_index[0]),
                .write_index({write_slot, write_index[5:1]}),
                .write_data(write_data),
                .read(read),
                .read_index({slot, line[5:1]}),
                .read_data(odd_line)
            );
        end
    endgenerate

    wire [255:0] both   = swap ? {even_line, odd_line} : {odd_line, even_line};
    wire [255:0] placed = both >> {place, 3'd0};

    always @(posedge clk) begin
        if (read) begin
            swap  <= line[0];
            place <= address[3:0];
        end
        colour <= placed[31:0];
    end

    wire unused = &{1'b0, placed[255:32]};

endmodule
