// Walks a primitive: the tiles of a triangle's bounds, ${"row after row, left to right" if cfg.walk == "rows" else "row after row, to and fro"};
// the columns of a line; a point; a passed word.
//
// Interface: a primitive is taken ("load") when the walk is empty or ends; its bounds and sides are there a cycle
// before. "found" says that this cycle has a word for the output, and all stands still while that has no room.
// Timing: one tile or column in each cycle in which it does not stand still; a line takes one cycle more. Two
// registers lie between the walk and its words (names with 1: after the first one): a tile's rows, then its pixels.
<%
    from configs.raster.schema import PLACE_BITS
    difference, depth, area, pixel = helpers.DIFFERENCE_BITS, helpers.DEPTH_BITS, helpers.AREA_BITS, helpers.PIXEL_BITS
    coordinate, window = cfg.coordinate_bits, cfg.coordinate_bits + 2
    rows = cfg.walk == "rows"
    line_ports = [
        ("ax", PLACE_BITS), ("ay", PLACE_BITS), ("bx", PLACE_BITS), ("by", PLACE_BITS)
    ]
%>\
module raster_walk (
    input  wire clk, // clock
    input  wire rst, // synchronous; forgets what is walked
    // what was set up, as raster_setup has it
    input  wire load, // it is taken
    input  wire [1:0] in_kind, // 0 point, 1 line, 2 triangle, 3 passed word
    input  wire in_none, // there is nothing to walk
    input  wire [1:0] in_format, // of depths
    input  wire ${width(window)} in_last_x, // the window's last column of pixels
    input  wire ${width(window)} in_last_y, // its last row
    input  wire signed ${width(PLACE_BITS)} ax, // A; of a line, its axes exchanged if y is the major one
    input  wire signed ${width(PLACE_BITS)} ay, // the other axis
    input  wire signed ${width(PLACE_BITS)} bx, // B, likewise
    input  wire signed ${width(PLACE_BITS)} by, // the other axis
    input  wire signed ${width(depth)} first_depth, // v at the first pixel
    input  wire ${width(depth)} gradient_x, // of v
    input  wire ${width(depth)} gradient_y, // downwards
    input  wire ${width(coordinate)} first_column, // of a triangle's tiles
    input  wire ${width(coordinate)} last_column, // of its tiles
    input  wire ${width(coordinate)} first_row, // of its tiles
    input  wire ${width(coordinate)} last_row, // of its tiles
    input  wire signed ${width(difference)} dbx, // B - A, B and C exchanged if need be
    input  wire signed ${width(difference)} dby, // the other axis
    input  wire signed ${width(difference)} dcx, // C - A
    input  wire signed ${width(difference)} dcy, // the other axis
    input  wire signed ${width(area + 2)} edge_ab, // edge functions at the first tile's first pixel
    input  wire signed ${width(area + 2)} edge_bc, // the second side
    input  wire signed ${width(area + 2)} edge_ca, // the third
    input  wire steep, // y is a line's major axis
    input  wire early, // it begins with a column before A
    input  wire signed ${width(difference)} along, // from A to its first column
    input  wire ${width(difference)} length, // from A to B
    input  wire ${width(pixel)} row, // of its first column
    input  wire ${width(difference)} rest, // to the next row
    // the walk
    output reg  walking, // a primitive is here
    output wire ends, // the walk ends, unless it stands still
    input  wire moves, // it does not stand still
    // what it comes to, two cycles later
    output reg  [1:0] kind, // as above
    output reg  looks, // at a tile of a triangle's bounds
    output wire found, // this cycle has a word
    output reg  ended, // the last cycle of a primitive
    output reg  ${width(coordinate)} tile_x, // where the tile lies
    output reg  ${width(coordinate)} tile_y, // its row
    output reg  [15:0] tile_mask, // its pixels that are drawn; of a line or point one pixel
    output wire [31:0] first_value, // depth of the first pixel, in d32
    output wire [511:0] depths, // of all pixels; of a line or point the first one is its pixel's
    output reg  gathers, // a line's pixel is drawn
    output reg  fresh // it is the first one of a word
);

    localparam [1:0] POINT = 2'd0, LINE = 2'd1, TRIANGLE = 2'd2;

    reg  [1:0] at_kind;
    reg  none, last_word;
    wire line_last;
    // It steps on from its last cycle, too, where nobody looks: so no step waits for the end to be known
    wire next = walking & moves;
    wire next_column = next & at_kind == LINE;

    always @(posedge clk) begin
        if (rst)
            walking <= 1'b0;
        else if (load)
            walking <= 1'b1;
        else if (moves & ends)
            walking <= 1'b0;
    end

    always @(posedge clk) begin
        if (load) begin
            at_kind   <= in_kind;
            none      <= in_none;
            last_word <= 1'b0;
        end else if (next_column & line_last)
            last_word <= 1'b1;
    end

    // Tiles of a triangle; of what else is walked nobody looks at them
    reg ${width(coordinate)} column, tile_row, before_right, before_bottom; // the last tile but one
    reg ${width(coordinate)} ${"left_column" if rows else "after_left"};
    reg ${width(window)} last_x, last_y;
    reg  row_ends, narrow, bottom;     // the row's last tile; rows are of one tile; the last row
    reg  one_column, one_row;          // of what was set up
