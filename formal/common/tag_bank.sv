// SPDX-License-Identifier: Apache-2.0
// tag_bank: a line is in one way at most, invalid ways are filled first, what is told of way, victim and eviction is
// right, and a miss never takes the way that was used right before it. The set looked at is chosen by the solver: what
// holds for it holds for all.
`include "geometry.svh"

`define WAY(i) \
    if (i < WAYS) begin \
        assign valids[i] = `MODULE.valid``i[chosen]; \
        assign kept[i] = `MODULE.tag_ram``i.words[chosen]; \
        assign rank[i] = ranks[i*WAY_BITS +: WAY_BITS]; \
    end

module tag_bank_properties (
    input clk, rst, invalidate, update, hit, evict,
    input [`CFG_CACHE_SET_BITS-1:0] set,
    input [`CFG_CACHE_TAG_BITS-1:0] tag, victim_tag,
    input [`CFG_CACHE_WAY_BITS-1:0] way, victim,
    input [`CFG_CACHE_WAYS-1:0] valid, match
);
    localparam WAYS = `CFG_CACHE_WAYS, WAY_BITS = `CFG_CACHE_WAY_BITS;

    reg started = 1'b0;
    reg [`CFG_CACHE_SET_BITS-1:0] chosen;          // a constant: nothing but itself drives it

    // The chosen set
    wire [WAYS-1:0] valids;
    wire [WAYS-1:0][`CFG_CACHE_TAG_BITS-1:0] kept;
    wire [WAYS-1:0][WAY_BITS-1:0] rank;
    // As the next look-up sees them: an update is written a cycle later
    wire pending = `MODULE.replacement.gen_order.updated & `MODULE.replacement.gen_order.used_set == chosen;
    wire [WAYS*WAY_BITS-1:0] ranks = pending ? `MODULE.replacement.gen_order.next_ranks :
        `MODULE.replacement.gen_order.rank_ram.words[chosen];
    generate
        `WAY(0) `WAY(1) `WAY(2) `WAY(3) `WAY(4) `WAY(5) `WAY(6) `WAY(7)
        `WAY(8) `WAY(9) `WAY(10) `WAY(11) `WAY(12) `WAY(13) `WAY(14) `WAY(15)
    endgenerate

    // Of any two ways
    reg once, permutation, invalid_older;

    always @* begin
        {once, permutation, invalid_older} = 3'b111;
        for (int i = 0; i < WAYS; i++)
            for (int j = 0; j < WAYS; j++)
                if (i != j) begin
                    if (valids[i] & valids[j] & kept[i] == kept[j])
                        once = 1'b0;
                    if (rank[i] == rank[j])
                        permutation = 1'b0;
                    if (!valids[i] & valids[j] & rank[i] < rank[j])
                        invalid_older = 1'b0;
                end
    end

    wire here = set == chosen;
    reg used_known = 1'b0;                         // a way of it was used since lines were forgotten
    reg [WAY_BITS-1:0] used;                       // the last

    always @(posedge clk) begin
        started <= 1'b1;
        chosen  <= chosen;
        if (update & here)
            used <= way;
        if (rst | invalidate)
            used_known <= 1'b0;
        else if (update & here)
            used_known <= 1'b1;
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        else begin
            line_in_one_way_at_most: assert (once);
            if (valids != 0) begin
                ranks_are_a_permutation: assert (permutation);
                invalid_ways_are_the_oldest: assert (invalid_older);
            end
            if (used_known)
                used_last_is_the_youngest: assert (valids[used] & rank[used] == 0);
            if (here) begin
                one_match_at_most: assert ((match & (match - 1'b1)) == 0);
                if (hit)
                    way_is_where_it_hit: assert (valids[way] & kept[way] == tag & !evict);
                else begin
                    way_is_the_victim: assert (way == victim);
                    invalid_ways_go_first: assert (!valids[victim] | &valids);
                    eviction_told: assert (evict == valids[victim]);
                end
                if (used_known)
                    used_last_is_spared: assert (hit | way != used);
                victim_tag_told: assert (victim_tag == (evict ? kept[victim] : 0));
            end
        end
    end

    // Traces to see
    reg filled = 1'b0;                       // the set was full once
    always @(posedge clk) begin
        filled <= !rst & (filled | &valids);
        if (started & here & !rst) begin
            every_way_valid: cover (&valids & hit);
            eviction: cover (evict & update);
            hit_after_eviction: cover (filled & hit & update & kept[way] != 0 & $past(evict & update & here));
            empty_again: cover (filled & valids == 0);
        end
    end
endmodule

bind `MODULE tag_bank_properties properties (.*);
