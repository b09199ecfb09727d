// SPDX-License-Identifier: Apache-2.0
// zcache_distance: from one tile to all in flight; it grows with lateness, shrinks with losses, by a step.
`include "geometry.svh"
module zcache_distance_properties (
    input clk, rst, looks, beyond, reaches, lost, farther, nearer,
    input [1:0] kind,
    input [3:0] distance
);
    localparam [1:0] LATE = 2'd2, MISS = 2'd3;
    localparam integer TILES = `CFG_SHADING_TILES, PATIENCE = `CFG_PREFETCH_PATIENCE, WEIGHT = `CFG_PREFETCH_WEIGHT,
        STEP = `CFG_PREFETCH_STEP;
    wire late = looks & reaches & (kind == LATE | (kind == MISS & !beyond));

    reg started = 1'b0;
    integer sum = 0;                         // the score, by counting
    wire signed [31:0] next = sum + (late ? 1 : 0) - (lost ? WEIGHT : 0);
    always @(posedge clk) begin
        started <= 1'b1;
        if (!started)
            first_a_reset: assume (rst);
        sum <= rst | next >= PATIENCE | next <= -PATIENCE ? 0 : next;
    end

    always @(posedge clk) if (started) begin
        counted: assert ($signed(zcache_distance.score) == sum);
        below: assert (sum > -PATIENCE & sum < PATIENCE);
        in_range: assert (distance >= 1 & distance <= TILES);
        one_way: assert (!(farther & nearer));
        is_lost: assert (lost == (looks & kind == MISS & beyond));
    end
    always @(posedge clk) if (started & !$past(rst)) begin
        if (distance > $past(distance))
            grows: assert ($past(late) & (distance == TILES | distance == $past(distance) + $past(distance) / STEP + 1));
        if (distance < $past(distance))
            shrinks: assert ($past(lost) & (distance + $past(distance) / STEP + 1 == $past(distance)
                | (distance == 1 & $past(distance) / STEP + 1 == $past(distance)))); // half of 2 would leave none
        told: assert ((distance > $past(distance)) == $past(farther) & (distance < $past(distance)) == $past(nearer));
    end
endmodule

bind zcache_distance zcache_distance_properties properties (.*);
