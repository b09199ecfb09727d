// SPDX-License-Identifier: Apache-2.0
// texunit_lod: each quad taken is offered once, in order, with its own pixels and coordinates, eleven cycles
// after it was taken, and stays until it is taken. One quad is here at most: the one that is due is the last
// one taken.
//
// Assumed: the primitive stays while a quad is here (texunit_gate sees to that). The level's arithmetic is
// not looked at, but for its bound.
`include "geometry.svh"
module texunit_lod_properties (
    input clk, rst, in_valid, in_ready, out_valid, out_ready,
    input [3:0] max_lod, in_pixels, out_pixels, out_lod,
    input [255:0] in_uv, out_uv,
    input [10:0] step
);
    reg started = 1'b0, stalled = 1'b0, was_here = 1'b0;
    reg [2:0] taken = 0, given = 0;          // quads; they may wrap around
    reg [3:0] age = 0;                       // cycles since the quad was taken
    reg [3:0] pixels, lod_before, max_before;
    reg [255:0] uv;
    wire [2:0] here = taken - given;
    wire takes = in_valid & in_ready, gives = out_valid & out_ready;

    always @(posedge clk) begin
        started <= 1'b1;
        stalled <= !rst & out_valid & !out_ready;
        was_here   <= !rst & here != 0;
        lod_before <= out_lod;
        max_before <= max_lod;
        taken <= rst ? 0 : taken + takes;
        given <= rst ? 0 : given + gives;
        age   <= takes ? 4'd0 : age + (age != 4'd10);
        if (takes) begin
            pixels <= in_pixels;
            uv     <= in_uv;
        end
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        primitive_stays: assume (!was_here | max_lod == max_before);
        if (started & !rst) begin
            none_lost_or_doubled: assert (here == {2'd0, step != 0});
            taken_if_none_is_here: assert (in_ready == (here == 0 | gives));
            offered_then: assert (out_valid == (here != 0 & age == 4'd10));
            offered_after_eleven_cycles: assert (step == 0 | step == 11'd1 << age);
            if (here != 0)
                in_order_with_its_own_data: assert (out_pixels == pixels & out_uv == uv);
            if (stalled)
                offer_is_stable: assert (out_valid & out_lod == lod_before);
            level_within_the_chain: assert (!out_valid | out_lod <= max_lod);
        end
    end

    // Traces to see; the solver finds them sooner where there is nothing to multiply
    reg waited = 1'b0, flat = 1'b1;
    always @(posedge clk) begin
        flat   <= flat & (!in_valid | in_uv == 0) & out_uv == 0;
        waited <= !rst & (waited | stalled);
        if (started & !rst) begin
            taken_while_handed_on: cover (takes & gives & waited & flat);
            two_quads_through: cover (given == 3'd2 & waited & flat);
        end
    end
endmodule

bind texunit_lod texunit_lod_properties properties (.*);
