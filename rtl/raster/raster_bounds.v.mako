// Bounds of a triangle along one axis: the pixels whose centres may be in it and in the window, and their tiles.
//
// Timing: two cycles from the corners, which stay, to the bounds.
<%
    from configs.raster.schema import PLACE_BITS
    pixel, coordinate = helpers.PIXEL_BITS, cfg.coordinate_bits
    zeros = f"{pixel - coordinate - 2}'d0"
%>\
module raster_bounds (
    input  wire clk, // clock
    input  wire signed ${width(PLACE_BITS)} a, // the corners, in 1/256 pixel
    input  wire signed ${width(PLACE_BITS)} b, // the second
    input  wire signed ${width(PLACE_BITS)} c, // the third
    input  wire ${width(coordinate + 2)} last_pixel, // of the window
    output reg  ${width(coordinate)} first_tile, // of the bounds
    output reg  ${width(coordinate)} last_tile, // the last one
    output reg  none // no pixel is within the bounds
);

    reg signed ${width(PLACE_BITS)} low;
    reg signed ${width(pixel)} last;             // floor(high / 256)

    wire ab = a < b, ac = a < c, bc = b < c;
    wire signed ${width(PLACE_BITS)} high = ab ? (bc ? c : b) : (ac ? c : a);

    always @(posedge clk) begin
        low  <= ab ? (ac ? a : c) : (bc ? b : c);
        last <= {high[${PLACE_BITS - 1}], high[${PLACE_BITS - 1}:8]};
    end

    // ceil(low / 256) and floor(high / 256) are held within the window
    wire signed ${width(pixel)} first = {low[${PLACE_BITS - 1}], low[${PLACE_BITS - 1}:8]} + {${pixel - 1}'d0, low[7:0] != 8'd0};
    wire signed ${width(pixel)} edge_pixel = {${zeros}, last_pixel};
    wire signed ${width(pixel)} first_inside = first[${pixel - 1}] ? ${pixel}'sd0 : first;
    wire signed ${width(pixel)} last_inside  = last > edge_pixel ? edge_pixel : last;

    always @(posedge clk) begin
        first_tile <= first_inside[${coordinate + 1}:2];
        last_tile  <= last_inside[${coordinate + 1}:2];
        none       <= first_inside > last_inside;
    end

    wire unused = &{1'b0, high[7:0]};

endmodule
