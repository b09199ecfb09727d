// SPDX-License-Identifier: Apache-2.0
// texunit_fetch: each pixel taken is handed on once, in order, with its own number, marks and weights, all
// its texels in their places, of any format, and the error of any of its lines. Pixel and texel (corner)
// looked at are chosen by the solver. A line is asked for as soon as the one before is answered, the next pixel taken
// with the last answer; a pixel leaves four cycles after it.
//
// Assumed: the cache answers a query once, any time after, with that query's line (proof "cache"); the colour
// table gives index i's colour, here i in each byte, after two edges; the primitive stays while a pixel is
// here (texunit_gate); texels of 4 bytes do not lie in two lines (proof "address_order").
`include "geometry.svh"
module texunit_fetch_properties (
    input clk, rst, bilinear, in_valid, in_ready, query_valid, query_ready, answer_valid, answer_error,
    input table_read, out_valid, out_last, out_none, out_error,
    input [1:0] format, out_number,
    input [4*`CFG_CACHE_ADDRESS_BITS+19:0] in_texels, here,
    input [`CFG_CACHE_LINE_BITS-1:0] query_line,
    input [127:0] answer_line, out_texels, first_line,
    input [7:0] table_index,
    input [31:0] table_colour,
    input [15:0] out_weights,
    input busy, second, all_asked, pending, answered_first, answered_final, answered_split, first_error,
    input valid1, valid2, valid3, final1, final2, final3, error1, error2, error3, gathered_error,
    input [1:0] asking, answered, slot1, slot2, slot3,
    input [3:0] answered_place,
    input [31:0] bytes1, bytes2, bytes3,
    input [19:0] pixel1, pixel2, pixel3
);
    localparam A = `CFG_CACHE_ADDRESS_BITS, L = `CFG_CACHE_LINE_BITS, MARKS = 4 * A, NONE = 4 * A + 19;

    reg started = 1'b0, was_here = 1'b0;
    reg [3:0] taken = 0, given = 0;          // pixels; they may wrap around
    reg [3:0] chosen;                        // constants: nothing but themselves drives them
    reg [1:0] corner;
    reg [255:0] content;                     // the line in which the chosen texel begins, and the next one
    reg [4*A+19:0] now, wanted;              // the pixel taken last, and the chosen one
    reg failed;                              // a line of the chosen pixel came with an error
    reg [1:0] got = 0;                       // texels of the pixel taken last that are here
    reg half = 0, open = 0;                  // and the first line of one more; a query is not answered
    reg [L-1:0] open_line;
    reg [7:0] index1, index2;                // in the colour table
    reg [2:0] prim_before;
    wire takes = in_valid & in_ready, asks = query_valid & query_ready;
    wire [1:0] final_texel = {2{bilinear}};
    reg [3:0] ended = 0;                     // the last answer to a pixel came one to four cycles ago
    wire [3:0] in_flight = taken - given, last_taken = taken - 1'b1;

    function automatic split(input [A-1:0] address);
        split = format == 2'd1 & address[3:0] > 4'd13;
    endfunction

    function automatic aligned(input [4*A+19:0] texels);
        aligned = format != 2'd0 | {texels[3*A +: 2], texels[2*A +: 2], texels[A +: 2], texels[1:0]} == 0;
    endfunction

    wire [A-1:0] got_address = now[A*got +: A], address = wanted[A*corner +: A];
    wire [L-1:0] line = address[4 +: L];
    wire got_split = split(got_address);
    wire whole = answer_valid & (half | !got_split);
    wire [31:0] raw = content >> {address[3:0], 3'd0};
    wire [31:0] colour = format[1] ? {4{raw[7:0]}} : raw;
    wire [31:0] texel = {format[0] ? 8'hff : colour[31:24], colour[23:0]};
    wire none_chosen = wanted[NONE], none_now = now[NONE];
    wire ends = busy & (none_now | (whole & got == final_texel));

    always @(posedge clk) begin
        started <= 1'b1;
        chosen  <= chosen;
        corner  <= corner;
        content <= content;
        was_here    <= !rst & (in_flight != 0 | takes);
        prim_before <= {format, bilinear};
        taken <= rst ? 0 : taken + takes;
        given <= rst ? 0 : given + out_valid;
        ended <= rst ? 4'd0 : {ended[2:0], ends};
        open  <= !rst & (asks | (open & !answer_valid));
        if (takes)
            now <= in_texels;
        if (takes & taken == chosen)
            wanted <= in_texels;
        if (asks)
            open_line <= query_line;
        if (takes & taken == chosen)
            failed <= 1'b0;
        else if (answer_valid & answer_error & last_taken == chosen)
            failed <= 1'b1;
        if (rst | takes)
            {got, half} <= 0;
        else if (whole)
            {got, half} <= {got == final_texel ? 2'd0 : got + 2'd1, 1'b0};
        else if (answer_valid)
            half <= 1'b1;
        if (table_read)
            index1 <= table_index;
        index2 <= index1;
    end

    // Which pixel is where, and how many of its texels went on before
    wire end1 = valid1 & final1, end2 = valid2 & final2, end3 = valid3 & final3;
    wire [3:0] number3 = given + out_valid, number2 = number3 + end3, number1 = number2 + end2;
    wire [3:0] number0 = number1 + end1;
    wire [1:0] ahead1 = !valid1 ? got : pixel1[19] ? 2'd0 : slot1;
    wire [1:0] ahead2 = !valid2 ? ahead1 : pixel2[19] ? 2'd0 : slot2;
    wire [1:0] ahead3 = !valid3 ? ahead2 : pixel3[19] ? 2'd0 : slot3;
    wire mine0 = busy & number0 == chosen, mine1 = valid1 & number1 == chosen;
    wire mine2 = valid2 & number2 == chosen, mine3 = valid3 & number3 == chosen;
    wire looked_at = !none_chosen & (bilinear | corner == 0);
    wire gathering = number3 == chosen & in_flight != out_valid;
    wire [3:0] prior = chosen - number3, begun = taken - number3; // pixels not yet handed on

    // A texel follows the one before it, the last one ends its pixel, "none" stands alone
    function automatic follows(input valid, last, none, input [1:0] slot, next);
        follows = !valid | (
            none ? last & next == 0 :
            last ? slot == final_texel & next == 0 : slot < final_texel & slot + 2'd1 == next);
    endfunction

    function automatic same_texel(input [31:0] bytes);
        same_texel =
            format[1] ? bytes[7:0] == raw[7:0] : bytes[23:0] == raw[23:0] & (format[0] | bytes == raw);
    endfunction

    wire errors =
        (gathering & gathered_error) | (mine3 & error3) | (mine2 & error2) | (mine1 & error1) |
        (mine0 & half & first_error);

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        primitive_stays: assume (!was_here | {format, bilinear} == prim_before);
        answers_a_query: assume (!answer_valid | open);
        answers_its_line: assume (
            !answer_valid | (open_line == line ? answer_line == content[127:0] :
            open_line != line + 1'b1 | answer_line == content[255:128]));
        colour_of_index: assume (table_colour == {4{index2}});
        in_one_line: assume (aligned(in_texels));
        if (started & !rst) begin
            none_lost_or_doubled: assert (
                in_flight == {3'd0, out_valid} + {3'd0, end3} + {3'd0, end2} + {3'd0, end1} + {3'd0, busy});
            taken_if_none_is_here: assert (in_ready == (!busy | ends));
            asks_if_none_is_open: assert (query_valid == (busy & !none_now & !ends & (!open | answer_valid)));
            leaves_then: assert ({out_valid, end3, end2, end1} == ended);
            one_query_at_a_time: assert (!(asks & open & !answer_valid) & open == pending);
            none_asks_nothing: assert (!query_valid | !none_now);
            if (out_valid & given == chosen) begin
                in_order_with_its_own_marks: assert (
                    {out_none, out_last, out_number, out_weights} == wanted[MARKS +: 20]);
                error_of_its_own: assert (out_error == failed);
                nothing_sampled: assert (!none_chosen | out_texels == 0);
                if (looked_at)
                    texel_in_its_place: assert (out_texels[32*corner +: 32] == texel);
            end
            // For the induction: what is where
            holds_the_last_taken: assert (!busy | (here == now & (!mine0 | now == wanted)));
            held_in_one_line: assert ((!busy | aligned(now)) & (prior >= begun | aligned(wanted)));
            not_busy_is_empty: assert (busy | (!pending & got == 0 & !half));
            nothing_got_of_none: assert (!busy | !none_now | (got == 0 & !half & !pending));
            got_in_range: assert (got <= final_texel & (!half | got_split));
            asks_for_the_next: assert (
                !busy | pending | (asking == got & second == half & !all_asked));
            asked_for_the_next: assert (
                !pending | (
                    answered == got & answered_split == half & answered_first == (got_split & !half) &
                    answered_final == (got == final_texel & !answered_first) &
                    answered_place == got_address[3:0] & open_line == got_address[4 +: L] + half &
                    (answered_first ? asking == got & second & !all_asked :
                    asking == got + 2'd1 & !second & all_asked == (got == final_texel))));
            texels_follow: assert (
                follows(valid1, final1, pixel1[19], slot1, got) &
                follows(valid2, final2, pixel2[19], slot2, ahead1) &
                follows(valid3, final3, pixel3[19], slot3, ahead2) &
                (busy | !valid1 | final1) & (ahead3 == 0 | in_flight != out_valid));
            marks_on_their_way: assert (
                (!mine1 | pixel1 == wanted[MARKS +: 20]) & (!mine2 | pixel2 == wanted[MARKS +: 20]) &
                (!mine3 | pixel3 == wanted[MARKS +: 20]));
            errors_on_their_way: assert (prior >= begun | errors == failed);
            nothing_gathered: assert (ahead3 != 0 | !gathered_error);
            index_of_texel: assert ((!valid2 | index1 == bytes2[7:0]) & (!valid3 | index2 == bytes3[7:0]));
            if (looked_at) begin
                first_line_kept: assert (!mine0 | got != corner | !half | first_line == content[127:0]);
                texel_on_its_way: assert (
                    (!mine1 | slot1 != corner | same_texel(bytes1)) &
                    (!mine2 | slot2 != corner | same_texel(bytes2)) &
                    (!mine3 | slot3 != corner | same_texel(bytes3)));
                texel_arrived: assert (!gathering | ahead3 <= corner | out_texels[32*corner +: 32] == texel);
            end
        end
    end

    // Traces to see
    reg two_lines = 1'b0, behind_none = 1'b0, waited = 1'b0;
    always @(posedge clk) begin
        two_lines   <= !rst & (two_lines | (half & whole));
        behind_none <= !rst & (behind_none | (out_valid & out_none));
        waited      <= !rst & (waited | (query_valid & !query_ready));
        if (started & !rst) begin
            texel_in_two_lines: cover (out_valid & two_lines & bilinear);
            error_of_first_line: cover (out_valid & out_error & two_lines & !bilinear);
            colour_by_table: cover (out_valid & format == 2'd3);
            pixel_behind_none: cover (out_valid & !out_none & behind_none);
            one_pixel_each_cycle: cover (out_valid & end3 & end2 & waited);
        end
    end
endmodule

bind texunit_fetch texunit_fetch_properties properties (.*);
