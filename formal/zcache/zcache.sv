// SPDX-License-Identifier: Apache-2.0
// zcache: a line is in one way of a set at most, fills and the rows they fill are paired, nothing takes the row of a
// fill, a prefetch never that of a line that nobody has used, and such lines are clean; nothing is read that is being
// written. However memory answers and whenever a reset comes; what depths there are does not matter: RAMs of data are
// left to the solver. Sets are those of the tile's number (index = linear), so that a tile has one set. With prefetches
// from a queue, by a pointer that walks ahead, and without.
`include "geometry.svh"

module zcache_properties (
    input clk, reset, stale, res_valid, res_ready, reserve, test_reserve, store_busy, store,
    input barrier_scans, barrier_cleans, barrier_clears, barrier_empties, barrier_done, barrier_begins,
    input [`RES_WIDTH-1:0] res_data,
    input [`CFG_CACHE_SET_BITS+`CFG_CACHE_WAY_BITS-1:0] reserve_row, store_row,
    input [`CFG_CACHE_LINE_BITS-1:0] base,
    input [`CFG_TILE_BITS-1:0] reserve_number
);
    localparam WAYS = `CFG_CACHE_WAYS, SETS = `CFG_CACHE_SETS, ROWS = WAYS * SETS, T = `CFG_TILE_BITS;
    localparam R = `CFG_CACHE_SET_BITS + `CFG_CACHE_WAY_BITS, S = `CFG_CACHE_SET_BITS, L = `CFG_CACHE_LINE_BITS;
    localparam F = `CFG_FILLS, N = `CFG_SHADING_TILES, Q = `CFG_PREFETCH_QUEUE;

    wire started = zcache.memory.started;

    // A line of memory, a constant: nothing but itself drives it
    reg [L-1:0] line;

    always @(posedge clk)
        line <= line;

    // Prefetches: do they take a line now, and how many wait to
`ifdef CFG_PREFETCH_MODE_OFF
    wire ahead_reserve = 1'b0;
`else
    wire ahead_reserve = zcache.ahead_reserve;
`endif
`ifdef CFG_PREFETCH_MODE_QUEUE
    wire [3:0] requests = zcache.requests.count;
`else
    wire [3:0] requests = 4'd0;
`endif

    // Lines, their numbers and fills
    wire [ROWS-1:0] used = zcache.lines.used, filling = zcache.lines.filling;
    wire [ROWS-1:0] touched = zcache.lines.touched, dirty = zcache.lines.dirty;
    wire [F-1:0] busy = zcache.fills.busy;
    wire [T-1:0] number [0:ROWS-1];
    reg [F*L-1:0] asked;                     // address of each fill
    wire [ROWS-1:0] copied, at_home;         // both copies of a number agree; its set is its own
    wire [ROWS*F-1:0] filled_by;
    wire [F-1:0] paired;

    genvar n, f, g;
    generate
        for (n = 0; n < ROWS; n = n + 1) begin : gen_row
            assign number[n] = zcache.lines.gen_way[n % WAYS].test_ram.words[n / WAYS];
`ifdef CFG_PREFETCH_MODE_OFF
            assign copied[n] = 1'b1;         // there is one copy
`else
            assign copied[n] = number[n] == zcache.lines.gen_way[n % WAYS].ahead_ram.words[n / WAYS];
