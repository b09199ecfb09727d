// SPDX-License-Identifier: Apache-2.0
// texpipe_lod: each quad is handed on once, in order, as it came, with the level of its own coordinates and primitive,
// with a trilinear filter with the fraction of its level, too, and with what the ROM gives then. It is on offer 14 cycles
// after it was taken, or as soon as those before it have left. Up to 16 quads are here; the one looked at is chosen by the
// solver: what holds of it holds of all. An offer stays until it is taken. At any time there may be a reset.
//
// Assumed is a first reset, that a primitive stays while one of its quads is here (setup_in_order.sv), and sides to 2048.
// The ROM is left to the solver: which place of it is read, and that it takes two cycles, is not looked at. Nor are
// products: squares are those that the design takes.
`include "geometry.svh"
module texpipe_lod_properties #(
    parameter TWO = `CFG_TRILINEAR,          // with a fraction
    parameter F = 8 * TWO                    // its bits
) (
    input clk, rst, in_valid, in_ready, out_valid, out_ready, level_done, level_ready,
    input [4*`PRIM0_WIDTH-1:0] prims,
    input [261:0] in_quad,
    input [283+F:0] out_quad,
    input [12:0] under_way,
    input [1:0] prim1, prim2, prim3, prim4, prim5, prim6, prim7, prim8, prim9, prim10, prim11,
    input [31:0] right_u, left_u, lower_u, upper_u, right_v, left_v, lower_v, upper_v,
    input [32:0] dx_u, dy_u, dx_v, dy_v, abs_dx_u, abs_dx_v, abs_dy_u, abs_dy_v,
    input [15:0] scaled_dx_u, scaled_dx_v, scaled_dy_u, scaled_dy_v,
    input [31:0] square1_dx_u, square1_dx_v, square1_dy_u, square1_dy_v,
    input [31:0] square2_dx_u, square2_dx_v, square2_dy_u, square2_dy_v,
    input [31:0] square3_dx_u, square3_dx_v, square3_dy_u, square3_dy_v,
    input [31:0] square_dx_u, square_dx_v, square_dy_u, square_dy_v,
    input [32:0] sum_x, sum_y,
    input [15:0] whole,
    input [3:0] lod11, lod12, lod13,
    input [17:0] offset
);
    wire [7:0] fraction12, fraction13, out_fraction;
    wire [22:0] sum11;
    wire [6:0] below;
    wire [3:0] leading11;
    wire mixed11;

    generate
        if (TWO) begin : gen_fraction
            assign {fraction12, fraction13} = {texpipe_lod.fraction12, texpipe_lod.fraction13};
            assign {sum11, below} = {texpipe_lod.sum11, texpipe_lod.below};
            assign {leading11, mixed11} = {texpipe_lod.leading11, texpipe_lod.mixed11};
            assign out_fraction = out_quad[291:284];
        end else begin : gen_no_fraction
            assign {fraction12, fraction13, out_fraction, sum11, below, leading11, mixed11} = 59'd0;
        end
    endgenerate

    wire takes = in_valid & in_ready, gives = out_valid & out_ready;

    reg started = 1'b0, stalled = 1'b0;
    reg [4:0] here = 0;                      // quads that were taken and have not left
    reg follows = 1'b0;                      // one of them is looked at
    reg [4:0] ahead;                         // quads before it
    reg [12:0] stage = 0;                    // where it is on the way to its level, which begins in cycle 1
    reg [261:0] its_quad;
    reg [3:0] its_log2w, its_log2h, its_max_lod;
    reg its_mixes;
    // What it came to, stage by stage, lowest first u and v along the row, u and v along the column
    reg [3:0][31:0] its_ends, its_begins, its_squares;
    reg [3:0][32:0] its_steps, its_distances;
    reg [1:0][32:0] its_sums;
    reg [22:0] its_texels;                   // squared: 16 bits, 7 of fraction
    reg [3:0] its_lod;
    reg its_mixed;
    reg [7:0] its_fraction;
    reg [17:0] its_offset;
    (* anyseq *) wire choose;

    wire [`PRIM0_WIDTH-1:0] prim = prims[in_quad[1:0]*`PRIM0_WIDTH +: `PRIM0_WIDTH];
    wire [`PRIM0_WIDTH-1:0] its_prim = prims[its_quad[1:0]*`PRIM0_WIDTH +: `PRIM0_WIDTH];
    wire its_turn = follows & ahead == 0 & out_valid;

    always @(posedge clk) begin
        started    <= 1'b1;
        stalled    <= !rst & out_valid & !out_ready;
        here       <= rst ? 0 : here + takes - gives;
        stage      <= rst ? 13'd0 : {stage[11:0], takes & choose & !follows};
        if (rst)
            follows <= 1'b0;
        else if (follows) begin
            ahead   <= ahead - gives;
            follows <= !(gives & ahead == 0);
        end else if (takes & choose) begin
            follows     <= 1'b1;
            ahead       <= here - gives;
            its_quad    <= in_quad;
            its_log2w   <= prim[`PRIM0_LOG2W];
            its_log2h   <= prim[`PRIM0_LOG2H];
            its_max_lod <= prim[`PRIM0_MAX_LOD];
`ifdef PRIM0_TRILINEAR
            its_mixes   <= prim[`PRIM0_TRILINEAR];