% if not rows:
    reg  back;                         // to the left
% endif
    wire right = next & !row_ends${"" if rows else " & !back"};
% if not rows:
    wire left  = next & !row_ends & back;
% endif
    wire down  = next & row_ends;

    always @(posedge clk) begin
        one_column <= first_column == last_column;
        one_row    <= first_row == last_row;
        if (load) begin
            ${"left_column   <= first_column" if rows else "after_left    <= first_column + 1'b1"};
            before_right  <= last_column - 1'b1;
            before_bottom <= last_row - 1'b1;
            {last_x, last_y}  <= {in_last_x, in_last_y};
            {row_ends, narrow, bottom} <= {one_column, one_column, one_row};
            column   <= first_column;
            tile_row <= first_row;
% if not rows:
            back     <= 1'b0;
% endif
        end else if (right) begin
            row_ends <= column == before_right;
            column   <= column + 1'b1;
% if not rows:
        end else if (left) begin
            row_ends <= column == after_left;
            column   <= column - 1'b1;
% endif
        end else if (down) begin
            row_ends <= narrow;
            bottom   <= tile_row == before_bottom;
            tile_row <= tile_row + 1'b1;
% if rows:
            column   <= left_column;
% else:
            back     <= !back;
% endif
        end
    end

    wire [15:0] covered_ab, covered_bc, covered_ca;
<%
    sides = {
        "ab": ("dbx", "dby"),
        "bc": ("dcx - dbx", "dcy - dby"),
        "ca": ("-dcx", "-dcy"),
    }
%>\
% for name, (dx, dy) in sides.items():

    raster_edge side_${name} (
        .clk(clk),
        .load(load),
        .in_dx(${dx}),
        .in_dy(${dy}),
        .in_value(edge_${name}),
        .moves(moves),
        .right(right),
% if not rows:
        .left(left),
% endif
        .down(down),
        .covered(covered_${name})
    );
