// Offset of a mip from the start of its texture's mips, in units of 16 texels: two ROMs of 4096 x 9 bit.
//
// Timing: read in one cycle, registered once more; an index presented at an edge shows its offset after the next.
// Unused entries are all ones.
<%!
INVALID = (1 << 18) - 1


def mip_row(log2w):
    """Offsets of mips in units of 16 texels, 18 bits for each index {log2 height, mip}, as parts of 256 bits.

    Mips lie from smallest to largest, each with sides of at least 4. What cannot be is all ones.
    """
    row = 0
    for index in range(256):
        log2h, wanted = divmod(index, 16)
        offset = INVALID
        if log2h < 12 and wanted <= max(log2w, log2h):
            smaller = range(wanted + 1, max(log2w, log2h) + 1)
            offset = sum(1 << max(log2w - mip, 2) + max(log2h - mip, 2) - 4 for mip in smaller)
        row |= offset << 18 * index
    digits = f"{row:01152x}"
    return ",\n        ".join(f"256'h{digits[at : at + 64]}" for at in range(0, 1152, 64))
%>\
module mip_rom (
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
        ${mip_row(w)}
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
