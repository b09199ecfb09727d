// Words of tile: what the walk finds goes into a register, from which it is offered; the pixels of a line are
// gathered first.
//
// Interface: "found" with the walk's tile, pixel or passed word; "moves" says that the walk need not stand still.
// Timing: a word found in a cycle is offered in the next; the register takes one while it is empty or its word is
// taken.
<%
    from configs.raster.schema import PLACE_BITS
    tile, state, window, coordinate = cfg.all_streams["tile"], helpers.state(), cfg.coordinate_bits + 2, cfg.coordinate_bits
%>\
module raster_word (
    input  wire clk, // clock
    input  wire rst, // synchronous; forgets all words
    // what belongs to all words of a primitive
    input  wire load, // its walk begins in the next cycle
    input  wire ${width(state.width)} in_state, // ${", ".join(f.name for f in state.fields)}
    input  wire [15:0] in_prim, // its number
    input  wire [1:0] in_command, // of a passed word
    input  wire signed ${width(PLACE_BITS)} in_x, // of a passed word
    input  wire signed ${width(PLACE_BITS)} in_y, // of a passed word
    // the walk
    input  wire [1:0] kind, // 0 point, 1 line, 2 triangle, 3 passed word
    input  wire walking, // a primitive is walked
    input  wire found, // there is a word
    output wire moves, // the walk does not stand still
    input  wire [15:0] tile_mask, // a triangle's tile
    input  wire ${width(coordinate)} tile_x, // where it is
    input  wire ${width(coordinate)} tile_y, // its row
    input  wire pixel_drawn, // a line's or point's pixel
    input  wire ${width(window)} pixel_x, // where it is
    input  wire ${width(window)} pixel_y, // its row
    input  wire [31:0] first_value, // of a passed word
    input  wire [511:0] depths, // of a triangle's pixels; the first one of a line's or point's
    input  wire line_out, // the last word of a line goes out
    output reg  pending, // a line's word is being gathered
    output wire changes, // the pixel lies in another tile
    // tiles
    output reg  tile_valid, // a word is offered
    input  wire tile_ready, // it is taken
    output wire ${width(tile.width)} tile_data, // ${", ".join(f.name for f in tile.fields)}
    output reg  passed // it is a passed word
);

    localparam [1:0] LINE = 2'd1, TRIANGLE = 2'd2, PASSED = 2'd3;

    reg ${width(state.width)} state;
    reg [15:0] prim;
    reg [1:0]  command;
    reg signed ${width(PLACE_BITS)} pass_x, pass_y;

    always @(posedge clk) begin
        if (load)
            {state, prim, command, pass_x, pass_y} <= {in_state, in_prim, in_command, in_x, in_y};
    end

    // A line's word
    wire [15:0] pixel = 16'd1 << {pixel_y[1:0], pixel_x[1:0]};
    wire ${width(coordinate)} pixel_column = pixel_x[${window - 1}:2];
    wire ${width(coordinate)} pixel_row    = pixel_y[${window - 1}:2];
    wire gathers = walking & moves & kind == LINE & pixel_drawn;
    wire keeps   = pending & !changes;

    reg [15:0]  line_mask;
    reg [511:0] line_depths;
    reg ${width(coordinate)} line_x, line_y;

    assign changes = pending & (line_x != pixel_column | line_y != pixel_row);

    always @(posedge clk) begin
        if (rst | (line_out & moves))
            pending <= 1'b0;
        else if (gathers)
            pending <= 1'b1;
    end

    always @(posedge clk) begin
        if (gathers) begin
            {line_x, line_y} <= {pixel_column, pixel_row};
            line_mask <= (line_mask & {16{keeps}}) | pixel;
        end
    end

    genvar n;
    generate
        for (n = 0; n < 16; n = n + 1) begin : gen_pixel
            always @(posedge clk) begin
                if (gathers & (pixel[n] | !keeps))
                    line_depths[32*n +: 32] <= depths[31:0] & {32{pixel[n]}};
            end
        end
    endgenerate

    // The register
    assign moves = !(found & tile_valid & !tile_ready);

    wire put = found & moves;
    wire tiled = kind == TRIANGLE;
    wire [15:0] mask = tiled ? tile_mask : pixel;
    wire [511:0] shown;                // depths of the mask's pixels

    generate
        for (n = 0; n < 16; n = n + 1) begin : gen_shown
            assign shown[32*n +: 32] = (tiled ? depths[32*n +: 32] : depths[31:0]) & {32{mask[n]}};
        end
    endgenerate

    wire signed [31:0] wide_x = {{${32 - PLACE_BITS}{pass_x[${PLACE_BITS - 1}]}}, pass_x};
    wire signed [31:0] wide_y = {{${32 - PLACE_BITS}{pass_y[${PLACE_BITS - 1}]}}, pass_y};

    reg [1:0]  op;
    reg ${width(coordinate)} out_x, out_y;
    reg [15:0] out_mask, out_prim;
    reg ${width(state.width)} out_state;
    reg [511:0] out_depths;

    always @(posedge clk) begin
        if (rst)
            tile_valid <= 1'b0;
        else
            tile_valid <= found | (tile_valid & !tile_ready);
    end

    always @(posedge clk) begin
        if (put) begin
            {op, out_state, out_prim, passed} <= {2'd0, state, prim, 1'b0};
            case (kind)
                PASSED: begin
                    {out_x, out_y, out_mask, out_state, out_prim} <= ${2 * coordinate + 32 + state.width}'d0;
                    {op, passed} <= {command, 1'b1};
                    out_depths   <= {416'd0, wide_y, wide_x, first_value};
                end
                LINE:
                    {out_x, out_y, out_mask, out_depths} <= {line_x, line_y, line_mask, line_depths};
                default: begin // POINT, TRIANGLE
                    {out_x, out_y} <= tiled ? {tile_x, tile_y} : {pixel_column, pixel_row};
                    {out_mask, out_depths} <= {mask, shown};
                end
            endcase
        end
    end

    assign tile_data = {out_prim, out_depths, out_state, out_mask, out_y, out_x, op};

endmodule
