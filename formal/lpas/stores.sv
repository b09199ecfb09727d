// SPDX-License-Identifier: Apache-2.0
// lpas, 4 PEs over 4 caches: no store is lost. The solver chooses a byte of memory (axi_memory.sv); `shadow` is what
// was stored there last, by whichever PE. A load of it, by any PE, gives shadow, however often its line went to memory
// and came back; a flush leaves shadow in memory, if nothing was refused; LDM gives what memory has; a reset goes back
// to that. lpas.sv has what holds of requests, jobs and bursts.
// Assumed: memory as in axi_memory.sv; the cache looked at by lpas.sv is the byte's home; nobody sends an STM of its
// word, which is not coherent with cached lines.
`include "geometry.svh"

module lpas_stores (
    input clk, reset, req3_valid, m_axi_bvalid, outside_ended,
    input res0_valid, res1_valid, res2_valid, res3_valid,
    input [1:0] m_axi_bresp,
    input [`REQ3_WIDTH-1:0] req3_data, request3,
    input [`RES0_WIDTH-1:0] res0_data, res1_data, res2_data, res3_data,
    input [3:0] store, load_err, flushing,
    input [4*`CFG_WORD_ADDRESS_BITS-1:0] word,
    input [63:0] value,
    input [15:0] serves
);
    localparam PES = 4, SLOT = `CFG_SLOT_BITS, WORD = `CFG_WORD_ADDRESS_BITS, SET = `CFG_CACHE_SET_BITS;
    localparam TAG = `CFG_TAG_BITS, DATA = `CFG_AXI_DATA_BITS, BANK = $clog2(DATA / 16);
    localparam MISS = 1, SERVE = 2, SCAN = 3;                              // of a cache
    localparam WRITE = 1, READ = 2;                                        // of the network interface
    localparam LDM = 2, STM = 3;

    // The byte: its word, its line, its place there
    wire started = lpas.memory.started, part = lpas.memory.chosen[0];
    wire [WORD-1:0] its_word = lpas.memory.chosen >> 1;
    wire [1:0] home = its_word[SLOT +: 2], cache = lpas.properties.cache;
    wire [SET-1:0] index = its_word[SLOT+2 +: SET];
    wire [TAG-1:0] tag = its_word[WORD-1 -: TAG];
    wire [BANK-1:0] bank = its_word;
    wire [SET+SLOT-BANK-1:0] row = {index, its_word[SLOT-1:BANK]};
    wire [7:0] in_memory = lpas.memory.in_memory, coming = lpas.memory.coming, beats = lpas.memory.beats;
    wire comes = lpas.memory.comes, ours = lpas.memory.ours;
    wire has_moved = beats > lpas.memory.place;
    wire [7:0] memory_next = m_axi_bvalid & !m_axi_bresp[1] & comes ? coming : in_memory;

    always @(posedge clk) begin
        its_home: assume (cache == home);
        no_stm_of_it: assume (!req3_valid | req3_data[`REQ3_OP] != STM | req3_data[`REQ3_WORD] != its_word);
    end

    // What was stored last. What its home serves: of which PE, and whether it is about the byte
    reg [7:0] shadow;
    wire [PES-1:0] serves_it = serves[home*PES +: PES], about, wrong;
    wire [7:0] bytes [0:PES-1];
    wire [7:0] answers [0:PES-1];
    wire [PES-1:0] answered = {res3_valid, res2_valid, res1_valid, res0_valid};
    wire [PES-1:0] errors = {
        res3_data[`RES3_ERR], res2_data[`RES0_ERR], res1_data[`RES0_ERR], res0_data[`RES0_ERR]};
    wire [63:0] values = {
        res3_data[`RES3_VALUE], res2_data[`RES0_VALUE], res1_data[`RES0_VALUE], res0_data[`RES0_VALUE]};
    genvar n;
    generate
        for (n = 0; n < PES; n = n + 1) begin : gen_pe
            assign about[n]   = serves_it[n] & word[n*WORD +: WORD] == its_word;
            assign bytes[n]   = value[n*16 + 8*part +: 8];
            assign answers[n] = values[n*16 + 8*part +: 8];
            assign wrong[n]   = errors[n] | answers[n] != shadow;
        end
    endgenerate
    wire [7:0] stored = about[0] ? bytes[0] : about[1] ? bytes[1] : about[2] ? bytes[2] : bytes[3];

    // Behind a reset a burst from before it may still be under way
    reg [PES-1:0] loading;                   // loads of it were served in the cycle before
    reg ldm;                                 // an LDM of it ended then
    wire stale = lpas.properties.stale;
    wire lost = reset | stale;

    always @(posedge clk) begin
        loading <= about & ~store & {PES{!reset & !load_err[home]}};
        ldm     <= !reset & outside_ended & !lpas.network.failed & request3[`REQ3_OP] == LDM &
                   request3[`REQ3_WORD] == its_word;
        if (lost)
            shadow <= memory_next;
        else if ((about & store) != 0 & !load_err[home])
            shadow <= stored;
    end

    // The home: its lines, and how our byte is kept there
    wire [PES-1:0] valid, dirty, same_tag, same_own_tag, same_own_index, own_is_there, failed;
    wire [SET-1:0] walks [0:PES-1], places [0:PES-1];
    wire [TAG-1:0] tags_here [0:PES-1], own_tags [0:PES-1];
    wire [7:0] kept_bytes [0:PES-1], read_bytes [0:PES-1];
    generate
        for (n = 0; n < PES; n = n + 1) begin : gen_cache
            wire [15:0] kept_word, read_word;
            wire [DATA-1:0] read_beat = lpas.gen_cache[n].one.line_data;
            wire [15:0] even = lpas.gen_cache[n].one.gen_bank[0].ram.words[row];
            wire [15:0] odd  = lpas.gen_cache[n].one.gen_bank[1].ram.words[row];
            assign kept_word = bank ? odd : even;
            assign read_word = read_beat[bank*16 +: 16];
            assign kept_bytes[n] = kept_word[8*part +: 8];
            assign read_bytes[n] = read_word[8*part +: 8];
            assign valid[n]  = lpas.gen_cache[n].one.valid[index];
            assign dirty[n]  = lpas.gen_cache[n].one.dirty[index];
            assign same_tag[n] = lpas.gen_cache[n].one.tags.words[index] == tag;
            assign same_own_tag[n] = lpas.gen_cache[n].one.own_tag == tag;
            assign same_own_index[n] = lpas.gen_cache[n].one.own_index == index;
            assign own_is_there[n] = lpas.gen_cache[n].one.valid[lpas.gen_cache[n].one.own_index] &
                lpas.gen_cache[n].one.line_tag == lpas.gen_cache[n].one.own_tag;
            assign failed[n] = lpas.gen_cache[n].one.was_failed;
            assign walks[n]  = lpas.gen_cache[n].one.walk;
            assign places[n] = lpas.gen_cache[n].one.here;
            assign tags_here[n] = lpas.gen_cache[n].one.line_tag;
            assign own_tags[n]  = lpas.gen_cache[n].one.own_tag;
        end
    endgenerate

    // As its home remembers a request that missed, and as its PE holds it
    wire [PES-1:0] owner = lpas.properties.owner, as_asked;
    wire own_store = lpas.properties.own_stores[cache];
    wire [WORD+16-3:0] own = lpas.properties.owns[cache];                  // tag, line, place and value
    generate
        for (n = 0; n < PES; n = n + 1) begin : gen_own
            wire [WORD-1:0] its = word[n*WORD +: WORD];

            assign as_asked[n] = lpas.properties.all_granted[n] & own_store == store[n] & its[SLOT +: 2] == home &
                own == {its[WORD-1:SLOT+2], its[SLOT-1:0], value[n*16 +: 16]};
        end
    endgenerate

    wire [1:0] state = lpas.properties.state;
    wire busy = lpas.properties.busy;
    wire [7:0] kept = kept_bytes[home], shown = read_bytes[home];
    wire is_dirty = dirty[home], cached = valid[home] & same_tag[home];
    wire misses_it = busy & same_own_index[home] & same_own_tag[home];
    wire [SET-1:0] walk = walks[home];
    wire refused = lpas.last_pe.lost;
    wire scan_ends = state == SCAN & walk == {SET{1'b1}} & !lpas.line_dirties[home];

    // The promises
    always @(posedge clk) if (started & !reset) begin
        load_is_answered: assert ((loading & ~answered) == 0);
        load_gives_what_was_stored: assert ((loading & wrong) == 0);
        ldm_gives_what_memory_has: assert (!ldm | (answered[3] & !errors[3] & answers[3] == in_memory));
        flush_leaves_it_in_memory: assert (!scan_ends | refused | in_memory == shadow);
    end

    // What holds in between, so that the induction closes. First of the home's job,
    wire [1:0] phase = lpas.properties.phase;
    wire idle = lpas.properties.idle, fresh = lpas.properties.fresh, writing = lpas.properties.writing;
    wire single = lpas.properties.single, replaces = lpas.properties.replaces;
    wire [2:0] number = lpas.properties.number;
    wire its_job = !idle & number == home;
    wire [WORD-1:0] write_word = lpas.network.write_word, read_word = lpas.network.read_word;
    wire fills = its_job & phase == READ & places[home] == index;          // something, in its place
    wire stm = writing & single & (!idle | lpas.network.port.going);

    always @(posedge clk) if (started) begin
        if (!idle & !single)
            of_that_cache: assert (write_word[SLOT +: 2] == number & read_word[SLOT +: 2] == number);
        if (its_job) begin
            its_place: assert (lpas.network.place == places[home]);
            writes_what_is_there: assert (phase != WRITE | write_word == {tags_here[home], places[home], home, {SLOT{1'b0}}});
            reads_what_is_missed: assert (!replaces | read_word == {own_tags[home], places[home], home, {SLOT{1'b0}}});
            reads_for_a_miss: assert (phase != READ | replaces);
            clean_when_it_reads: assert (phase != READ | !lpas.line_dirties[home]);
            dirty_when_it_writes: assert (phase != WRITE | lpas.line_dirties[home]);
        end
        if (!idle & single)
            word_of_the_outside: assert ((writing ? write_word : read_word) == request3[`REQ3_WORD]);
        not_of_its_word: assert (!stm | write_word != its_word);
        no_stm_is_held: assert (!lpas.select3.held | request3[`REQ3_OP] != STM | request3[`REQ3_WORD] != its_word);
        flushes: assert (!flushing[home] | lpas.last_pe.flushes);
    end

    // then of its line,
    always @(posedge clk) if (started) begin
        dirty_is_valid: assert (!is_dirty | valid[home]);
        missed_as_asked: assert (!busy | (owner & ~as_asked) == 0);
        no_outside_owns: assert (!busy | !owner[PES-1] | request3[2:1] == 0);
        missed_is_absent: assert (!(state == MISS & misses_it) | !cached);
        served_is_there: assert (!(state == SERVE & same_own_index[home] & !failed[home]) | own_is_there[home]);
        scanned_is_gone: assert (!(state == SCAN & walk > index) | refused | !valid[home]);
        stale_is_empty: assert (!stale | !valid[home]);
    end

    // last of the byte
    always @(posedge clk) if (started & !lost) begin
        cached_is_right: assert (!cached | fills | kept == shadow);
        memory_is_right: assert ((cached & is_dirty) | in_memory == shadow);
        if (lpas.memory.writing & its_job & ours) begin
            line_goes: assert (comes == has_moved & (!comes | coming == kept));
            beat_goes: assert (!lpas.network.port.w_valid | beats != lpas.memory.place | shown == kept);
        end
        all_went: assert (!lpas.memory.w_taken | beats == lpas.memory.len + 8'd1);
        others_do_not_write_it: assert (!comes | its_job);
        if (fills & !fresh & ours & has_moved & !lpas.network.lost)
            filled: assert (kept == in_memory);
    end

    // A trace to see
    always @(posedge clk) begin
        if (started & !reset)
            stored_and_loaded: cover (loading != 0 & shadow != in_memory);
    end
endmodule

bind lpas lpas_stores stores (.*);
