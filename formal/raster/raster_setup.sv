// SPDX-License-Identifier: Apache-2.0
// raster_setup: a primitive is handed on once, after the cycles of its kind, and stays until then; the tiles of a triangle's
// bounds are some, and in the window.
//
// Left to the solver: products, which stay without a step; gradients. Assumed: a primitive comes only while set-up is free, and is taken
// only when it may be; the window stays meanwhile, for begin is not taken either.
`include "geometry.svh"
module raster_setup_properties (
    input clk, rst, free, start, done, taken, none, works,
    input [1:0] kind,
    input [`CFG_COORDINATE_BITS+1:0] last_x, last_y,
    input [`CFG_COORDINATE_BITS-1:0] first_column, last_column, first_row, last_row
);
    localparam B = `CFG_COORDINATE_BITS;
    localparam [1:0] LINE = 2'd1, TRIANGLE = 2'd2;
    wire [6:0] LAST = raster_setup.LAST, step = raster_setup.step;

    reg started = 1'b0;
    reg [6:0] cycles = 0;                    // of the set-up so far
    reg begun = 1'b0;

    always @(posedge clk) begin
        started <= 1'b1;
        if (!started)
            first_a_reset: assume (rst);
        starts_when_free: assume (!start | free);
        taken_when_done: assume (!taken | done);
        if (started)
            window_stays: assume (free | ($stable(last_x) & $stable(last_y)));
        if (started & $past(!raster_setup.advance))
            products_stay: assume ($stable(raster_setup.balance));
    end

    always @(posedge clk) begin
        begun  <= !rst & !taken & (begun | start);
        cycles <= rst | taken | start ? 7'd0 : cycles + works;
    end

    // The promises
    always @(posedge clk) if (started & !$past(rst)) begin
        busy_until_taken: assert (free == !begun);
        if ($past(done & !taken))
            stays_done: assert (done & $stable({none, kind}) &
                                (none | kind != TRIANGLE | $stable({first_column, last_column, first_row, last_row})));
        if (done & $past(!done))
            cycles_of_its_kind: assert (cycles + 7'd1 == (kind == LINE | kind == TRIANGLE ? step : 7'd2));
        if (done & kind == TRIANGLE & !none)
            bounds: assert ($stable({first_column, last_column, first_row, last_row}) &
                            first_column <= last_column & last_column <= last_x[B+1:2] &
                            first_row <= last_row & last_row <= last_y[B+1:2]);
    end
    always @(posedge clk)
        if (started & $past(rst))
            reset_forgets: assert (free & !done);

    // What holds in between
    wire lost_x = raster_setup.none_x, lost_y = raster_setup.none_y;
    always @(posedge clk) if (started & !$past(rst)) begin
        steps: assert (step <= LAST & (step == 0) == !begun & free == !begun);
        done_at_its_steps: assert (done ? step == (kind == LINE | kind == TRIANGLE ? (step == 7'd4 ? 7'd4 : LAST) : 7'd2) : step != LAST);
        if (step != 0 & !raster_setup.waits)
            counted: assert (cycles + 7'd1 == step);
        if (raster_setup.waits)
            waits_when_done: assert (done & cycles == step);
        if (step != 0 & kind != TRIANGLE & kind != LINE)
            short_set_up: assert (step <= 7'd2);
        if (step > 7'd2 & kind == TRIANGLE & !lost_x)
            columns: assert (first_column <= last_column & last_column <= last_x[B+1:2]);
        if (step > 7'd2 & kind == TRIANGLE & !lost_y)
            rows: assert (first_row <= last_row & last_row <= last_y[B+1:2]);
    end
endmodule

bind raster_setup raster_setup_properties properties (.*);
