// SPDX-License-Identifier: Apache-2.0
// texpipe_unit, between its cache, its colour tables and memory, as they are wired: an address that memory's side takes
// is that of one of them, a table's first, and whoever it is knows; each line that comes goes to whoever asked for it,
// and to nobody else, in the order of their addresses; one of texels waits for its pixel, one of a table never does. So
// they do with a reset at any time. The line looked at is chosen by the solver.
//
// All other stages are left to the solver: any lines at any pace. Assumed is memory as in reader_places.sv; that the line
// reader gives lines in the order of their addresses is what line_reader (line_reader.sv) proves.
`include "geometry.svh"
module texpipe_unit_lines (
    input tex_clk, tex_rst, m_axi_rst, table_address_valid, miss_valid, address_ready, line_valid, line_ready, table_line, table_write
);
    localparam PLACES = `CFG_LINES_DEPTH;

    wire asks = texpipe_unit.reader.address_valid & address_ready;
    wire of_table = table_address_valid & address_ready, of_texels = miss_valid & texpipe_unit.lookup.miss_ready;
    wire gives = line_valid & texpipe_unit.reader.line_ready;
    wire to_table = table_write, to_texels = texpipe_unit.fill_control.line_valid & line_ready;

    reg started = 1'b0;
    reg [$clog2(PLACES):0] open = 0;         // lines that were asked for and not given
    reg follows = 1'b0;                      // one of them is looked at
    reg [$clog2(PLACES):0] ahead;            // lines before it
    reg its_table;
    (* anyseq *) wire choose;
    wire its_turn = follows & ahead == 0;

    always @(posedge tex_clk) begin
        started <= 1'b1;
        open    <= tex_rst ? 0 : open + asks - gives;
        if (tex_rst)
            follows <= 1'b0;
        else if (follows) begin
            ahead   <= ahead - gives;
            follows <= !(gives & its_turn);
        end else if (asks & choose) begin
            follows   <= 1'b1;
            ahead     <= open - gives;
            its_table <= of_table;
        end
    end

    wire [$clog2(PLACES)-1:0] place = texpipe_unit.kinds.head + ahead;

    always @(posedge tex_clk) begin
        reset_with_its_own: assume (!m_axi_rst | tex_rst);
        if (started & !tex_rst) begin
            one_asks_at_a_time: assert (asks == (of_table | of_texels) & !(of_table & of_texels));
            address_of_who_asks: assert (!asks | texpipe_unit.reader.address == (of_table ? texpipe_unit.table_address : texpipe_unit.miss_line));
            to_one_of_them: assert (gives == (to_table | to_texels) & !(to_table & to_texels));
            if (its_turn & gives)
                to_whoever_asked: assert (its_table ? to_table : to_texels);
            if (its_turn & line_valid & its_table)
                tables_never_wait: assert (gives);
            // What holds in between, so that the induction closes
            kinds_are_counted: assert (texpipe_unit.kinds.count == open & open == texpipe_unit.reader.reserved - texpipe_unit.reader.stale);
            kept: assert (!follows | (ahead < open & texpipe_unit.kinds.words[place] == its_table));
        end
    end
endmodule

bind texpipe_line_reader reader_places #(.PLACES(`CFG_LINES_DEPTH), .BEATS(1)) places (
    .reserved(reserved), .open(open), .stale(stale), .came(data_fifo.count), .*);
bind texpipe_unit texpipe_unit_lines properties (.*);
