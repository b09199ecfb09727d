// SPDX-License-Identifier: Apache-2.0
// texpipe_unit: nothing in its cache waits in a circle. Each line that a pixel in the tag FIFO or at its head needs is
// either still to be asked for, in the FIFO of lines to ask for, or was asked for and not given: those are all the
// lines of texels that memory, or the data FIFO, has for this unit. Lines of a colour table are among them at any time,
// and never wait. So the line that the head needs is on its way, and who finds no place for a line has others before it
// that give theirs back. And who can go goes: a line is asked for if it has a place, a pixel leaves if its lines and
// itself have places, the next is taken if none is here. At any time there may be a reset; lines from before it keep
// their places until they have come.
//
// What is before the look-up and behind the read, the colour tables' side and the other clock are left to the solver:
// any pixels, any table lines, any pace. Assumed: memory as in reader_places.sv; pixels look up lines in the first
// two banks alone, the others are like them (with all eight z3 had no answer in 550 seconds).
`include "geometry.svh"
module texpipe_progress (
    input tex_clk, tex_rst, m_axi_rst, line_valid, table_line, memory_wait, address_ready, table_address_valid,
    input miss_valid, kinds_ready
);
    localparam PLACES = `CFG_LINES_DEPTH, PIXELS = `CFG_AHEAD_DEPTH, ASKS = 8;

    function automatic [5:0] ones(input [7:0] flags);
        ones = {5'd0, flags[0]} + {5'd0, flags[1]};
    endfunction

    // The design's: pixels that wait for lines, lines to ask for, lines asked for
    wire head_valid = texpipe_unit.fill_control.head_valid, head_step = texpipe_unit.fill_control.head_step;
    wire head_needs = texpipe_unit.fill_control.head_needs, read_held = texpipe_unit.fill_control.read_held;
    wire [7:0] unfilled = texpipe_unit.fill_control.unfilled, head_fill = texpipe_unit.fill_control.head_fill;
    wire [7:0] filled = texpipe_unit.fill_control.filled, sent = texpipe_unit.lookup.sent;
    wire [7:0] asked = texpipe_unit.lookup.asks[7:0];
    wire asks_valid = texpipe_unit.lookup.asks_valid;
    wire [11:0] queued = texpipe_unit.fill_control.tag_fifo.count, asking = texpipe_unit.lookup.ask_fifo.count;
    wire [11:0] known = texpipe_unit.kinds.count, stale = texpipe_unit.reader.stale;
    wire [11:0] reserved = texpipe_unit.reader.reserved, open = texpipe_unit.reader.open;

    // Lines of texels that were asked for and not given; that are still to be asked for; that pixels need
    wire [PLACES-1:0] texels;
    wire [8*ASKS-1:0] asks;
    wire [ASKS-1:0] empty;
    wire [8*PIXELS-1:0] fills;
    wire [PIXELS-1:0] others;
    reg [5:0] on_their_way, to_ask, needed;

    genvar n;
    generate
        for (n = 0; n < PLACES; n = n + 1) begin : gen_kind
            wire [$clog2(PLACES)-1:0] place = texpipe_unit.kinds.head + n;
            assign texels[n] = n < known & !texpipe_unit.kinds.words[place];
        end
        for (n = 0; n < ASKS; n = n + 1) begin : gen_ask
            wire [$clog2(ASKS)-1:0] place = texpipe_unit.lookup.ask_fifo.head + n;
            assign asks[8*n +: 8] = n < asking ? texpipe_unit.lookup.ask_fifo.words[place][7:0] : 8'd0;
            assign empty[n] = n < asking & (asks[8*n +: 8] == 8'd0 | asks[8*n + 2 +: 6] != 6'd0);
        end
        for (n = 0; n < PIXELS; n = n + 1) begin : gen_queued
            wire [$clog2(PIXELS)-1:0] place = texpipe_unit.fill_control.tag_fifo.head + n;
            assign fills[8*n +: 8] = n < queued ? texpipe_unit.fill_control.tag_fifo.words[place][15:8] : 8'd0;
            assign others[n] = fills[8*n + 2 +: 6] != 6'd0;
        end
    endgenerate

    always @* begin
        on_their_way = 6'd0;
        for (int i = 0; i < PLACES; i++)
            on_their_way = on_their_way + texels[i];
        to_ask = 6'd0 - (asks_valid ? ones(sent) : 6'd0);
        for (int i = 0; i < ASKS; i++)
            to_ask = to_ask + ones(asks[8*i +: 8]);
        needed = head_valid ? ones(unfilled) : 6'd0;
        for (int i = 0; i < PIXELS; i++)
            needed = needed + ones(fills[8*i +: 8]);
    end

    reg started = 1'b0;

    always @(posedge tex_clk) begin
        started <= 1'b1;
        reset_with_its_own: assume (!m_axi_rst | tex_rst);
        two_banks: assume (!texpipe_unit.lines_valid | texpipe_unit.lines[7:2] == 6'd0);
        if (started) begin
            no_overflow: assert (queued <= PIXELS & asking <= ASKS & known <= PLACES);
            every_line_has_its_kind: assert (known == reserved - stale);
            kind_has_a_place: assert (!((table_address_valid | miss_valid) & address_ready & !tex_rst) | kinds_ready);
            sent_of_those_to_ask: assert ((sent & ~(asks_valid ? asked : 8'd0)) == 8'd0 & (!asks_valid | sent != asked));
            none_asks_for_nothing: assert (empty == 0);
            of_two_banks: assert (others == 0 & (!head_valid | head_fill[7:2] == 6'd0));
            looks_up_two_banks: assert (!texpipe_unit.lookup.held | texpipe_unit.lookup.valid[7:2] == 6'd0);
            filled_of_the_head: assert (!head_valid | (filled & ~head_fill) == 8'd0);
            needed_is_asked: assert (needed == on_their_way + to_ask);
            if (head_needs & !line_valid)
                line_of_the_head_comes: assert (open != stale | to_ask != 6'd0);
            if (line_valid & !table_line)
                someone_needs_what_came: assert (needed != 6'd0);
            if (head_valid & !head_step)
                head_waits_for_memory_or_results: assert (memory_wait | (line_valid & table_line) | read_held);
            asks_for_what_is_to_ask: assert (asking == 0 | (miss_valid & asks_valid));
            leaves_if_there_is_a_place: assert (!texpipe_unit.lookup.held | asking == ASKS | queued == PIXELS |
                texpipe_unit.lookup.go);
            taken_if_it_is_empty: assert (texpipe_unit.lookup.held | texpipe_unit.lookup.in_ready);
            if (miss_valid & reserved == PLACES)
                others_have_the_places: assert (stale != 12'd0 | known != 12'd0);
        end
    end
endmodule

bind texpipe_line_reader reader_places #(.PLACES(`CFG_LINES_DEPTH), .BEATS(1)) places (
    .reserved(reserved), .open(open), .stale(stale), .came(data_fifo.count), .*);
bind texpipe_unit texpipe_progress properties (.*);
