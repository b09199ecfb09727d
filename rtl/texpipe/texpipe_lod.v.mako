// Evaluate Texture LOD: the mip level of each quad from the differences of its coordinates, and where that mip begins.
//
// Interface: valid/ready; up to 16 quads are here. Nothing stops on its way: a quad keeps its place in a FIFO
// meanwhile, its level waits in another. Timing: a quad in each cycle; its level is offered 14 cycles after it was
// taken, or as soon as those before it have left.
//
// The lower row and the right column count if both of their pixels are valid, else the upper and the left one.
// Differences are scaled by the size of level 0, cut to 8 fraction bits and saturated at 16 bits, so that each
// square is one 16 x 16 multiplication; the level is half the position of the leading one in the integer part of
// the larger sum of squares.
% if cfg.trilinear:
//
// Where a primitive wants two levels mixed, the level is the whole part of half the logarithm of that sum, of which
// the seven bits below the leading one are taken for what is behind the point; the fraction of the level goes along.
% endif
<%
    prim, quad, out, n = helpers.stream(cfg, "prim"), helpers.quad(), helpers.levelled(cfg), helpers.PRIM_BITS
    scale, limit, rom = 4, 11, 12        # cycles in which a primitive's fields are used
    def of(field, stage):
        low = prim.offset(field)
        return f"prims[prim{stage} * PRIM + {low} +: {prim.field(field).width}]"
%>\
module texpipe_lod (
    input  wire clk, // clock
    input  wire rst, // synchronous
    input  wire ${width(helpers.PRIMS * prim.width)} prims, // primitives by number
    // quads
    input  wire in_valid, // a quad is offered
    output wire in_ready, // it is taken
    input  wire ${width(quad.width)} in_quad, // ${", ".join(f.name for f in quad.fields[:2])}, coordinates
    // quads with their level
    output wire out_valid, // a quad is offered
    input  wire out_ready, // it is taken
    output wire ${width(out.width)} out_quad // the same, ${", ".join(f.name for f in out.fields[len(quad.fields):])}
);

    localparam PRIM = ${prim.width};

    wire take = in_valid & in_ready;
    wire quad_valid, level_ready;
    wire ${width(quad.width)} quad;
    wire level_done;
    wire [17:0] offset;
    reg  [3:0]  lod${rom + 1};
% if cfg.trilinear:
    reg  [7:0]  fraction${rom + 1};
% endif

    fifo #(
        .WIDTH(${quad.width}),
        .DEPTH(16),
        .COUNT_BITS(5)
    ) quad_fifo (
        .clk(clk),
        .rst(rst),
        .in_valid(in_valid),
        .in_ready(in_ready),
        .in_data(in_quad),
        .out_valid(quad_valid),
        .out_ready(out_valid & out_ready),
        .out_data(quad)
    );

    wire [3:0]  lod;
    wire [17:0] begins;
% if cfg.trilinear:
    wire [7:0]  fraction;
% endif

    fifo #(
        .WIDTH(${out.width - quad.width}),
        .DEPTH(16),
        .COUNT_BITS(5)
    ) level_fifo (
        .clk(clk),
        .rst(rst),
        .in_valid(level_done),
        .in_ready(level_ready),
        .in_data({${f"fraction{rom + 1}, " if cfg.trilinear else ""}offset, lod${rom + 1}}),
        .out_valid(out_valid),
        .out_ready(out_ready),
        .out_data({${"fraction, " if cfg.trilinear else ""}begins, lod})
    );

    assign out_quad = {${"fraction, " if cfg.trilinear else ""}begins, lod, quad};

    // What is under way, by the cycle
    reg  ${width(rom + 1)} under_way;
    reg  ${width(n)} ${", ".join(f"prim{k}" for k in range(1, rom + 1))};

    assign level_done = under_way[${rom}];

    always @(posedge clk) begin
        if (rst)
            under_way <= ${rom + 1}'d0;
        else
            under_way <= {under_way[${rom - 1}:0], take};
    end

    always @(posedge clk) begin
        prim1 <= in_quad[${n - 1}:0];
% for k in range(2, rom + 1):
        prim${k} <= prim${k - 1};
% endfor
    end

    // Cycle 1: the pixels that count
    ${unpack(quad, "in_quad", "given", ["valid", *(f.name for f in quad.fields[2:])])}
    wire lower_row    = given_valid[2] & given_valid[3];
    wire right_column = given_valid[1] & given_valid[3];
