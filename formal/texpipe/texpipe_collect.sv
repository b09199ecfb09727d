// SPDX-License-Identifier: Apache-2.0
// texpipe_collect: as many results as quads, each once, in order, with the pixels that came, each texel in its own
// place, 0 elsewhere, and the error of any of its pixels; it stays until it is taken, and no pixel is taken over it.
// The place looked at is chosen by the solver.
//
// Assumed, as texpipe_coordinate does it: a pixel comes once in its quad, "none" alone and without an error.
`include "geometry.svh"
module texpipe_collect_properties (
    input clk, rst, in_valid, in_ready, out_valid, out_ready, first,
    input [36:0] in_pixel,
    input [132:0] out_data
);
    wire [31:0] texel_in = in_pixel[31:0];
    wire [1:0] number = in_pixel[33:32];
    wire last = in_pixel[34], none = in_pixel[35], failing = in_pixel[36];

    reg started = 1'b0, stalled = 1'b0;
    reg [2:0] quads = 0, results = 0;        // whole ones that came, and left; they may wrap around
    reg [1:0] chosen;                        // a constant: nothing but itself drives it
    reg [3:0] came = 0;                      // pixels of the quad
    reg any = 0, whole = 0, failed = 0;      // a pixel came; the last one did; one came with an error
    reg [31:0] texel = 0;                    // of the chosen place
    reg [132:0] was = 0;
    wire [2:0] due = quads - results;
    wire [3:0] one = none ? 4'd0 : 4'd1 << number;
    wire fresh = whole | !any;               // the next pixel begins a quad
    wire take = in_valid & in_ready;

    always @(posedge clk) begin
        started <= 1'b1;
        chosen  <= chosen;
        was     <= out_data;
        stalled <= !rst & out_valid & !out_ready;
        quads   <= rst ? 0 : quads + (take & last);
        results <= rst ? 0 : results + (out_valid & out_ready);
        if (rst)
            {any, whole} <= 2'b00;
        else if (take) begin
            any    <= 1'b1;
            whole  <= last;
            came   <= (fresh ? 4'd0 : came) | one;
            failed <= (!fresh & failed) | failing;
            texel  <= one[chosen] ? texel_in : fresh ? 32'd0 : texel;
        end
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        if (in_valid) begin
            pixel_comes_once: assume (fresh | (came & one) == 0);
            none_comes_alone: assume (!none | (fresh & last & !failing));
        end
        if (started & !rst) begin
            none_lost_or_doubled: assert (due == {2'd0, out_valid} & (!out_valid | whole));
            knows_where_quads_begin: assert (first == fresh);
            if (stalled)
                waits_as_it_is: assert (out_valid & out_data == was);
            if (any) begin
                pixels_of_its_own: assert (out_data[131:128] == came);
                texel_in_its_place: assert (out_data[32*chosen +: 32] == texel);
                zero_where_no_pixel: assert (came[chosen] | texel == 0);
                error_of_its_own: assert (out_data[132] == failed);
            end
        end
    end
endmodule

bind texpipe_collect texpipe_collect_properties properties (.*);
