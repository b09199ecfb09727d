// SPDX-License-Identifier: Apache-2.0
// axi_line: what holds of its registers while a burst is under way; a cache's induction needs it to close.
//
// To be bound to the part in a design to which axi_memory.sv is bound as `memory`. `moved` is the chosen byte in
// the line that moves beat by beat: out of it, or into it once its beat has come.
`include "geometry.svh"

module axi_line_properties #(parameter DATA = 16, BEATS = 2, WRITE_LEN = 1, ADDRESS = 12) (
    input clk, busy, error, w_valid,
    input [ADDRESS-1:0] place,
    input [7:0] left,
    input [BEATS*DATA-1:0] line
);
    wire started = `MODULE.memory.started, reading = `MODULE.memory.reading, writing = `MODULE.memory.writing;
    wire [7:0] beats = `MODULE.memory.beats, len = `MODULE.memory.len;
    wire [15:0] first = (writing ? 0 : BEATS) - beats; // where in the line the beat is that came or goes first
    wire [15:0] beat = first + `MODULE.memory.place;
    wire [7:0] moved = line[beat * DATA + `MODULE.memory.lane * 8 +: 8];

    always @(posedge clk) if (started) begin
        port_busy: assert (busy == (reading | writing));
        port_writes: assert (writing == (w_valid | `MODULE.memory.w_taken));
        port_beats: assert (w_valid ? beats <= len & beats + left == len : writing ? beats == len + 8'd1 :
                            `MODULE.memory.ar_taken ? beats <= len : beats == 0);
        if (busy) begin
            port_burst: assert (`MODULE.memory.burst == place & len == (writing ? WRITE_LEN : BEATS - 1));
            port_aligned: assert (place % ((len + 16'd1) * (DATA / 8)) == 0);
        end
        if (reading & `MODULE.memory.ours & beats > `MODULE.memory.place & !error)
            port_has_read: assert (moved == `MODULE.memory.in_memory);
    end
endmodule
