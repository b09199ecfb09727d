// One side of a triangle: which of the sixteen pixels of the tile being walked lie on its inner side.
//
// A pixel on the side itself counts if the side is a left or top one; of any other, 1 is taken off the edge function,
// and all it takes is a sign. A pixel's edge function and its neighbour's differ by a multiple of 256, so that the low
// 8 bits say nothing.
//
// Interface: a side is there a cycle before it is loaded, or earlier.
// Timing: the first pixels of the tile's rows are a register behind the walk, and the pixels combinational from them.
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
    input  wire moves, // the tile that the walk is at goes into the register
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
    reg signed ${width(area + 2)} signs;

    always @(posedge clk) begin
        signs <= in_value - {${area + 1}'d0, !owns};
    end

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

    // The sixteen pixels: downwards the edge function grows by dx, to the right it falls by dy
    reg signed ${width(bits)} row0, row1, row2, row3;
    reg signed ${width(bits)} dy1, dy3;
    wire signed ${width(bits)} dy2 = {dy1[${bits - 2}:0], 1'b0};
    wire signed ${width(bits)} dx1 = ${wide("dx", 0)};
    wire signed ${width(bits)} dx2 = ${wide("dx", 1)};

    always @(posedge clk) begin
        if (moves) begin
            row0 <= value;
            row1 <= value + dx1;
            row2 <= value + dx2;
            row3 <= value + dx1 + dx2;
            dy1  <= ${wide("dy", 0)};
            dy3  <= dy4 - ${wide("dy", 0)};
        end
    end
% for row in range(4):

    wire signed ${width(bits)} pixel${4 * row} = row${row};
% for column in (1, 2, 3):
    wire signed ${width(bits)} pixel${4 * row + column} = row${row} - dy${column};
% endfor
% endfor

    assign covered = ~{
% for n in reversed(range(16)):
        pixel${n}[${bits - 1}]${"," if n else ""}
% endfor
    };

    wire unused = &{1'b0, signs[7:0], ${", ".join(f"pixel{n}[{bits - 2}:0]" for n in range(16))}};

endmodule
