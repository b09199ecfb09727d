// SPDX-License-Identifier: Apache-2.0
// texpipe_gate: what is taken is handed on in the same cycle, as it is and told apart, and nothing else; so the order in
// the FIFO is that in which primitives and quads were taken. No quad goes before the first primitive since a reset, and
// none while a primitive waits. Whoever has the turn is taken if there is a place. Nothing is assumed but a first reset.
`include "geometry.svh"
module texpipe_gate_properties #(
    parameter WIDTH = 1                      // bits of a word
) (
    input clk, rst, prim_valid, prim_ready, quad_valid, quad_ready, fifo_valid, fifo_ready,
    input [`PRIM0_WIDTH-1:0] prim_data,
    input [`QUAD0_WIDTH-1:0] quad_data,
    input [WIDTH-1:0] fifo_data
);
    reg started = 1'b0;
    reg first = 1'b0;                        // there was a primitive
    wire takes_prim = prim_valid & prim_ready, takes_quad = quad_valid & quad_ready;

    always @(posedge clk) begin
        started <= 1'b1;
        first   <= !rst & (first | takes_prim);
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        if (started & !rst) begin
            one_word_for_each: assert ((fifo_valid & fifo_ready) == (takes_prim | takes_quad));
            one_at_a_time: assert (!(takes_prim & takes_quad));
            primitive_as_it_is: assert (!takes_prim | fifo_data == {1'b1, {WIDTH-1{1'b0}}} + prim_data);
            quad_as_it_is: assert (!takes_quad | fifo_data == {1'b0, {WIDTH-1{1'b0}}} + quad_data);
            primitive_goes_first: assert (!takes_quad | (first & !prim_valid));
            taken_if_there_is_a_place: assert (!fifo_ready | !(prim_valid | (quad_valid & first)) | fifo_valid);
        end
        if (started)
            knows_of_the_first: assert (texpipe_gate.started == first); // so that the induction closes
    end
endmodule

bind texpipe_gate texpipe_gate_properties #(.WIDTH($bits(fifo_data))) properties (.*);
