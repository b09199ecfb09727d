// SPDX-License-Identifier: Apache-2.0
// simple: what was stored is never lost. The solver chooses a word; `shadow` is what a load of it must give, and
// `in_memory` what the memory holds of it. AXI's rules of its own side; one burst at a time.
//
// Assumed of the memory: it answers what was asked for, reads give what was written last, a write that is answered with
// an error leaves it as it was, and it is not reset alone.
`include "geometry.svh"

module simple_properties (
    input clk, rst, m_axi_rst, reset, held, asked, waiting, done, store_now, wrote, match,
    input [2:0] state,
    input [1:0] op,
    input [`CFG_WORD_ADDRESS_BITS-1:0] place,
    input [`CFG_WORD_BITS-1:0] data,
    input strobe,
    input [`CFG_CACHE_SETS-1:0] valid,
`ifdef CFG_POLICY_WRITE_BACK
    input [`CFG_CACHE_SETS-1:0] dirty,
`endif
    input [`CFG_CACHE_SET_BITS-1:0] here,
    input [`CFG_CACHE_LINE_BYTES*8-1:0] stored,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] axi_address,
    input req_valid, req_ready, res_valid, res_ready,
    input [`RES_WIDTH-1:0] res_data,
    input m_axi_awvalid, m_axi_awready, m_axi_wvalid, m_axi_wready, m_axi_wlast, m_axi_bvalid, m_axi_bready,
    input m_axi_arvalid, m_axi_arready, m_axi_rvalid, m_axi_rready, m_axi_rlast,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] m_axi_awaddr, m_axi_araddr,
    input [`CFG_AXI_DATA_BITS-1:0] m_axi_wdata, m_axi_rdata,
    input [`CFG_AXI_STROBE_BITS-1:0] m_axi_wstrb,
    input [7:0] m_axi_awlen, m_axi_arlen,
    input [1:0] m_axi_bresp, m_axi_rresp
);
    localparam WORD = `CFG_WORD_BITS, DATA = `CFG_AXI_DATA_BITS, BEATS = `CFG_BEATS, LINE = BEATS * DATA;
    localparam LOOKUP = 0, WRITE = 1, FILL = 2, INSTALL = 3, RELOAD = 4, SCAN = 5, ANSWER = 6;
    localparam LANES = DATA / WORD;          // words of a beat

    // The word looked at: its line, place in the cache, beat, and lane (in words) in that beat
    reg [`CFG_WORD_ADDRESS_BITS-1:0] chosen;
    wire [`CFG_CACHE_LINE_BITS-1:0] line = chosen >> `CFG_SLOT_BITS;
    wire [`CFG_CACHE_SET_BITS-1:0] index = line;
    wire [7:0] slot = chosen[`CFG_SLOT_BITS-1:0], beat = slot / LANES, lane = slot % LANES;

    wire [LINE-1:0] kept = simple.lines.words[index];
    wire cached = valid[index] & simple.tags.words[index] == line >> `CFG_CACHE_SET_BITS;
    wire [WORD-1:0] kept_word = kept[slot * WORD +: WORD], stored_word = stored[slot * WORD +: WORD];

    // What memory was asked for, and what of it has happened
    reg ar_taken, aw_taken, w_taken;
    reg [7:0] beats;
    reg [WORD-1:0] in_memory, coming;        // coming: written, to be seen once answered
    reg comes;
    wire [`CFG_CACHE_ADDRESS_BITS-1:0] burst = simple.port.place;
    wire reading = m_axi_arvalid | ar_taken, writing = m_axi_awvalid | aw_taken;
    wire [7:0] write_beats = m_axi_awlen + 8'd1;
    wire ours = burst >> `CFG_CACHE_OFFSET_BITS == line;
    wire [7:0] first = burst[`CFG_CACHE_OFFSET_BITS-1:0] / (DATA / 8); // beat of the line that the burst begins with
    wire last_read = m_axi_rvalid & m_axi_rlast;
    wire w_moves = m_axi_wvalid & m_axi_wready;
    wire our_write = w_moves & ours & first + beats == beat & m_axi_wstrb[lane];

    always @(posedge clk) begin
        if (m_axi_rst) begin
            {ar_taken, aw_taken, w_taken, comes} <= 4'd0;
            beats <= 8'd0;
        end else begin
            ar_taken <= (ar_taken | (m_axi_arvalid & m_axi_arready)) & !last_read;
            aw_taken <= (aw_taken | (m_axi_awvalid & m_axi_awready)) & !m_axi_bvalid;
            w_taken  <= (w_taken | (w_moves & m_axi_wlast)) & !m_axi_bvalid;
            beats    <= last_read | m_axi_bvalid ? 8'd0 : beats + (m_axi_rvalid | w_moves);
            comes    <= (comes | our_write) & !m_axi_bvalid;
        end
        if (our_write)
            coming <= m_axi_wdata[lane * WORD +: WORD];
        if (m_axi_bvalid & !m_axi_bresp[1] & comes)
            in_memory <= coming;
    end

    // What a load must give: lost in a reset, until memory has got what was on its way
    reg started = 1'b0, lost;
    reg [WORD-1:0] shadow;
    wire [1:0] LOAD = 2'd0, STORE = 2'd1, FLUSH = 2'd2, INVALIDATE = 2'd3;
    wire err = res_data[`RES_ERR];

    always @(posedge clk) begin
        started <= 1'b1;
        chosen  <= chosen;
        lost    <= reset | (lost & writing);
        if (lost | (done & op == INVALIDATE))
            shadow <= in_memory;
        else if (done & op == STORE & !err & place == chosen & strobe)
            shadow <= data;
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst & m_axi_rst);
        else begin
            memory_not_reset_alone: assume (!m_axi_rst);
            read_as_asked: assume (!m_axi_rvalid | (ar_taken & m_axi_rlast == (beats == m_axi_arlen)));
            read_what_was_written: assume (!m_axi_rvalid | !ours | beats != beat | m_axi_rresp[1] |
                                           m_axi_rdata[lane * WORD +: WORD] == in_memory);
            written_as_asked: assume (!m_axi_bvalid | (aw_taken & w_taken));
        end
    end

    // The promises
    always @(posedge clk) begin
        if (started & !reset & done & !err) begin
            loads_what_was_stored: assert (op != LOAD | place != chosen | res_data[`RES_VALUE] == shadow);
            flush_leaves_all_in_memory: assert (op != FLUSH | lost | in_memory == shadow);
        end
        if (started) begin
            one_burst_at_a_time: assert (!(reading & writing));
            always_ready: assert (m_axi_rready & m_axi_bready);
            if ($past(!m_axi_rst & m_axi_awvalid & !m_axi_awready))
                aw_stable: assert (m_axi_awvalid & $stable(m_axi_awaddr));
            if ($past(!m_axi_rst & m_axi_wvalid & !m_axi_wready))
                w_stable: assert (m_axi_wvalid & $stable(m_axi_wdata) & $stable(m_axi_wstrb) & $stable(m_axi_wlast));
            if ($past(!m_axi_rst & m_axi_arvalid & !m_axi_arready))
                ar_stable: assert (m_axi_arvalid & $stable(m_axi_araddr));
            if ($past(!reset & res_valid & !res_ready))
                res_stable: assert (reset | (res_valid & $stable(res_data)));
            w_last: assert (!m_axi_wvalid | m_axi_wlast == (beats == m_axi_awlen));
        end
    end

    // What holds in between, so that the induction closes. First of the port:
    wire busy = simple.port.busy, port_done = simple.port.done, port_error = simple.port.error;
    wire [LINE-1:0] shifted = simple.port.line;
    wire [7:0] at = writing ? beat - first - beats : BEATS - beats + beat; // where in it our beat is
    wire [WORD-1:0] shifted_word = shifted[(at * LANES + lane) * WORD +: WORD];
    wire access = op == LOAD | op == STORE;
