// SPDX-License-Identifier: Apache-2.0
// zcache: a tile that waits for its line waits for memory alone, and prefetches do not go before it. It waits for the
// end of a fill in its set if all ways are being filled; then for one answer to a write, if its victim is dirty; for the
// end of one fill, whichever it is; until AR is free; and for its own line. So a memory that answers ends each wait.
// And who can go goes: a word is taken if there is a place and no barrier, a tile that does not wait moves on if the
// test is free, a result is offered, lines to read and to write are offered to memory as soon as its channels are free.
// zcache.sv has what holds of lines and fills. Assumed: the shader's word stays until it is taken.
`include "geometry.svh"

module zcache_waits (
    input clk, reset, stale, waits, room, fill_free, ask_free, test_reserve, ahead_reserve, test_found, test_held,
    input shade_valid,
    input tile_ready, res_valid, res_ready, test_free, head_tile, hold,
    input m_axi_arvalid, m_axi_awvalid, m_axi_awready, m_axi_wvalid, m_axi_wready, m_axi_wlast,
    input [6:0] wait_causes,
    input [15:0] shade_data,
    input test_victim, test_victim_dirty, store_busy, tile_moves, m_axi_bvalid, fill_ends,
    input [`CFG_CACHE_SET_BITS-1:0] head_set, store_set,
    input [`CFG_CACHE_SET_BITS+`CFG_CACHE_WAY_BITS-1:0] test_row
);
    localparam ROWS = `CFG_CACHE_WAYS * `CFG_CACHE_SETS, F = `CFG_FILLS;
    wire started = zcache.memory.started;
    wire blocked = store_busy & store_set == head_set;       // for one cycle
    wire wants = waits & !test_found & !test_held;           // a fill
    wire chooses = wants & test_victim & !blocked;
    wire has_room = room | !test_victim_dirty;
    wire writes = zcache.writes.held != 0 | zcache.writes.put;
    wire [F-1:0] mine = zcache.properties.filled_by[test_row*F +: F];

    // Since it has a victim: a write was answered; with room, a fill has ended
    reg chose, answered, ended;

    always @(posedge clk) begin
        chose    <= !reset & chooses & !test_reserve;
        answered <= !reset & chooses & !test_reserve & (answered | m_axi_bvalid);
        ended    <= !reset & chooses & !test_reserve & (ended | (room & fill_ends));
    end

    reg stalled = 1'b0;                      // the shader's word was offered, and not taken
    reg [15:0] kill;

    always @(posedge clk) begin
        stalled <= shade_valid & !tile_moves & !reset;
        kill    <= shade_data;
        if (started)
            shade_stays: assume (!stalled | (shade_valid & shade_data == kill));
    end

    always @(posedge clk) if (started & !stale) begin
        waits_for_memory: assert (!waits | test_reserve | zcache.fills.busy != 0 | writes | blocked);
        its_line_is_on_its_way: assert (!(waits & test_found) | mine != 0);
        it_is_being_written: assert (!(waits & test_held) | writes);
        all_ways_are_filled: assert (!wants | test_victim | zcache.fills.busy != 0);
        room_is_kept: assert (!(chooses & ahead_reserve) | !room);
        fill_is_kept: assert (!(chooses & has_room) | !ahead_reserve);
        one_write: assert (!answered | room);
        one_fill: assert (!ended | fill_free);
        one_cause: assert (waits ? wait_causes != 0 & (wait_causes & wait_causes - 7'd1) == 0 : wait_causes == 0);
        then_it_asks: assert (!(chooses & has_room & fill_free & ask_free) | test_reserve);
    end

    wire buffer_waits = zcache.writes.write_buffer.waiting != 0 & !zcache.writes.write_buffer.rst;
    wire aw_valid = zcache.writes.write_buffer.aw_valid, w_valid = zcache.writes.write_buffer.w_valid;

    always @(posedge clk) if (started) begin
        taken_if_there_is_a_place: assert (tile_ready | zcache.tokens.flight == `CFG_SHADING_TILES | zcache.tokens.barrier | hold);
        moves_if_it_can: assert (!(head_tile & test_free & !waits) | tile_moves);
        leaves_if_it_can: assert (res_valid == zcache.test.valid & test_free == (!res_valid | res_ready));
        reads_are_offered: assert (m_axi_arvalid == zcache.fills.ar_valid);
        writes_are_offered: assert (m_axi_awvalid == aw_valid & m_axi_wvalid == w_valid);
        begun_if_it_can_be: assert (!buffer_waits | (aw_valid & !m_axi_awready) |
            (w_valid & !(m_axi_wready & m_axi_wlast)) | zcache.writes.write_buffer.begins);
    end

    // What holds in between, so that the induction closes
    always @(posedge clk) if (started) begin
        blocked_once: assert (!zcache.look_up.known | !zcache.test.first);
        known_is_offered: assert (!zcache.look_up.known | (stalled & zcache.access));
        still_chooses: assert (!chose | (chooses & zcache.look_up.known));
        since_then: assert (chose | (!answered & !ended));
        ended_with_room: assert (!ended | room);
    end

    always @(posedge clk) if (started & !reset) begin
        both: cover (answered & ended);
        prefetch_goes_on: cover (chooses & ahead_reserve);
    end
endmodule

bind zcache zcache_waits waits_for (.*);