`endif
            assign at_home[n] = number[n][S-1:0] == n / WAYS;
            for (f = 0; f < F; f = f + 1) begin : gen_by
                assign filled_by[n*F + f] = busy[f] & zcache.fills.rows[f*R +: R] == n;
            end
        end
        for (f = 0; f < F; f = f + 1) begin : gen_fill
            wire [R-1:0] place = zcache.fills.rows[f*R +: R];
            assign paired[f] = !busy[f] | (used[place] & filling[place] & asked[f*L +: L] == base + number[place]);
            always @(posedge clk)
                if (reserve & zcache.fills.lowest[f])
                    asked[f*L +: L] <= base + reserve_number;
        end
    endgenerate

    wire [ROWS-1:0] alone, asked_for;        // no other way of its set has its line; one fill does fill it
    generate
        for (n = 0; n < ROWS; n = n + 1) begin : gen_alone
            wire [F-1:0] by = filled_by[n*F +: F];
            wire [WAYS-1:0] twin;
            for (g = 0; g < WAYS; g = g + 1) begin : gen_twin
                assign twin[g] = g != n % WAYS & used[n/WAYS*WAYS + g] & number[n/WAYS*WAYS + g] == number[n];
            end
            assign alone[n] = !used[n] | twin == 0;
            assign asked_for[n] = !used[n] | !filling[n] | (by != 0 & (by & (by - 1'b1)) == 0);
        end
    endgenerate

    // What is being written of the chosen line, or is about to be; what is being read of it
    localparam P = `CFG_WRITE_BUFFER;
    wire [P-1:0] held;
    wire [F-1:0] read;
    generate
        for (n = 0; n < P; n = n + 1) begin : gen_held
            assign held[n] = zcache.writes.write_buffer.used[n] & zcache.writes.write_buffer.lines[n*L +: L] == line;
        end
        for (f = 0; f < F; f = f + 1) begin : gen_read
            assign read[f] = busy[f] & asked[f*L +: L] == line;
        end
    endgenerate
    wire put = zcache.writes.put & zcache.writes.put_line == line;
    wire [ROWS-1:0] here;                    // rows that have it
    generate
        for (n = 0; n < ROWS; n = n + 1) begin : gen_here
            assign here[n] = used[n] & base + number[n] == line;
        end
    endgenerate

    // The promises
    always @(posedge clk) if (started) begin
        in_one_way: assert (&alone);
        a_fill_for_each_row: assert (stale | &asked_for);
        a_row_for_each_fill: assert (stale | &paired);
        fills_stay: assert (!reserve | !used[reserve_row] | !filling[reserve_row]);
        untouched_is_clean: assert ((used & ~touched & dirty) == 0);
        dirty_is_there: assert ((dirty & ~used) == 0);
        filling_is_clean: assert ((used & filling & dirty) == 0);
        not_read_while_written: assert (stale | read == 0 | !(held != 0 | put));
`ifdef CFG_PREFETCH_WHEN_UNTOUCHED_DROP
        unused_stay: assert (!ahead_reserve | !`CFG_OTT | !used[reserve_row] | touched[reserve_row]);
`endif
        if ($past(started & !reset & res_valid & !res_ready))
            result_stays: assert ($past(zcache.test.first) | reset | (res_valid & $stable(zcache.test.kept)));
    end

    // What holds in between, so that the induction closes. First of memory and what was asked of it:
    wire [F-1:0] owed = zcache.memory.owed, offered;
    wire [F-1:0] beats, in_step;
    wire ar_valid = zcache.fills.ar_valid;
    generate
        for (f = 0; f < F; f = f + 1) begin : gen_owed
            assign offered[f] = ar_valid & zcache.fills.ar_fill == f;
            assign in_step[f] = !owed[f] | (zcache.fills.places[f*2 +: 2] == zcache.memory.sent[f*8 +: 2] &
                                            zcache.memory.sent[f*8+2 +: 6] == 0);
            assign beats[f] = !offered[f] | zcache.fills.places[f*2 +: 2] == 0;
        end
    endgenerate

    wire [3:0] begun = zcache.writes.write_buffer.begun, waiting = zcache.writes.write_buffer.waiting;
    wire [P-1:0] kept = zcache.writes.write_buffer.used;
    wire [3:0] held_lines = begun + waiting;

    always @(posedge clk) if (started) begin
        busy_is_owed: assert (busy == (owed | offered) & (owed & offered) == 0);
        beats_in_step: assert (&in_step & &beats);
        ar_of_a_fill: assert (!ar_valid | zcache.fills.ar_fill < F);
        written_once: assert (begun == zcache.memory.addresses + zcache.writes.write_buffer.aw_valid &
                              begun == zcache.memory.lines + zcache.writes.write_buffer.w_valid);
        no_more_than_places: assert (zcache.memory.addresses <= P & zcache.memory.lines <= P & held_lines + zcache.writes.put <= P);
        w_beat: assert (zcache.memory.given == (zcache.writes.write_buffer.w_valid ? zcache.writes.write_buffer.beat : 2'd0));
        ring: assert (zcache.writes.write_buffer.tail < P & zcache.writes.write_buffer.next < P &
                      zcache.writes.write_buffer.head < P & (begun == 0 | zcache.writes.write_buffer.current < P));
        not_here_while_written: assert (here == 0 | !(held != 0 | put) | zcache.barrier.state != 0);
        kept_as_counted: assert (stale | $countones(kept) == held_lines);
        forgotten: assert (!(stale & (zcache.writes.put | waiting != 0 | kept != 0)));
    end

    // then of the lines and their tiles,
    wire [N-1:0] token_home, token_tile, in_flight, look_home;
    wire [Q-1:0] request_home;
    wire [2:0] queued = zcache.tokens.queued, flight = zcache.tokens.flight;
    wire [1:0] head = zcache.tokens.head, tail = zcache.tokens.tail;
    localparam SHORT = 19 + T + S;
    generate
        for (n = 0; n < N; n = n + 1) begin : gen_token
            wire [SHORT-1:0] word = zcache.tokens.heads.words[n];
            wire [2:0] after = n >= head ? n - head : n + N - head; // words ahead of it
            assign in_flight[n]  = after < queued;
`ifdef CFG_PREFETCH_MODE_AHEAD
            wire [T+S:0] look = zcache.tokens.looks.words[n];
            wire tested = word[SHORT-1 -: 2] == 0 & word[SHORT-3];
            assign look_home[n]  = !in_flight[n] | (look[S-1:0] == look[S +: S] & look[T+S] == tested);
