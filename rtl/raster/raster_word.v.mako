// Words of tile: what the walk finds goes into a register, from which it is offered; the pixels of a line are
// gathered first.
//
// Interface: "found" with the walk's tile, pixel or passed word; "moves" says that the walk need not stand still.
// Timing: a word found in a cycle is offered in the next; the register takes one while it is empty or its word is
// taken.
<%
    from configs.raster.schema import PLACE_BITS
    tile, state, coordinate = cfg.all_streams["tile"], helpers.state(), cfg.coordinate_bits
    own = state.width + 18 + 2 * PLACE_BITS
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
    input  wire found, // there is a word
    output wire moves, // the walk does not stand still
    input  wire [15:0] tile_mask, // a tile's pixels that are drawn; of a line or point one pixel
    input  wire ${width(coordinate)} tile_x, // where it is
    input  wire ${width(coordinate)} tile_y, // its row
    input  wire [31:0] first_value, // of a passed word
    input  wire [511:0] depths, // of a triangle's pixels; the first one of a line's or point's
    input  wire gathers, // a line's pixel is drawn
    input  wire fresh, // it is the first one of a word
    // tiles
    output reg  tile_valid, // a word is offered
    input  wire tile_ready, // it is taken
    output wire ${width(tile.width)} tile_data, // ${", ".join(f.name for f in tile.fields)}
    output reg  passed // it is a passed word
);

    localparam [1:0] LINE = 2'd1, TRIANGLE = 2'd2, PASSED = 2'd3;

    // They go with the walk, whose words are two registers behind it
    reg ${width(own)} own0, own1, own2;
    wire ${width(state.width)} state;
    wire [15:0] prim;
    wire [1:0]  command;
    wire signed ${width(PLACE_BITS)} pass_x, pass_y;

    assign {state, prim, command, pass_x, pass_y} = own2;

    always @(posedge clk) begin
        if (load)
            own0 <= {in_state, in_prim, in_command, in_x, in_y};
        if (moves)
            {own2, own1} <= {own1, own0};
    end

    // A line's word
    reg [15:0]  line_mask;
    reg [511:0] line_depths;
    reg ${width(coordinate)} line_x, line_y;

    always @(posedge clk) begin
        if (gathers & moves) begin
            {line_x, line_y} <= {tile_x, tile_y};
            line_mask <= (line_mask & {16{!fresh}}) | tile_mask;
        end
    end

    genvar n;
    generate
        for (n = 0; n < 16; n = n + 1) begin : gen_pixel
            always @(posedge clk) begin
                if (gathers & moves & (tile_mask[n] | fresh))
                    line_depths[32*n +: 32] <= depths[31:0] & {32{tile_mask[n]}};
            end
        end
    endgenerate

    // The register
    assign moves = !(found & tile_valid & !tile_ready);

    wire put = found & moves;
    wire tiled = kind == TRIANGLE;
    wire [511:0] shown;                // depths of the mask's pixels

    generate
        for (n = 0; n < 16; n = n + 1) begin : gen_shown
            assign shown[32*n +: 32] = (tiled ? depths[32*n +: 32] : depths[31:0]) & {32{tile_mask[n]}};
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
                default: // POINT, TRIANGLE
                    {out_x, out_y, out_mask, out_depths} <= {tile_x, tile_y, tile_mask, shown};
            endcase
        end
    end

    assign tile_data = {out_prim, out_depths, out_state, out_mask, out_y, out_x, op};

endmodule
