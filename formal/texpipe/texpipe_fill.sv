// SPDX-License-Identifier: Apache-2.0
// texpipe_fill: what beats_in_order.sv says, of the pixels and lines of a texture unit.
`include "geometry.svh"
module texpipe_fill_properties #(
    parameter S = `CFG_CACHE_SET_BITS,
    parameter W = `CFG_CACHE_WAY_BITS,
    parameter DEPTH = `CFG_AHEAD_DEPTH,
    parameter WIDTH = 1                      // bits of a beat
) (
    input clk, rst, beat_valid, beat_ready, beat_hit, line_ready, read_valid, read_ready,
    input head_needs, head_valid, stage_valid, stage_fill, read_held,
    input [WIDTH-1:0] beat, head, stage, read_stage, read_beat,
    input [7:0] filled, stage_bank, fill,
    input [S+W-1:0] fill_index
);
    // Constants: nothing but themselves drives them
    reg [2:0] bank;
    reg [S+W-1:0] place;

    always @(posedge clk) begin
        bank  <= bank;
        place <= place;
    end

    function [7:0] uses(input [WIDTH-1:0] one);
        uses = {7'd0, one[bank] & {one[16 + S*bank +: S], one[16 + 8*S + W*bank +: W]} == place} << bank;
    endfunction

    wire [WIDTH*DEPTH-1:0] waiting;
    wire [8*DEPTH-1:0] waiting_uses;
    genvar n;
    generate
        for (n = 0; n < DEPTH; n = n + 1) begin : gen_waiting
            wire [$clog2(DEPTH)-1:0] index = texpipe_fill.tag_fifo.head + n;
            assign waiting[n*WIDTH +: WIDTH] = texpipe_fill.tag_fifo.words[index];
            assign waiting_uses[n*8 +: 8]    = uses(waiting[n*WIDTH +: WIDTH]);
        end
    endgenerate

    beats_in_order #(.WIDTH(WIDTH), .COUNT(8), .DEPTH(DEPTH)) order (
        .queued(texpipe_fill.tag_fifo.count), .written(fill[bank] & fill_index == place),
        .beat_uses(uses(beat)), .head_uses(uses(head)), .stage_uses(uses(stage)), .read_uses(uses(read_stage)), .*
    );
endmodule

bind texpipe_fill texpipe_fill_properties #(.WIDTH($bits(beat))) properties (.*);
