// Puts primitives and quads in one row: what is taken first is sampled first, so that neither waits for the other.
//
// Interface: the streams of the rasterizer (clock of the GPU), handed on to one FIFO. A primitive that waits goes
// before a quad that waits; no quad goes before the first primitive. Timing: no delay; prim_valid and quad_ready are
// connected in the same cycle.
<%
    prim, quad, word = helpers.stream(cfg, "prim"), helpers.stream(cfg, "quad"), helpers.word(cfg)
    def padded(stream):
        rest = word - 1 - stream.width
        return f"{rest}'d0, {stream.name}_data" if rest else f"{stream.name}_data"
%>\
module texpipe_gate (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // from the rasterizer
    input  wire prim_valid, // a primitive is offered
    output wire prim_ready, // it is taken
    input  wire ${width(prim.width)} prim_data, // the primitive
    input  wire quad_valid, // a quad is offered
    output wire quad_ready, // it is taken
    input  wire ${width(quad.width)} quad_data, // the quad
    // to the FIFO
    output wire fifo_valid, // a word is handed on
    input  wire fifo_ready, // there is a place for it
    output wire ${width(word)} fifo_data // the highest bit tells a primitive
);

    reg started;                     // there was a primitive

    wire quad_turn = started & !prim_valid;

    assign fifo_valid = prim_valid | (quad_valid & started);
    assign fifo_data  = prim_valid ? {1'b1, ${padded(prim)}} : {1'b0, ${padded(quad)}};
    assign prim_ready = fifo_ready;
    assign quad_ready = fifo_ready & quad_turn;

    always @(posedge clk) begin
        if (rst)
            started <= 1'b0;
        else if (prim_valid & prim_ready)
            started <= 1'b1;
    end

endmodule
