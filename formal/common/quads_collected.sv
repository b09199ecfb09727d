// SPDX-License-Identifier: Apache-2.0
// Pixels collected into quads: as many results as quads, each once, in order, with the pixels that came, each texel in
// its own place, 0 elsewhere, and the error of any of its pixels; a result stays until it is taken. The place looked at
// is chosen by the solver.
//
// Assumed, as the coordinate stages do it: a pixel comes once in its quad, "none" alone and without an error.
module quads_collected (
    input clk, rst, in_valid, take, last, none, failing, out_valid, gives, first,
    input [1:0] number,
    input [31:0] texel_in,
    input [132:0] out_data
);
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

    always @(posedge clk) begin
        started <= 1'b1;
        chosen  <= chosen;
        was     <= out_data;
        stalled <= !rst & out_valid & !gives;
        quads   <= rst ? 0 : quads + (take & last);
        results <= rst ? 0 : results + gives;
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

    // Traces to see
    always @(posedge clk) begin
        if (started & !rst) begin
            whole_quad: cover (out_valid & came == 4'b1111);
            two_of_four_after_another: cover (out_valid & came == 4'b1010 & results == 3'd1);
            without_pixels: cover (out_valid & came == 4'b0000);
            back_to_back: cover (out_valid & in_valid & last);
        end
    end
endmodule
