// SPDX-License-Identifier: Apache-2.0
// lpas, 4 PEs over 4 caches: what becomes of a request from the cycle in which it is taken until it is acknowledged,
// whatever memory answers and whenever a reset comes. The solver chooses a PE and a cache. axi_memory.sv has AXI's
// rules and what is assumed of the memory; switch.sv takes up where grants are chosen.
`include "geometry.svh"
`define EACH(signal) {lpas.select3.signal, lpas.select2.signal, lpas.select1.signal, lpas.select0.signal}

module lpas_properties (
    input clk, rst, m_axi_rst, reset,
    input req0_valid, req1_valid, req2_valid, req3_valid, req0_ready, req1_ready, req2_ready, req3_ready,
    input [`REQ0_WIDTH-1:0] req0_data, req1_data, req2_data,
    input [`REQ3_WIDTH-1:0] req3_data,
    input res0_valid, res1_valid, res2_valid, res3_valid,
    input [3:0] active, served, grant, can_grant, hit, flushing,
    input [15:0] wants, grants, serves
);
    localparam PES = 4, SLOT = `CFG_SLOT_BITS, WORD = `CFG_WORD_ADDRESS_BITS, SET = `CFG_CACHE_SET_BITS;
    localparam TAG = `CFG_TAG_BITS, WIDTH = `REQ3_WIDTH, PIPELINED = `CFG_READ_PIPELINE;
    localparam READY = 0, MISS = 1, SERVE = 2, SCAN = 3;                   // of a cache
    localparam IDLE = 0, WRITE = 1, READ = 2;                              // of the network interface

    generate
        if (`CFG_PES != PES) begin : gen_illegal
            these_properties_need_4_PEs illegal ();
        end
    endgenerate

    // Constants: nothing but themselves drives them
    reg [1:0] pe, cache;
    reg started = 1'b0;

    always @(posedge clk) begin
        pe      <= pe;
        cache   <= cache;
        started <= 1'b1;
        if (!started)
            first_a_reset: assume (rst);
    end

    // What is seen at the pins of the chosen PE: the request that was taken last, how many have no acknowledge
    wire [PES-1:0] valid = {req3_valid, req2_valid, req1_valid, req0_valid};
    wire [PES-1:0] ready = {req3_ready, req2_ready, req1_ready, req0_ready};
    wire [PES-1:0] answers = {res3_valid, res2_valid, res1_valid, res0_valid};
    wire [WIDTH-1:0] offers [0:PES-1];
    assign offers[0] = req0_data;
    assign offers[1] = req1_data;
    assign offers[2] = req2_data;
    assign offers[3] = req3_data;

    wire takes = valid[pe] & ready[pe] & !reset, answered = answers[pe];
    reg [WIDTH-1:0] asked;
    reg [1:0] open;
    wire [WIDTH-1:0] now = takes ? offers[pe] : asked;  // the request that is there
    wire is_last = pe == PES - 1;
    wire for_cache = !is_last | now[2:1] == 0;
    wire [WORD-1:0] word = is_last ? now[`REQ3_WORD] : now[`REQ0_WORD];
    wire [15:0] value = is_last ? now[`REQ3_VALUE] : now[`REQ0_VALUE];
    wire [1:0] home = word[SLOT +: 2];

    always @(posedge clk) begin
        open <= reset ? 2'd0 : open + {1'b0, takes} - {1'b0, answered};
        if (takes)
            asked <= offers[pe];
    end

    // What the select of the chosen PE remembers
    wire held = `EACH(held) >> pe, granted = `EACH(granted) >> pe, due = `EACH(due) >> pe;
    wire due_outside = `EACH(due_outside) >> pe;
    wire [WIDTH-1:0] stored [0:PES-1];
    assign stored[0] = lpas.select0.stored;
    assign stored[1] = lpas.select1.stored;
    assign stored[2] = lpas.select2.stored;
    assign stored[3] = lpas.select3.stored;

    // What the caches remember
    wire [1:0] states [0:PES-1];
    wire [PES-1:0] nothing, serving;         // no line is there; one is served whose line has come
    wire [PES-1:0] dirties;                  // the line looked at is
    wire [PES-1:0] owners [0:PES-1];
    wire [PES-1:0] own_stores;
    wire [WORD+16-3:0] owns [0:PES-1];       // tag, line, place and value of the request that missed
    wire [PES-1:0] owned [0:PES-1];          // by PE the caches that have missed its request
    wire [PES-1:0] ours = owned[pe];
    genvar n, m;
    generate
        for (n = 0; n < PES; n = n + 1) begin : gen_cache
            assign states[n] = lpas.gen_cache[n].one.state;
            assign nothing[n] = lpas.gen_cache[n].one.valid == 0;
            assign serving[n] = states[n] == SERVE;
            assign dirties[n] = lpas.gen_cache[n].one.is_dirty;
            assign owners[n] = lpas.gen_cache[n].one.owner;
            assign own_stores[n] = lpas.gen_cache[n].one.own_store;
            assign owns[n] = {
                lpas.gen_cache[n].one.own_tag, lpas.gen_cache[n].one.own_index, lpas.gen_cache[n].one.own_slot,
                lpas.gen_cache[n].one.own_value
            };
            for (m = 0; m < PES; m = m + 1) begin : gen_owner
                assign owned[m][n] = (states[n] == MISS | states[n] == SERVE) & owners[n][m];
            end
        end
    endgenerate

    wire [1:0] state = states[cache];
    wire [PES-1:0] owner = owners[cache];
    wire busy = state == MISS | state == SERVE;
    wire [PES-1:0] grants_it = grants[cache*PES +: PES], serves_it = serves[cache*PES +: PES];

    // Since the chosen PE's request came it was granted; the chosen cache has missed a request, this PE's
    reg was_granted, missed;
    reg [PES-1:0] who;
    wire done = PIPELINED ? served[pe] | (due & due_outside) : answered;

    always @(posedge clk) begin
        was_granted <= !reset & (was_granted | grant[pe]) & !done;
        missed      <= !reset & (missed | (grants_it != 0 & !hit[cache])) & serves_it == 0;
        if (!missed)
            who <= grants_it;
    end

    // The promises
    always @(posedge clk) if (started & !reset) begin
        acknowledges_what_was_asked: assert (!answered | open != 0 | (takes & !PIPELINED));
        none_is_lost: assert (open == held + (PIPELINED & due & !due_outside));
        held_unchanged: assert (!held | stored[pe] == asked);
        granted_once: assert (!was_granted | !grant[pe]);
        one_grant: assert ((grants_it & (grants_it - 1'b1)) == 0);
        to_who_wants_it: assert (!grants_it[pe] | (for_cache & home == cache & (takes | held)));
        none_while_it_misses: assert (!missed | grants_it == 0);
        who_missed_is_served: assert (!missed | serves_it == 0 | serves_it == who);
        none_while_it_flushes: assert (!flushing[cache] | grants_it == 0);
        if ($past(started & !reset & active[pe] & for_cache & !grant[pe]))
            goes_on_asking: assert (active[pe] & for_cache & home == $past(home));
        if (active[pe] & for_cache & home == cache)
            asks_its_cache: assert (wants[cache*PES +: PES] >> pe & 1'b1 | !can_grant[cache]);
        asks_until_granted: assert (active[pe] == ((held | valid[pe]) & !was_granted));
        taken_if_none_is_held: assert (ready[pe] == !held);
        can_grant_if_it_rests: assert (can_grant[cache] == (state == READY & !flushing[cache]));
    end

    // What holds in between, so that the induction closes. First of the PE's side:
    wire waits = lpas.last_pe.waits, flushes = lpas.last_pe.flushes;
    wire [PES-1:0] outside_has_it = {waits | flushes, 3'd0};
    wire [PES-1:0] all_due = `EACH(due), all_granted = `EACH(granted), all_outside = `EACH(due_outside);
    wire [PES-1:0] due_here = all_due & (PIPELINED ? all_outside : 4'hf);
    wire [PES-1:0] in_one_place, at_its_home;
    generate
        for (n = 0; n < PES; n = n + 1) begin : gen_pe
            wire [1:0] kept = stored[n] >> (n == PES - 1 ? 3 : 1) + SLOT;

            assign in_one_place[n] = all_granted[n] ? {owned[n] != 0, outside_has_it[n], due_here[n]} == 3'b100 |
                {owned[n] != 0, outside_has_it[n], due_here[n]} == 3'b010 |
                {owned[n] != 0, outside_has_it[n], due_here[n]} == 3'b001 :
                {owned[n] != 0, outside_has_it[n], due_here[n]} == 3'b000;
            assign at_its_home[n] = (owned[n] & ~(4'd1 << kept)) == 0;
        end
    endgenerate

    always @(posedge clk) if (started) begin
        granted_is_held: assert ((all_granted & ~`EACH(held)) == 0);
        is_granted: assert (granted == was_granted);
        granted_is_in_one_place: assert (&in_one_place);
        missed_at_home: assert (&at_its_home);
        due_from_outside: assert ((all_due & all_outside & 4'h7) == 0);
        one_thing: assert (!(waits & flushes));
        if (waits | flushes)
            for_the_outside: assert (stored[3][2:1] != 0 & (waits ? !stored[3][2] : stored[3][2]));
        if (waits)
            store_of_the_outside: assert (lpas.last_pe.store == stored[3][0]);
        if (ours[cache]) begin
            is_for_a_cache: assert (!is_last | stored[pe][2:1] == 0);
            as_it_was_granted: assert (own_stores[cache] == stored[pe][0] & owns[cache] == {
                word[WORD-1:SLOT+2], word[SLOT-1:0], value});
        end
    end

    // then of the chosen cache,
    always @(posedge clk) if (started) begin
        missed_is_busy: assert (missed == busy);
        its_owner: assert (!busy | (owner == who & owner != 0 & (owner & (owner - 1'b1)) == 0));
        scans_for_a_flush: assert (state != SCAN | flushing[cache]);
    end

    // of the network interface,
    wire [1:0] phase = lpas.network.phase;
    wire fresh = lpas.network.fresh, going = lpas.network.port.going, single = lpas.network.single;
    wire writing = lpas.network.writing, replaces = lpas.network.miss;
    wire [PES:0] job = lpas.network.job;
    wire [2:0] number = lpas.network.number;
    wire idle = phase == IDLE;
    wire [PES-1:0] on_their_way;             // jobs of caches that ask for them
    wire stale = idle & going;               // a burst from before a reset
    wire [WORD-1:0] burst_word = writing ? lpas.network.write_word : lpas.network.read_word;

    always @(posedge clk) if (started) begin
        phases: assert (phase <= READ & (!fresh | !idle));
        bursts: assert (fresh ? !going : idle | going);
        as_the_phase: assert (idle | writing == (phase == WRITE));
        its_number: assert (idle & !going | (job == 5'd1 << number & number <= PES));
        of_the_outside: assert (idle | !single | (waits & !replaces & lpas.last_pe.store == writing));
        whole_lines: assert (idle & !going | single | (
            lpas.network.write_word[SLOT-1:0] == 0 & lpas.network.read_word[SLOT-1:0] == 0));
        their_jobs: assert (&on_their_way);
        stale_is_empty: assert (!stale | (nothing == 4'hf & serving == 0));
    end
    generate
        for (n = 0; n < PES; n = n + 1) begin : gen_job
            assign on_their_way[n] = idle | !job[n] |
                (replaces ? states[n] == MISS : states[n] == SCAN & phase == WRITE & dirties[n]);
        end
    endgenerate

    // last of the port
    wire reading = lpas.memory.reading, writes = lpas.memory.writing, w_taken = lpas.memory.w_taken;
    wire begins = lpas.network.port.begins, w_valid = lpas.network.port.w_valid;
    wire [7:0] beats = lpas.memory.beats, count = lpas.network.port.count, last = single ? 0 : `CFG_BEATS - 1;

    always @(posedge clk) if (started) begin
        burst_is_open: assert (going == (reading | writes));
        data_of_a_write: assert (!w_taken | writes);
        counts: assert (going ? beats <= last + 1 : beats == 0);
        if (begins)
            begins_a_write: assert (writes & !w_valid & !w_taken & beats == 0 & count == 0);
        if (w_valid)
            beat_to_write: assert (writes & !w_taken & count == beats & beats <= last);
        if (writes & !begins & !w_valid)
            written: assert (w_taken);
        if (reading)
            reads: assert (count == beats & beats <= last);
        if (going)
            as_asked: assert (writing == writes & lpas.memory.len == last &
                              lpas.memory.burst == {burst_word >> 1, 2'd0});
    end

    // Traces to see
    always @(posedge clk) begin
        if (started & !reset) begin
            missed_and_served: cover (missed & serves_it != 0 & wants != 0);
            refused_stm: cover (all_due[3] & stored[3][2:0] == 3 & lpas.res3_data[`RES3_ERR]);
            flushed: cover (all_due[3] & stored[3][2]);
        end
        reset_with_a_burst: cover (started & rst & writes & going);
    end
endmodule

bind lpas axi_memory #(.DATA(`CFG_AXI_DATA_BITS), .ADDRESS(`CFG_CACHE_ADDRESS_BITS)) memory (.*);
bind lpas lpas_properties properties (.*);