`else
            assign look_home[n]  = 1'b1;
`endif
            assign token_home[n] = !in_flight[n] | word[S-1:0] == word[S +: S];
            assign token_tile[n] = !in_flight[n] | word[SHORT-1 -: 2] == 0 | (after + 1 == queued & zcache.tokens.barrier);
        end
        for (n = 0; n < Q; n = n + 1) begin : gen_request
`ifdef CFG_PREFETCH_MODE_QUEUE
            wire [T+S-1:0] word = zcache.requests.requests.words[n];
            wire [2:0] after = (n + Q - zcache.requests.head) % Q;
            assign request_home[n] = after >= requests | word[S-1:0] == word[S +: S];
`else
            assign request_home[n] = 1'b1;
`endif
        end
    endgenerate
    wire barrier_state = zcache.barrier.state != 0;

    always @(posedge clk) if (started) begin
        copies_agree: assert ((used & ~copied) == 0);
        rows_at_home: assert ((used & ~at_home) == 0);
        tokens_at_home: assert (&token_home);
        barrier_is_last: assert (&token_tile);
        requests_at_home: assert (&request_home & &look_home);
        pointers: assert (head < N & tail < N & queued <= N & tail == (head + queued) % N);
        flights: assert (flight == queued + zcache.test.valid & flight <= N);
`ifdef CFG_PREFETCH_MODE_AHEAD
        pointer_in_flight: assert (zcache.requests.lead <= queued &
                                   zcache.requests.place == (head + zcache.requests.lead) % N);
`endif
`ifdef CFG_PREFETCH_MODE_QUEUE
        ring_of_requests: assert (requests <= Q & zcache.requests.tail == (zcache.requests.head + requests) % Q);
`endif
        stale_is_empty: assert (!stale | (flight == 0 & requests == 0 & used == 0 & !barrier_state));
        first_is_valid: assert (!zcache.test.first | zcache.test.valid);
        stored_where_it_is: assert (!zcache.test.first | !zcache.test.access | zcache.test.no_line |
                                    (used[store_row] & !filling[store_row] & touched[store_row]));
        if (barrier_state) begin
            barrier_alone: assert (zcache.head_valid & zcache.head_op != 0 & queued == 1 & busy == 0 &
                                   requests == 0 & !zcache.test.valid);
            barrier_states: assert (zcache.barrier.state <= 4);
        end
        if (zcache.barrier.state == 4 | zcache.barrier.state == 3)
            all_written: assert (zcache.barrier.state == 3 | (held_lines == 0 & !zcache.writes.put));
    end

    // Traces to see
    always @(posedge clk) if (started & !reset) begin
`ifndef CFG_PREFETCH_MODE_OFF
        late: cover (zcache.look_up.coming & zcache.fill_ends & !zcache.fill_failed);
        dirty_line_replaced: cover (zcache.evict_dirty & ahead_reserve);
        dropped: cover (zcache.ahead_decided & zcache.ahead_outcome == 3);
`endif
        failed: cover (res_valid & zcache.res_failed & zcache.test.no_line);
        barrier_ends: cover (barrier_done);
        memory_still_answers: cover (zcache.hold & busy != 0 & zcache.memory.owed != 0);
    end
endmodule

bind zcache axi_many #(.IDS(`CFG_FILLS), .ID(`CFG_AXI_ID_BITS)) memory (.*);
bind zcache zcache_properties properties (.*);
