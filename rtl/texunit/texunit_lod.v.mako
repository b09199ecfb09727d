// Evaluate Texture LOD: the mip level of a quad from the differences of its coordinates.
//
// Interface: valid/ready; holds one quad. Timing: 11 cycles from taking a quad to offering its level, four of them
// in the multipliers; a quad is taken while the one before it is handed on.
//
// The lower row and the right column count if both of their pixels are valid, else the upper and the left one.
// Differences are scaled by the size of level 0, cut to 8 fraction bits and saturated at 16 bits, so that each
// square is one 16 x 16 multiplication; the level is half the position of the leading one in the integer part of
// the larger sum of squares.
module texunit_lod (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // the primitive
    input  wire [3:0] log2w, // log2 of the width of level 0
    input  wire [3:0] log2h, // log2 of its height
    input  wire [3:0] max_lod, // smallest level in use
    // quads
    input  wire in_valid, // a quad is offered
    output wire in_ready, // it is taken
    input  wire [3:0] in_pixels,     // valid pixels: UL, UR, LL, LR
    input  wire [255:0] in_uv,       // u, v of each pixel, 16 fraction bits
    // quads with their level
    output wire out_valid, // a quad is offered
    input  wire out_ready, // it is taken
    output reg  [3:0] out_pixels, // its valid pixels
    output reg  [255:0] out_uv, // its coordinates
    output reg  [3:0] out_lod // its level
);

    reg [10:0] step;                 // one bit for each cycle of the quad that is here

    assign out_valid = step[10];
    assign in_ready  = step == 11'd0 | (out_valid & out_ready);

    wire take = in_valid & in_ready;

    always @(posedge clk) begin
        if (rst)
            step <= 11'd0;
        else if (!out_valid | out_ready)
            step <= {step[9:0], take};
    end

    always @(posedge clk) begin
        if (take) begin
            out_pixels <= in_pixels;
            out_uv     <= in_uv;
        end
    end

    // Cycle 1: differences
    wire lower_row    = out_pixels[2] & out_pixels[3];
    wire right_column = out_pixels[1] & out_pixels[3];
    ${unpack(helpers.corners(), "out_uv", "corner")}
% for axis in "uv":
<%
    wide = lambda n: f"{{corner_{axis}{n}[31], corner_{axis}{n}}}"
%>\

    reg [32:0] dx_${axis}, dy_${axis};   // two's complement

    always @(posedge clk) begin
        dx_${axis} <= (lower_row ? ${wide(3)} : ${wide(1)}) - (lower_row ? ${wide(2)} : ${wide(0)});
        dy_${axis} <= (right_column ? ${wide(3)} : ${wide(2)}) - (right_column ? ${wide(1)} : ${wide(0)});
    end
% endfor

    // Cycle 2: absolute values. Cycle 3: scaled, cut and saturated to unsigned 8.8.
% for name, shift in (("dx_u", "log2w"), ("dx_v", "log2h"), ("dy_u", "log2w"), ("dy_v", "log2h")):

    reg [32:0] abs_${name};
    wire [43:0] whole_${name} = {11'd0, abs_${name}} << ${shift};
    reg [15:0] scaled_${name};
    reg [31:0] square1_${name}, square2_${name}, square3_${name}, square_${name}; // cycles 4 to 7

    always @(posedge clk) begin
        abs_${name}     <= ${name}[32] ? -${name} : ${name};
        scaled_${name}  <= whole_${name}[43:24] != 20'd0 ? 16'hffff : whole_${name}[23:8];
        square1_${name} <= {16'd0, scaled_${name}} * {16'd0, scaled_${name}};
        square2_${name} <= square1_${name};
        square3_${name} <= square2_${name};
        square_${name}  <= square3_${name};
    end
% endfor

    // Cycle 8: sums. Cycle 9: the larger one's integer part. Cycle 10: the level.
    reg [32:0] sum_x, sum_y;
    reg [15:0] whole;

    wire [32:0] larger = sum_x > sum_y ? sum_x : sum_y;

    always @(posedge clk) begin
        sum_x <= {1'b0, square_dx_u} + {1'b0, square_dx_v};
        sum_y <= {1'b0, square_dy_u} + {1'b0, square_dy_v};
        whole <= larger[32] ? 16'hffff : larger[31:16];
    end

    // (16 - leading zeros) / 2
    function [3:0] level(input [15:0] value);
        integer i;
        begin
            level = 4'd0;
            for (i = 0; i < 16; i = i + 1)
                if (value[i])
                    level = (i[3:0] + 4'd1) >> 1;
            if (value[15])
                level = 4'd8;
        end
    endfunction

    wire [3:0] wanted = level(whole);

    always @(posedge clk) begin
        if (step[9])
            out_lod <= wanted > max_lod ? max_lod : wanted;
    end

    wire unused = &{1'b0, larger[15:0], whole_dx_u[7:0], whole_dx_v[7:0], whole_dy_u[7:0], whole_dy_v[7:0]};

endmodule
