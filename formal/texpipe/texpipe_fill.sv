// SPDX-License-Identifier: Apache-2.0
// texpipe_fill: pixels are read in the order in which they came, none lost or doubled; a pixel that is read finds in
// its banks the lines that its tag check promised: all of its own have come and been written, and none of a later
// pixel has been written over one that it reads. Lines are written in the order in which they come. A line that is
// here and wanted is taken as soon as pixels are read. Place, pixel and line looked at are chosen by the solver.
//
// Assumed, as texpipe_lookup does it: a pixel on offer stays as it is; it fills banks that it reads; it takes no place
// that the pixel right before it reads, which is the last that the replacement would choose.
`include "geometry.svh"
module texpipe_fill_properties #(
    parameter S = `CFG_CACHE_SET_BITS,
    parameter W = `CFG_CACHE_WAY_BITS
) (
    input clk, rst, beat_valid, beat_ready, beat_hit, line_valid, line_ready, line_error, read_valid, read_ready,
    input head_needs,
    input [15+8*(S+W)+38:0] beat, read_beat,
    input [127:0] line_data,
    input [7:0] fill,
    input [S+W-1:0] fill_index,
    input [128:0] fill_data
);
    localparam WIDTH = $bits(beat);

    // Constants: nothing but themselves drives them
    reg [2:0] bank;
    reg [S+W-1:0] place;
    reg [4:0] chosen_beat, chosen_line;

    function uses(input [WIDTH-1:0] one, input [2:0] which);
        uses = one[which] & {one[16 + S*which +: S], one[16 + 8*S + W*which +: W]} == place;
    endfunction

    wire take = beat_valid & beat_ready, read = read_valid & read_ready, come = line_valid & line_ready;
    wire uses_it = uses(beat, bank), fills_it = uses_it & beat[8 + bank];
    wire written = fill[bank] & fill_index == place;

    reg started = 1'b0, stalled = 1'b0, used_before = 1'b0;
    reg [WIDTH-1:0] offered = 0, wanted = 0;
    reg [4:0] beats = 0, reads = 0;            // taken, and read
    reg [5:0] promised = 0, lines = 0;         // lines of all pixels taken, and lines that came
    reg [4:0] fills = 0, writes = 0;           // of the place: promised, and written
    reg [4:0] version = 0;                     // of the chosen pixel: writes that it must find there
    reg [4:0] its_number = 0;                  // of the chosen line: the write that it is
    reg [128:0] its_line = 0;
    reg its_known = 1'b0, its_here = 1'b0;     // the chosen line is one of the place; it has come
    wire [3:0] below = beat[8] * (bank > 0) + beat[9] * (bank > 1) + beat[10] * (bank > 2) +
        beat[11] * (bank > 3) + beat[12] * (bank > 4) + beat[13] * (bank > 5) + beat[14] * (bank > 6);
    wire [3:0] count = beat[8] + beat[9] + beat[10] + beat[11] + beat[12] + beat[13] + beat[14] + beat[15];

    always @(posedge clk) begin
        started     <= 1'b1;
        bank        <= bank;
        place       <= place;
        chosen_beat <= chosen_beat;
        chosen_line <= chosen_line;
        offered     <= beat;
        stalled     <= !rst & beat_valid & !beat_ready;
        if (rst) begin
            {beats, reads, promised, lines, fills, writes} <= 0;
            {used_before, its_known, its_here} <= 3'b000;
        end else begin
            beats    <= beats + take;
            reads    <= reads + read;
            lines    <= lines + come;
            writes   <= writes + written;
            if (take) begin
                used_before <= uses_it;
                promised    <= promised + count;
                fills       <= fills + fills_it;
                if (beats == chosen_beat) begin
                    wanted  <= beat;
                    version <= fills + fills_it;
                end
                if (fills_it & promised + below == {1'b0, chosen_line}) begin
                    its_known  <= 1'b1;
                    its_number <= fills;
                end
            end
            if (come & lines == {1'b0, chosen_line}) begin
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
            fills_what_it_reads: assume ((beat[15:8] & ~beat[7:0]) == 8'd0);
            told_that_it_hits: assume (beat_hit == (beat[15:8] == 8'd0));
            not_the_place_before: assume (!(used_before & fills_it));
        end
        if (started & !rst) begin
            none_doubled: assert (!read | reads != beats | (beat_valid & beat_hit));
            no_line_too_many: assert (!come | lines != promised);
            if (read & reads == chosen_beat) begin
                // straight through: it is taken and read in one cycle
                in_order: assert (read_beat == (beats == chosen_beat ? beat : wanted));
                if (uses(read_beat, bank))
                    finds_its_line: assert (writes == (beats == chosen_beat ? fills : version));
            end
            if (written & its_known & writes == its_number)
                lines_in_order: assert (its_here & fill_data == its_line);
            wanted_line_is_taken: assert (!(head_needs & read_ready) | line_ready);
        end
    end
endmodule

bind texpipe_fill texpipe_fill_properties properties (.*);
