// Packs the sampled pixels of a quad together again.
//
// Interface: valid/ready. Timing: a pixel in each cycle; a quad's result is offered in the cycle after its last pixel,
// and while it waits no pixel is taken.
<%
    res, pixel = helpers.stream(cfg, "res"), helpers.coloured()
%>\
module texpipe_collect (
    input  wire clk, // clock
    input  wire rst, // synchronous
    input  wire in_valid, // a pixel is offered
    output wire in_ready, // it is taken
    input  wire ${width(pixel.width)} in_pixel, // ${", ".join(f.name for f in pixel.fields)}
    output reg  out_valid, // a quad is complete
    input  wire out_ready, // it is taken
    output wire ${width(res.width)} out_data // ${", ".join(f.name for f in res.fields)}
);

    ${unpack(pixel, "in_pixel", "in")}

    reg  [31:0] texel0, texel1, texel2, texel3;
    reg  [3:0]  pixels;
    reg         error;
    reg         first;               // the next pixel begins a quad
    wire [3:0]  one = in_none ? 4'd0 : 4'd1 << in_number;
    wire        take = in_valid & in_ready;

    assign in_ready = !out_valid | out_ready;
    assign out_data = {error, pixels, texel3, texel2, texel1, texel0};

    always @(posedge clk) begin
        if (rst) begin
            out_valid <= 1'b0;
            first     <= 1'b1;
        end else if (in_ready) begin
            out_valid <= in_valid & in_last;
            if (in_valid)
                first <= in_last;
        end
    end

    always @(posedge clk) begin
        if (take) begin
            pixels <= (first ? 4'd0 : pixels) | one;
            error  <= (!first & error) | in_error;
        end
    end
% for i in range(4):

    always @(posedge clk) begin
        if (take) begin
            if (one[${i}])
                texel${i} <= in_texel;
            else if (first)
                texel${i} <= 32'd0;
        end
    end
% endfor

endmodule