`ifdef CFG_POLICY_WRITE_BACK
    wire [`CFG_AXI_STROBE_BITS-1:0] wanted_strobe = {`CFG_AXI_STROBE_BITS{1'b1}};
`else
    wire [`CFG_AXI_STROBE_BITS-1:0] wanted_strobe = strobe << (place % LANES);
    wire our_store = held & op == STORE & place == chosen & strobe;
`endif
    wire our_line = here == index & axi_address >> `CFG_CACHE_OFFSET_BITS == line;

    always @(posedge clk) if (started) begin
        port_busy: assert (busy == (reading | writing));
        port_phases: assert (!(m_axi_arvalid & ar_taken) & !(m_axi_awvalid & aw_taken) & !(m_axi_wvalid & w_taken) &
                             writing == (m_axi_wvalid | w_taken));
        port_beats: assert (m_axi_wvalid ? beats <= m_axi_awlen & beats + simple.port.left == m_axi_awlen : w_taken ? beats == write_beats :
                            ar_taken ? beats <= m_axi_arlen : beats == 0);
        port_comes: assert (!comes | (writing & ours));
        port_is_ours: assert (!asked | (waiting & (busy | port_done) & !(busy & port_done)));
        port_orphan: assert (!writing | asked | lost);
        if (asked & busy)
            port_command: assert (writing == (state == WRITE) & burst == axi_address);
        if (asked & writing)
            port_strobe: assert (simple.port.bytes == wanted_strobe);
    end

    // then of the cache,
    always @(posedge clk) if (started) begin
        states: assert (state <= ANSWER & (held | state == LOOKUP));
        of_an_access: assert (access | state == LOOKUP | state == ANSWER | (op == FLUSH & (state == WRITE | state == SCAN)));
        answers: assert (state != ANSWER | simple.failed | op == FLUSH);
        install_idle: assert (!(state == INSTALL) | !busy);
        replaced_is_invalid: assert (!(state == FILL | state == INSTALL) | !valid[here]);
        if (lost)
            lost_is_empty: assert (valid == 0 & !asked & !(held & wrote) & state != INSTALL & state != RELOAD);
        if (held & here == index & ((state == LOOKUP & access) | (state == WRITE)))
            stored_is_kept: assert (stored_word == kept_word);
`ifdef CFG_POLICY_WRITE_BACK
        dirty_is_valid: assert ((dirty & ~valid) == 0);
        write_the_dirty: assert (!held | state != WRITE | dirty[here]);
        scan_a_flush: assert (state != SCAN | op == FLUSH);
        if (op == FLUSH & held & (state == SCAN | state == WRITE))
            scanned_is_clean: assert (simple.failed | (dirty & ~({`CFG_CACHE_SETS{1'b1}} << simple.scan)) == 0);
        if (op == FLUSH & held & state == ANSWER)
            flushed_is_clean: assert (simple.failed | dirty == 0);
`else
        no_scan: assert (state != SCAN);
        store_alone_writes: assert (state != WRITE | op == STORE);
        store_is_through: assert (!held | !wrote | (op == STORE & state == LOOKUP));
`endif
    end

    // last of the word
    always @(posedge clk) if (started & !lost) begin
        if (cached)
            cached_is_right: assert (kept_word == shadow);
`ifdef CFG_POLICY_WRITE_BACK
        if (!cached | !dirty[index])
            memory_is_right: assert (in_memory == shadow);
        if (asked & state == WRITE & writing & ours)
            on_its_way: assert ((comes ? coming : shifted_word) == stored_word & comes == (beats > beat));
        if (asked & state == WRITE & port_done & !port_error & our_line)
            arrived: assert (in_memory == stored_word);
`else
        if (our_store & (wrote | (asked & state == WRITE & port_done & !port_error)))
            written_through: assert (in_memory == data);
        else
            memory_is_right: assert (in_memory == shadow);
        if (asked & state == WRITE & writing)
            on_its_way: assert (beats <= 1 & (w_taken | shifted[lane * WORD +: WORD] == data) &
                                comes == (our_store & w_taken) & (!comes | coming == data));
`endif
        if (asked & reading & ours & beats > beat & !port_error)
            filling: assert (shifted_word == in_memory);
        if (our_line & ((asked & state == FILL & port_done & !port_error) | state == INSTALL))
            filled: assert (shifted[slot * WORD +: WORD] == in_memory);
    end

    // Traces to see
    reg refused = 1'b0;
    always @(posedge clk) begin
        refused <= refused | (m_axi_bvalid & m_axi_bresp[1]);
        if (started & !reset & done) begin
            load_hit: cover (op == LOAD & !err & match & !simple.missed);
            refused_write: cover (err & refused);
            flushed: cover (op == FLUSH & wrote & !err);
        end
        reset_with_a_burst_under_way: cover (started & rst & writing);
    end
endmodule

bind simple simple_properties properties (.*);
