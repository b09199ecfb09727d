// SPDX-License-Identifier: Apache-2.0
// texpipe_setup: the table that a quad needs stays in its slot until the quad has left the unit. Tables come one at a
// time, each line of them is asked for once, in order. A primitive keeps its slot as long as it keeps its number. Quad
// and primitive looked at are chosen by the solver. At any time there may be a reset.
//
// Assumed: quads leave that are there, and no more are in the unit than fit; lines come that were asked for.
`include "geometry.svh"
module texpipe_setup_properties #(
    parameter T = `CFG_TABLES,
    parameter S = `CFG_SLOT_BITS,
    parameter L = `CFG_CACHE_LINE_BITS,
    parameter INSIDE = 1                     // bits of the number of quads in the unit
) (
    input clk, rst, quad_taken, answered, prim_taken, tabled, table_begins, table_coming, current_tabled,
    input line_valid, address_valid, address_ready,
    input [INSIDE-1:0] quads, quads_then,
    input [S-1:0] last, victim, chosen, into,
    input [1:0] next,
    input [T-1:0] unneeded,
    input [4*S-1:0] slots,
    input [6:0] asked, came, lines,
    input [L-1:0] prim_base, base, address
);
    reg started = 1'b0;
    reg follows = 1'b0;                      // a quad is looked at
    reg [S-1:0] its_slot;
    reg [L-1:0] its_base;
    reg [INSIDE-1:0] its_turn;               // quads that leave until it has left
    reg numbered = 1'b0;                     // a primitive is looked at: the last of its number
    reg [1:0] number;                        // a constant: nothing but itself drives it
    reg [S-1:0] slot_of_number;
    (* anyseq *) wire choose;

    // Of each slot: quads that leave until none needs it, its table
    wire [T*INSIDE-1:0] needs;
    wire [T*L-1:0] bases;
    genvar n;
    generate
        if (T > 0) begin : gen_0
            assign needs[0 +: INSIDE] = texpipe_setup.needs0;
            assign bases[0 +: L]      = texpipe_setup.base0;
        end
        if (T > 1) begin : gen_1
            assign needs[INSIDE +: INSIDE] = texpipe_setup.needs1;
            assign bases[L +: L]           = texpipe_setup.base1;
        end
    endgenerate
    wire [INSIDE-1:0] its_needs = needs[(T > 1 ? its_slot : 0) * INSIDE +: INSIDE];
    wire [L-1:0] there = bases[(T > 1 ? its_slot : 0) * L +: L];
    wire [L-1:0] of_last = bases[(T > 1 ? last : 0) * L +: L];

    always @(posedge clk) begin
        started <= 1'b1;
        number  <= number;
        if (rst) begin
            {follows, numbered} <= 2'b00;
        end else begin
            if (follows) begin
                its_turn <= its_turn - answered;
                if (answered & its_turn == 1)
                    follows <= 1'b0;
            end else if (quad_taken & current_tabled & choose) begin
                follows  <= 1'b1;
                its_slot <= last;
                its_base <= of_last;
                its_turn <= quads_then;
            end
            if (prim_taken & next == number) begin
                numbered       <= tabled;
                slot_of_number <= chosen;
            end
        end
    end

    reg no_more_than_here;

    always @* begin
        no_more_than_here = 1'b1;
        for (int i = 0; i < T; i++)
            if (needs[i*INSIDE +: INSIDE] > quads)
                no_more_than_here = 1'b0;
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        quads_leave_that_are_here: assume (!answered | quads != 0);
        all_fit: assume (!quads[INSIDE-1]);
        lines_come_that_were_asked_for: assume (!line_valid | (table_coming & came < asked));
        if (started & !rst) begin
            table_stays: assert (!(follows & table_begins & victim == its_slot));
            table_is_its_own: assert (!follows | there == its_base);
            its_slot_is_needed: assert (!(follows & unneeded[T > 1 ? its_slot : 0]));
            one_at_a_time: assert (!(table_begins & table_coming));
            no_line_too_many: assert (!address_valid | (table_coming & asked < lines));
            if (address_valid)
                in_order: assert (address == base + asked);
            slot_of_its_number: assert (!numbered | slots[number*S +: S] == slot_of_number);
        end
        // What holds in between, so that the induction closes
        if (started) begin
            needed_until_it_leaves: assert (!follows | (its_turn != 0 & its_turn <= quads & its_needs >= its_turn));
            needs_of_quads_here: assert (no_more_than_here);
            lines_in_step: assert (!table_coming | (came < lines & came <= asked & asked <= lines));
        end
    end
endmodule

bind texpipe_setup texpipe_setup_properties #(.INSIDE($bits(quads))) properties (.*);