% for axis in "uv":

    reg [31:0] right_${axis}, left_${axis}, lower_${axis}, upper_${axis};
    reg [32:0] dx_${axis}, dy_${axis};   // cycle 2; two's complement

    always @(posedge clk) begin
        right_${axis} <= lower_row ? given_${axis}3 : given_${axis}1;
        left_${axis}  <= lower_row ? given_${axis}2 : given_${axis}0;
        lower_${axis} <= right_column ? given_${axis}3 : given_${axis}2;
        upper_${axis} <= right_column ? given_${axis}1 : given_${axis}0;
        dx_${axis}    <= {right_${axis}[31], right_${axis}} - {left_${axis}[31], left_${axis}};
        dy_${axis}    <= {lower_${axis}[31], lower_${axis}} - {upper_${axis}[31], upper_${axis}};
    end
% endfor

    // Cycle 3: absolute values. Cycle 4: scaled, cut and saturated to unsigned 8.8.
    wire [3:0] log2w = ${of("log2w", scale - 1)};
    wire [3:0] log2h = ${of("log2h", scale - 1)};
% for name, shift in (("dx_u", "log2w"), ("dx_v", "log2h"), ("dy_u", "log2w"), ("dy_v", "log2h")):

    reg [32:0] abs_${name};
    wire [43:0] whole_${name} = {11'd0, abs_${name}} << ${shift};
    reg [15:0] scaled_${name};
    reg [31:0] square1_${name}, square2_${name}, square3_${name}, square_${name}; // cycles 5 to 8

    always @(posedge clk) begin
        abs_${name}     <= ${name}[32] ? -${name} : ${name};
        scaled_${name}  <= whole_${name}[43:24] != 20'd0 ? 16'hffff : whole_${name}[23:8];
        square1_${name} <= {16'd0, scaled_${name}} * {16'd0, scaled_${name}};
        square2_${name} <= square1_${name};
        square3_${name} <= square2_${name};
        square_${name}  <= square3_${name};
    end
% endfor

    // Cycle 9: sums. Cycle 10: the larger one's integer part. Cycle 11: the level.
    reg [32:0] sum_x, sum_y;
    reg [15:0] whole;
    reg [3:0]  lod${limit}, lod${rom};

    wire [32:0] larger = sum_x > sum_y ? sum_x : sum_y;

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

% if cfg.trilinear:
    // Of two levels the first: half the place of the leading one, rounded down
    function [3:0] place(input [15:0] value);
        integer i;
        begin
            place = 4'd0;
            for (i = 0; i < 16; i = i + 1)
                if (value[i])
                    place = i[3:0];
        end
    endfunction

    reg  [6:0] below;                // of the larger sum: the bits below its integer part
    wire [3:0] leading = place(whole);
    wire       mixes   = ${of("trilinear", limit - 1)};
    wire [3:0] wanted  = mixes ? {1'b0, leading[3:1]} : level(whole);
% else:
    wire [3:0] wanted  = level(whole);
% endif
    wire [3:0] max_lod = ${of("max_lod", limit - 1)};

    always @(posedge clk) begin
        sum_x <= {1'b0, square_dx_u} + {1'b0, square_dx_v};
        sum_y <= {1'b0, square_dy_u} + {1'b0, square_dy_v};
        whole <= larger[32] ? 16'hffff : larger[31:16];
        lod${limit} <= wanted > max_lod ? max_lod : wanted;
        lod${rom} <= lod${limit};
        lod${rom + 1} <= lod${rom};
    end

% if cfg.trilinear:
    // Cycles 11 to 13: the fraction, unless magnified or on the last level
    reg  mixed${limit};
    reg  [3:0]  leading${limit};
    reg  [22:0] sum${limit};
    reg  [7:0]  fraction${rom};
    wire [22:0] shifted = sum${limit} >> leading${limit};

    always @(posedge clk) begin
        below        <= larger[32] ? 7'h7f : larger[15:9];
        mixed${limit}      <= mixes & whole != 16'd0 & wanted < max_lod;
        leading${limit}    <= leading;
        sum${limit}        <= {whole, below};
        fraction${rom}   <= {leading${limit}[0], shifted[6:0]} & {8{mixed${limit}}};
        fraction${rom + 1}   <= fraction${rom};
    end

% endif
    // Cycles 12 and 13: where the mip begins
    mip_rom rom (
        .clk(clk),
        .read(1'b1),
        .index({${of("log2w", limit)}, ${of("log2h", limit)}, lod${limit}}),
        .offset(offset)
    );

    wire unused = &{1'b0, quad_valid, level_ready, ${"larger[8:0], shifted[22:7]" if cfg.trilinear else "larger[15:0]"}, given_valid[0], prim${rom}, prims,
                    whole_dx_u[7:0], whole_dx_v[7:0], whole_dy_u[7:0], whole_dy_v[7:0]};

endmodule
