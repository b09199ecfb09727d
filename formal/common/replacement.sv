// SPDX-License-Identifier: Apache-2.0
// replacement: under any policy its state stays legal, and the way used last is spared.
//
// A set and the policy are chosen by the solver. Assumed: the set is cleared before it is used, as caches do it after
// a reset and when the policy changes, and no other set in the cycle after its update.
module replacement_properties #(parameter WAYS = 4, WAY_BITS = 2, SETS = 2, SET_BITS = 1, INVALID_FIRST = 0) (
    input clk, clear, update, filled,
    input [1:0] policy,
    input [SET_BITS-1:0] set,
    input [WAYS-1:0] valid,
    input [WAY_BITS-1:0] way, victim,
    input pending,
    input [SET_BITS-1:0] pending_set,
    input [WAYS*WAY_BITS-1:0] next_state
);
    localparam ROUND_ROBIN = 0, LFU = 1, LRU = 2, PSEUDO_LRU = 3;

    reg [SET_BITS-1:0] chosen;               // constants: nothing but themselves drives them
    reg [1:0] kept;
    reg begun = 1'b0;                        // the chosen set was cleared
    reg used = 1'b0;                         // and one of its ways used since
    reg [WAY_BITS-1:0] last;                 // that one, or the one used last
    wire here = set == chosen;

    always @(posedge clk) begin
        chosen <= chosen;
        kept   <= kept;
        if (here & clear) begin
            begun <= 1'b1;
            used  <= 1'b0;
        end else if (here & update) begin
            used <= begun;
            last <= way;
        end
    end

    wire unwritten = pending & pending_set == chosen;
    wire [WAYS*WAY_BITS-1:0] state = unwritten ? next_state : replacement.states.words[chosen];
    wire [WAY_BITS-1:0] rank = state[last*WAY_BITS +: WAY_BITS];
    wire ranked = kept == LFU | kept == LRU;
    wire [WAYS/2-1:0] pair_bits = state;
    wire [WAY_BITS-2:0] pair = last[WAY_BITS-1:1];
    reg distinct;

    always @* begin
        distinct = 1'b1;
        for (int i = 0; i < WAYS; i++)
            for (int j = 0; j < i; j++)
                if (state[i*WAY_BITS +: WAY_BITS] == state[j*WAY_BITS +: WAY_BITS])
                    distinct = 1'b0;
    end

    always @(posedge clk) begin
        one_policy: assume (policy == kept);
        if (here & !begun)
            clear_first: assume (clear | !update);
        if (unwritten & !here)
            no_update_is_lost: assume (!clear);
        used_is_begun: assert (begun | !used);
        if (begun & ranked) begin
            ranks_are_a_permutation: assert (distinct);
            used_is_newest: assert (!used | rank == (kept == LFU ? {WAY_BITS{1'b1}} : {WAY_BITS{1'b0}}));
        end
        if (used & kept == PSEUDO_LRU) begin
            pair_points_away: assert (pair_bits[pair] == !last[0]);
            half_points_away: assert (state[WAYS/2 + (last >> 2)] == last[1]);
        end
        if (used & here & kept != ROUND_ROBIN & (INVALID_FIRST == 0 | &valid))
            used_is_spared: assert (victim != last);
        if (begun & $past(begun & here & update & !clear & filled & way == victim) & here & kept == ROUND_ROBIN)
            round_robin_moves_on: assert (INVALID_FIRST != 0 | victim == $past(victim) + {{WAY_BITS-1{1'b0}}, 1'b1});
    end

    // Traces to see
    always @(posedge clk) begin
        if (used & here) begin
            last_way_of_pseudo_lru: cover (kept == PSEUDO_LRU & victim == WAYS - 1);
            first_way_again: cover (kept == ROUND_ROBIN & victim == 0 & last == WAYS - 1);
            order_turned: cover (kept == LRU & victim == WAYS - 1 & last == 0);
        end
    end
endmodule

bind replacement replacement_properties #(
    .WAYS(WAYS), .WAY_BITS(WAY_BITS), .SETS(SETS), .SET_BITS(SET_BITS), .INVALID_FIRST(INVALID_FIRST)
) properties (.*);
