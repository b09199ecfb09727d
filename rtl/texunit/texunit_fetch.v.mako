// The first half of Texel Filtering: reads the texels of a pixel through the cache, one after the other.
//
// Interface: takes pixels with valid/ready; hands on all texels of a pixel at once, without back-pressure.
// Timing: a query in each cycle as long as the cache answers from the line of the query before; a texel is there
// four cycles after its (last) answer, a colour table's included.
//
// A texel of 3 bytes may lie in two lines: then both are asked for.
<%
    texels, passing = helpers.texels(cfg), helpers.passing()
    a = cfg.cache.address_bits
%>\
module texunit_fetch (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // the primitive
    input  wire [1:0] format, // 0 RGBA8, 1 RGB8, 2 and 3 the same through a table
    input  wire bilinear, // four texels a pixel, else one
    // pixels
    input  wire in_valid, // a pixel is offered
    output wire in_ready, // it is taken
    input  wire ${width(texels.width)} in_texels, // fields as in texunit_address
    // cache
    output wire query_valid, // a line is asked for
    input  wire query_ready, // it is taken
    output wire ${width(cfg.cache.line_bits)} query_line, // its line address
    input  wire answer_valid, // the answer to the oldest query
    input  wire [127:0] answer_line, // the line
    input  wire answer_error, // it came with an AXI error
    // colour table
    output wire table_read, // look a colour up
    output wire [7:0] table_index, // its index
    input  wire [31:0] table_colour, // the colour, two cycles later
    // pixels with their texels
    output reg  out_valid, // a pixel is handed on
    output reg  [127:0] out_texels, // its texels
    output reg  [15:0] out_weights,  // v, u
    output reg  [1:0] out_number, // its number in the quad
    output reg  out_last, // last pixel of its quad
    output reg  out_none, // the quad has no valid pixel
    output reg  out_error // a line came with an AXI error
);

    // The pixel that is here: its texels are asked for in order
    reg         busy;
    reg ${width(texels.width)} here;
    reg [1:0]   asking;              // texel
    reg         second;              // the texel's second line is next
    reg         all_asked;
    reg         pending;             // a query is not yet answered

    ${unpack(texels, "here")}
    wire [1:0] final_texel = bilinear ? 2'd3 : 2'd0;
    wire finished;                   // the pixel's last texel was answered, or there is none

    assign in_ready = !busy | finished;
    wire take = in_valid & in_ready;

    wire ${width(a)} texel_address =
        asking == 2'd0 ? texels_address0 : asking == 2'd1 ? texels_address1 :
        asking == 2'd2 ? texels_address2 : texels_address3;
    wire split = format == 2'd1 & texel_address[3:0] > 4'd13;

    assign query_valid = busy & !all_asked & !texels_none & (!pending | answer_valid);
    assign query_line  = texel_address[${a - 1}:4] + {${a - 5}'d0, second};
    wire asked = query_valid & query_ready;

    always @(posedge clk) begin
        if (rst) begin
            busy    <= 1'b0;
            pending <= 1'b0;
        end else begin
            if (take)
                busy <= 1'b1;
            else if (finished)
                busy <= 1'b0;
            pending <= asked | (pending & !answer_valid);
        end
    end

    always @(posedge clk) begin
        if (take) begin
            here      <= in_texels;
            asking    <= 2'd0;
            second    <= 1'b0;
            all_asked <= 1'b0;
        end else if (asked) begin
            second <= split & !second;
            if (!split | second) begin
                asking    <= asking + 1'b1;
                all_asked <= asking == final_texel;
            end
        end
    end

    // Answers: which texel, and whether it is complete
    reg [1:0] answered;
    reg [3:0] answered_place;
    reg       answered_first;        // the first of two lines
    reg       answered_final;        // the pixel's last

    always @(posedge clk) begin
        if (asked) begin
            answered       <= asking;
            answered_place <= texel_address[3:0];
            answered_first <= split & !second;
            answered_final <= asking == final_texel & (!split | second);
        end
    end

    assign finished = busy & (texels_none | (answer_valid & answered_final));

    // Cycle 1: the texel's bytes. Cycles 2 and 3: the colour table. Cycle 4: among the pixel's texels.
    reg [127:0] first_line;
    reg         first_error;
    reg         answered_split;      // the second of two lines
    wire [255:0] both   = {answer_line, answered_split ? first_line : answer_line};
    wire [255:0] placed = both >> {answered_place, 3'd0};

    always @(posedge clk) begin
        if (asked)
            answered_split <= second;
        if (answer_valid & answered_first) begin
            first_line  <= answer_line;
            first_error <= answer_error;
        end
    end

    wire texel_valid = answer_valid & !answered_first;
    wire none_passes = busy & texels_none;

    reg        valid1, valid2, valid3, final1, final2, final3, error1, error2, error3;
    reg [1:0]  slot1, slot2, slot3;
    reg [31:0] bytes1, bytes2, bytes3;
    reg [19:0] pixel1, pixel2, pixel3;   // none, last, number, weights
    reg        gathered_error;
    ${unpack(passing, "pixel3", "leaving")}

    assign table_read  = valid1;
    assign table_index = bytes1[7:0];

    wire [31:0] colour = format[1] ? table_colour : bytes3;
    wire [31:0] opaque = {format[0] ? 8'hff : colour[31:24], colour[23:0]};

    always @(posedge clk) begin
        if (rst) begin
            valid1 <= 1'b0;
            valid2 <= 1'b0;
            valid3 <= 1'b0;
            out_valid <= 1'b0;
        end else begin
            valid1 <= texel_valid | none_passes;
            valid2 <= valid1;
            valid3 <= valid2;
            out_valid <= valid3 & final3;
        end
    end

    always @(posedge clk) begin
        bytes1 <= placed[31:0];
        slot1  <= answered;
        final1 <= none_passes | answered_final;
        error1 <= !none_passes & (answer_error | (answered_split & first_error));
        pixel1 <= ${pack(passing, "texels", indent=8)};
        {bytes2, slot2, final2, error2, pixel2} <= {bytes1, slot1, final1, error1, pixel1};
        {bytes3, slot3, final3, error3, pixel3} <= {bytes2, slot2, final2, error2, pixel2};
    end

    always @(posedge clk) begin
        if (valid3) begin
            out_none    <= leaving_none;
            out_last    <= leaving_last;
            out_number  <= leaving_number;
            out_weights <= {leaving_weight_v, leaving_weight_u};
            out_error   <= error3 | gathered_error;
            if (leaving_none)
                out_texels <= 128'd0;
            else case (slot3)
                2'd0:    out_texels[31:0]   <= opaque;
                2'd1:    out_texels[63:32]  <= opaque;
                2'd2:    out_texels[95:64]  <= opaque;
                default: out_texels[127:96] <= opaque;
            endcase
        end
    end

    always @(posedge clk) begin
        if (rst)
            gathered_error <= 1'b0;
        else if (valid3)
            gathered_error <= !final3 & (gathered_error | error3);
    end

    wire unused = &{1'b0, placed[255:32]};

endmodule
