// Depths of the sixteen pixels of the tile being walked, in their format; of a line the first one is its pixel's.
//
// Timing: the first pixels of the tile's rows are a register behind the walk, all pixels another one behind those, and
// the depths combinational from these.
<%
    depth = helpers.DEPTH_BITS
    rows = cfg.walk == "rows"
    high = depth - 9  # of a step by a pixel: a gradient is for 1/256 pixel
%>\
module raster_depths (
    input  wire clk, // clock
    input  wire load, // a primitive comes
    input  wire signed ${width(depth)} in_first, // v at the first pixel
    input  wire ${width(depth)} in_x, // its gradients; of a line along it
    input  wire ${width(depth)} in_y, // downwards
    input  wire [1:0] format, // of the pixels in the last register: 0 d24x8, 1 d32, 2 d16
    input  wire moves, // the tile that the walk is at goes into the first register, and so on
    input  wire along, // the walk goes to the next pixel of a line,
    input  wire right, // to the tile on the right,
% if rows:
    input  wire down, // or to the first tile of the row below
% else:
    input  wire left, // on the left,
    input  wire down, // or below
% endif
    output wire [31:0] first_depth, // of the first pixel, in d32
    output wire [511:0] depths // of all pixels, a row of 4 after the other
);

    localparam [1:0] D24X8 = 2'd0, D32 = 2'd1;

    reg signed ${width(depth)} first;
    reg ${width(high + 1)} x, y;
    wire signed ${width(depth)} x1 = {x, 8'd0};
    wire signed ${width(depth)} x4 = {x[${high - 2}:0], 10'd0};
    wire signed ${width(depth)} y1 = {y, 8'd0};
    wire signed ${width(depth)} y2 = {y[${high - 1}:0], 9'd0};
    wire signed ${width(depth)} y4 = {y[${high - 2}:0], 10'd0};
% if rows:
    reg signed ${width(depth)} row_first;       // at the first tile of the row
    wire signed ${width(depth)} below = row_first + y4;
% endif

    always @(posedge clk) begin
        if (load) begin
            first <= in_first;
            x     <= in_x[${high}:0];
            y     <= in_y[${high}:0];
        end else if (along)
            first <= first + x1;
        else if (right)
            first <= first + x4;
% if rows:
        else if (down)
            first <= below;
% else:
        else if (left)
            first <= first - x4;
        else if (down)
            first <= first + y4;
% endif
    end
% if rows:

    always @(posedge clk) begin
        if (load)
            row_first <= in_first;
        else if (down)
            row_first <= below;
    end
% endif

    // clamp((v + 2 ** 23) >> 24, 0, 2 ** 32 - 1), of v >> 23
    function [31:0] rounded(input [${depth - 24}:0] v);
        reg [${depth - 25}:0] whole;
        begin
            whole = {1'b0, v[${depth - 25}:1]} + {${depth - 25}'d0, v[0]};
            rounded = v[${depth - 24}] ? 32'd0 : |whole[${depth - 25}:32] ? 32'hffffffff : whole[31:0];
        end
    endfunction

    function [31:0] formatted(input [31:0] value, input [1:0] kind);
        case (kind)
            D24X8:   formatted = {8'd0, value[31:8]};
            D32:     formatted = value;
            default: formatted = {16'd0, value[31:16]};
        endcase
    endfunction

    reg signed ${width(depth)} row0, row1, row2, row3;
    reg ${width(high + 1)} row_x;               // x of the rows' primitive
    reg ${width(high + 1)} row_x3;

    always @(posedge clk) begin
        if (moves) begin
            row0   <= first;
            row1   <= first + y1;
            row2   <= first + y2;
            row3   <= first + y1 + y2;
            row_x  <= x;
            row_x3 <= {x[${high - 1}:0], 1'b0} + x;
        end
    end
% for row in range(4):
% for column in range(4):

    wire signed ${width(depth)} v${4 * row + column} = row${row}${("", " + {row_x, 8'd0}", f" + {{row_x[{high - 1}:0], 9'd0}}", f" + {{row_x3, 8'd0}}")[column]};
    reg ${width(depth - 23)} pixel${4 * row + column};

    always @(posedge clk) begin
        if (moves)
            pixel${4 * row + column} <= v${4 * row + column}[${depth - 1}:23];
    end
% endfor
% endfor

% for n in range(16):
    wire [31:0] depth${n} = rounded(pixel${n});
    assign depths[${32 * n + 31}:${32 * n}] = formatted(depth${n}, format);
% endfor

    assign first_depth = depth0;

    wire unused = &{1'b0, in_x[${depth - 1}:${high + 1}], in_y[${depth - 1}:${high + 1}]
% for n in range(16):
        , v${n}[22:0]
% endfor
    };

endmodule
