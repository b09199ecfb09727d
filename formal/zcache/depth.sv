// SPDX-License-Identifier: Apache-2.0
// zcache: no depth is lost. The solver chooses a line of memory and a row of its pixels, of which the second is looked
// at (the others are like it; with any of them z3 takes more than ten times as long). `shadow` is what was stored there
// last, by T1 or by a clear, `in_memory` what memory has. A tile is tested against shadow, whatever was prefetched and
// evicted meanwhile, and a barrier leaves shadow in memory. Both hold with prefetches and without: what passes, and what
// is stored, follows from the tiles and from what was stored before them, so both give the same results and leave the
// same memory.
// zcache.sv has what holds of lines and fills.
// Assumed: memory gives what it has, or an error; it refuses no write. The surface lies at address 0 (one that is moved
// begins with an empty cache, as this one after reset). The write buffer has one place.
`include "geometry.svh"

module zcache_depth (
    input clk, reset, stale, store, barrier_clears, barrier_done,
    input [511:0] line, store_line,
    input [`CFG_CACHE_SET_BITS+`CFG_CACHE_WAY_BITS-1:0] store_row,
    input [`CFG_CACHE_LINE_BITS-1:0] base,
    input [`CFG_TILE_BITS:0] clear_tile,
    input [31:0] clear_value,
    input m_axi_awvalid, m_axi_awready, m_axi_wvalid, m_axi_wready, m_axi_bvalid, m_axi_rvalid,
    input [31:0] m_axi_awaddr,
    input [127:0] m_axi_wdata, m_axi_rdata,
    input [1:0] m_axi_bresp, m_axi_rresp,
    input [`CFG_AXI_ID_BITS-1:0] m_axi_rid
);
    localparam WAYS = `CFG_CACHE_WAYS, SETS = `CFG_CACHE_SETS, ROWS = WAYS * SETS;
    localparam R = `CFG_CACHE_SET_BITS + `CFG_CACHE_WAY_BITS, F = `CFG_FILLS, L = `CFG_CACHE_LINE_BITS;

    // The pixel: its line, its row in the tile and its place there
    wire started = zcache.memory.started;
    wire [L-1:0] chosen = zcache.properties.line;
    wire [1:0] lane = 1;
    reg  [1:0] beat;                         // a constant: nothing but itself drives it

    always @(posedge clk)
        beat <= beat;

    // What memory has of it, and the write that is under way
    reg [31:0] in_memory, coming;
    reg [L-1:0] going;                       // address of the line that memory has got
    wire [31:0] given = m_axi_wdata[lane*32 +: 32];
    wire takes = m_axi_wvalid & m_axi_wready & zcache.memory.given == beat;

    always @(posedge clk) begin
        if (m_axi_awvalid & m_axi_awready)
            going <= m_axi_awaddr[31:6];
        if (takes)
            coming <= given;
        if (m_axi_bvalid & going == chosen)
            in_memory <= coming;
    end

    always @(posedge clk) begin
        surface_at_0: assume (base == 0);
        no_write_fails: assume (!m_axi_bvalid | !m_axi_bresp[1]);
        memory_keeps: assume (!m_axi_rvalid | m_axi_rresp[1] | zcache.properties.asked[m_axi_rid*L +: L] != chosen |
            zcache.memory.sent[m_axi_rid*8 +: 8] != beat | m_axi_rdata[lane*32 +: 32] == in_memory);
    end

    // What was stored last; a reset loses what was not on its way to memory
    reg [31:0] shadow;
    wire [8:0] low = {beat, lane, 5'd0};
    wire [31:0] seen = line[low +: 32];
    wire about = base + zcache.properties.number[store_row] == chosen;

    always @(posedge clk)
        if (reset | stale)
            shadow <= m_axi_bvalid & going == chosen ? coming : in_memory;
        else if (store & about)
            shadow <= store_line[low +: 32];
        else if (barrier_clears & base + clear_tile == chosen)
            shadow <= clear_value;

    // Where it is
    wire [ROWS-1:0] used = zcache.lines.used, filling = zcache.lines.filling, dirty = zcache.lines.dirty;
    wire [ROWS-1:0] ours, right;
    wire [F-1:0] come;
    wire [31:0] kept [0:ROWS-1];
    genvar n, f;
    generate
        for (n = 0; n < ROWS; n = n + 1) begin : gen_row
            wire [127:0] row0 = zcache.banks.gen_bank[0].bank.words[n], row1 = zcache.banks.gen_bank[1].bank.words[n];
            wire [127:0] row2 = zcache.banks.gen_bank[2].bank.words[n], row3 = zcache.banks.gen_bank[3].bank.words[n];
            wire [127:0] row = beat[1] ? (beat[0] ? row3 : row2) : beat[0] ? row1 : row0;
            assign kept[n]  = row[lane*32 +: 32];
            assign ours[n]  = used[n] & base + zcache.properties.number[n] == chosen;
            assign right[n] = kept[n] == shadow;
        end
        for (f = 0; f < F; f = f + 1) begin : gen_fill
            wire [R-1:0] place = zcache.fills.rows[f*R +: R];
            assign come[f] = !(zcache.fills.busy[f] & zcache.properties.asked[f*L +: L] == chosen) |
                zcache.fills.places[f*2 +: 2] <= beat | zcache.fills.failed[f] | right[place];
        end
    endgenerate
    wire [31:0] held = zcache.writes.write_buffer.contents.words[0][low +: 32];
    wire is_held = zcache.properties.held[0];
    wire put = zcache.properties.put;
    wire renewed = zcache.barrier.state == 3 | zcache.barrier.cleared; // lines of a clear go, or have gone
    wire first = zcache.test.first & zcache.test.access & !zcache.test.no_line;

    // What a test of it must give
    wire [31:0] depth = zcache.text[2*`CFG_COORDINATE_BITS + 6 + low +: 32];
    wire [1:0]  format = zcache.text[2*`CFG_COORDINATE_BITS + 4 +: 2];
    wire [31:0] bits = format == 0 ? 32'h00ffffff : format == 2 ? 32'h0000ffff : 32'hffffffff;
    wire [31:0] given_depth = depth & bits, stored_depth = shadow & bits;
    wire pixel_passes = zcache.passed[{beat, lane}];
    wire compares;

    depth_passes compare (
        .func(zcache.text[2*`CFG_COORDINATE_BITS +: 3]), .given(given_depth), .stored(stored_depth), .passes(compares)
    );

    // The promises
    always @(posedge clk) if (started & !stale) begin
        test_sees_what_was_stored: assert (!first | !about | seen == shadow);
        passes_as_stored: assert (!(first & about) | pixel_passes == (zcache.test.live[{beat, lane}] & compares));
        stores_a_depth: assert (!(store & about) |
            store_line[low +: 32] == (pixel_passes ? (shadow & ~bits) | given_depth : shadow));
        barrier_leaves_it_in_memory: assert (!barrier_done | in_memory == shadow);
    end

    // What holds in between, so that the induction closes
    wire wb_aw = zcache.writes.write_buffer.aw_valid, wb_w = zcache.writes.write_buffer.w_valid;
    wire [1:0] wb_beat = zcache.writes.write_buffer.beat;
    wire begun = zcache.writes.write_buffer.begun != 0;
    wire its_write = begun & zcache.writes.write_buffer.lines[L-1:0] == chosen;

    always @(posedge clk) if (started) begin
        going_as_put: assert (zcache.memory.addresses == 0 | going == zcache.writes.write_buffer.lines[L-1:0]);
        going_once: assert (!its_write | stale | is_held);
        coming_as_put: assert (!its_write | (wb_w & wb_beat <= beat) | coming == held);
        scanned_is_clean: assert (zcache.barrier.state < 2 | (used & dirty) == 0);
        scanning_cleans: assert (zcache.barrier.state != 1 | (used & dirty & ~({ROWS{1'b1}} << zcache.barrier.scan)) == 0);
        clears_for_a_clear: assert (!(zcache.barrier.state == 3 | (zcache.barrier.state != 0 & zcache.barrier.cleared)) |
                                    zcache.head_op == 2);
        cleared_in_a_barrier: assert (!zcache.barrier.cleared | zcache.barrier.state >= 2 | (zcache.barrier.state == 0 & used == 0));
        if (!stale) begin
            ready_is_right: assert (renewed | (ours & ~filling & ~right) == 0);
            come_is_right: assert (&come);
            memory_is_right: assert ((ours & ~filling & dirty) != 0 | is_held | put | in_memory == shadow);
            held_is_right: assert (!is_held | held == shadow);
            put_is_right: assert (!put | (zcache.writes.put_clear ? clear_value : seen) == shadow);
            clear_put: assert (!zcache.writes.put | !zcache.writes.put_clear | zcache.barrier.state >= 2);
        end
    end
endmodule

bind zcache zcache_depth depth (.*);
