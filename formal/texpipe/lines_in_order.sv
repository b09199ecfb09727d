// SPDX-License-Identifier: Apache-2.0
// texpipe_fill: what lines_to_places.sv says, of the pixels and lines of a texture unit.
`include "geometry.svh"
module texpipe_lines_in_order #(
    parameter S = `CFG_CACHE_SET_BITS,
    parameter W = `CFG_CACHE_WAY_BITS,
    parameter DEPTH = `CFG_AHEAD_DEPTH,
    parameter WIDTH = 1                      // bits of a beat
) (
    input clk, rst, beat_valid, beat_ready, beat_hit, line_valid, line_ready, line_error, head_valid, stage_fill,
    input [WIDTH-1:0] beat, head, stage,
    input [7:0] filled, stage_bank, fill,
    input [S+W-1:0] fill_index,
    input [127:0] line_data,
    input [128:0] stage_line, fill_data
);
    reg [2:0] look;                          // the bank; a constant: nothing but itself drives it
    wire [8*DEPTH-1:0] waiting_fills;
    wire [(8+S+W)*DEPTH-1:0] waiting_places;

    always @(posedge clk)
        look <= look;

    function automatic [8+S+W-1:0] place_of(input [WIDTH-1:0] one);
        place_of = {8'd1 << look, one[16 + S*look +: S], one[16 + 8*S + W*look +: W]};
    endfunction

    genvar n;
    generate
        for (n = 0; n < DEPTH; n = n + 1) begin : gen_waiting
            wire [$clog2(DEPTH)-1:0] index = texpipe_fill.tag_fifo.head + n;
            wire [WIDTH-1:0] one = texpipe_fill.tag_fifo.words[index];
            assign waiting_fills[n*8 +: 8] = one[15:8];
            assign waiting_places[n*(8+S+W) +: 8+S+W] = place_of(one);
        end
    endgenerate

    lines_to_places #(.COUNT(8), .DEPTH(DEPTH), .PLACE(8 + S + W), .LINE(129)) order (
        .queued(texpipe_fill.tag_fifo.count), .line({line_error, line_data}),
        .writes(fill != 8'd0), .written_place({fill, fill_index}), .beat_fills(beat[15:8]), .head_fills(head[15:8]),
        .beat_place(place_of(beat)), .head_place(place_of(head)), .stage_place(place_of(stage)), .*
    );
endmodule

bind texpipe_fill texpipe_lines_in_order #(.WIDTH($bits(beat))) properties (.*);
