// SPDX-License-Identifier: Apache-2.0
// simple: what was stored is never lost. The solver chooses a byte; `shadow` is what a load of it must give, and
// `in_memory` what the memory holds of it. A request is taken if none is held, and has one result, with its own id:
// each cycle that is not memory's brings it nearer. axi_memory.sv says what is assumed of the memory, and has AXI's
// rules.
`include "geometry.svh"
`define MEMORY simple.memory

module simple_properties (
    input clk, rst, m_axi_rst, reset, held, asked, waiting, accept, done, wrote, match, req_ready,
    input [`REQ_WIDTH-1:0] req_data,
    input [2:0] state,
    input [1:0] op,
    input [`CFG_WORD_ADDRESS_BITS-1:0] place,
    input [`CFG_WORD_BITS-1:0] data,
    input [`CFG_WORD_BYTES-1:0] strobe,
    input [`CFG_ID_BITS-1:0] id,
    input [`CFG_CACHE_SETS-1:0] valid,
`ifdef CFG_POLICY_WRITE_BACK
    input [`CFG_CACHE_SETS-1:0] dirty,
`endif
    input [`CFG_CACHE_SET_BITS-1:0] here,
    input [`CFG_CACHE_LINE_BYTES*8-1:0] stored,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] axi_address,
    input res_valid, res_ready, m_axi_bvalid,
    input [`RES_WIDTH-1:0] res_data,
    input [1:0] m_axi_bresp
);
    localparam BYTES = `CFG_WORD_BYTES, LINE = `CFG_CACHE_LINE_BYTES * 8;
    localparam LOOKUP = 0, WRITE = 1, FILL = 2, INSTALL = 3, RELOAD = 4, SCAN = 5, ANSWER = 6;

    // The byte looked at: its line, place in the cache, in the line and in its word
    wire [`CFG_CACHE_ADDRESS_BITS-1:0] chosen = `MEMORY.chosen;
    wire [`CFG_CACHE_LINE_BITS-1:0] line = chosen >> `CFG_CACHE_OFFSET_BITS;
    wire [`CFG_CACHE_SET_BITS-1:0] index = line;
    wire [7:0] offset = chosen[`CFG_CACHE_OFFSET_BITS-1:0], part = chosen % BYTES;

    wire cached = valid[index] & simple.tags.words[index] == line >> `CFG_CACHE_SET_BITS;
    wire [LINE-1:0] kept = simple.lines.words[index], come = simple.port.line;
    wire [7:0] kept_byte = kept[offset * 8 +: 8], stored_byte = stored[offset * 8 +: 8];
    wire [7:0] come_byte = come[offset * 8 +: 8], moved = simple.port.properties.moved;
    wire [7:0] new_byte = data[part * 8 +: 8]; // of the request, if it is about the chosen byte
    wire [`CFG_WORD_BITS-1:0] value = res_data[`RES_VALUE];
    wire about = place == chosen / BYTES;

    // What memory has of it, and the burst that is under way
    wire [7:0] in_memory = `MEMORY.in_memory, coming = `MEMORY.coming;
    wire comes = `MEMORY.comes, reading = `MEMORY.reading, writing = `MEMORY.writing, ours = `MEMORY.ours;

    // What a load must give: lost in a reset, until memory has got what was on its way
    reg started = 1'b0, lost;
    reg [7:0] shadow;
    wire [1:0] LOAD = 2'd0, STORE = 2'd1, FLUSH = 2'd2, INVALIDATE = 2'd3;
    wire err = res_data[`RES_ERR];

    always @(posedge clk) begin
        started <= 1'b1;
        lost    <= reset | (lost & writing);
        if (lost | (done & op == INVALIDATE))
            shadow <= in_memory;
        else if (done & op == STORE & !err & about & strobe[part])
            shadow <= new_byte;
    end

    // The request that was taken, and how many cycles other than memory's its result is away, at most
    reg open, own;                           // own: the cycle before was not memory's, nor the end of a request
    reg [`REQ_WIDTH-1:0] request;
    reg [15:0] left, left_before;

`ifdef CFG_POLICY_WRITE_BACK
    wire [15:0] of_sets = 16'd3 * (`CFG_CACHE_SETS - simple.scan); // a set is looked at, and written
`else
    wire [15:0] of_sets = 16'd0;
`endif

    always @(*)
        case (state)
            WRITE:   left = (op == FLUSH ? of_sets - 16'd2 : 16'd5) + !asked;
            FILL:    left = 16'd3 + !asked;
            INSTALL: left = 16'd2;
            RELOAD:  left = 16'd1;
            SCAN:    left = of_sets;
            ANSWER:  left = 16'd0;
            default: left = res_valid ? 16'd0 : op == FLUSH ? of_sets + 16'd1 : 16'd7;
        endcase

    always @(posedge clk) begin
        open        <= !reset & (accept | (open & !done));
        own         <= held & !res_valid & !reading & !writing;
        left_before <= left;
        if (accept)
            request <= req_data;
    end

    always @(posedge clk)
        if (!started)
            first_a_reset: assume (rst);

    // The promises
    always @(posedge clk) begin
        if (started & !reset & done & !err) begin
            loads_what_was_stored: assert (op != LOAD | !about | value[part * 8 +: 8] == shadow);
            flush_leaves_all_in_memory: assert (op != FLUSH | lost | in_memory == shadow);
        end
        if (started) begin
            taken_if_none_is_held: assert (req_ready == (!held | (done & op == LOAD)));
            one_result_each: assert (held == open & (!res_valid | held));
            its_own_request: assert (!held | {id, strobe, data, place, op} == request);
            its_own_id: assert (!res_valid | res_data[`RES_ID] == request[`REQ_ID]);
        end
        if (started & $past(held & !done & !reset))
            nearer: assert (left + own <= left_before);
        if (started & $past(!reset & res_valid & !res_ready))
            res_stable: assert (reset | (res_valid & $stable(res_data)));
    end

    // What holds in between, so that the induction closes. First of the port:
    wire busy = simple.port.busy, port_done = simple.port.done, port_error = simple.port.error;
    wire access = op == LOAD | op == STORE;
`ifdef CFG_POLICY_WRITE_BACK
    wire [`CFG_AXI_STROBE_BITS-1:0] wanted_strobe = {`CFG_AXI_STROBE_BITS{1'b1}};
`else
    wire [`CFG_AXI_STROBE_BITS-1:0] wanted_strobe = strobe << (place * BYTES % `CFG_AXI_STROBE_BITS);
    wire our_store = held & op == STORE & about & strobe[part];
`endif
    wire our_line = here == index & axi_address >> `CFG_CACHE_OFFSET_BITS == line;

    always @(posedge clk) if (started) begin
        port_is_ours: assert (!asked | (waiting & (busy | port_done) & !(busy & port_done)));
        port_orphan: assert (!writing | asked | lost);
        if (asked & busy)
            port_command: assert (writing == (state == WRITE) & `MEMORY.burst == axi_address);
        if (asked & writing)
            port_strobe: assert (simple.port.bytes == wanted_strobe);
    end

    // then of the cache,
    always @(posedge clk) if (started) begin
        states: assert (state <= ANSWER & (held | state == LOOKUP));
        of_an_access: assert (access | state == LOOKUP | state == ANSWER | (op == FLUSH & (state == WRITE | state == SCAN)));
        answers: assert (state != ANSWER | simple.failed | op == FLUSH);
        reloaded_is_there: assert (state != RELOAD | (access & match));
        filled_after_a_miss: assert (!(state == FILL | state == INSTALL | state == RELOAD) | simple.missed);
        filled_if_not_there: assert (!(held & (state == FILL | state == INSTALL)) | !match);
        if (held & access)
            looked_up: assert (match == (valid[here] & simple.tags.words[here] == simple.tag));
        install_idle: assert (!(state == INSTALL) | !busy);
        replaced_is_invalid: assert (!(state == FILL | state == INSTALL) | !valid[here]);
        if (lost)
            lost_is_empty: assert (valid == 0 & !asked & !(held & wrote) & state != INSTALL & state != RELOAD);
        if (held & here == index & ((state == LOOKUP & access) | (state == WRITE)))
            stored_is_kept: assert (stored_byte == kept_byte);
`ifdef CFG_POLICY_WRITE_BACK
        dirty_is_valid: assert ((dirty & ~valid) == 0);
        write_the_dirty: assert (!held | state != WRITE | dirty[here]);
        victims_line_is_not_there: assert (!(held & access & state == WRITE) | !match);
        scan_a_flush: assert (state != SCAN | op == FLUSH);
        if (held & (state == SCAN | (state == LOOKUP & access & !simple.missed)))
            dirty_looked_up: assert (simple.stored_dirty == dirty[here]);
        if (held & (state == WRITE | (state == LOOKUP & access & !simple.missed)))
            tag_looked_up: assert (simple.stored_tag == simple.tags.words[here]);
        if (op == FLUSH & held & (state == SCAN | state == WRITE))
            scanned_is_clean: assert (simple.failed | (dirty & ~({`CFG_CACHE_SETS{1'b1}} << simple.scan)) == 0);
        if (op == FLUSH & held & state == ANSWER)
            flushed_is_clean: assert (simple.failed | dirty == 0);
`else
        no_scan: assert (state != SCAN);
        store_alone_writes: assert (state != WRITE | op == STORE);
        load_alone_fills: assert (!(state == FILL | state == INSTALL | state == RELOAD) | op == LOAD);
        store_is_through: assert (!held | !wrote | (op == STORE & state == LOOKUP));
`endif
    end

    // last of the byte
    always @(posedge clk) if (started & !lost) begin
        if (cached)
            cached_is_right: assert (kept_byte == shadow);
`ifdef CFG_POLICY_WRITE_BACK
        if (!cached | !dirty[index])
            memory_is_right: assert (in_memory == shadow);
        if (asked & state == WRITE & writing & ours)
            on_its_way: assert ((comes ? coming : moved) == stored_byte & comes == (`MEMORY.beats > `MEMORY.place));
        if (asked & state == WRITE & port_done & !port_error & our_line)
            arrived: assert (in_memory == stored_byte);
`else
        if (our_store & (wrote | (asked & state == WRITE & port_done & !port_error)))
            written_through: assert (in_memory == new_byte);
        else
            memory_is_right: assert (in_memory == shadow);
        if (asked & state == WRITE & writing)
            on_its_way: assert (comes == (our_store & `MEMORY.w_taken) &
                                (!our_store | (comes ? coming : moved) == new_byte));
`endif
        if (our_line & ((asked & state == FILL & port_done & !port_error) | state == INSTALL))
            filled: assert (come_byte == in_memory);
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

bind simple axi_memory #(.DATA(`CFG_AXI_DATA_BITS), .ADDRESS(`CFG_AXI_ADDRESS_BITS)) memory (.*);
bind simple_axi_line axi_line_properties #(
    .DATA(`CFG_AXI_DATA_BITS), .BEATS(`CFG_BEATS), .WRITE_LEN(WRITE_LEN), .ADDRESS(`CFG_AXI_ADDRESS_BITS)
) properties (.*);
bind simple simple_properties properties (.*);
