// SPDX-License-Identifier: Apache-2.0
// lpas, 4 PEs over 4 caches: a load gives what was stored last, by any PE. The solver chooses a byte of memory and a PE.
// `shadow` is what a load of the byte must give: it changes in cycles in which the byte's home stores to it, and each
// such cycle is that of the acknowledge of a store. `in_memory` is what the memory holds (axi_memory.sv). lpas.sv shows
// what becomes of requests.
//
// Assumed: the last PE does not write the byte past the caches (STM).
`include "geometry.svh"
`define EACH(signal) {lpas.select3.signal, lpas.select2.signal, lpas.select1.signal, lpas.select0.signal}

module lpas_words (
    input clk, reset,
    input res0_valid, res1_valid, res2_valid, res3_valid,
    input [`RES0_WIDTH-1:0] res0_data, res1_data, res2_data, res3_data,
    input [`REQ0_WIDTH-1:0] request0, request1, request2,
    input [`REQ3_WIDTH-1:0] request3,
    input [3:0] flushing,
    input [15:0] serves
);
    localparam PES = 4, SLOT = `CFG_SLOT_BITS, WORD = `CFG_WORD_ADDRESS_BITS, SET = `CFG_CACHE_SET_BITS;
    localparam TAG = `CFG_TAG_BITS, SETS = `CFG_CACHE_SETS, BANKS = `CFG_BEAT_WORDS, BANK = $clog2(BANKS);
    localparam READY = 0, MISS = 1, SERVE = 2, SCAN = 3, IDLE = 0, WRITE = 1, READ = 2;

    // The byte looked at: its word, that one's home and places
    wire started = lpas.memory.started;
    wire [`CFG_CACHE_ADDRESS_BITS-1:0] chosen = lpas.memory.chosen;
    wire [WORD-1:0] word = chosen >> 1;
    wire part = chosen[0];
    wire [SLOT-1:0] slot = word;
    wire [1:0] home = word >> SLOT, pe = lpas.properties.pe;
    wire [SET-1:0] index = word >> SLOT + 2;
    wire [TAG-1:0] tag = word >> SLOT + 2 + SET;
    wire [BANK-1:0] bank = slot;
    wire [SET+SLOT-BANK-1:0] row = {index, slot} >> BANK;

    // The request of the chosen PE, and its acknowledge
    wire [`REQ3_WIDTH-1:0] request = pe == 0 ? request0 : pe == 1 ? request1 : pe == 2 ? request2 : request3;
    wire [`RES0_WIDTH-1:0] answer = pe == 0 ? res0_data : pe == 1 ? res1_data : pe == 2 ? res2_data : res3_data;
    wire [3:0] answers = {res3_valid, res2_valid, res1_valid, res0_valid};
    wire is_last = pe == PES - 1, cached_op = !is_last | request[2:1] == 0;
    wire about = word == (is_last ? request[`REQ3_WORD] : request[`REQ0_WORD]);
    wire [15:0] value = is_last ? request[`REQ3_VALUE] : request[`REQ0_VALUE], read = answer[`RES0_VALUE];
    wire [7:0] new_byte = part ? value[15:8] : value[7:0], read_byte = part ? read[15:8] : read[7:0];
    wire fine = answers[pe] & !answer[`RES0_ERR] & about;

    // Its home
    wire [1:0] states [0:PES-1];
    wire [SETS-1:0] valids [0:PES-1];
    wire [SETS-1:0] dirties [0:PES-1];
    wire [TAG-1:0] tags [0:PES-1];           // of the line in the byte's place
    wire [15:0] rams [0:PES*BANKS-1];        // the word in the byte's place,
    wire [15:0] reads [0:PES*BANKS-1];       // and as it was read last
    wire [SET+TAG-1:0] owns [0:PES-1];       // the line that was missed
    wire [SET-1:0] walks [0:PES-1];
    wire [BANK-1:0] shown [0:PES-1];
    wire [SET+SLOT-1:0] places [0:PES-1];    // of what is served
    wire [15:0] givens [0:PES-1];
    wire [PES-1:0] writes_now, was_failed, steps;
    genvar n, b;
    generate
        for (n = 0; n < PES; n = n + 1) begin : gen_cache
            assign states[n] = lpas.gen_cache[n].one.state;
            assign valids[n] = lpas.gen_cache[n].one.valid;
            assign dirties[n] = lpas.gen_cache[n].one.dirty;
            assign tags[n] = lpas.gen_cache[n].one.tags.words[index];
            assign owns[n] = {lpas.gen_cache[n].one.own_tag, lpas.gen_cache[n].one.own_index};
            assign walks[n] = lpas.gen_cache[n].one.walk;
            assign shown[n] = lpas.gen_cache[n].one.bank;
            assign places[n] = {lpas.gen_cache[n].one.here, lpas.gen_cache[n].one.at};
            assign givens[n] = lpas.gen_cache[n].one.given;
            assign writes_now[n] = lpas.gen_cache[n].one.write_now;
            assign was_failed[n] = lpas.gen_cache[n].one.was_failed;
            assign steps[n] = lpas.gen_cache[n].one.steps;
            for (b = 0; b < BANKS; b = b + 1) begin : gen_bank
                assign rams[n*BANKS+b] = lpas.gen_cache[n].one.gen_bank[b].ram.words[row];
                assign reads[n*BANKS+b] = lpas.gen_cache[n].one.gen_bank[b].ram.read_data;
            end
        end
    endgenerate

    wire [1:0] state = states[home];
    wire [SETS-1:0] valid = valids[home], dirty = dirties[home];
    wire [SET-1:0] own_index = owns[home], walk = walks[home];
    wire [TAG-1:0] own_tag = owns[home] >> SET;
    wire [15:0] kept = rams[{home, bank}], got = reads[{home, bank}], given = givens[home];
    wire [7:0] kept_byte = part ? kept[15:8] : kept[7:0], got_byte = part ? got[15:8] : got[7:0];
    wire [7:0] given_byte = part ? given[15:8] : given[7:0];

    // The network interface, and what memory has
    wire [1:0] phase = lpas.network.phase;
    wire [PES:0] job = lpas.network.job;
    wire [SET-1:0] place = lpas.network.place;
    wire [WORD-1:0] write_word = lpas.network.write_word, read_word = lpas.network.read_word;
    wire fresh = lpas.network.fresh, going = lpas.network.port.going, single = lpas.network.single;
    wire [7:0] in_memory = lpas.memory.in_memory, coming = lpas.memory.coming, beats = lpas.memory.beats;
    wire [7:0] our_beat = lpas.memory.place;
    wire comes = lpas.memory.comes, writing = lpas.memory.writing, ours = lpas.memory.ours;
    wire idle = phase == IDLE, its_job = !idle & job[home];
    wire fills = its_job & phase == READ & own_index == index;

    // What a load must give: lost in a reset, until memory has got what was on its way
    wire there = valid[index] & tags[home] == tag;
    wire stores = writes_now[home] & there & places[home] == {index, slot};
    reg lost, scanned;
    reg [7:0] shadow;

    always @(posedge clk) begin
        lost    <= reset | (lost & writing);
        scanned <= !reset & state == SCAN & steps[home] & (&walk);
        if (lost)
            shadow <= in_memory;
        else if (stores & !reset)
            shadow <= given_byte;
        the_home: assume (lpas.properties.cache == home);
        not_past_the_caches: assume (!(request3[2:0] == 3 & request3[`REQ3_WORD] == word & lpas.select3.active));
    end

    // The promises
    always @(posedge clk) if (started & !reset) begin
        load_gives_what_was_stored: assert (!(fine & cached_op & !request[0]) | read_byte == shadow);
        store_is_done: assert (!(fine & cached_op & request[0]) | (stores & given_byte == new_byte));
        by_a_store: assert (!(stores & serves[home*PES+pe]) | (fine & cached_op & request[0]));
        by_somebody: assert (!stores | serves[home*PES +: PES] != 0);
        flush_leaves_it_in_memory: assert (!(scanned & !lost & !lpas.last_pe.lost) | in_memory == shadow);
        ldm_gives_what_memory_has: assert (!(fine & is_last & request[2:0] == 2) | read_byte == in_memory);
    end

    // What holds in between, so that the induction closes. First of the line:
    wire cached = there & !fills;
    wire due = lpas.properties.due, due_outside = lpas.properties.due_outside;

    always @(posedge clk) if (started) begin
        dirty_is_valid: assert ((dirty & ~valid) == 0);
        if (lost)
            lost_is_empty: assert (valid == 0 & state != SERVE & idle & !(due & !due_outside));
        else begin
            cached_is_right: assert (!cached | kept_byte == shadow);
            memory_is_right: assert ((cached & dirty[index]) | in_memory == shadow);
        end
        served_is_valid: assert (!(state == SERVE & !was_failed[home]) | valid[own_index]);
        stale_is_lost: assert (!(idle & going & writing) | lost);
        served_is_there: assert (!(state == SERVE & own_index == index & !was_failed[home]) |
                                 (valid[index] & tags[home] == own_tag));
    end

    // then of its way to memory and from there,
    always @(posedge clk) if (started & lpas.memory.w_taken)
        whole: assert (beats == lpas.memory.len + 1'b1);

    always @(posedge clk) if (started & its_job) begin
        its_place: assert (place == (state == MISS ? own_index : walk));
        reads_a_clean_one: assert (phase != READ | !dirty[own_index]);
        reads_its_line: assert (state != MISS | read_word == {own_tag, own_index, home, {SLOT{1'b0}}});
        writes_a_dirty_one: assert (phase != WRITE | dirty[place]);
        writes_its_line: assert (phase != WRITE | write_word[WORD-1:SLOT] ==
                                 {place == index ? tags[home] : write_word[WORD-1 -: TAG], place, home});
        if (!fresh & phase == WRITE & ours) begin
            on_its_way: assert (comes == (beats > our_beat) & (!comes | coming == kept_byte));
            next_on_its_way: assert (!(lpas.network.port.w_valid & beats == our_beat) | got_byte == kept_byte);
        end
        if (!fresh & phase == READ & ours & beats > our_beat & !lpas.network.lost)
            has_come: assert (kept_byte == in_memory);
    end

    // last of the chosen PE, and of what goes past the caches
    wire due_err = `EACH(due_err) >> pe, due_load = `EACH(due_load) >> pe;
    wire [1:0] due_home = pe == 0 ? lpas.select0.due_home : pe == 1 ? lpas.select1.due_home :
                          pe == 2 ? lpas.select2.due_home : lpas.select3.due_home;
    wire [7:0] ldm = part ? lpas.last_pe.value[15:8] : lpas.last_pe.value[7:0];

    always @(posedge clk) if (started) begin
        if (due & !due_outside & about)
            a_load: assert (due_load & cached_op & !request[0]);
        if (due & !due_outside & about)
            has_read: assert (due_home == home & (due_err | (shown[home] == bank & got_byte == shadow)));
        if (due & due_outside)
            past_the_caches: assert (is_last & request[2:1] != 0);
        if (due & due_outside & about & request[2:0] == 2)
            has_read_memory: assert (due_err | ldm == in_memory);
        stm_held: assert (!(lpas.select3.held & request3[2:0] == 3) | request3[`REQ3_WORD] != word);
        stm_waits: assert (!(lpas.last_pe.waits & lpas.last_pe.store) | request3[`REQ3_WORD] != word);
        stm_goes: assert (!(going & single & writing) | (write_word != word & !comes));
        home_of_the_line: assert (single | (idle & !going) | (
            write_word[SLOT +: 2] == lpas.network.number & read_word[SLOT +: 2] == lpas.network.number));
        if (!idle & single)
            its_word: assert ((lpas.last_pe.store ? write_word : read_word) == request3[`REQ3_WORD]);
        flush_goes_on: assert (!(flushing[home] | scanned) | lpas.last_pe.flushes);
        scanned_is_gone: assert (!(state == SCAN & walk > index) | !valid[index] | lpas.last_pe.lost);
        scanned_all: assert (!scanned | !valid[index] | lpas.last_pe.lost);
    end

    // Traces to see
    always @(posedge clk) if (started & !reset & !lost) begin
        read_after_it_was_written_back: cover (fine & cached_op & !request[0] & !dirty[index]);
        flushed: cover (scanned & !lpas.last_pe.lost & in_memory != 0);
    end
endmodule

bind lpas lpas_words contents (.*);
