// Packs the sampled pixels of a quad together again.
//
// Interface: pixels in order, without back-pressure; the result FIFO always has a place (see texunit_gate).
// Timing: a quad's result is offered in the cycle after its last pixel; it holds still for one cycle.
<%
    res = helpers.stream(cfg, "res")
%>\
module texunit_collect (
    input  wire clk, // clock
    input  wire rst, // synchronous
    input  wire in_valid, // a pixel has come
    input  wire [31:0] in_texel, // its colour
    input  wire [1:0] in_number, // its number in the quad
    input  wire in_last, // last of its quad
    input  wire in_none,             // the quad has no valid pixel
    input  wire in_error, // a line of it came with an AXI error
    output reg  out_valid, // a quad is complete
    output wire ${width(res.width)} out_data  // ${", ".join(f.name for f in res.fields)}
);

    reg [31:0]  texel0, texel1, texel2, texel3;
    wire [127:0] texels = {texel3, texel2, texel1, texel0};
    reg [3:0]   pixels;
    reg         error;

    assign out_data = {error, pixels, texels};

    always @(posedge clk) begin
        if (rst)
            out_valid <= 1'b0;
        else
            out_valid <= in_valid & in_last;
    end

    reg first;                       // the next pixel begins a quad
    wire [3:0] one = in_none ? 4'd0 : 4'd1 << in_number;

    always @(posedge clk) begin
        if (rst)
            first <= 1'b1;
        else if (in_valid)
            first <= in_last;
    end

    always @(posedge clk) begin
        if (in_valid) begin
            pixels <= (first ? 4'd0 : pixels) | one;
            error  <= !first & error | in_error & !in_none;
        end
    end
% for i in range(4):

    always @(posedge clk) begin
        if (in_valid) begin
            if (one[${i}])
                texel${i} <= in_texel;
            else if (first)
                texel${i} <= 32'd0;
        end
    end
% endfor

endmodule
