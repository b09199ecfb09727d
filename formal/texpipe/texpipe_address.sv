// SPDX-License-Identifier: Apache-2.0
// texpipe_address: each byte of each texel of a pixel is in a line that is asked for, in the bank in which
// texpipe_lines will look for it; no bank is asked for another line. For every primitive, format, size and place of
// a mip, and all texels that are neighbours or around an edge. Pixels come out in order, and wait as they are.
//
// Assumed: the places are those of texpipe_coordinate, wrapped; a primitive stays while its pixel is here (texpipe_setup).
`include "geometry.svh"
module texpipe_address_properties (
    input clk, rst, in_valid, in_ready, out_valid, out_ready, found,
    input [4*(`CFG_CACHE_LINE_BITS+20)-1:0] prims,
    input [4*`CFG_MAX_LOG2+43:0] in_pixel,
    input [8*`CFG_CACHE_LINE_BITS+7:0] out_lines,
    input [37:0] out_sample
);
    localparam B = `CFG_MAX_LOG2, L = `CFG_CACHE_LINE_BITS, P = L + 20;

    reg started = 1'b0, stalled = 1'b0;
    reg [2:0] taken = 0, given = 0;          // pixels
    reg [2:0] chosen;                        // the one that is looked at: a constant
    reg [4*B+43:0] pixel;
    reg [8*L+45:0] before;
    reg [4*P-1:0] prims_before;
    reg [3:0] log2w, log2h;                  // of the mip, of the chosen pixel: constants
    reg wrap_u, wrap_v;                      // what is beyond an edge comes in from the other side, or repeats it

    always @(posedge clk) begin
        started <= 1'b1;
        {chosen, log2w, log2h, wrap_u, wrap_v} <= {chosen, log2w, log2h, wrap_u, wrap_v};
        prims_before <= prims;
        before  <= {out_sample, out_lines};
        stalled <= !rst & out_valid & !out_ready;
        taken <= rst ? 0 : taken + (in_valid & in_ready);
        given <= rst ? 0 : given + (out_valid & out_ready);
        if (in_valid & in_ready & taken == chosen)
            pixel <= in_pixel;
    end

    // The pixel's fields
    wire [B-1:0] x [0:1], y [0:1];
    assign {y[1], x[1], y[0], x[0]} = pixel[4*B-1:0];
    wire [15:0] weights = pixel[4*B +: 16];
    wire [1:0]  number  = pixel[4*B+16 +: 2];
    wire        last    = pixel[4*B+18], none = pixel[4*B+19];
    wire [1:0]  slot    = pixel[4*B+20 +: 2];
    wire [17:0] offset  = pixel[4*B+22 +: 18];
    wire [3:0]  tiles   = pixel[4*B+40 +: 4];
    wire [P-1:0] prim   = prims[slot*P +: P];
    wire [L-1:0] base   = prim[L-1:0];
    wire [1:0]  format  = prim[L+12 +: 2];
    wire        bilinear = prim[L+18];

    function automatic next(input [B-1:0] one, other, input [3:0] log2, input wraps);
        reg [B:0] side;
        begin
            side = 1'b1 << log2;
            next = {1'b0, one} < side & {1'b0, other} < side & (
                {1'b0, other} == {1'b0, one} + 1'b1 | (wraps & other == 0 & {1'b0, one} == side - 1'b1) |
                (!wraps & other == one) | (!wraps & {1'b0, one} == {1'b0, other} + 1'b1));
        end
    endfunction

    wire [L-1:0] start = base + (format == 2'd2 ? 64 : format == 2'd3 ? 48 : 0);

    reg inside, mine, others_too;
    reg [7:0] wanted;                        // banks in which a byte of a texel is
    reg [L-1:0] tile, line;
    reg [5:0] place;
    reg [1:0] inner;
    reg [2:0] bank;

    always @* begin
        inside = 1'b1;
        wanted = 8'd0;
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++)
                if (!none & (bilinear | (i == 0 & j == 0)))
                    for (int byte_ = 0; byte_ < 3; byte_ += 2) begin // of three bytes the first and the last
                        tile = ({1'b0, offset} + (((19'd0) | y[j][B-1:2]) << tiles) + ((19'd0) | x[i][B-1:2]));
                        place = {y[j][1:0], 3'd0} + {y[j][1:0], 2'd0} + {x[i][1:0], 1'b0} + x[i][1:0] + byte_[5:0];
                        case (format)
                            2'd0: begin
                                line = start + {tile[L-3:0], 2'd0} + y[j][1:0];
                                bank = {x[i][2], y[j][1:0]};
                            end
                            2'd1: begin
                                line = start + {tile[L-2:0], 1'b0} + tile + place[5:4];
                                inner = place[5:4] + y[j][3:2];
                                bank = {x[i][2], inner};
                            end
                            default: begin
                                line = start + tile;
                                bank = {x[i][2], y[j][2], x[i][3]};
                            end
                        endcase
                        wanted[bank] = 1'b1;
                        if (!out_lines[bank] | out_lines[8 + bank*L +: L] != line)
                            inside = 1'b0;
                    end
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        if (started)
            primitive_stays: assume (prims == prims_before);
        sides: assume (log2w <= B & log2h <= B);
        if (in_valid & taken == chosen) begin
            columns_beside_each_other: assume (next(in_pixel[B-1:0], in_pixel[3*B-1:2*B], log2w, wrap_u));
            rows_below_each_other: assume (next(in_pixel[2*B-1:B], in_pixel[4*B-1:3*B], log2h, wrap_v));
            tiles_of_the_mip: assume (in_pixel[4*B+40 +: 4] == (log2w > 2 ? log2w - 2 : 0));
        end
        if (started & !rst) begin
            if (stalled)
                waits_as_it_is: assert (out_valid & before == {out_sample, out_lines});
            if (out_valid & given == chosen) begin
                each_byte_is_asked_for: assert (inside);
                nothing_else_is: assert (out_lines[7:0] == wanted);
                what_goes_with_it: assert (out_sample == {
                    format, none, last, number, weights, y[1][3:0], x[1][3:0], y[0][3:0], x[0][3:0]});
            end
            found_with_the_last: assert (!found | (out_valid & out_ready & out_sample[34]));
        end
    end
endmodule

bind texpipe_address texpipe_address_properties properties (.*);
