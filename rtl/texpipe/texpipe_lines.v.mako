// The data RAMs of the banks, and the bytes of a pixel's texels from its lines.
//
// Timing: a beat is read at the edge at which it is taken; its texels are shown three cycles after it. Nothing stops
// on its way: who takes beats sees to it that there is a place for what becomes of them. A line is written beside
// the read of another.
<%
    beat, sample, count = helpers.beat(cfg), helpers.sample(cfg), helpers.BANKS
    s, w, banks = cfg.cache.set_bits, cfg.cache.way_bits, range(helpers.BANKS)
    corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
    depth = 1 << s + w
%>\
module texpipe_lines (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // lines to write into the banks
    input  wire ${width(count)} fill, // the bank
    input  wire ${width(s + w)} fill_index, // {set, way}
    input  wire [128:0] fill_data, // {error, line}
    // beats
    input  wire read, // a beat is taken
    input  wire ${width(beat.width)} read_beat, // fields as in texpipe_lookup
    // pixels
    output reg  out_valid, // a pixel's texels are here
    output reg  [127:0] out_texels, // of 1, 3 or 4 bytes, with others above them
    output reg  ${width(sample.width)} out_sample, // what goes with the pixel
    output reg  out_error // a line of it came with an AXI error
);

    ${unpack(beat, "read_beat", "beat")}
    reg  valid1, valid2;
    reg  ${width(count)} used1;
    reg  ${width(sample.width)} sample1, sample2;
    wire ${width(count)} errors;
    reg  error2;
% for b in banks:

    wire [127:0] line${b};

    ram_1r1w #(
        .WIDTH(129),
        .DEPTH(${depth}),
        .INDEX_BITS(${s + w})
    ) bank${b} (
        .clk(clk),
        .write(fill[${b}]),
        .write_index(fill_index),
        .write_data(fill_data),
        .read(read & beat_valid[${b}]),
        .read_index({beat_set${b}, beat_way${b}}),
        .read_data({errors[${b}], line${b}})
    );
% endfor

    always @(posedge clk) begin
        if (rst) begin
            valid1    <= 1'b0;
            valid2    <= 1'b0;
            out_valid <= 1'b0;
        end else begin
            valid1    <= read;
            valid2    <= valid1;
            out_valid <= valid2;
        end
    end

    always @(posedge clk) begin
        used1      <= beat_valid;
        sample1    <= beat_sample;
        sample2    <= sample1;
        out_sample <= sample2;
        error2     <= (used1 & errors) != ${count}'d0;
        out_error  <= error2;
    end

    // Cycle 1: the bank of each texel, and the next one, if its bytes go on there. Cycle 2: its bytes.
    ${unpack(sample, "sample1", "pixel", ["x0", "y0", "x1", "y1", "format"])}
    wire [1023:0] lines = {${", ".join(f"line{b}" for b in reversed(banks))}};

    // Place of an RGB8 texel in its tile, in bytes
    function [5:0] in_tile(input [1:0] row, input [1:0] column);
        in_tile = {1'b0, row, 3'd0} + {2'd0, row, 2'd0} + {3'd0, column, 1'b0} + {4'd0, column};
    endfunction
% for k, (i, j) in enumerate(corners):

    wire [5:0] byte${k}  = in_tile(pixel_y${j}[1:0], pixel_x${i}[1:0]);
    wire [1:0] inner${k} = pixel_format[1] ? {pixel_y${j}[2], pixel_x${i}[3]} :
                      pixel_format[0] ? byte${k}[5:4] + pixel_y${j}[3:2] : pixel_y${j}[1:0];
    wire [1:0] after${k} = inner${k} + 1'b1;
    wire [3:0] first${k} = pixel_format[1] ? {pixel_y${j}[1:0], pixel_x${i}[1:0]} :
                      pixel_format[0] ? byte${k}[3:0] : {pixel_x${i}[1:0], 2'd0};
    reg  [143:0] bytes${k};
    reg  [3:0]   place${k};
    wire [143:0] shifted${k} = bytes${k} >> {place${k}, 3'd0};

    always @(posedge clk) begin
        bytes${k} <= {lines[{pixel_x${i}[2], after${k}, 7'd0} +: 16], lines[{pixel_x${i}[2], inner${k}, 7'd0} +: 128]};
        place${k} <= first${k};
        out_texels[${32 * k + 31}:${32 * k}] <= shifted${k}[31:0];
    end
% endfor

    wire unused = &{1'b0, beat_fill, ${", ".join(f"shifted{k}[143:32]" for k in range(4))}};

endmodule
