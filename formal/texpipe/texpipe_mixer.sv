// SPDX-License-Identifier: Apache-2.0
// texpipe_mixer: a pixel of one beat leaves three cycles later as it came; of two beats one pixel leaves, three cycles
// after the second, each channel mixed by its fraction and rounded, with the error of either; nothing else leaves. The
// channel looked at is chosen by the solver. Products are looked at where the fraction is a power of two: that two
// multipliers are the same in all else takes a solver too long (tests compare them with the model).
//
// Assumed, as texpipe_coordinate does it: behind a first beat comes the second, and that alone has a fraction.
`include "geometry.svh"
module texpipe_mixer_properties (
    input clk, rst, in_valid, out_valid, first_error,
    input [31:0] first,
    input [45:0] in_beat,
    input [36:0] out_pixel
);
    wire [3:0] marks = in_beat[35:32];       // number, last, none
    wire more = in_beat[36], failing = in_beat[45];
    wire [7:0] fraction = in_beat[44:37];

    reg started = 1'b0;
    reg [1:0] chosen;                        // a constant: nothing but itself drives it
    reg waiting = 1'b0;                      // a first beat was the last to come
    reg [31:0] kept = 0;                     // it
    reg kept_error = 0;
    wire [7:0] here = in_beat[8*chosen +: 8];
    wire [7:0] from = fraction == 0 ? here : kept[8*chosen +: 8];

    // lerp(p, q, a) = p + (((q - p) * a + 128) >> 8), for a = 2 ** n
    wire [2:0] n = {|fraction[7:4], |fraction[7:6] | (|fraction[3:2]), fraction[7] | fraction[5] | fraction[3] | fraction[1]};
    wire known = (fraction & (fraction - 8'd1)) == 0;
    wire signed [17:0] way = ($signed({10'd0, here}) - $signed({10'd0, from})) <<< n;
    wire signed [17:0] mixed = $signed({10'd0, from}) + ((way + 18'sd128) >>> 8);

    reg [2:0] due = 0;                       // a pixel leaves in 1, 2, 3 cycles
    reg [13:0] pixel1 = 0, pixel2 = 0, pixel3 = 0;

    always @(posedge clk) begin
        started <= 1'b1;
        chosen  <= chosen;
        waiting <= !rst & (in_valid ? more : waiting);
        due     <= rst ? 3'd0 : {due[1:0], in_valid & !more};
        pixel1  <= {known, failing | (fraction != 0 & kept_error), marks, mixed[7:0]};
        pixel2  <= pixel1;
        pixel3  <= pixel2;
        if (in_valid & more) begin
            kept       <= in_beat[31:0];
            kept_error <= failing;
        end
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        if (in_valid & !rst)
            second_behind_the_first: assume (waiting ? !more & fraction != 0 : fraction == 0);
        if (started & !rst) begin
            one_for_each_pixel: assert (out_valid == due[2]);
            if (waiting)
                first_is_kept: assert (first == kept & first_error == kept_error);
            if (out_valid) begin
                mixed_by_the_fraction: assert (!pixel3[13] | out_pixel[8*chosen +: 8] == pixel3[7:0]);
                place_of_its_own: assert (out_pixel[35:32] == pixel3[11:8]);
                error_of_either: assert (out_pixel[36] == pixel3[12]);
            end
        end
    end
endmodule

bind texpipe_mixer texpipe_mixer_properties properties (.*);
