% if cfg.adapts:
<%
    N, K = cfg.shading.tiles, cfg.shading.tiles.bit_length()
    D, P, W = cfg.prefetch.distance, cfg.prefetch.patience, cfg.prefetch.weight
    B = (P + W).bit_length() + 1              # of the score
    S = cfg.prefetch.step.bit_length() - 1    # bits of a distance that a step is less than
    part = f"{{{S}'d0, distance[{K - 1}:{S}]}}" if K > S else f"{K}'d0"
%>\
// How far ahead of the test lines are asked for: from 1 to ${N} tiles, ${D} at first.
//
// A tile that waits for a line which was asked for too late, or not yet, adds 1 to a score, if it is the distance that
// holds requests back and not memory; one whose line was there or dropped when it was to be asked for, and is not
// there now, takes ${W} from it. At ${P} the distance grows by a tile and a part in ${cfg.prefetch.step} of itself, at -${P}
// it shrinks by as much, and the score is 0 again.
// Timing: what is seen in cycle k counts from k + 1 on.
module zcache_distance (
    input  wire clk, // clock
    input  wire rst, // synchronous; the distance is that of power-up
    input  wire looks, // the first look at the line of a tile to be compared
    input  wire [1:0] kind, // what it found: 1 hit, 2 late, 3 miss
    input  wire beyond, // the tile was to be prefetched before
    input  wire reaches, // requests are as far ahead as they may, or one short of it
    output wire lost, // its line was there, or the request dropped
    output wire farther, // the distance grows
    output wire nearer, // it shrinks
    output reg  ${width(K)} distance // in tiles
);

    localparam [1:0] LATE = 2'd2, MISS = 2'd3;

    reg  signed ${width(B)} score;
    wire late = looks & reaches & (kind == LATE | (kind == MISS & !beyond));
    wire signed ${width(B)} sum = score + (late ? ${B}'sd1 : lost ? -${B}'sd${W} : ${B}'sd0);
    wire high = sum >= ${B}'sd${P};
    wire low  = sum <= -${B}'sd${P};
    wire ${width(K + 1)} more = {1'b0, distance} + {1'b0, ${part}} + 1'b1;
    wire ${width(K)} less = distance - ${part} - 1'b1; // none if 2 tiles shrink by half

    assign lost    = looks & kind == MISS & beyond;
    assign farther = high & distance != ${K}'d${N};
    assign nearer  = low & distance != ${K}'d1;

    always @(posedge clk) begin
        if (rst) begin
            score    <= ${B}'sd0;
            distance <= ${K}'d${D};
        end else begin
            score <= high | low ? ${B}'sd0 : sum;
            if (farther)
                distance <= more > ${K + 1}'d${N} ? ${K}'d${N} : more[${K - 1}:0];
            if (nearer)
                distance <= less == ${K}'d0 ? ${K}'d1 : less;
        end
    end

endmodule
% endif
