// SPDX-License-Identifier: Apache-2.0
// texunit_gate with its two FIFOs, between them stages that keep the order and take what time they like: there are
// never more quads in flight than the result FIFO has places, so a result never waits, and results leave in the
// order of their quads. A primitive passes when no quad is in flight and the one before is set up; so does a quad as
// soon as there is a place, if no primitive waits.
//
// Quads carry their number. The clocks are the solver's, as for async_fifo; so is the time of a set-up.
`include "geometry.svh"
module gate_and_fifos (
    input gpu_clk, gpu_rst, tex_clk, tex_rst, prim_valid, prim_fifo_ready, quad_valid, res_ready, stage_moves,
    input set_up_now
);
    localparam DEPTH = `CFG_FIFO_DEPTH, COUNT_BITS = $clog2(DEPTH) + 1, W = COUNT_BITS + 3;

    reg [W-1:0] quads = 0, results = 0;      // taken from the rasterizer, given back to it
    wire [COUNT_BITS-1:0] number = quads[COUNT_BITS-1:0], due = results[COUNT_BITS-1:0];
    wire prim_ready, quad_ready, prim_fifo_valid, quad_fifo_valid, quad_fifo_ready, next_valid, res_valid;
    wire result_ready;
    wire [COUNT_BITS-1:0] next_number, result_number, res_number;
    reg set_up = 1'b0;

    texunit_gate gate (
        .clk(gpu_clk), .rst(gpu_rst),
        .prim_valid(prim_valid), .prim_ready(prim_ready), .quad_valid(quad_valid), .quad_ready(quad_ready),
        .prim_fifo_valid(prim_fifo_valid), .prim_fifo_ready(prim_fifo_ready),
        .quad_fifo_valid(quad_fifo_valid), .quad_fifo_ready(quad_fifo_ready),
        .result_taken(res_valid & res_ready), .set_up(set_up)
    );

    // The stages between: one place is enough to take any time
    reg stage_full = 1'b0;
    reg [COUNT_BITS-1:0] stage;
    wire result_valid = stage_full & stage_moves;

    async_fifo #(.WIDTH(COUNT_BITS), .DEPTH(DEPTH), .COUNT_BITS(COUNT_BITS)) quad_fifo (
        .in_clk(gpu_clk), .in_rst(gpu_rst), .in_clear(gpu_rst), .in_valid(quad_fifo_valid), .in_ready(quad_fifo_ready),
        .in_data(number), .out_clk(tex_clk), .out_rst(tex_rst), .out_clear(tex_rst), .out_valid(next_valid),
        .out_ready(!stage_full | stage_moves), .out_data(next_number)
    );

    async_fifo #(.WIDTH(COUNT_BITS), .DEPTH(DEPTH), .COUNT_BITS(COUNT_BITS)) result_fifo (
        .in_clk(tex_clk), .in_rst(tex_rst), .in_clear(tex_rst), .in_valid(result_valid), .in_ready(result_ready),
        .in_data(stage), .out_clk(gpu_clk), .out_rst(gpu_rst), .out_clear(gpu_rst), .out_valid(res_valid),
        .out_ready(res_ready), .out_data(res_number)
    );

    always @(posedge tex_clk) begin
        if (tex_rst)
            stage_full <= 1'b0;
        else if (!stage_full | stage_moves)
            stage_full <= next_valid;
        if (next_valid & (!stage_full | stage_moves))
            stage <= next_number;
        set_up <= !tex_rst & (set_up ^ set_up_now);
    end

    wire quad_taken = quad_valid & quad_ready, taken = res_valid & res_ready;

    // What each side knows of the other's pointers: the FIFOs' registers, with bits enough not to wrap around
    reg [W-1:0] begun = 0, ended = 0;        // taken by the stages, given by them
    reg [W-1:0] quads_meta = 0, quads_seen = 0, results_meta = 0, results_seen = 0;
    reg [W-1:0] begun_meta = 0, begun_seen = 0, ended_meta = 0, ended_seen = 0;

    always @(posedge gpu_clk) begin
        quads   <= gpu_rst ? 0 : quads + quad_taken;
        results <= gpu_rst ? 0 : results + taken;
        {begun_seen, begun_meta} <= gpu_rst ? 0 : {begun_meta, begun};
        {ended_seen, ended_meta} <= gpu_rst ? 0 : {ended_meta, ended};
    end

    always @(posedge tex_clk) begin
        begun <= tex_rst ? 0 : begun + (next_valid & (!stage_full | stage_moves));
        ended <= tex_rst ? 0 : ended + (result_valid & result_ready);
        {quads_seen, quads_meta} <= tex_rst ? 0 : {quads_meta, quads};
        {results_seen, results_meta} <= tex_rst ? 0 : {results_meta, results};
    end

    function automatic [COUNT_BITS-1:0] gray(input [W-1:0] count);
        gray = count[COUNT_BITS-1:0] ^ {1'b0, count[COUNT_BITS-1:1]};
    endfunction

    // Resets overlap until each clock has had an edge, and then end for good
    reg gpu_cleared = 1'b0, tex_cleared = 1'b0, gpu_released = 1'b0, tex_released = 1'b0;
    wire both = gpu_cleared & tex_cleared;

    always @(posedge gpu_clk) begin
        gpu_cleared  <= 1'b1;
        gpu_released <= gpu_released | !gpu_rst;
    end

    always @(posedge tex_clk) begin
        tex_cleared  <= 1'b1;
        tex_released <= tex_released | !tex_rst;
    end

    wire registers_of_gpu =
        quad_fifo.tail == number & quad_fifo.tail_gray == gray(quads) &
        quad_fifo.to_input.meta == gray(begun_meta) & quad_fifo.head_seen == gray(begun_seen) &
        result_fifo.head == due & result_fifo.head_gray == gray(results) &
        result_fifo.to_output.meta == gray(ended_meta) & result_fifo.tail_seen == gray(ended_seen);
    wire registers_of_tex =
        quad_fifo.head == begun[COUNT_BITS-1:0] & quad_fifo.head_gray == gray(begun) &
        quad_fifo.to_output.meta == gray(quads_meta) & quad_fifo.tail_seen == gray(quads_seen) &
        result_fifo.tail == ended[COUNT_BITS-1:0] & result_fifo.tail_gray == gray(ended) &
        result_fifo.to_input.meta == gray(results_meta) & result_fifo.head_seen == gray(results_seen);
    wire gpu_empty = quads == 0 & results == 0 & begun_meta == 0 & begun_seen == 0 & ended_meta == 0 &
        ended_seen == 0 & gate.in_flight == 0;
    wire tex_empty = begun == 0 & ended == 0 & quads_meta == 0 & quads_seen == 0 & results_meta == 0 &
        results_seen == 0 & !stage_full;

    // Distances; W bits each, so that they compare as numbers
    wire [W-1:0] out = quads - results, out_meta = quads_meta - results_meta, out_seen = quads_seen - results_seen;
    wire [W-1:0] queued = quads - begun, queued_known = quads - begun_seen;
    wire [W-1:0] waiting = ended - results, waiting_known = ended - results_seen;
    wire behind = // no register is ahead of what it follows
        quads_seen - begun <= quads_meta - begun & quads_meta - begun <= queued & queued <= quads - begun_meta &
        quads - begun_meta <= queued_known & queued_known <= {{W-1{1'b0}}, 1'b1} * DEPTH &
        ended_seen - results <= ended_meta - results & ended_meta - results <= waiting &
        waiting <= ended - results_meta & ended - results_meta <= waiting_known &
        waiting_known <= {{W-1{1'b0}}, 1'b1} * DEPTH;

    // Who can go: the last primitive is set up, as far as the gate has seen
    reg begun_any = 1'b0, turn = 1'b0;       // there was a primitive; an odd number of them
    wire ready = begun_any & turn == gate.set_up_seen;
    wire primitive_can_go = out == 0 & (ready | !begun_any);
    wire quad_can_go = ready & !prim_valid & out != DEPTH;

    always @(posedge gpu_clk) begin
        begun_any <= !gpu_rst & (begun_any | (prim_valid & prim_ready));
        turn      <= !gpu_rst & (turn ^ (prim_valid & prim_ready));
    end

    reg words_in_place;

    always @* begin
        words_in_place = !stage_full | stage == ended[COUNT_BITS-1:0];
        for (int i = 0; i < DEPTH; i++) begin
            if (i < queued & quad_fifo.words[(begun + i) % DEPTH] != (begun + i) % (2 * DEPTH))
                words_in_place = 1'b0;
            if (i < waiting & result_fifo.words[(results + i) % DEPTH] != (results + i) % (2 * DEPTH))
                words_in_place = 1'b0;
        end
    end

    always @* begin
        resets_overlap: assume (both | (gpu_rst & tex_rst));
        resets_end: assume (!(gpu_released & gpu_rst) & !(tex_released & tex_rst));
        primitives_counted: assert (!gpu_cleared | (gate.started == begun_any & gate.turn == turn));
        registers_as_counted: assert ((!gpu_cleared | registers_of_gpu) & (!tex_cleared | registers_of_tex));
        in_reset_is_empty: assert (
            (!gpu_cleared | gpu_released | gpu_empty) & (!tex_cleared | tex_released | tex_empty) &
            (both | !(gpu_released | tex_released)));
        if (both) begin
            nothing_is_ahead: assert (behind & begun - ended == {{W-1{1'b0}}, stage_full});
            in_flight_is_counted: assert (gate.in_flight == out);
            no_more_than_places: assert (out <= DEPTH);
            places_known_in_time: assert (out_meta <= DEPTH & out_seen <= DEPTH);
            every_number_in_its_place: assert (words_in_place);
            result_never_waits: assert (!result_valid | result_ready | tex_rst);
            in_order: assert (!res_valid | res_number == due);
            primitive_alone: assert (!(prim_valid & prim_ready) | out == 0);
            primitive_goes: assert (
                prim_ready == (prim_fifo_ready & primitive_can_go) &
                prim_fifo_valid == (prim_valid & primitive_can_go));
            quad_goes: assert (
                quad_ready == (quad_fifo_ready & quad_can_go) & quad_fifo_valid == (quad_valid & quad_can_go));
            not_both_at_once: assert (!(prim_valid & prim_ready & quad_taken));
        end
    end

    // Traces to see
    always @* begin
        all_places_taken: cover (both & out == DEPTH);
        result: cover (both & taken);
        next_primitive: cover (both & prim_valid & prim_ready & results != 0);
    end
endmodule
