// SPDX-License-Identifier: Apache-2.0
// renderer_quads: each covered quad of a tile goes once, the lowest first, with its own pixels, to its own unit; a tile
// leaves when its last one has gone. Tested early, those of which no pixel passed go nowhere, but take their turn.
// Assumed of the FIFO: a tile stays until it leaves.
`include "geometry.svh"

module renderer_quads_properties #(parameter UNITS = 1) (
    input clk, rst, here, gone, handed, quad_valid, quad_ready,
    input [15:0] mask,
`ifdef CFG_TEST_EARLY
    input [3:0] shown,
    input [3:0] take_shown,
    input [15:0] take_passed,
`endif
    input [3:0] sent, next,
    input [UNITS-1:0] unit_valid, unit_ready,
    input [3:0] unit_pixels
);
    reg started = 1'b0;
    reg [3:0] covered, own;                  // quads with a pixel; pixels of the one that goes
    reg [1:0] number;                        // which that is
    reg [2:0] times;                         // quads of this tile that have gone
    integer k;
`ifdef CFG_TEST_EARLY
    wire dropped = covered != sent & !shown[number]; // the quad that is next is hidden
`else
    wire [3:0] shown = 4'hf;
    wire dropped = 1'b0;
`endif

    always @(*) begin
        own    = 4'd0;
        number = 2'd0;
        for (k = 3; k >= 0; k = k - 1) begin
            covered[k] = here & |({mask[(k / 2) * 8 + (k % 2) * 2 + 4 +: 2], mask[(k / 2) * 8 + (k % 2) * 2 +: 2]});
            if (covered[k] & !sent[k]) begin
                own    = {mask[(k / 2) * 8 + (k % 2) * 2 + 4 +: 2], mask[(k / 2) * 8 + (k % 2) * 2 +: 2]};
                number = k;
            end
        end
    end

    always @(posedge clk) begin
        started <= 1'b1;
        times   <= rst | gone ? 3'd0 : times + handed;
        begins_in_reset: assume (started | rst);
        if (started & !$past(rst))
            tile_stays: assume (!$past(here & !gone) | (here & $stable({shown, mask})));
    end

    wire [2:0] all = covered[0] + covered[1] + covered[2] + covered[3];
    wire [2:0] gone_before = sent[0] + sent[1] + sent[2] + sent[3];

    always @(posedge clk) if (started & !rst) begin
        one_unit: assert ((unit_valid & (unit_valid - 1'b1)) == 0);
        own_unit: assert (unit_valid == 0 | unit_valid == 1'b1 << number % UNITS);
        own_pixels: assert (unit_valid == 0 | unit_pixels == own);
        offered_if_it_can_be: assert ((unit_valid != 0) == (quad_valid & covered != sent & !dropped));
        taken_with_its_unit: assert (handed == ((unit_valid & unit_ready) != 0 | (quad_valid & dropped)));
        taken_as_it_goes: assert (handed == (quad_valid & quad_ready));
        covered_alone: assert ((sent & ~covered) == 0);
        counted: assert (times == gone_before);
        leaves_when_all_have_gone: assert (!gone | times + handed == all);
        leaves_at_once: assert (gone | !here | times + handed < all);
`ifdef CFG_TEST_EARLY
        shown_if_a_pixel_passed: assert (take_shown == {
            |{take_passed[11:10], take_passed[15:14]}, |{take_passed[9:8], take_passed[13:12]},
            |{take_passed[3:2], take_passed[7:6]}, |{take_passed[1:0], take_passed[5:4]}});
`endif
    end
endmodule

bind renderer_quads renderer_quads_properties #(.UNITS($bits(unit_valid))) properties (
    .unit_pixels(unit_data[3:0]), .*
);
