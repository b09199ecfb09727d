// Texels to a pixel: through the colour table, if they are indices, and through the filter.
//
// Interface: a pixel in each cycle, no back-pressure. Timing: ten cycles, two of them in the table. A pixel that wants
// the nearest texel has weights of 0, with which the filter gives its first texel.
<%
    sample, out, marks = helpers.sample(cfg), helpers.sampled(cfg), helpers.marks(cfg)
    kept, slot = marks.width, cfg.slot_bits
    level = ["fraction", "more"] if cfg.trilinear else []
%>\
module texpipe_texels (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // lines of the colour tables
    input  wire table_write, // write a line
    input  wire ${width(slot)} table_slot, // of this table
    input  wire [5:0] table_index, // as this line of it
    input  wire [127:0] table_line, // the line
    input  wire ${width(cfg.tables)} table_errors, // by slot: a line of it came with an AXI error
    // pixels with their texels
    input  wire in_valid, // a pixel's texels are here
    input  wire [127:0] in_texels, // as they lie in memory
    input  wire ${width(sample.width)} in_sample, // fields as in texpipe_address
    input  wire in_error, // a line of it came with an AXI error
    // sampled pixels
    output wire out_valid, // a pixel is here
    output wire ${width(out.width)} out_pixel // ${", ".join(f.name for f in out.fields)}
);

    // Cycles 1 and 2: the colour tables, with four copies of them. Cycle 3: into the filter, eight cycles.
    reg  [127:0] texels1, texels2;
    reg  ${width(sample.width)} sample1, sample2;
    reg  error1, error2;
    ${unpack(sample, "sample2", "pixel", ["weight_u", "weight_v", "number", "last", "none", *level, "format", "slot"])}
    ${unpack(sample, "in_sample", "first", ["format", "slot"])}
    wire [127:0] colours, opaque;
    // A texel without weight does not count, and maybe was not looked up: then it is not known
    wire column = pixel_weight_u != 8'd0, row = pixel_weight_v != 8'd0;
    wire [3:0] counts = {column & row, row, column, 1'b1};
% for k in range(4):

    colour_table #(
        .SLOTS(${cfg.tables}),
        .SLOT_BITS(${slot})
    ) colours${k} (
        .clk(clk),
        .write(table_write),
        .write_slot(table_slot),
        .write_index(table_index),
        .write_data(table_line),
        .read(1'b1),
        .slot(first_slot),
        .rgb(first_format[0]),
        .index(in_texels[${32 * k + 7}:${32 * k}]),
        .colour(colours[${32 * k + 31}:${32 * k}])
    );

    wire [31:0] texel${k} = pixel_format[1] ? colours[${32 * k + 31}:${32 * k}] : texels2[${32 * k + 31}:${32 * k}];
    assign opaque[${32 * k + 31}:${32 * k}] =
        {pixel_format[0] ? 8'hff : texel${k}[31:24], texel${k}[23:0]} & {32{counts[${k}]}};
% endfor

    always @(posedge clk) begin
        texels1 <= in_texels;
        texels2 <= texels1;
        sample1 <= in_sample;
        sample2 <= sample1;
        error1  <= in_error;
        error2  <= error1;
    end

    wire failed = ${"table_errors[pixel_slot]" if cfg.tables > 1 else "table_errors"}; // its table has an error
    wire [31:0] filtered;

    texpipe_filter filter (
        .clk(clk),
        .in_texels(opaque),
        .in_weights({pixel_weight_v, pixel_weight_u}),
        .out_texel(filtered)
    );

    // Beside it
    reg  [9:0] under_way;
    reg  ${width(8 * kept)} beside;  // the marks of each pixel in the filter, the oldest on top

    always @(posedge clk) begin
        if (rst)
            under_way <= 10'd0;
        else
            under_way <= {under_way[8:0], in_valid};
        beside <= {
            beside[${7 * kept - 1}:0],
            (error2 | (pixel_format[1] & failed)) & !pixel_none, ${"".join(f"pixel_{name}, " for name in level)}pixel_none, pixel_last, pixel_number
        };
    end

    assign out_valid = under_way[9];
    assign out_pixel = {beside[${8 * kept - 1}:${7 * kept}], filtered};

    wire unused = &{1'b0, sample2, first_format[1], pixel_slot};

endmodule
