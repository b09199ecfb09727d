// SPDX-License-Identifier: Apache-2.0
// texpipe_lookup: pixels pass in the order in which they come, none lost or doubled, each with what came with it, the
// banks and sets of its own lines and the misses that its tag check says. As many lines are asked for as are missed, in
// the order of pixels, the lowest bank first, each once, whenever memory takes them: so in the order in which
// texpipe_fill waits for them (lines_in_order.sv). A beat on offer stays as it is, as texpipe_fill assumes. The bank
// looked at is chosen by the solver. At any time there may be a reset. That the lines themselves are unharmed on their
// way through the FIFO is not asserted (z3 had no answer).
//
// Tags are left to the solver: which lines hit, and which way they are in. Assumed is that a tag bank says the same
// again of the same line, as long as nothing is written there; and, as texpipe_setup does it, that lines are forgotten
// only when no pixel is here.
`include "geometry.svh"
module texpipe_lookup_properties #(
    parameter S = `CFG_CACHE_SET_BITS,
    parameter W = `CFG_CACHE_WAY_BITS,
    parameter L = `CFG_CACHE_LINE_BITS,
    parameter ASKS = 8,                      // pixels whose lines are still to be asked for
    parameter WIDTH = 1,                     // bits of a beat
    parameter SAMPLE = 1                     // bits of what goes with a pixel
) (
    input clk, rst, invalidate, in_valid, in_ready, miss_valid, miss_ready, beat_valid, beat_ready, beat_hit, held,
    input [8+8*L-1:0] in_lines,
    input [SAMPLE-1:0] in_sample,
    input [WIDTH-1:0] beat,
    input [7:0] valid, hits, sent, first     // first: the bank whose line is asked for, of the oldest pixel
);
    reg [2:0] bank;                          // a constant: nothing but itself drives it

    wire take = in_valid & in_ready, leaves = beat_valid & beat_ready, asks = miss_valid & miss_ready;
    wire [7:0] fills = beat[15:8];

    wire [8*L-1:0] lines = {texpipe_lookup.line7, texpipe_lookup.line6, texpipe_lookup.line5, texpipe_lookup.line4,
        texpipe_lookup.line3, texpipe_lookup.line2, texpipe_lookup.line1, texpipe_lookup.line0};
    wire [8*S-1:0] sets = {texpipe_lookup.set7, texpipe_lookup.set6, texpipe_lookup.set5, texpipe_lookup.set4,
        texpipe_lookup.set3, texpipe_lookup.set2, texpipe_lookup.set1, texpipe_lookup.set0};
    wire [8*W-1:0] ways = {texpipe_lookup.way7, texpipe_lookup.way6, texpipe_lookup.way5, texpipe_lookup.way4,
        texpipe_lookup.way3, texpipe_lookup.way2, texpipe_lookup.way1, texpipe_lookup.way0};

    // The set of a line: three groups of bits above the lowest three, exclusive or
    function automatic [S-1:0] set_of(input [L-1:0] line);
        set_of = (line >> 3) ^ (line >> 3 + S) ^ (line >> 3 + 2*S);
    endfunction

    function automatic [L-1:0] of_bank(input [8*L-1:0] each);
        of_bank = 0;
        for (int b = 0; b < 8; b++)
            if (bank == b)
                of_bank = each[L*b +: L];
    endfunction

    reg started = 1'b0, stalled = 1'b0, same = 1'b0;
    reg [WIDTH-1:0] offered;
    reg [7:0] hits_before;
    reg [8*W-1:0] ways_before;
    reg here = 1'b0;                         // a pixel was taken and has not left: the last one
    reg [7:0] its_banks;
    reg [L-1:0] its_line;                    // in the chosen bank
    reg [SAMPLE-1:0] its_sample;

    // Of pixels that have left: the banks whose lines were not asked for, the oldest pixel first
    reg [7:0] owed [0:ASKS-1];
    reg [$clog2(ASKS):0] owing = 0;          // such pixels
    wire [7:0] lowest = owed[0] & (~owed[0] + 1'b1);
    wire done = asks & owed[0] == lowest;    // the oldest one's last line is asked for
    wire [$clog2(ASKS):0] place = owing - done;

    always @(posedge clk) begin
        started     <= 1'b1;
        bank        <= bank;
        offered     <= beat;
        stalled     <= !rst & beat_valid & !beat_ready;
        same        <= !rst & held & !leaves;
        hits_before <= hits;
        ways_before <= ways;
        here        <= !rst & (take | (here & !leaves));
        if (take) begin
            its_banks  <= in_lines[7:0];
            its_line   <= of_bank(in_lines[8 +: 8*L]);
            its_sample <= in_sample;
        end
        owing <= rst ? 0 : place + (leaves & fills != 0);
        for (int i = 0; i < ASKS; i++) begin
            if (leaves & place == i)
                owed[i] <= fills;
            else if (done)
                owed[i] <= owed[(i + 1) % ASKS];
            else if (i == 0 & asks)
                owed[i] <= owed[i] & ~lowest;
        end
    end

    // The design's, from the oldest on
    wire [ASKS-1:0] known;
    wire [$clog2(ASKS):0] queued = texpipe_lookup.ask_fifo.count;
    genvar n;
    generate
        for (n = 0; n < ASKS; n = n + 1) begin : gen_ask
            wire [$clog2(ASKS)-1:0] index = texpipe_lookup.ask_fifo.head + n;
            wire [7:0] unsent = texpipe_lookup.ask_fifo.words[index][7:0] & ~(n == 0 ? sent : 8'd0);
            assign known[n] = n >= queued | (owed[n] == unsent & unsent != 0);
        end
    endgenerate

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        forgets_lines_without_pixels: assume (!invalidate | !here);
        if (same)
            tags_stay: assume (hits == hits_before & ways == ways_before);
        if (started & !rst) begin
            none_lost_or_doubled: assert (!beat_valid | here);
            one_at_a_time: assert (!take | !here | leaves);
            if (beat_valid) begin
                in_order_with_its_own_sample: assert (beat[WIDTH-1 -: SAMPLE] == its_sample);
                banks_of_its_own: assert (beat[7:0] == its_banks);
                set_of_its_own_line: assert (!its_banks[bank] | beat[16 + S*bank +: S] == set_of(its_line));
                fills_what_it_misses: assert (fills == (its_banks & ~hits) & beat_hit == (fills == 0));
            end
            leaves_when_it_may: assert (!(here & beat_ready & (beat_hit | owing != ASKS)) | beat_valid);
            if (stalled)
                offer_is_stable: assert (beat_valid & beat == offered);
            asks_for_what_is_owed: assert (miss_valid == (owing != 0));
            lowest_bank_of_the_oldest_pixel_next: assert (!miss_valid | first == lowest);
        end
        // What holds in between, so that the induction closes
        if (started) begin
            pixel_is_held: assert (held == here & (!here | (valid == its_banks
                & texpipe_lookup.sample == its_sample & (!valid[bank] | of_bank(lines) == its_line))));
            sets_are_folded: assert (!here | !valid[bank] | sets[S*bank +: S] == set_of(its_line));
            owed_as_queued: assert (owing == queued & owing <= ASKS & (&known) & (owing != 0 | sent == 0));
        end
    end

    // Traces to see
    reg waited = 1'b0;
    reg [2:0] row = 0;                       // pixels that left in a row
    always @(posedge clk) begin
        waited <= !rst & (waited | stalled);
        row    <= rst | !leaves ? 0 : row + (row != 3'd7);
        if (started & !rst) begin
            all_places_taken: cover (owing == ASKS & here & !beat_valid & beat_ready);
            a_pixel_in_each_cycle: cover (row == 3'd5);
            a_line_in_each_bank: cover (owed[0] == 8'hff & asks & waited);
            asked_while_another_leaves: cover (asks & leaves & !beat_hit & owing == 3);
        end
    end
endmodule

bind texpipe_lookup texpipe_lookup_properties #(.WIDTH($bits(beat)), .SAMPLE($bits(in_sample))) properties (.*);
