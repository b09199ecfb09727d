// SPDX-License-Identifier: Apache-2.0
// texpipe_setup: a quad is handed on in the cycle in which it is taken, as it came, with a number; by that number the
// stages behind find the primitive that came last before it, whole, until its lines are known ("found"), whatever
// primitives come meanwhile. Words are taken one at a time: so quads and primitives keep their order. Lines are forgotten
// only when no quad is in the unit. The quad looked at is chosen by the solver. At any time there may be a reset.
//
// Assumed: a primitive is the first word (texpipe_gate), quads are found and leave that are here, and no more are here
// than fit.
`include "geometry.svh"
module setup_in_order_properties #(
    parameter WORD = 1,                      // bits of a primitive or quad, and which it is
    parameter QUAD = 1,                      // bits of a quad with its number
    parameter INSIDE = 1                     // bits of the number of quads in the unit
) (
    input clk, rst, in_valid, in_ready, out_valid, out_ready, found, answered, invalidate, prim_taken,
    input [WORD-1:0] in_data,
    input [QUAD-1:0] out_quad,
    input [1:0] found_prim, current, next,
    input [INSIDE-1:0] quads,
    input [4*`PRIM0_WIDTH-1:0] prims
);
    wire is_prim = in_data[WORD-1], takes = in_valid & in_ready;
    wire takes_prim = takes & is_prim, takes_quad = takes & !is_prim;
    wire [1:0] number = out_quad[1:0];

    reg started = 1'b0, begun = 1'b0;        // begun: there was a primitive
    reg [`PRIM0_WIDTH-1:0] latest;           // the last one
    reg [3:0][4:0] unfound = 0;              // quads that are here, by their number, whose lines are not known
    reg [INSIDE-1:0] in_unit = 0;             // quads in the unit
    reg follows = 1'b0;                      // a quad is looked at
    reg [1:0] its_number;
    reg [4:0] ahead;                         // quads of its number before it that were not found
    reg [`PRIM0_WIDTH-1:0] its_prim;
    (* anyseq *) wire choose;

    wire finds_one_before = found & found_prim == its_number;

    always @(posedge clk) begin
        started <= 1'b1;
        begun   <= !rst & (begun | takes_prim);
        in_unit  <= rst ? 0 : in_unit + takes_quad - answered;
        if (takes_prim)
            latest <= in_data[0 +: `PRIM0_WIDTH];
        for (int i = 0; i < 4; i++)
            unfound[i] <= rst ? 0 : unfound[i] + (takes_quad & number == i) - (found & found_prim == i);
        if (rst)
            follows <= 1'b0;
        else if (follows) begin
            ahead   <= ahead - finds_one_before;
            follows <= !(finds_one_before & ahead == 0);
        end else if (takes_quad & choose) begin
            follows    <= 1'b1;
            its_number <= number;
            ahead      <= unfound[number] - (found & found_prim == number);
            its_prim   <= latest;
        end
    end

    wire [3:0][4:0] needed = {texpipe_setup.needed3, texpipe_setup.needed2, texpipe_setup.needed1, texpipe_setup.needed0};

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        primitive_comes_first: assume (begun | !in_valid | is_prim);
        found_that_are_here: assume (!found | unfound[found_prim] != 0);
        quads_leave_that_are_here: assume (!answered | in_unit != 0);
        all_fit: assume (!in_unit[INSIDE-1] & unfound[number] != 5'd31);
        if (started & !rst) begin
            quad_as_it_came: assert (out_valid == (in_valid & !is_prim) & out_quad[QUAD-1:2] == in_data[QUAD-3:0]);
            handed_on_as_it_is_taken: assert (takes_quad == (out_valid & out_ready) & takes_prim == prim_taken);
            if (out_valid)
                latest_primitive: assert (prims[number*`PRIM0_WIDTH +: `PRIM0_WIDTH] == latest);
            if (follows)
                primitive_stays: assert (prims[its_number*`PRIM0_WIDTH +: `PRIM0_WIDTH] == its_prim);
            forgets_lines_without_quads: assert (!invalidate | in_unit == 0);
        end
        // What holds in between, so that the induction closes
        if (started) begin
            needed_until_found: assert (needed == unfound & quads == in_unit);
            one_of_those: assert (!follows | ahead < unfound[its_number]);
            latest_is_current: assert (!begun | (prims[current*`PRIM0_WIDTH +: `PRIM0_WIDTH] == latest
                & next == 2'(current + 1)));
        end
    end

    // Traces to see
    always @(posedge clk) begin
        if (started & !rst) begin
            quads_of_four_primitives: cover (unfound[0] != 0 & unfound[1] != 0 & unfound[2] != 0 & unfound[3] != 0);
            oldest_of_four: cover (follows & current == its_number + 2'd3 & finds_one_before & ahead == 0);
            number_again: cover (follows & ahead == 3 & takes_prim);
        end
    end
endmodule

bind texpipe_setup setup_in_order_properties #(.WORD($bits(in_data)), .QUAD($bits(out_quad)), .INSIDE($bits(quads))) properties (.*);
