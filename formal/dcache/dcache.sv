// SPDX-License-Identifier: Apache-2.0
// dcache: a line is in one way at most, and a way that is dirty has a line, however errors and resets come; AXI and
// streams keep their rules. The solver chooses a set and two of its ways. axi_memory.sv has AXI's rules and what is
// assumed of the memory.
`include "geometry.svh"

module dcache_properties (
    input clk, rst, m_axi_rst, reset, res_valid, res_ready, burst, starting, walking,
    input s1_valid, s1_access, s2_valid, s2_slow, s2_access, s2_uncached, s3_valid, leave2, s2_fills, s2_write,
    input [2:0] phase, s1_op, s2_op,
    input [7:0] rest,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] s1_address,
    input [`CFG_CACHE_ADDRESS_BITS-1:2] s2_address,
    input [`CFG_CACHE_WAY_BITS-1:0] s2_way,
    input [`RES_WIDTH-1:0] res_data,
    input [`CFG_CACHE_WAYS*(`CFG_CACHE_TAG_BITS+1)-1:0] tags
);
    localparam WAYS = `CFG_CACHE_WAYS, TAG = `CFG_CACHE_TAG_BITS, OFFSET = `CFG_CACHE_OFFSET_BITS;
    localparam SET = `CFG_CACHE_SET_BITS;
    localparam LOAD = 0, STORE = 1, CLEAN = 2, FLUSH = 3, INVALIDATE = 4, POLICY = 6;
    localparam REST = 0, WRITE = 1, FILL = 2, READ = 3, LOOK = 4;

