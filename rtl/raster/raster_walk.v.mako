// Walks a primitive: the tiles of a triangle's bounds, ${"row after row, left to right" if cfg.walk == "rows" else "row after row, to and fro"};
// the columns of a line; a point; a passed word.
//
// Interface: a primitive is taken ("load") when the walk is empty or ends; "found" says that this cycle has a word
// for the output, and the walk stands still while that has no room.
// Timing: one tile or column in each cycle in which it does not stand still; a line of which a pixel was drawn takes
// one cycle more. Words are combinational from the registers of the walk.
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
    output reg  [1:0] kind, // as above
    output wire looks, // at a tile of a triangle's bounds
    output wire found, // this cycle has a word
    output wire ends, // the walk ends, unless it stands still
    input  wire moves, // it does not stand still
    // words: a triangle's tile, a pixel of a line or point; what is passed has its first depth
    output wire [15:0] tile_mask, // pixels of the tile that are drawn
    output reg  ${width(coordinate)} column, // of the tile
    output reg  ${width(coordinate)} tile_row, // its row
    output wire pixel_drawn, // the pixel is drawn
    output wire ${width(window)} pixel_x, // where it is
    output wire ${width(window)} pixel_y, // its row
    output wire [31:0] first_value, // depth of the first pixel, in d32
    output wire [511:0] depths, // of all pixels; of a line or point the first one is its pixel's
    output wire line_out, // the last word of a line goes out
    input  wire pending, // a word of a line is not out yet
    input  wire changes // it is, and the pixel lies in another tile
);

    localparam [1:0] POINT = 2'd0, LINE = 2'd1, TRIANGLE = 2'd2;

    reg  none, last_word;
    wire line_last, last_tile;
    wire next = walking & moves & !ends;
    wire next_column = next & kind == LINE;

    assign looks    = walking & kind == TRIANGLE & !none;
    assign line_out = walking & last_word;

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
            kind      <= in_kind;
            none      <= in_none;
            last_word <= 1'b0;
        end else if (next_column & line_last)
            last_word <= 1'b1;
    end

    // Tiles of a triangle; of what else is walked nobody looks at them
    reg ${width(coordinate)} left_column, right_column, bottom_row;
    reg ${width(window)} last_x, last_y;
% if rows:
    wire row_ends = column == right_column;
    wire right = next & !row_ends;
% else:
    reg  back;                         // to the left
    wire row_ends = column == (back ? left_column : right_column);
    wire right = next & !row_ends & !back;
    wire left  = next & !row_ends & back;
% endif
    wire down  = next & row_ends;

    assign last_tile = row_ends & tile_row == bottom_row;

    always @(posedge clk) begin
        if (load) begin
            {left_column, right_column, bottom_row} <= {first_column, last_column, last_row};
            {last_x, last_y}  <= {in_last_x, in_last_y};
            column   <= first_column;
            tile_row <= first_row;
% if rows:
        end else if (right)
            column <= column + 1'b1;
        else if (down) begin
            column   <= left_column;
            tile_row <= tile_row + 1'b1;
        end
% else:
            back     <= 1'b0;
        end else if (right)
            column <= column + 1'b1;
        else if (left)
            column <= column - 1'b1;
        else if (down) begin
            back     <= !back;
            tile_row <= tile_row + 1'b1;
        end
% endif
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

    assign tile_mask = covered_ab & covered_bc & covered_ca & windowed;

    // Columns of a line, and a point
    wire drawn;

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

    assign pixel_drawn = drawn & !none & !last_word;

    reg [1:0] format;

    always @(posedge clk) begin
        if (load)
            format <= in_format;
    end

    raster_depths depth (
        .clk(clk),
        .load(load),
        .in_first(first_depth),
        .in_x(gradient_x),
        .in_y(gradient_y),
        .format(format),
        .along(next_column),
        .right(right),
% if not rows:
        .left(left),
% endif
        .down(down),
        .first_depth(first_value),
        .depths(depths)
    );

    // What a cycle finds, and whether it is the walk's last
    reg finds, ending;

    always @* begin
        case (kind)
            POINT:    {finds, ending} = {drawn, 1'b1};
            LINE:     {finds, ending} = {last_word | (pixel_drawn & changes), last_word | none | (line_last & !drawn & !pending)};
            TRIANGLE: {finds, ending} = {${"!none & |tile_mask" if cfg.emit == "covered" else "!none"}, none | last_tile};
            default:  {finds, ending} = 2'b11;
        endcase
    end

    assign found = walking & finds;
    assign ends  = walking & ending;

endmodule
