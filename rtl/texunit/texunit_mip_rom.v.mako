// Offset of a mip from the start of its texture's mips, in units of 16 texels: two ROMs of 4096 x 9 bit.
//
// Timing: read in one cycle, registered once more; an index presented at an edge shows its offset after the next.
// Unused entries are all ones.
module texunit_mip_rom (
    input  wire        clk, // clock
    input  wire        read, // look index up
    input  wire [11:0] index,   // {log2 of the width, log2 of the height, mip}
    output reg  [17:0] offset // that offset
);

    reg [8:0] high [0:4095];
    reg [8:0] low  [0:4095];
    reg [8:0] high_read, low_read;

    always @(posedge clk) begin
        if (read) begin
            high_read <= high[index];
            low_read  <= low[index];
        end
        offset <= {high_read, low_read};
    end

    // Contents: for each width the 256 entries of {log2 of the height, mip}, the first lowest. Each ROM is assigned
    // alone, as Yosys takes minutes for both in one.
% for w in range(12):
    localparam [4607:0] WIDTH${w} = {
        ${helpers.mip_row(w)}
    };
% endfor

    integer i;

    initial begin
        for (i = 0; i < 256; i = i + 1) begin
% for w in range(12):
            high[${256 * w} + i] = WIDTH${w}[i * 18 + 9 +: 9];
            low[${256 * w} + i]  = WIDTH${w}[i * 18 +: 9];
% endfor
        end
        for (i = ${256 * 12}; i < 4096; i = i + 1) begin
            high[i] = 9'h1ff;
            low[i]  = 9'h1ff;
        end
    end

endmodule