`include "kept_tags.svh"

    always @(posedge clk)
        if (!started)
            first_a_reset: assume (rst);

    // Which of them are dirty; places of the stages
    wire [WAYS-1:0] dirty = dcache.dirty_ram.words[index];
    wire [SET-1:0] s1_set = s1_address[OFFSET +: SET], s2_set = s2_address[OFFSET +: SET];
    wire [TAG-1:0] s2_tag = s2_address[OFFSET+SET +: TAG];

    // The promises
    wire settled = started & !starting;
    wire filled  = phase == FILL & !s2_uncached & s2_set == index;

    always @(posedge clk) if (started) begin
        if ($past(started & !reset & res_valid & !res_ready))
            res_stable: assert (!$past(started) | (res_valid & $stable(res_data)));
        if (settled) begin
            in_one_way: assert (!(kept[a][0] & kept[b][0] & kept[a][TAG:1] == kept[b][TAG:1]));
            dirty_is_there: assert (!dirty[a] | kept[a][0] | (filled & s2_way == a));
        end
    end

    // What holds in between, so that the induction closes. First of the port:
    wire reading = dcache.memory.reading, writing = dcache.memory.writing, w_taken = dcache.memory.w_taken;
    wire begins = dcache.port.begins, w_valid = dcache.port.w_valid;
    wire [`CFG_BEAT_BITS-1:0] count = dcache.port.count;
    wire [7:0] beats = dcache.memory.beats;
    wire asked = phase == WRITE | phase == FILL;

    always @(posedge clk) if (started) begin
        burst_is_open: assert (burst == (reading | writing));
        data_of_a_write: assert (!w_taken | writing);
        counts: assert (burst ? beats <= `CFG_BEATS : beats == 0);
        if (begins)
            begins_a_write: assert (writing & !w_valid & !w_taken & beats == 0 & count == 0);
        if (w_valid)
            writes: assert (writing & !w_taken & count == beats & beats < `CFG_BEATS);
        if (writing & !begins & !w_valid)
            written: assert (w_taken);
        if (reading)
            reads: assert (count == beats & beats < `CFG_BEATS);
        if (s2_uncached & burst)
            one_beat: assert (w_taken | beats == 0);
        if (burst)
            as_asked: assert (s2_write == writing & (starting | asked));
        if (burst & !dcache.m_axi_arvalid & !dcache.m_axi_awvalid)
            len_taken: assert (dcache.memory.len == (s2_uncached ? 0 : `CFG_BEATS - 1));
    end

    // then of the stages
    reg [SET:0] cleared;                     // sets from 0 on that a walk after a reset has done

    always @(posedge clk)
        cleared <= reset ? 0 : starting & walking ? cleared + 1'b1 : cleared;

    wire [WAYS-1:0] this_way = {{WAYS-1{1'b0}}, 1'b1} << s2_way;
    wire scans = s2_op == CLEAN | s2_op == FLUSH, walks = s2_op == INVALIDATE | s2_op == POLICY;

    always @(posedge clk) if (started) begin
        slow_is_there: assert (!s2_slow | s2_valid);
        phases: assert (phase <= LOOK);
        if (asked)
            asked_for: assert (burst & s2_slow & s2_write == (phase == WRITE));
        if (asked & !scans)
            asked_by_an_access: assert (s2_access & (s2_uncached | s2_fills));
        if (phase == FILL)
            filled_for: assert (!scans);
        if (phase == READ | phase == LOOK)
            scanned: assert (s2_slow & scans);
        scans_as_told: assert (!s2_valid | dcache.scans == scans);
        if (phase == READ)
            scans_from_0: assert (dcache.scan == 0 & dcache.tried == 0 & dcache.refusals == 0);
        if (scans & phase == WRITE)
            written_is_tried: assert ((dcache.tried & this_way) != 0);
        if (scans & phase == WRITE & dcache.scan == index)
            written_is_dirty: assert ((dirty & this_way) != 0);
        if (scans & (phase == LOOK | phase == WRITE) & dcache.scan == index)
            looked_up: assert ((dirty & ~dcache.looked) == 0 & (dcache.todo & ~dirty) == 0 &
                dcache.refusals == (dirty & dcache.tried & ~(phase == WRITE ? this_way : 0)));
        if (s2_slow & (scans | walks))
            alone: assert (!s1_valid & rest == 0 & !s2_access & !s2_uncached & !s2_fills);
        if (s2_valid & s2_access)
            an_access: assert (s2_op == LOAD | s2_op == STORE);
        if (s1_valid & s1_access)
            an_access_to_come: assert (s1_op == LOAD | s1_op == STORE);
        if (rest != 0)
            lanes_to_come: assert (dcache.rest_op == LOAD | dcache.rest_op == STORE);
        if (s1_valid & rest != 0)
            lanes_behind_lanes: assert (s1_access);
        if (s2_uncached & s2_valid)
            beside: assert (!s2_fills);
        if (walking)
            walks_for_a_reason: assert (starting | (s2_slow & walks & phase == REST));
        if (starting) begin
            starts_empty: assert (!s1_valid & !s2_valid & !s3_valid & phase == REST & rest == 0);
            walked: assert (walking ? cleared == {1'b0, dcache.walk} : cleared == `CFG_CACHE_SETS);
        end
        if (starting & cleared > index)
            cleared_is_empty: assert (!kept[a][0] & !kept[b][0] & !dirty[a] & !dirty[b]);
        if (s1_valid & s1_access & !s2_slow & s1_set == index)
            read_is_kept: assert (read[a] == kept[a] & read[b] == kept[b]);
        if (asked & s2_fills & s2_set == index) begin
            absent: assert (a == s2_way | !kept[a][0] | kept[a][TAG:1] != s2_tag);
            absent_too: assert (b == s2_way | !kept[b][0] | kept[b][TAG:1] != s2_tag);
        end
        if (settled)
            dirty_is_there_too: assert (!dirty[b] | kept[b][0] | (filled & s2_way == b));
    end

    // Traces to see
    reg refused = 1'b0;
    always @(posedge clk) begin
        refused <= refused | (dcache.m_axi_bvalid & dcache.m_axi_bresp[1]);
        if (started & !reset & leave2) begin
            store_hit: cover (s2_access & s2_op == STORE & dcache.s2_hit);
            cleaned: cover (s2_op == CLEAN & dcache.written_now & !dcache.wrong);
            refused_clean: cover (s2_op == FLUSH & refused);
        end
        reset_with_a_burst: cover (started & rst & writing & phase == WRITE);
    end
endmodule

bind dcache axi_memory #(.DATA(`CFG_AXI_DATA_BITS), .ADDRESS(`CFG_CACHE_ADDRESS_BITS)) memory (.*);
bind dcache dcache_properties properties (.*);