% endfor

    // The window ends within its last column and row of tiles
    function [3:0] up_to(input [1:0] place);
        case (place)
            2'd0:    up_to = 4'b0001;
            2'd1:    up_to = 4'b0011;
            2'd2:    up_to = 4'b0111;
            default: up_to = 4'b1111;
        endcase
    endfunction

    wire [3:0] columns = up_to(column == last_x[${window - 1}:2] ? last_x[1:0] : 2'd3);
    wire [3:0] rows    = up_to(tile_row == last_y[${window - 1}:2] ? last_y[1:0] : 2'd3);
    wire [15:0] windowed = {columns & {4{rows[3]}}, columns & {4{rows[2]}}, columns & {4{rows[1]}}, columns & {4{rows[0]}}};
    // Columns of a line, and a point
    wire drawn;
    wire ${width(window)} pixel_x, pixel_y;

    raster_line line (
        .clk(clk),
        .load(load),
        .point(in_kind == POINT),
% for name, _ in line_ports:
        .${name}(${name}),
% endfor
        .in_dy(dby),
        .in_steep(steep),
        .early(early),
        .along(along),
        .in_length(length),
        .in_row(row),
        .in_rest(rest),
        .last_x(in_last_x),
        .last_y(in_last_y),
        .step(next_column),
        .drawn(drawn),
        .last(line_last),
        .x(pixel_x),
        .y(pixel_y)
    );

    // The first register: what the pixels are made of
    reg [1:0] kind1, format, format1;
    reg here1, ends1, last1, looks1, drawn1;
    reg [15:0] window1;
    reg ${width(window)} x1, y1;           // of a line's pixel or a tile's first one

    always @(posedge clk) begin
        if (load)
            format <= in_format;
        if (rst)
            here1 <= 1'b0;
        else if (moves)
            here1 <= walking;
        if (moves) begin
            {kind1, format1, ends1, last1} <= {at_kind, format, ends, last_word};
            looks1 <= at_kind == TRIANGLE & !none;
            drawn1 <= !at_kind[1] & drawn & !none & !last_word;
            window1 <= windowed;
            {x1, y1} <= at_kind == TRIANGLE ? {column, 2'd0, tile_row, 2'd0} : {pixel_x, pixel_y};
        end
    end

    wire [15:0] mask1 = looks1 ? covered_ab & covered_bc & covered_ca & window1 : {15'd0, drawn1} << {y1[1:0], x1[1:0]};

    // The tile whose pixels of a line are gathered to a word
    reg gathered;
    reg ${width(coordinate)} gathered_x, gathered_y;
    wire gathers1 = kind1 == LINE & drawn1;
    wire changes1 = gathered_x != x1[${window - 1}:2] | gathered_y != y1[${window - 1}:2];
    reg [3:0] finds1;                  // a word; of a triangle by rows of pixels

    always @(posedge clk) begin
        if (rst)
            gathered <= 1'b0;
        else if (moves & here1)
            gathered <= kind1 == LINE & (drawn1 | (gathered & !last1));
        if (moves & here1 & gathers1)
            {gathered_x, gathered_y} <= {x1[${window - 1}:2], y1[${window - 1}:2]};
    end

    always @* begin
        case (kind1)
            POINT:    finds1 = {3'd0, drawn1};
            LINE:     finds1 = {3'd0, gathered & (last1 | (drawn1 & changes1))};
            TRIANGLE: finds1 = ${"{|mask1[15:12], |mask1[11:8], |mask1[7:4], |mask1[3:0]}" if cfg.emit == "covered" else "{3'd0, looks1}"};
            default:  finds1 = 4'd1;
        endcase
    end

    // The second register: a word
    reg [1:0] format2;
    reg [3:0] finds;

    assign found = |finds;

    always @(posedge clk) begin
        if (rst)
            {looks, finds, ended, gathers} <= 7'd0;
        else if (moves)
            {looks, finds, ended, gathers} <= {7{here1}} & {looks1, finds1, ends1, gathers1};
        if (moves) begin
            {kind, format2} <= {kind1, format1};
            fresh     <= !gathered | changes1;
            tile_mask <= mask1;
            {tile_x, tile_y} <= {x1[${window - 1}:2], y1[${window - 1}:2]};
        end
    end

    raster_depths depth (
        .clk(clk),
        .load(load),
        .in_first(first_depth),
        .in_x(gradient_x),
        .in_y(gradient_y),
        .format(format2),
        .moves(moves),
        .along(next_column),
        .right(right),
% if not rows:
        .left(left),
% endif
        .down(down),
        .first_depth(first_value),
        .depths(depths)
    );

    // Whether the walk's cycle is its last
    reg ending;

    always @* begin
        case (at_kind)
            LINE:     ending = last_word | none;
            TRIANGLE: ending = (row_ends & bottom) | none;
            default:  ending = 1'b1;
        endcase
    end

    assign ends = walking & ending;

endmodule