`else
            its_mixes   <= 1'b0;
`endif
        end
        if (stage[0])
            {its_begins, its_ends} <= {upper_v, upper_u, left_v, left_u, lower_v, lower_u, right_v, right_u};
        if (stage[1])
            its_steps <= {dy_v, dy_u, dx_v, dx_u};
        if (stage[2])
            its_distances <= {abs_dy_v, abs_dy_u, abs_dx_v, abs_dx_u};
        if (stage[3])
            its_squares <= {32'(scaled_dy_v) * 32'(scaled_dy_v), 32'(scaled_dy_u) * 32'(scaled_dy_u),
                            32'(scaled_dx_v) * 32'(scaled_dx_v), 32'(scaled_dx_u) * 32'(scaled_dx_u)};
        if (stage[8])
            its_sums <= {sum_y, sum_x};
        if (stage[9])
            its_texels <= {whole, below};
        if (stage[10])
            {its_lod, its_mixed} <= {lod11, mixed11};
        if (stage[11])
            its_fraction <= fraction12;
        if (stage[12])
            its_offset <= offset;
    end

    // Its pixels that count: corners of which the differences are taken, u in the lower half of 64 bits
    wire [3:0] pixels = its_quad[5:2];
    wire [255:0] uv = its_quad[261:6];
    wire row = pixels[3] & pixels[2], column = pixels[3] & pixels[1];
    wire [127:0] ends = {column ? uv[255:192] : uv[191:128], row ? uv[255:192] : uv[127:64]};
    wire [127:0] begins = {column ? uv[127:64] : uv[63:0], row ? uv[191:128] : uv[63:0]};

    function automatic [32:0] difference(input signed [31:0] one, input signed [31:0] other);
        difference = 33'(one) - 33'(other);
    endfunction

    // In texels of level 0, with 8 bits of fraction, saturated
    function automatic [15:0] texels(input [32:0] distance, input [3:0] log2);
        automatic logic [47:0] scaled = 48'(distance) << log2;
        texels = scaled >= 48'h1000000 ? 16'hffff : scaled[23:8];
    endfunction

    // Its level, of the longer one of both squares
    wire [32:0] longer = its_sums[0] > its_sums[1] ? its_sums[0] : its_sums[1];
    wire [22:0] its_longer = longer >= 33'h100000000 ? 23'h7fffff : longer[31:9];
    wire [15:0] size = its_texels[22:7];
    wire [3:0] nearest = 4'(size >= 2) + 4'(size >= 8) + 4'(size >= 32) + 4'(size >= 128) + 4'(size >= 512)
        + 4'(size >= 2048) + 4'(size >= 8192) + 4'(size >= 32768);
    wire [3:0] first = 4'(size >= 4) + 4'(size >= 16) + 4'(size >= 64) + 4'(size >= 256) + 4'(size >= 1024)
        + 4'(size >= 4096) + 4'(size >= 16384);
    wire [3:0] wanted = TWO & its_mixes ? first : nearest;
    wire [3:0] level = wanted > its_max_lod ? its_max_lod : wanted;
    wire mixed = TWO & its_mixes & size != 0 & first < its_max_lod;

    // Half the binary logarithm from the level on, in 1/256: whether it is the upper half, and the bits below the leading one
    function automatic [7:0] log_of(input [22:0] value);
        log_of = 0;
        for (int n = 7; n < 23; n++)
            if (value >> n != 0)
                log_of = {n[0] == 1'b0, 7'(value >> (n - 7))};
    endfunction

    wire [7:0] fraction = its_mixed ? log_of(its_texels) : 8'd0;

    // The design's FIFOs
    wire [4:0] quads = texpipe_lod.quad_fifo.count, levels = texpipe_lod.level_fifo.count;
    wire [3:0] quad_place = texpipe_lod.quad_fifo.head[3:0] + ahead[3:0];
    wire [3:0] level_place = texpipe_lod.level_fifo.head[3:0] + ahead[3:0];
    wire [21+F:0] its_level = texpipe_lod.level_fifo.words[level_place];
    wire [12:0] earlier = under_way & ~(stage | (stage - 1'b1)); // quads on the way to their levels, before it

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        if (stage != 0)
            primitive_stays: assume ({its_prim[`PRIM0_MAX_LOD], its_prim[`PRIM0_LOG2H], its_prim[`PRIM0_LOG2W]}
                == {its_max_lod, its_log2h, its_log2w});
        if (stage != 0)
            sides_to_2048: assume (its_log2w < 12 & its_log2h < 12);
`ifdef PRIM0_TRILINEAR
        if (stage != 0)
            filter_stays: assume (its_prim[`PRIM0_TRILINEAR] == its_mixes);
`endif
        if (started & !rst) begin
            quad_of_a_quad: assert (!out_valid | here != 0);
            taken_while_there_is_a_place: assert (in_ready == (here != 16));
            if (stalled)
                offer_stays: assert (out_valid);   // and as it is: its_turn, below
            offered_after_14_cycles: assert (!follows | ahead != 0 | stage != 0 | out_valid);
            if (its_turn) begin
                as_it_came: assert (out_quad[261:0] == its_quad);
                level_of_its_own: assert (out_quad[265:262] == its_lod);
                mip_of_its_level: assert (stage == 0 & out_quad[283:266] == its_offset);
                fraction_of_its_own: assert (out_fraction == (TWO ? its_fraction : 8'd0));
            end
        end
        // What holds in between, so that the induction closes
        if (started) begin
            each_in_one_place: assert (here == quads & quads == levels + $countones(under_way) & quads <= 16
                & (!level_done | level_ready));
            if (follows) begin
                in_order: assert (ahead < quads & $countones(stage) <= 1 & (stage & ~under_way) == 0
                    & (stage == 0 ? ahead < levels : ahead == levels + $countones(earlier)));
                quad_is_held: assert (texpipe_lod.quad_fifo.words[quad_place] == its_quad);
                level_is_held: assert (stage != 0 | (its_level[21:0] == {its_offset, its_lod}
                    & (!TWO | its_level >> 22 == its_fraction)));
            end else
                nothing_on_its_way: assert (stage == 0);
            number_goes_along: assert ((!stage[0] | prim1 == its_quad[1:0]) & (!stage[1] | prim2 == its_quad[1:0])
                & (!stage[2] | prim3 == its_quad[1:0]) & (!stage[3] | prim4 == its_quad[1:0])
                & (!stage[4] | prim5 == its_quad[1:0]) & (!stage[5] | prim6 == its_quad[1:0])
                & (!stage[6] | prim7 == its_quad[1:0]) & (!stage[7] | prim8 == its_quad[1:0])
                & (!stage[8] | prim9 == its_quad[1:0]) & (!stage[9] | prim10 == its_quad[1:0])
                & (!stage[10] | prim11 == its_quad[1:0]));
            if (stage[0])
                pixels_that_count: assert ({lower_v, lower_u, right_v, right_u} == ends
                    & {upper_v, upper_u, left_v, left_u} == begins);
            if (stage[1])
                differences: assert (dx_u == difference(its_ends[0], its_begins[0])
                    & dx_v == difference(its_ends[1], its_begins[1]) & dy_u == difference(its_ends[2], its_begins[2])
                    & dy_v == difference(its_ends[3], its_begins[3]));
            if (stage[2])
                distances: assert (abs_dx_u == (its_steps[0][32] ? 33'd0 - its_steps[0] : its_steps[0])
                    & abs_dx_v == (its_steps[1][32] ? 33'd0 - its_steps[1] : its_steps[1])
                    & abs_dy_u == (its_steps[2][32] ? 33'd0 - its_steps[2] : its_steps[2])
                    & abs_dy_v == (its_steps[3][32] ? 33'd0 - its_steps[3] : its_steps[3]));
            if (stage[3])
                scaled_by_its_own_sides: assert (scaled_dx_u == texels(its_distances[0], its_log2w)
                    & scaled_dx_v == texels(its_distances[1], its_log2h)
                    & scaled_dy_u == texels(its_distances[2], its_log2w)
                    & scaled_dy_v == texels(its_distances[3], its_log2h));
            squares: assert (
                (!stage[4] | {square1_dy_v, square1_dy_u, square1_dx_v, square1_dx_u} == its_squares)
                & (!stage[5] | {square2_dy_v, square2_dy_u, square2_dx_v, square2_dx_u} == its_squares)
                & (!stage[6] | {square3_dy_v, square3_dy_u, square3_dx_v, square3_dx_u} == its_squares)
                & (!stage[7] | {square_dy_v, square_dy_u, square_dx_v, square_dx_u} == its_squares));
            sums: assert (!stage[8] | (sum_x == 33'(its_squares[0]) + 33'(its_squares[1])
                & sum_y == 33'(its_squares[2]) + 33'(its_squares[3])));
            longer_one: assert (!stage[9] | (whole == its_longer[22:7] & (!TWO | below == its_longer[6:0])));
            levels_go_along: assert ((!stage[10] | (lod11 == level & mixed11 == mixed & (!mixed | (sum11 == its_texels
                    & size >> leading11 == 1))))
                & (!stage[11] | (lod12 == its_lod & fraction12 == fraction))
                & (!stage[12] | (lod13 == its_lod & (!TWO | fraction13 == its_fraction))));
        end
    end

    // A trace to see (with squares in it each cycle is dear)
    always @(posedge clk)
        if (started & !rst)
            leaves_before_others: cover (its_turn & gives & levels == 1 & $countones(under_way) == 3);
endmodule

bind texpipe_lod texpipe_lod_properties properties (.*);
