// SPDX-License-Identifier: Apache-2.0
// dcache with misses: the counters of cycles in which look-ups wait are those of their causes, each told here once
// more: from lines as they lie in the tags, and from a list of what was asked for, has come and was served, of groups
// that joined, of lines on their way to memory and of warps that have no result yet, kept by what moves alone. No
// signal that stops a look-up is looked at. A look-up that a cause is told of stays, and none stays without.
// Assumed: memory ends no line twice, and answers the writes it was asked for.
`include "geometry.svh"

module dcache_properties (
    input clk, rst, m_axi_rst, reset, starting, acted, s1_valid, s1_ahead, wants1, move1, issue, begins, ahead, ahead1,
    input d_valid, d_begun, d_access, req_valid, res_valid, res_ready, fill, fill_ends, send,
    input s2_valid, s2_victim, s2_store, s3_valid, s3_victim, s3_poisoned,
    input m_axi_awvalid, m_axi_awready, m_axi_bvalid,
    input [2:0] req_op,
    input [7:0] s1_mask, s2_mask,
    input [`CFG_WARP_BITS-1:0] d_warp, req_warp, next_warp,
    input [`CFG_WARPS-1:0] busy,
    input [`RES_WIDTH-1:0] res_data,
    input [`PERF_WIDTH-1:0] perf_data,
    input [`CFG_CACHE_LINE_BITS-1:0] s1_line,
    input [`CFG_CACHE_WAY_BITS-1:0] victim,
    input [`CFG_CACHE_SET_BITS+`CFG_CACHE_WAY_BITS-1:0] fill_row,
    input [`CFG_CACHE_WAYS*(`CFG_CACHE_TAG_BITS+1)-1:0] tags
);
    localparam WAYS = `CFG_CACHE_WAYS, SETS = `CFG_CACHE_SETS, TAG = `CFG_CACHE_TAG_BITS, SET = `CFG_CACHE_SET_BITS;
    localparam WAY = `CFG_CACHE_WAY_BITS, LINE = `CFG_CACHE_LINE_BITS, M = `CFG_MSHRS, T = `CFG_TARGETS;
    localparam ROW = SET + WAY, ROWS = SETS * WAYS, C = $clog2(T + 1), DEPTH = 1 << $clog2(M);
    localparam LOAD = 0, STORE = 1;

    reg started = 1'b0;

    always @(posedge clk)
        started <= 1'b1;

    // The line in stage 1: where it is, or would be; what it would replace
    wire [SET-1:0] set = s1_line[SET-1:0];
    wire [TAG-1:0] tag = s1_line[SET +: TAG];
    wire [TAG:0] kept [0:ROWS-1];
    wire [WAYS-1:0] there;
    reg [WAY-1:0] way;
    genvar n, m, r;
    integer i;

    generate
        for (r = 0; r < ROWS; r = r + 1) begin : gen_kept
            assign kept[r] = dcache.gen_way[r % WAYS].tag_ram.words[r / WAYS];
        end
        for (n = 0; n < WAYS; n = n + 1) begin : gen_there
            assign there[n] = kept[{set, n[WAY-1:0]}] == {tag, 1'b1};
        end
    endgenerate

    always @* begin
        way = victim;
        for (i = 0; i < WAYS; i = i + 1)
            if (there[i])
                way = i[WAY-1:0];
    end

    wire [ROW-1:0] row = {set, way};
    wire [ROW-1:0] filled = {fill_row[SET-1:0], fill_row[SET +: WAY]};     // a place is way and set
    wire group  = s1_valid & s1_mask != 0;
    wire hits   = group & there != 0;
    wire misses = s1_valid & (s1_mask != 0 | s1_ahead) & there == 0;
    wire dirty  = dcache.dirty_ram.words[set][victim] & kept[{set, victim}][0];

    // Lines under way, by row; those that have come, in that order; groups of the first of these that were served
    reg [ROWS-1:0] under;
    reg [C-1:0] groups [0:ROWS-1];
    reg [ROW-1:0] come [0:M-1];
    reg [C-1:0] done;
    reg [7:0] whole;                               // lines that have come
    reg [ROWS-1:0] complete;
    wire [ROW-1:0] first = come[0];
    wire stores = s2_valid & !s2_victim & s2_store & s2_mask != 0;
    wire taken  = (stores & fill) | (whole != 0 & groups[first] != 0); // stage 2: by a beat, or a group
    wire serves = whole != 0 & groups[first] != 0 & !(stores & fill);
    wire leaves = whole != 0 & (groups[first] == 0 | (serves & done + 1'b1 == groups[first]));
    wire opens  = move1 & misses, joins = move1 & hits & under[row];
    reg [7:0] lines;                               // under way

    always @* begin
        complete = 0;
        lines = 0;
        for (i = 0; i < M; i = i + 1)
            if (i < whole)
                complete[come[i]] = 1'b1;
        for (i = 0; i < ROWS; i = i + 1)
            lines = lines + under[i];
    end

    always @(posedge clk) begin
        if (leaves)
            under[first] <= 1'b0;
        if (opens)
            {under[row], groups[row]} <= {1'b1, {{C-1{1'b0}}, group}};
        if (joins)
            groups[row] <= groups[row] + 1'b1;
        for (i = 0; i + 1 < M; i = i + 1)
            if (leaves)
                come[i] <= come[i + 1];
        if (fill & fill_ends)
            come[whole - leaves] <= filled;
        whole <= whole + (fill & fill_ends) - leaves;
        done  <= leaves ? 0 : done + serves;
        if (reset) begin
            under <= 0;
            whole <= 0;
            done  <= 0;
        end
    end

    // Lines that have left their places and are not written; bursts among them that have begun, by the port
    reg [7:0] writes, asked;
    wire sends = (opens & dirty) | send, drops = s3_valid & s3_victim & s3_poisoned;

    always @(posedge clk) begin
        asked <= m_axi_rst ? 8'd0 : asked + (m_axi_awvalid & m_axi_awready) - m_axi_bvalid;
        if (m_axi_rst)
            writes <= 0;
        else if (rst)
            writes <= asked + m_axi_awvalid - m_axi_bvalid;
        else
            writes <= writes + sends - drops - m_axi_bvalid;
    end

    // Warps that have no result yet
    reg [`CFG_WARPS-1:0] waits;
    wire [`CFG_WARPS-1:0] one = 1;

    always @(posedge clk)
        waits <= reset ? 0 : (waits & ~(one << res_data[`RES_WARP] & {`CFG_WARPS{res_valid & res_ready}})) |
            (one << next_warp & {`CFG_WARPS{issue & begins}});

    // The causes
    wire for_group  = hits & under[row] & (complete[row] | groups[row] == T);
    wire for_victim = misses & under[row];
    wire for_entry  = misses & !under[row] & lines == M;
    wire for_write  = misses & !under[row] & lines != M & dirty & writes >= `CFG_WRITE_BUFFER;
    wire for_stage  = s1_valid & taken & ((hits & !under[row]) | (s1_mask == 0 & !s1_ahead) |
        (misses & !under[row] & lines != M & dirty & !for_write));
    wire stays      = for_group | for_victim | for_entry | for_write | for_stage;
    wire access     = d_valid ? d_access & !d_begun : req_valid & (req_op == LOAD | req_op == STORE);
    wire for_warp   = access & waits[d_valid ? d_warp : req_warp] & !stays & !ahead & !ahead1 & !starting;
    wire [5:0] causes = {for_warp, for_stage, for_write, for_entry, for_victim, for_group};
    reg [5:0] last;

    always @(posedge clk)
        last <= causes & {6{!reset}};

    always @(posedge clk) begin
        begins_in_reset: assume (started | (rst & m_axi_rst));
        memory_with_all: assume (!m_axi_rst | rst);
        lines_end_once: assume (!(fill & fill_ends) | !complete[filled]);
        what_was_asked: assume (!m_axi_bvalid | asked != 0);
    end

    // The promises
    reg [31:0] counts [0:5];
    localparam FIRST = `PERF_WIDTH - 6 * 32;       // the last six counters

    generate
        for (n = 0; n < 6; n = n + 1) begin : gen_count
            always @(posedge clk)
                counts[n] <= reset ? 32'd0 : counts[n] + last[n];

            always @(posedge clk) if (started)
                counted: assert (perf_data[FIRST + 32*n +: 32] == counts[n]);
        end
    endgenerate

    wire [5:0] steps = {
        dcache.count_warp_wait_cycles.step_before, dcache.count_stage_wait_cycles.step_before,
        dcache.count_write_wait_cycles.step_before, dcache.count_entry_wait_cycles.step_before,
        dcache.count_victim_wait_cycles.step_before, dcache.count_group_wait_cycles.step_before
    };

    always @(posedge clk) if (started)
        by_its_cause: assert (steps == last);

    always @(posedge clk) if (started & !reset) begin
        one_cause: assert ((causes & (causes - 1'b1)) == 0);
        stays_with_a_cause: assert (!s1_valid | move1 != stays);
    end

    // What holds in between, so that the induction closes
    wire [M-1:0] used = dcache.misses.used, ready = dcache.misses.ready;
    wire [ROW-1:0] place [0:M-1];                  // row of each entry
    wire [$clog2(DEPTH > 1 ? DEPTH : 2)-1:0] slot [0:M-1];
    reg [7:0] entries [0:ROWS-1];                  // in use, of each row
    reg [7:0] readies;

    generate
        for (n = 0; n < M; n = n + 1) begin : gen_place
            assign place[n] = {dcache.misses.lines[n*LINE +: SET], dcache.misses.ways[n*WAY +: WAY]};
        end
    endgenerate

    integer k;
    always @* begin
        for (k = 0; k < ROWS; k = k + 1)
            entries[k] = 0;
        readies = 0;
        for (k = 0; k < M; k = k + 1) begin
            entries[place[k]] = entries[place[k]] + used[k];
            readies = readies + (used[k] & ready[k]);
        end
    end

    always @(posedge clk) if (started) begin
        ahead_without_lanes: assert (!s1_valid | !s1_ahead | s1_mask == 0);
        bursts: assert (dcache.write_buffer.begun == asked + m_axi_awvalid);
        on_their_way: assert (writes == dcache.coming);
        room: assert (writes <= `CFG_WRITE_BUFFER &
            asked + m_axi_awvalid + dcache.write_buffer.waiting <= `CFG_WRITE_BUFFER);
        no_result: assert (waits == busy);
        nothing_yet: assert (!(starting | acted) | (under == 0 & used == 0));
        all_whole: assert (whole == dcache.misses.come_fifo.count & whole == readies & whole <= M);
        served: assert (done == dcache.misses.served &
            (whole == 0 | groups[first] == 0 ? done == 0 : done < groups[first]));
    end

    generate
        for (r = 0; r < ROWS; r = r + 1) begin : gen_row
            always @(posedge clk) if (started)
                one_entry: assert (entries[r] == under[r]);
            for (n = r / WAYS * WAYS; n < r; n = n + 1) begin : gen_other
                always @(posedge clk) if (started & !reset & !starting)
                    in_one_way: assert (!(kept[r][0] & kept[n][0] & kept[r][TAG:1] == kept[n][TAG:1]));
            end
        end
        for (n = 0; n < M; n = n + 1) begin : gen_entry
            wire [$clog2(DEPTH)-1:0] head = dcache.misses.come_fifo.head;
            wire [$clog2(DEPTH)-1:0] at = head + n;
            wire [$clog2(M)-1:0] number = dcache.misses.come_fifo.words[at];
            assign slot[n] = number;

            always @(posedge clk) if (started) begin
                joined: assert (!used[n] |
                    (dcache.misses.counts[n*C +: C] == groups[place[n]] & groups[place[n]] <= T));
                has_come: assert (!used[n] | complete[place[n]] == ready[n]);
                in_order: assert (n >= whole | (number < M & used[number] & ready[number] & place[number] == come[n]));
            end
            for (m = 0; m < n; m = m + 1) begin : gen_before
                always @(posedge clk) if (started)
                    once: assert (n >= whole | slot[m] != slot[n]);
            end
        end
        for (n = 0; n < WAYS; n = n + 1) begin : gen_read
            always @(posedge clk) if (started & s1_valid & wants1)
                as_kept: assert (tags[n*(TAG+1) +: TAG+1] == kept[{set, n[WAY-1:0]}]);
        end
    endgenerate

    reg [SET:0] cleared;                           // sets from 0 on that a walk after a reset has done

    always @(posedge clk)
        cleared <= reset ? 0 : starting & dcache.clearing ? cleared + 1'b1 : cleared;

    always @(posedge clk) if (started & !reset) begin
        walked: assert (!starting | (dcache.clearing ? cleared == {1'b0, dcache.scan} : cleared == SETS));
    end

    generate
        for (r = 0; r < ROWS; r = r + 1) begin : gen_cleared
            always @(posedge clk) if (started & !reset & starting & cleared > r / WAYS)
                cleared_is_empty: assert (!kept[r][0]);
        end
    endgenerate
endmodule

bind dcache dcache_properties properties (.*);
