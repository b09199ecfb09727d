// SPDX-License-Identifier: Apache-2.0
// texcache_fifo_control: what beats_in_order.sv says, of the beats and lines of the texture cache.
`include "geometry.svh"
module texcache_fifo_control_properties #(
    parameter B = `CFG_BANK_BITS > 0 ? `CFG_BANK_BITS : 1,
    parameter S = `CFG_CACHE_SET_BITS,
    parameter W = `CFG_CACHE_WAY_BITS > 0 ? `CFG_CACHE_WAY_BITS : 1,
    parameter DEPTH = `CFG_FIFO_DEPTH,
    parameter PLACES = `CFG_PARITY ? 8 : 12, // where the places of a beat begin, behind its texels if it is one of several
    parameter WIDTH = 1                      // bits of a beat
) (
    input clk, rst, beat_valid, beat_ready, beat_hit, line_ready, read_valid, read_ready,
    input head_needs, head_valid, stage_valid, stage_fill, read_held, fill_valid,
    input [WIDTH-1:0] beat, head, stage, read_stage, read_beat,
    input pushed,
    input [3:0] unfilled, stage_slot,
    input [B-1:0] fill_bank,
    input [S+W-1:0] fill_index
);
    // A constant: nothing but itself drives it
    reg [B+S+W-1:0] place;

    always @(posedge clk)
        place <= place;

    function automatic [3:0] uses(input [WIDTH-1:0] one);
        for (int i = 0; i < 4; i++)
            uses[i] = one[i] & {one[PLACES + B*i +: B], one[PLACES + 4*B + S*i +: S], one[PLACES + 4*(B+S) + W*i +: W]} == place;
    endfunction

`include "misses_beside_beats.svh"

    wire [WIDTH*DEPTH-1:0] waiting;
    wire [4*DEPTH-1:0] waiting_uses;
    genvar n;
    generate
        for (n = 0; n < DEPTH; n = n + 1) begin : gen_waiting
            wire [$clog2(DEPTH)-1:0] index = texcache_fifo_control.tag_fifo.head + n;
            assign waiting[n*WIDTH +: WIDTH] = texcache_fifo_control.tag_fifo.words[index];
            assign waiting_uses[n*4 +: 4]    = uses(waiting[n*WIDTH +: WIDTH]);
        end
    endgenerate

`ifdef CFG_FILL_PORT_OWN
    localparam OWN = 1;
`else
    localparam OWN = 0;
`endif

    beats_in_order #(
        .WIDTH(WIDTH), .COUNT(4), .DEPTH(DEPTH), .SPARED(`CFG_CACHE_WAYS > 1), .AT_ONCE(OWN && `CFG_CACHE_WAYS > 1)
    ) order (
        .queued(queued), .stage_bank(stage_slot),
        .written(fill_valid & {fill_bank, fill_index} == place),
        .beat_uses(uses(beat)), .head_uses(uses(head)), .stage_uses(uses(stage)), .read_uses(uses(read_stage)), .*
    );

`ifndef CFG_FILL_PORT_OWN
    // One port: no bank is read while it is written
    reg started = 1'b0, meets;

    always @* begin
        meets = 1'b0;
        for (int i = 0; i < 4; i++)
            if (read_beat[i] & read_beat[PLACES + B*i +: B] == fill_bank)
                meets = 1'b1;
    end

    always @(posedge clk) begin
        started <= 1'b1;
        if (started)
            read_or_written: assert (!(read_valid & read_ready & fill_valid & meets));
    end
`endif
endmodule

bind texcache_fifo_control texcache_fifo_control_properties #(.WIDTH($bits(beat))) properties (.*);
