// SPDX-License-Identifier: Apache-2.0
// zcache: each word of `tile` has one result, in order, with its own place and none but its own pixels; a result stays
// until it is taken. A word is taken if there is a place and no barrier; what is in T1 is offered; a barrier goes on in
// each cycle in which it does not wait for tiles, prefetches or memory before it. The solver chooses a place among the
// tiles in flight. zcache.sv shows that the words in flight are those that wait and the one in T1; what is in the lines
// does not matter, and is left to the solver.
`include "geometry.svh"

module zcache_order (
    input clk, reset, take, tile_moves, barrier_done, res_valid, res_ready,
    input tile_ready, hold,
    input [15:0] shade_data,
    input [`TILE_WIDTH-1:0] tile_data,
    input [`RES_WIDTH-1:0] res_data
);
    localparam N = `CFG_SHADING_TILES, B = `CFG_TOKEN_BITS, T = `CFG_TILE_BITS, S = `CFG_CACHE_SET_BITS;

    wire started = zcache.memory.started;
    reg [B-1:0] chosen;                      // a constant: nothing but itself drives it
    reg [`TILE_WIDTH-1:0] word;              // what was put there
    reg [B-1:0] place;                       // where T1's word was
    reg [15:0] kill;                         // what the shader discarded of it
    wire [B-1:0] head = zcache.tokens.head, tail = zcache.tokens.tail;
    wire load = tile_moves | barrier_done;
    wire waits = zcache.properties.in_flight[chosen];
    wire here = zcache.test.valid & place == chosen;

    always @(posedge clk) begin
        chosen <= chosen;
        if (take & tail == chosen)
            word <= tile_data;
        if (load) begin
            place <= head;
            kill  <= shade_data;
        end
    end

    // The fields of the chosen word
    wire [1:0]  op = word[`TILE_OP];
    wire [15:0] mask = word[`TILE_MASK];
    wire [`CFG_COORDINATE_BITS-1:0] x = word[`TILE_X], y = word[`TILE_Y];
    wire [15:0] live = op == 0 ? mask & ~kill : 16'd0;
    wire [15:0] passed = res_data[`RES_PASSED];

    always @(posedge clk) if (started) begin
        place_in_order: assert (!zcache.test.valid | (place < N & (place + 1) % N == head));
        own_place: assert (!(res_valid & here) | (res_data[`RES_X] == x & res_data[`RES_Y] == y));
        own_pixels: assert (!(res_valid & here) | (passed & ~live) == 0);
        all_without_a_test: assert (!(res_valid & here & op == 0 & !word[`TILE_TEST]) | passed == live);
        if ($past(started & !reset & res_valid & !res_ready))
            result_is_stable: assert ($past(reset) | (res_valid & $stable(res_data)));
    end

    // A barrier: rest, rows, drain, lines of a clear, drain again, done
    localparam REST = 0, SCAN = 1, DRAIN = 2, FILL = 3, DONE = 4;
    wire [2:0] state = zcache.barrier.state;
    wire [2:0] phase = state == DONE ? 3'd5 : state == DRAIN & zcache.barrier.cleared ? 3'd4 : state;
    wire room = zcache.barrier.room, written = zcache.barrier.written;
    wire [15:0] row = zcache.barrier.scan, cleared = zcache.barrier.next;
    wire [18:0] step = {phase, state == SCAN ? row : state == FILL ? cleared : 16'd0};
    wire can = state == REST ? zcache.barrier.valid & zcache.barrier.quiet :
        state == SCAN ? !zcache.barrier.dirty | room : state == DRAIN ? written : room;
    reg goes = 1'b0, could;
    reg [18:0] step_before;

    always @(posedge clk) begin
        goes        <= !reset & state != DONE;
        could       <= can;
        step_before <= step;
    end

    always @(posedge clk) if (started) begin
        taken_if_there_is_a_place: assert (tile_ready | zcache.tokens.flight == N | zcache.tokens.barrier | hold);
        offered: assert (res_valid == zcache.test.valid);
        goes_on: assert (!goes | step >= step_before + could);
        done_then: assert (barrier_done == (state == DONE));
        // what holds in between
        in_flight: assert (!zcache.tokens.barrier | zcache.tokens.flight != 0);
        nothing_cleared: assert (state != SCAN | !zcache.barrier.cleared);
        a_state: assert (state <= DONE);
        none_cleared_yet: assert (!(phase == SCAN | phase == DRAIN) | cleared == 0);
        of_the_surface: assert (state != FILL | cleared < zcache.barrier.tiles);
    end

    // What holds in between, so that the induction closes
    localparam SHORT = 19 + T + S, LONG = 2 * `CFG_COORDINATE_BITS + 6 + 512;
    wire [SHORT-1:0] short = zcache.tokens.heads.words[chosen];
    wire [LONG-1:0] long = zcache.tokens.texts.words[chosen], text = zcache.text;
    wire [2*`CFG_COORDINATE_BITS-1:0] both = {y, x};

    always @(posedge clk) if (started) begin
        as_taken: assert (!waits | (short[SHORT-1 -: 19] == {op, word[`TILE_TEST], mask} &
                                    long[2*`CFG_COORDINATE_BITS-1:0] == both));
        fetched: assert (!(zcache.barrier.state != 0 & head == chosen) | text[2*`CFG_COORDINATE_BITS-1:0] == both);
        moved: assert (!here | (text[2*`CFG_COORDINATE_BITS-1:0] == both & zcache.test.op == op & zcache.test.live == live));
        tested: assert (!here | zcache.test.access == (op == 0 & word[`TILE_TEST] & live != 0));
        no_line: assert (!zcache.test.valid | zcache.test.access | !zcache.test.no_line);
        kept_pixels: assert (!here | zcache.test.first | ((zcache.test.kept & ~live) == 0 &
                             (zcache.test.access | zcache.test.kept == live)));
    end

    always @(posedge clk) if (started & !reset) begin
        skipped: cover (here & op == 0 & word[`TILE_TEST] & mask != 0 & live == 0);
        held_back: cover (here & !res_ready & zcache.tokens.flight == N);
    end
endmodule

bind zcache zcache_order order (.*);
