// SPDX-License-Identifier: Apache-2.0
// texpipe_fill: lines are written in the order in which they come, each to the place for which a pixel asked for it;
// no more of them are taken than pixels asked for. Place and line looked at are chosen by the solver. When a line is
// written and when pixels are read: texpipe_fill.sv.
//
// Assumed, as texpipe_lookup does it: a pixel on offer stays as it is, and fills banks that it reads.
`include "geometry.svh"
module texpipe_lines_in_order #(
    parameter S = `CFG_CACHE_SET_BITS,
    parameter W = `CFG_CACHE_WAY_BITS,
    parameter WIDTH = 1                      // bits of a beat
) (
    input clk, rst, beat_valid, beat_ready, beat_hit, line_valid, line_ready, line_error,
    input [WIDTH-1:0] beat,
    input [127:0] line_data,
    input [7:0] fill,
    input [S+W-1:0] fill_index,
    input [128:0] fill_data
);
    // Constants: nothing but themselves drives them
    reg [2:0] bank;
    reg [S+W-1:0] place;
    reg [5:0] chosen;

    function automatic [5:0] ones(input [7:0] flags);
        ones = 0;
        for (int i = 0; i < 8; i++)
            ones = ones + flags[i];
    endfunction

    wire take = beat_valid & beat_ready, come = line_valid & line_ready;
    wire [7:0] fills = beat[15:8];
    wire fills_it = fills[bank] & {beat[16 + S*bank +: S], beat[16 + 8*S + W*bank +: W]} == place;
    wire written = fill[bank] & fill_index == place;

    reg started = 1'b0, stalled = 1'b0;
    reg [WIDTH-1:0] offered;
    reg [5:0] promised = 0, lines = 0;         // lines of all pixels taken, and lines that came
    reg [4:0] of_place = 0, writes = 0;        // of the place: promised, and written
    reg [4:0] its_number = 0;                  // of the chosen line: the write that it is
    reg [128:0] its_line;
    reg its_known = 1'b0, its_here = 1'b0;     // the chosen line is one of the place; it has come

    always @(posedge clk) begin
        started <= 1'b1;
        bank    <= bank;
        place   <= place;
        chosen  <= chosen;
        offered <= beat;
        stalled <= !rst & beat_valid & !beat_ready;
        if (rst) begin
            {promised, lines, of_place, writes} <= 0;
            {its_known, its_here} <= 2'b00;
        end else begin
            lines  <= lines + come;
            writes <= writes + written;
            if (take) begin
                promised <= promised + ones(fills);
                of_place <= of_place + fills_it;
                if (fills_it & promised + ones(fills & ~(8'hff << bank)) == chosen) begin
                    its_known  <= 1'b1;
                    its_number <= of_place;
                end
            end
            if (come & lines == chosen) begin
                its_here <= 1'b1;
                its_line <= {line_error, line_data};
            end
        end
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        if (stalled)
            stays_on_offer: assume (beat_valid & beat == offered);
        if (beat_valid) begin
            fills_what_it_reads: assume ((fills & ~beat[7:0]) == 8'd0);
            told_that_it_hits: assume (beat_hit == (fills == 8'd0));
        end
        if (started & !rst) begin
            no_line_too_many: assert (!come | lines != promised);
            if (written & its_known & writes == its_number)
                lines_in_order: assert (its_here & fill_data == its_line);
        end
    end
endmodule

bind texpipe_fill texpipe_lines_in_order #(.WIDTH($bits(beat))) properties (.*);
