// SPDX-License-Identifier: Apache-2.0
// texunit_address: each pixel becomes one word of texels, in order, with its own number, marks, weights and
// addresses, and stays until it is taken. One pixel is here at most: the one that is due is the last one
// taken.
//
// Assumed: the primitive stays while a pixel is here (texunit_gate sees to that).
`include "geometry.svh"
module texunit_address_properties (
    input clk, rst, in_valid, in_ready, out_valid, out_ready, valid1, valid2,
    input [`CFG_CACHE_LINE_BITS-1:0] base,
    input [1:0] format,
    input [4*`CFG_MAX_LOG2+41:0] in_pixel,
    input [4*`CFG_CACHE_ADDRESS_BITS+19:0] out_texels,
    input [19:0] passing,
    input [22:0] number0, number1, number2, number3
);
    localparam B = `CFG_MAX_LOG2, A = `CFG_CACHE_ADDRESS_BITS;

    reg started = 1'b0, stalled = 1'b0, was_here = 1'b0;
    reg [2:0] taken = 0, given = 0;          // pixels; they may wrap around
    reg [4*B+41:0] pixel;
    reg [4*A+19:0] out_before;
    reg [`CFG_CACHE_LINE_BITS+1:0] prim_before;
    wire [2:0] here = taken - given;
    wire takes = in_valid & in_ready, gives = out_valid & out_ready;
    wire [`CFG_CACHE_LINE_BITS+1:0] prim = {base, format};

    always @(posedge clk) begin
        started <= 1'b1;
        stalled <= !rst & out_valid & !out_ready;
        was_here    <= !rst & here != 0;
        prim_before <= prim;
        out_before  <= out_texels;
        taken <= rst ? 0 : taken + takes;
        given <= rst ? 0 : given + gives;
        if (takes)
            pixel <= in_pixel;
    end

    // A texel's number from the start of the mips: tiles of 4 x 4, row by row
    function automatic [22:0] texel(input [B-1:0] x, y);
        texel = {{1'b0, in_pixel[4*B+20 +: 18]} + ((19'd0 | y[B-1:2]) << in_pixel[4*B+38 +: 4]) +
            (19'd0 | x[B-1:2]), y[1:0], x[1:0]};
    endfunction

    wire [10:0] table_bytes = format == 2'd2 ? 11'd1024 : format == 2'd3 ? 11'd768 : 11'd0;
    wire [A-1:0] start = {base, 4'd0} + table_bytes;

    function automatic [A-1:0] address(input [22:0] texel);
        case (format)
            2'd0:    address = start + {texel, 2'd0};
            2'd1:    address = start + {texel, 1'b0} + texel;
            default: address = start + texel;
        endcase
    endfunction

    reg [3:0][22:0] texels;                  // of the pixel: x0 y0, x1 y0, x0 y1, x1 y1
    reg [3:0][A-1:0] addresses;              // theirs

    always @(posedge clk) begin
        if (takes)
            for (int i = 0; i < 4; i++)
                texels[i] <= texel(in_pixel[(i % 2 == 0 ? 0 : 2*B) +: B], in_pixel[(i < 2 ? B : 3*B) +: B]);
        if (valid1)
            for (int i = 0; i < 4; i++)
                addresses[i] <= address(texels[i]);
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        primitive_stays: assume (!was_here | prim == prim_before);
        if (started & !rst) begin
            none_lost_or_doubled: assert (here == {2'd0, valid1 | valid2} & !(valid1 & valid2));
            if (out_valid) begin
                in_order_with_its_own_marks: assert (out_texels[4*A +: 20] == pixel[4*B +: 20]);
                addresses_of_its_own_texels: assert (out_texels[4*A-1:0] == addresses);
            end
            if (stalled)
                offer_is_stable: assert (out_valid & out_texels == out_before);
            if (valid1)
                on_its_way: assert (
                    passing == pixel[4*B +: 20] & {number3, number2, number1, number0} == texels);
        end
    end

    // Traces to see
    reg waited = 1'b0;
    always @(posedge clk) begin
        waited <= !rst & (waited | stalled);
        if (started & !rst) begin
            two_pixels_through: cover (given == 3'd2 & waited);
            taken_while_handed_on: cover (takes & gives & waited);
        end
    end
endmodule

bind texunit_address texunit_address_properties properties (.*);
