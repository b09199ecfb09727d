// One side of a triangle: which of the sixteen pixels of the tile being walked lie on its inner side.
//
// A pixel on the side itself counts if the side is a left or top one; of any other, 1 is taken off the edge function,
// and all it takes is a sign. A pixel's edge function and its neighbour's differ by a multiple of 256, so that the low
// 8 bits say nothing.
//
// Timing: combinational from the registers; they follow the walk.
<%
    bits, difference, area = helpers.EDGE_BITS, helpers.DIFFERENCE_BITS, helpers.AREA_BITS
    rows = cfg.walk == "rows"
    wide = lambda name, shift: f"{{{{{bits - difference - shift}{{{name}[{difference - 1}]}}}}, {name}{f', {shift}' + chr(39) + 'd0' if shift else ''}}}"
%>\
module raster_edge (
    input  wire clk, // clock
    input  wire load, // a triangle comes
    input  wire signed ${width(difference)} in_dx, // its side's direction
    input  wire signed ${width(difference)} in_dy, // downwards
    input  wire signed ${width(area + 2)} in_value, // edge function at the first tile's first pixel
    input  wire right, // the walk goes to the tile on the right,
% if rows:
    input  wire down, // or to the first tile of the row below
% else:
    input  wire left, // on the left,
    input  wire down, // or below
% endif
    output wire [15:0] covered // the pixels, a row of 4 after the other
);

    wire owns = in_dy[${difference - 1}] | (in_dy == ${difference}'sd0 & in_dx > ${difference}'sd0);
    wire signed ${width(area + 2)} signs = in_value - {${area + 1}'d0, !owns};

    reg signed ${width(difference)} dx, dy;
    reg signed ${width(bits)} value;           // at the tile's first pixel
    wire signed ${width(bits)} dx4 = ${wide("dx", 2)};
    wire signed ${width(bits)} dy4 = ${wide("dy", 2)};
% if rows:
    reg signed ${width(bits)} row_value;       // at the first tile of the row
    wire signed ${width(bits)} below = row_value + dx4;
% endif

    always @(posedge clk) begin
        if (load) begin
            dx    <= in_dx;
            dy    <= in_dy;
            value <= signs[${area + 1}:8];
        end else if (right)
            value <= value - dy4;
% if rows:
        else if (down)
            value <= below;
% else:
        else if (left)
            value <= value + dy4;
        else if (down)
            value <= value + dx4;
% endif
    end
% if rows:

    always @(posedge clk) begin
        if (load)
            row_value <= signs[${area + 1}:8];
        else if (down)
            row_value <= below;
    end
% endif

    // The sixteen pixels: to the right the edge function falls by dy, downwards it grows by dx
    wire signed ${width(bits)} dx1 = ${wide("dx", 0)};
    wire signed ${width(bits)} dx2 = ${wide("dx", 1)};
    wire signed ${width(bits)} dy1 = ${wide("dy", 0)};
    wire signed ${width(bits)} dy2 = ${wide("dy", 1)};
    wire signed ${width(bits)} dy3 = dy1 + dy2;
% for row, first in enumerate(("value", "value + dx1", "value + dx2", "value + dx1 + dx2")):

    wire signed ${width(bits)} pixel${4 * row} = ${first};
% for column in (1, 2, 3):
    wire signed ${width(bits)} pixel${4 * row + column} = pixel${4 * row} - dy${column};
% endfor
% endfor

    assign covered = ~{
% for n in reversed(range(16)):
        pixel${n}[${bits - 1}]${"," if n else ""}
% endfor
    };

    wire unused = &{1'b0, signs[7:0], ${", ".join(f"pixel{n}[{bits - 2}:0]" for n in range(16))}};

endmodule
