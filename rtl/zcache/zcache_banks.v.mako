// Data of the lines: a bank for each row of a tile. A beat of a fill is written into one, what T1 stores into several.
//
// Timing: read in cycle k, the line is there in k + 1, with what is written in k; it stays until the next read.
<% R = cfg.cache.set_bits + cfg.cache.way_bits %>\
module zcache_banks (
    input  wire clk, // clock
    // T1 stores; no beat comes then
    input  wire store, // in this cycle
    input  wire ${width(R)} store_row, // the line: set and way
    input  wire [3:0] store_beats, // rows of the tile that change
    input  wire [511:0] store_line, // what it is then
    // beats
    input  wire fill, // one is here
    input  wire ${width(R)} fill_row, // its line
    input  wire [1:0] fill_beat, // its place there
    input  wire [127:0] fill_data, // it
    // for T1 or for the write buffer
    input  wire read, // read a line,
    input  wire ${width(R)} read_row, // this one
    output wire [511:0] line // the one read last
);

    genvar b;
    generate
        for (b = 0; b < 4; b = b + 1) begin : gen_bank
            localparam [1:0] NUMBER = b;

            ram_1r1w #(
                .WIDTH(128),
                .DEPTH(${1 << R}),
                .INDEX_BITS(${R})
            ) bank (
                .clk(clk),
                .write(store_beats[b] | (fill & fill_beat == NUMBER)),
                .write_index(store ? store_row : fill_row),
                .write_data(store ? store_line[b*128 +: 128] : fill_data),
                .read(read),
                .read_index(read_row),
                .read_data(line[b*128 +: 128])
            );
        end
    endgenerate

endmodule
