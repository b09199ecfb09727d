// SPDX-License-Identifier: Apache-2.0
// texcache_fifo_control: what lines_to_places.sv says, of the beats and lines of the texture cache.
`include "geometry.svh"
module texcache_lines_in_order #(
    parameter B = `CFG_BANK_BITS > 0 ? `CFG_BANK_BITS : 1,
    parameter S = `CFG_CACHE_SET_BITS,
    parameter W = `CFG_CACHE_WAY_BITS > 0 ? `CFG_CACHE_WAY_BITS : 1,
    parameter DEPTH = `CFG_FIFO_DEPTH,
    parameter LINE = 8 * `CFG_CACHE_LINE_BYTES,
    parameter PLACES = `CFG_PARITY ? 8 : 12, // where the places of a beat begin, behind its texels if it is one of several
    parameter WIDTH = 1                      // bits of a beat
) (
    input clk, rst, beat_valid, beat_ready, beat_hit, line_valid, line_ready, line_error, head_valid, stage_fill, fill_valid,
    input [WIDTH-1:0] beat, head, stage,
    input pushed,
    input [3:0] unfilled, stage_slot,
    input [B-1:0] fill_bank,
    input [S+W-1:0] fill_index,
    input [LINE-1:0] line_data,
    input [LINE:0] stage_line, fill_data
);
    reg [1:0] look;                          // a constant: nothing but itself drives it
`include "misses_beside_beats.svh"

    wire [4*DEPTH-1:0] waiting_fills;
    wire [(B+S+W)*DEPTH-1:0] waiting_places;

    always @(posedge clk)
        look <= look;

    function automatic [B+S+W-1:0] place_of(input [WIDTH-1:0] one);
        place_of = {one[PLACES + B*look +: B], one[PLACES + 4*B + S*look +: S], one[PLACES + 4*(B+S) + W*look +: W]};
    endfunction

    genvar n;
    generate
        for (n = 0; n < DEPTH; n = n + 1) begin : gen_waiting
            wire [$clog2(DEPTH)-1:0] index = texcache_fifo_control.tag_fifo.head + n;
            wire [WIDTH-1:0] one = texcache_fifo_control.tag_fifo.words[index];
            assign waiting_fills[n*4 +: 4] = one[7:4];
            assign waiting_places[n*(B+S+W) +: B+S+W] = place_of(one);
        end
    endgenerate

    lines_to_places #(.COUNT(4), .DEPTH(DEPTH), .PLACE(B + S + W), .LINE(LINE + 1)) order (
        .queued(queued), .stage_bank(stage_slot), .line({line_error, line_data}),
        .writes(fill_valid), .written_place({fill_bank, fill_index}), .beat_fills(beat[7:4]), .head_fills(head[7:4]),
        .beat_place(place_of(beat)), .head_place(place_of(head)), .stage_place(place_of(stage)), .*
    );
endmodule

bind texcache_fifo_control texcache_lines_in_order #(.WIDTH($bits(beat))) properties (.*);
