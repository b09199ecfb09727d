// SPDX-License-Identifier: Apache-2.0
// dcache: no store is lost. The solver chooses a byte of memory (axi_memory.sv); `shadow` is what was stored there
// last. A load of it gives shadow, however often its line went to memory and came back, into whatever way; a clean or
// a flush leaves shadow in memory, if nothing was refused. An invalidation and a reset go back to what memory has.
// dcache.sv has what holds of lines, stages and port.
// Assumed: memory as in axi_memory.sv; the chosen set is the one that dcache.sv looks at, which the solver chooses, too.
`include "geometry.svh"

module dcache_stores (
    input clk, reset, starting, walking, lookup, store1, found, wrote, fill_ends, failed_now, failed, leave2, wrong,
    input s1_valid, s1_access, s2_valid, s2_slow, s2_access, s2_uncached, s2_fills, scans,
    input m_axi_bvalid,
    input [1:0] m_axi_bresp,
    input [2:0] phase, s2_op,
    input [3:0] s1_strobe, s2_strobe,
    input [31:0] s1_word, s2_word, word, passed_word,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] s1_address, burst_address,
    input [`CFG_CACHE_ADDRESS_BITS-1:2] s2_address,
    input [`CFG_CACHE_SET_BITS-1:0] walk, scan, set2,
    input [`CFG_CACHE_WAY_BITS-1:0] s2_way,
    input [`CFG_CACHE_WAYS-1:0] tried,
    input [`CFG_CACHE_TAG_BITS-1:0] s2_victim,
    input [32*`CFG_CACHE_WAYS-1:0] s2_words,
    input [`CFG_CACHE_WAYS*(`CFG_CACHE_TAG_BITS+1)-1:0] tags
);
    localparam WAYS = `CFG_CACHE_WAYS, TAG = `CFG_CACHE_TAG_BITS, OFFSET = `CFG_CACHE_OFFSET_BITS;
    localparam SET = `CFG_CACHE_SET_BITS, ADDRESS = `CFG_CACHE_ADDRESS_BITS, ASIDE = `CFG_UNCACHED_BITS;
    localparam BEAT = OFFSET - `CFG_BEAT_BITS; // bits of a byte's place in its beat
    localparam LOAD = 0, STORE = 1, CLEAN = 2, FLUSH = 3, INVALIDATE = 4;
    localparam REST = 0, WRITE = 1, FILL = 2, READ = 3, LOOK = 4;

    // The byte: its line, its place there and in a word
    wire started = dcache.memory.started;
    wire [ADDRESS-1:0] chosen = dcache.memory.chosen;
    wire [7:0] lane = chosen[BEAT-1:0];
    wire [1:0] part = chosen[1:0];
    wire [SET-1:0] index = chosen[OFFSET +: SET];
    wire [TAG-1:0] tag = chosen[OFFSET+SET +: TAG];
    wire [SET+`CFG_BEAT_BITS-1:0] row = chosen[OFFSET+SET-1:BEAT];
    wire aside = ASIDE != 0 & &(chosen | {ADDRESS{1'b1}} >> ASIDE);

    always @(posedge clk)
        its_set: assume (index == dcache.properties.index);

    // What memory has of it, and the burst that is under way
    wire [7:0] in_memory = dcache.memory.in_memory, coming = dcache.memory.coming, beats = dcache.memory.beats;
    wire comes = dcache.memory.comes, writing = dcache.memory.writing, reading = dcache.memory.reading;
    wire ours_moves = dcache.memory.ours, has_moved = beats > dcache.memory.place;
    wire [7:0] memory_next = m_axi_bvalid & !m_axi_bresp[1] & comes ? coming : in_memory;

    // Requests about it
    wire about1 = s1_access & s1_address[ADDRESS-1:2] == chosen[ADDRESS-1:2];
    wire about2 = s2_access & s2_address == chosen[ADDRESS-1:2];
    wire line2  = s2_address[ADDRESS-1:OFFSET] == chosen[ADDRESS-1:OFFSET];
    wire stores1 = about1 & s1_strobe[part], stores2 = about2 & s2_op == STORE & s2_strobe[part];
    wire loads2  = about2 & s2_op == LOAD;
    wire [7:0] byte1 = s1_word[part*8 +: 8], byte2 = s2_word[part*8 +: 8], loaded = word[part*8 +: 8];
    wire [7:0] passed = passed_word[part*8 +: 8], hit_byte = s2_words[{s2_way, part, 3'd0} +: 8];

    // What was stored last
    reg [7:0] shadow;
    wire lost = starting | (walking & s2_op == INVALIDATE);
    wire stored2 = (fill_ends & !failed_now) | (s2_uncached & wrote);

    always @(posedge clk)
        if (reset | lost)
            shadow <= memory_next;
        else if (lookup & store1 & found & stores1)
            shadow <= byte1;
        else if (stored2 & stores2)
            shadow <= byte2;

    // Where it is: as it lies in the ways, and as it was read there
    wire [WAYS-1:0] there, ours, right, same_tag, same_data;
    wire [TAG:0] kept [0:WAYS-1];
    wire [7:0] kept_byte [0:WAYS-1];
    wire [WAYS-1:0] dirty = dcache.dirty_ram.words[index];
    genvar n;
    generate
        for (n = 0; n < WAYS; n = n + 1) begin : gen_where
            wire [8*(1 << BEAT)-1:0] beat_kept = dcache.gen_way[n].data_ram.words[row];
            wire [7:0] read_byte = dcache.gen_way[n].beat_read[lane*8 +: 8];
            assign kept[n]      = dcache.gen_way[n].tag_ram.words[index];
            assign kept_byte[n] = beat_kept[lane*8 +: 8];
            assign there[n]     = kept[n][0];
            assign ours[n]      = kept[n] == {tag, 1'b1};
            assign right[n]     = kept_byte[n] == shadow;
            assign same_tag[n]  = tags[n*(TAG+1) +: TAG+1] == kept[n];
            assign same_data[n] = read_byte == kept_byte[n];
        end
    endgenerate

    // The promises
    always @(posedge clk) if (started & !starting) begin
        load_gives_what_was_stored: assert (!(leave2 & loads2 & !wrong) | loaded == shadow);
        clean_leaves_it_in_memory: assert (!(leave2 & scans & !wrong) | in_memory == shadow);
    end

    // What holds in between, so that the induction closes
    wire asked = phase == WRITE | phase == FILL;
    wire [WAYS-1:0] this_way = {{WAYS-1{1'b0}}, 1'b1} << s2_way;
    wire filled = phase == FILL & s2_fills & set2 == index;
    wire [7:0] merged = stores2 ? byte2 : in_memory;
    wire writes_line = phase == WRITE & !s2_uncached & set2 == index;
    wire scanned = scans & s2_slow & (scan > index | phase == REST);

    always @(posedge clk) if (started & starting) begin
        cleared: assert (!(walking & walk > index) | (there | dirty) == 0);
        all_cleared: assert (walking | (there | dirty) == 0);
    end

    always @(posedge clk) if (started & !starting) begin
        // of lines: those set aside are in no way
        in_one_way: assert ((ours & (ours - 1'b1)) == 0);
        dirty_is_there: assert ((dirty & ~there & ~(filled ? this_way : 0)) == 0);
        aside_is_absent: assert (!aside | ours == 0);
        aside_in_stage2: assert (!(s2_valid & s2_access & line2) | s2_uncached == aside);
        forgotten: assert (!(walking & s2_op == INVALIDATE & walk > index) | (ours | dirty) == 0);
        scans_as_told: assert (!s2_valid | scans == (s2_op == CLEAN | s2_op == FLUSH));
        scans_wait: assert (!(s2_valid & scans) | (s2_slow & !s2_access));
        scans_from_0: assert (phase != READ | (scan == 0 & tried == 0 & dcache.refusals == 0));
        // of the first stage
        tags_as_kept: assert (!(s1_valid & s1_access & !s2_slow & s1_address[OFFSET +: SET] == index) | (&same_tag));
        data_as_kept: assert (!(s1_valid & s1_access & !s2_slow & s1_address[OFFSET+SET-1:BEAT] == row) | (&same_data));
        scanned_as_kept: assert (!(s2_slow & scans & (phase == LOOK | phase == WRITE) & scan == index) | (&same_tag));
        // of bursts
        aside_as_asked: assert (!(asked & s2_uncached) | s2_op == (phase == WRITE ? STORE : LOAD));
        all_went: assert (!dcache.memory.w_taken | beats == dcache.memory.len + 8'd1);
        as_addressed: assert (!asked | dcache.memory.burst == burst_address);
        absent: assert (!(asked & s2_fills & line2) | ours == 0);
        victim_is_kept: assert (!writes_line | kept[s2_way] == {s2_victim, 1'b1});
        goes_as_kept: assert (!(writes_line & dcache.port.w_valid & beats == dcache.memory.place & ours_moves) | same_data[s2_way]);
    end

    always @(posedge clk) if (started & !lost) begin
        ways_are_right: assert ((ours & ~right) == 0);
        memory_is_right: assert ((ours & dirty) != 0 | in_memory == shadow);
        replaced_is_in_memory: assert (!(phase == FILL & s2_fills & set2 == index & ours[s2_way]) | in_memory == shadow);
        filled_is_right: assert (!(filled & line2 & has_moved & !failed) | kept_byte[s2_way] == merged);
        if (writing & !s2_uncached)
            line_goes: assert (!ours_moves | (comes == has_moved & (!comes | coming == shadow)));
        if (writing & s2_uncached)
            word_goes: assert (comes == (dcache.memory.w_taken & stores2) & (!comes | coming == byte2));
        hit_is_right: assert (!(s2_valid & !s2_slow & loads2) | hit_byte == shadow);
        passed_is_right: assert (!(s2_valid & s2_slow & loads2 & !failed & (phase == REST | (phase == FILL & has_moved))) |
                                 passed == shadow);
        scanned_is_clean: assert (!scanned | failed | (ours & dirty) == 0);
        looked_up: assert (!(scans & s2_slow & scan == index & (phase == LOOK | phase == WRITE)) |
                           ((dirty & ~dcache.looked) == 0 & (dcache.looked & ~tried & ~dirty) == 0 &
                            dcache.refusals == (dirty & tried & ~(phase == WRITE ? this_way : 0))));
        written_is_tried: assert (!(scans & s2_slow & phase == WRITE) | (tried & this_way) != 0);
        tried_is_clean: assert (!(scans & s2_slow & scan == index & (phase == LOOK | phase == WRITE)) | failed |
                                (dirty & tried & ~(phase == WRITE ? this_way : 0)) == 0);
    end
endmodule

bind dcache dcache_stores stores (.*);
