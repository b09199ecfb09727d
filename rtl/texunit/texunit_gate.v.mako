// Keeps primitives and quads apart: a primitive is taken when no quad is in flight, quads when it has been set up.
//
// Interface: the streams of the rasterizer (clock of the GPU), handed on to the FIFOs. A primitive that waits goes
// before a quad that waits. At most as many quads are in flight as the result FIFO has places, so that a result
// never waits for one. Timing: no delay; prim_valid and quad_ready are connected in the same cycle.
<%
    limit = cfg.fifo.depth
    bits = limit.bit_length()
%>\
module texunit_gate (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // from the rasterizer
    input  wire prim_valid, // a primitive is offered
    output wire prim_ready, // it is taken
    input  wire quad_valid, // a quad is offered
    output wire quad_ready, // it is taken
    // to the FIFOs
    output wire prim_fifo_valid, // a primitive is handed on
    input  wire prim_fifo_ready, // there is a place for it
    output wire quad_fifo_valid, // a quad is handed on
    input  wire quad_fifo_ready, // there is a place for it
    input  wire result_taken,        // a quad left the result FIFO
    input  wire set_up               // changes when a primitive has been set up; a register of the other clock
);

    wire set_up_seen;
    sync_bit sync (.clk(clk), .rst(1'b0), .d(set_up), .q(set_up_seen));

    reg  started;                    // there was a primitive
    reg  turn;                       // what set_up will be when the last primitive is set up
    reg  ${width(bits)} in_flight;

    wire ready = started & turn == set_up_seen;
    wire idle  = (!started | ready) & in_flight == ${bits}'d0;

    assign prim_fifo_valid = prim_valid & idle;
    assign prim_ready      = prim_fifo_ready & idle;
    assign quad_fifo_valid = quad_valid & ready & !prim_valid & !in_flight[${bits - 1}];
    assign quad_ready      = quad_fifo_ready & ready & !prim_valid & !in_flight[${bits - 1}];

    wire quad_taken = quad_valid & quad_ready;

    always @(posedge clk) begin
        if (rst) begin
            started   <= 1'b0;
            turn      <= 1'b0;
            in_flight <= ${bits}'d0;
        end else begin
            if (prim_valid & prim_ready) begin
                started <= 1'b1;
                turn    <= !turn;
            end
            if (quad_taken & !result_taken)
                in_flight <= in_flight + 1'b1;
            else if (result_taken & !quad_taken)
                in_flight <= in_flight - 1'b1;
        end
    end

endmodule
