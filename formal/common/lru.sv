// SPDX-License-Identifier: Apache-2.0
// lru: the ranks of a set are a permutation, and say exactly which of two ways was used later.
//
// A set and two of its ways are chosen by the solver. Assumed, as tag banks do it: a set counts as fresh until its
// first use; it may become fresh again at any time (an invalidation).
module lru_properties #(parameter WAYS = 4, WAY_BITS = 2, SETS = 2, SET_BITS = 1) (
    input clk, fresh, update,
    input [SET_BITS-1:0] set,
    input [WAY_BITS-1:0] way, victim
);
    reg [SET_BITS-1:0] chosen;          // constants: nothing but themselves drives them
    reg [WAY_BITS-1:0] a, b;
    reg used = 1'b0;                         // the chosen set was used
    reg newer;                               // its way a was used after its way b

    // Way 0 is the oldest of a fresh set, then way 1, ...
    wire here = set == chosen;
    wire newer_now = fresh ? a > b : newer;

    always @(posedge clk) begin
        chosen <= chosen;
        a <= a;
        b <= b;
        if (update & here) begin
            used  <= 1'b1;
            newer <= way == a | (way != b & newer_now);
        end
    end

    // As the next look-up sees them: an update is written a cycle later
    wire pending = lru.gen_order.updated & lru.gen_order.used_set == chosen;
    wire [WAYS*WAY_BITS-1:0] ranks = pending ? lru.gen_order.next_ranks : lru.gen_order.rank_ram.words[chosen];
    wire [WAY_BITS-1:0] rank_a = ranks[a*WAY_BITS +: WAY_BITS];
    wire [WAY_BITS-1:0] rank_b = ranks[b*WAY_BITS +: WAY_BITS];

    // Of any two ways, for what the others do moves the chosen ones
    reg distinct;

    always @* begin
        distinct = 1'b1;
        for (int i = 0; i < WAYS; i++)
            for (int j = 0; j < i; j++)
                if (ranks[i*WAY_BITS +: WAY_BITS] == ranks[j*WAY_BITS +: WAY_BITS])
                    distinct = 1'b0;
    end

    always @(posedge clk) begin
        two_ways: assume (a != b);
        if (here & !used)
            fresh_at_first: assume (fresh);
        if (used) begin
            ranks_are_a_permutation: assert (distinct);
            ranks_follow_use: assert ((rank_a < rank_b) == newer);
        end
        if (here)
            victim_is_the_oldest: assert (victim != a | !newer_now);
    end

    // Traces to see
    always @(posedge clk) begin
        every_way_used: cover (used & !fresh & here & victim == 0 & rank_a == 0 & a == WAYS - 1 & newer);
        oldest_used_again: cover (used & !fresh & here & update & way == victim & way == WAYS / 2);
    end
endmodule

bind lru lru_properties #(.WAYS(WAYS), .WAY_BITS(WAY_BITS), .SETS(SETS), .SET_BITS(SET_BITS)) properties (.*);
