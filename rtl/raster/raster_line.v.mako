// Walks a line, a pixel in each column of its major axis, which is called x here; a point is a line of one pixel.
//
// The row of each column is the nearest one: row = ceil(n / (256 D)) with n of the spec page, which grows by 256 dy
// from column to column; rest is (256 D row - n) / 256, rounded down, from 0 to D - 1. A first column before A has
// the row nearest to A, and is drawn if A is inside its pixel's diamond. No pixel is drawn in whose diamond B is.
//
// Timing: combinational from the registers; they follow the walk.
<%
    from configs.raster.schema import PLACE_BITS
    pixel, difference, window = helpers.PIXEL_BITS, helpers.DIFFERENCE_BITS, cfg.coordinate_bits + 2
    rest = difference + 1
%>\
module raster_line (
    input  wire clk, // clock
    input  wire load, // a line or point comes
    input  wire point, // it is a point
    input  wire signed ${width(PLACE_BITS)} ax, // its ends
    input  wire signed ${width(PLACE_BITS)} ay, // the other axis
    input  wire signed ${width(PLACE_BITS)} bx, // B
    input  wire signed ${width(PLACE_BITS)} by, // the other axis
    input  wire signed ${width(difference)} in_dy, // B - A
    input  wire in_steep, // x and y were exchanged
    input  wire early, // it begins with a column before A
    input  wire signed ${width(difference)} along, // from A to the first column, in the direction of B
    input  wire ${width(difference)} in_length, // from A to B
    input  wire ${width(pixel)} in_row, // of the first column
    input  wire ${width(difference)} in_rest, // as above
    input  wire ${width(window)} last_x, // the window's last column of pixels, not exchanged
    input  wire ${width(window)} last_y, // its last row
    input  wire step, // the walk goes to the next column
    output wire drawn, // the column's pixel is drawn
    output wire last, // it is the last column
    output wire ${width(window)} x, // of the pixel, not exchanged
    output wire ${width(window)} y // its row
);

    // The nearest pixel, ties to the lower one, and how far it is
    function signed ${width(pixel)} nearest(input signed ${width(PLACE_BITS)} place);
        nearest = {place[${PLACE_BITS - 1}], place[${PLACE_BITS - 1}:8]} + {${pixel - 1}'d0, place[7:0] > 8'd128};
    endfunction

    function [7:0] distance(input [7:0] place);
        distance = place[7] ? -place : place;
    endfunction

    wire signed ${width(pixel)} floor = {ax[${PLACE_BITS - 1}], ax[${PLACE_BITS - 1}:8]};
    wire signed ${width(pixel)} ceil  = floor + {${pixel - 1}'d0, ax[7:0] != 8'd0};
    wire in_back = bx < ax;
    wire [8:0] away = {1'b0, distance(along[7:0])} + {1'b0, distance(ay[7:0])};

    reg signed ${width(pixel)} column, row, near_row, limit_x, limit_y;
    reg signed ${width(rest)} dy, rest;
    reg signed ${width(rest)} dy_over, dy_under; // less and more by the length
    reg ${width(difference)} ahead;     // to B
    reg steep, back;                   // x and y were exchanged; to the left
    reg first, first_drawn;            // the column before A, or a point
    reg signed ${width(pixel)} end_row;  // nearest to B
    reg [8:0] end_distance;            // how far it is

    // The next row, and what rest then is: side by side, that no addition waits for another
    wire signed ${width(rest)} moved       = rest - dy;
    wire signed ${width(rest)} moved_over  = rest - dy_over;
    wire signed ${width(rest)} moved_under = rest - dy_under;
    wire over  = moved[${rest - 1}];
    wire under = !moved_under[${rest - 1}];

    always @(posedge clk) begin
        if (load) begin
            column <= point ? nearest(ax) : early ^ in_back ? floor : ceil;
            row    <= in_row;
            rest   <= {1'b0, in_rest};
            ahead  <= in_length - along;
            first  <= point | early;
        end else if (step) begin
            column <= back ? column - ${pixel}'sd1 : column + ${pixel}'sd1;
            row    <= over ? row + ${pixel}'sd1 : under ? row - ${pixel}'sd1 : row;
            rest   <= over ? moved_over : under ? moved_under : moved;
            ahead  <= ahead - ${difference}'d256;
            first  <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (load) begin
            {steep, back} <= {in_steep, in_back};
            dy           <= {in_dy[${difference - 1}], in_dy};
            dy_over      <= {in_dy[${difference - 1}], in_dy} - {1'b0, in_length};
            dy_under     <= {in_dy[${difference - 1}], in_dy} + {1'b0, in_length};
            near_row     <= nearest(ay);
            first_drawn  <= point | away < 9'd128;
            end_row      <= nearest(by);
            end_distance <= point ? 9'd128 : {1'b0, distance(by[7:0])};
            limit_x      <= {${pixel - window}'d0, in_steep ? last_y : last_x};
            limit_y      <= {${pixel - window}'d0, in_steep ? last_x : last_y};
        end
    end

    wire signed ${width(pixel)} here = first ? near_row : row;
    wire visible = !column[${pixel - 1}] & column <= limit_x & !here[${pixel - 1}] & here <= limit_y;

    // B's diamond. Half a pixel or more is too far without a sum, too: "ahead" of a point is whatever a measure was
    // left by the primitive before, X in a simulator if there was none
    wire near   = ahead < ${difference}'d128 & here == end_row & {1'b0, ahead[7:0]} + end_distance < 9'd128;
    wire ending = near & !end_distance[7];

    assign drawn = visible & !ending & (!first | first_drawn);
    assign last  = ahead <= ${difference}'d256 | (back ? column <= ${pixel}'sd0 : column >= limit_x);
    assign x     = steep ? here[${window - 1}:0] : column[${window - 1}:0];
    assign y     = steep ? column[${window - 1}:0] : here[${window - 1}:0];

    wire unused = &{1'b0, along[${difference - 1}:8]};

endmodule
