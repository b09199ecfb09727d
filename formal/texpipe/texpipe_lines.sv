// SPDX-License-Identifier: Apache-2.0
// texpipe_lines: what belongs to a pixel comes out three cycles after it was read, none lost or doubled; beside it are
// the texels of its own lines, of any format, and the error of any of them, as they were written last, whatever is
// written beside the read. Bank, set and way, texel (corner) and byte of it looked at are chosen by the solver. At any
// time there may be a reset.
`include "geometry.svh"
module texpipe_lines_properties #(
    parameter S = `CFG_CACHE_SET_BITS,
    parameter W = `CFG_CACHE_WAY_BITS,
    parameter WIDTH = 1,                     // bits of a beat
    parameter SAMPLE = 1,                    // bits of what goes with a pixel
    parameter F = `CFG_TRILINEAR ? 9 : 0     // of it: "more" and fraction
) (
    input clk, rst, read, out_valid, out_error, valid1, valid2, error2,
    input [7:0] fill, errors, used1,
    input [S+W-1:0] fill_index,
    input [128:0] fill_data,
    input [WIDTH-1:0] read_beat,
    input [127:0] out_texels,
    input [SAMPLE-1:0] out_sample, sample1, sample2
);
    // Constants: nothing but themselves drives them
    reg [2:0] bank;
    reg [S+W-1:0] place;
    reg right, lower;
    reg [1:0] which;                         // byte of the texel

    reg started = 1'b0;
    reg written = 1'b0;                      // a line was written to the place
    reg [128:0] line;                        // it
    wire writes = fill[bank] & fill_index == place;
    wire [128:0] line_now = writes ? fill_data : line;

    wire [SAMPLE-1:0] sample = read_beat[WIDTH-1 -: SAMPLE];
    wire reads_it = read_beat[bank] & (written | writes)
        & {read_beat[16 + S*bank +: S], read_beat[16 + 8*S + W*bank +: W]} == place;

    // Where the byte of a pixel is: in which bank, and there; the highest bit: is it one of its texel
    function automatic [7:0] where(input [SAMPLE-1:0] of);
        reg [3:0] x, y;
        reg [5:0] in_tile;                   // RGB8: three bytes a texel, twelve a row
        begin
            x = right ? of[11:8] : of[3:0];
            y = lower ? of[15:12] : of[7:4];
            in_tile = {4'd0, y[1:0]} * 12 + {4'd0, x[1:0]} * 3 + which;
            case (of[36+F +: 2])
                2'd0:    where = {1'b1, x[2], y[1:0], x[1:0], which};
                2'd1:    where = {which != 3, x[2], in_tile[5:4] + y[3:2], in_tile[3:0]};
                default: where = {which == 0, x[2], y[2], x[3], y[1:0], x[1:0]};
            endcase
        end
    endfunction

    // The design's lines at the place, by bank
    wire [7:0][128:0] stored;
    assign stored[0] = texpipe_lines.bank0.words[place];
    assign stored[1] = texpipe_lines.bank1.words[place];
    assign stored[2] = texpipe_lines.bank2.words[place];
    assign stored[3] = texpipe_lines.bank3.words[place];
    assign stored[4] = texpipe_lines.bank4.words[place];
    assign stored[5] = texpipe_lines.bank5.words[place];
    assign stored[6] = texpipe_lines.bank6.words[place];
    assign stored[7] = texpipe_lines.bank7.words[place];

    wire [7:0][128:0] shown = {{errors[7], texpipe_lines.line7}, {errors[6], texpipe_lines.line6},
        {errors[5], texpipe_lines.line5}, {errors[4], texpipe_lines.line4}, {errors[3], texpipe_lines.line3},
        {errors[2], texpipe_lines.line2}, {errors[1], texpipe_lines.line1}, {errors[0], texpipe_lines.line0}};
    wire [3:0][31:0] found = {texpipe_lines.shifted3[31:0], texpipe_lines.shifted2[31:0],
        texpipe_lines.shifted1[31:0], texpipe_lines.shifted0[31:0]};

    reg due1 = 0, due2 = 0, due3 = 0;        // a pixel was read so many cycles ago
    reg read1 = 0, read2 = 0, read3 = 0;     // the place was
    reg byte2 = 0, byte3 = 0;                // the byte is there
    reg [7:0] its2, its3;                    // the byte
    reg failed1, failed2, failed3;
    reg [128:0] line1;
    reg [SAMPLE-1:0] came1, came2, came3;
    wire [7:0] where1 = where(came1);
    wire [3:0][31:0] texels = out_texels;

    always @(posedge clk) begin
        started <= 1'b1;
        {bank, place, right, lower, which} <= {bank, place, right, lower, which};
        written <= written | writes;
        line    <= line_now;
        {due3, due2, due1}          <= rst ? 3'd0 : {due2, due1, read};
        {read3, read2, read1}       <= rst ? 3'd0 : {read2, read1, read & reads_it};
        {byte3, byte2}              <= rst ? 2'd0 : {byte2, read1 & where1[7:4] == {1'b1, bank}};
        {its3, its2}                <= {its2, line1[{where1[3:0], 3'd0} +: 8]};
        {failed3, failed2, failed1} <= {failed2, failed1, line_now[128]};
        line1 <= line_now;
        {came3, came2, came1}       <= {came2, came1, sample};
    end

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        if (started & !rst) begin
            three_cycles_after_its_read: assert (out_valid == due3);
            if (out_valid) begin
                in_order_with_its_own_sample: assert (out_sample == came3);
                error_of_its_own_line: assert (!(read3 & failed3) | out_error);
                texel_of_its_own_line: assert (!byte3 | texels[{lower, right}][8*which +: 8] == its3);
            end
        end
        // What holds in between, so that the induction closes
        line_is_kept: assert (!written | stored[bank] == line);
        if (started) begin
            line_is_read: assert (!read1 | shown[bank] == line1);
            failed_of_the_line: assert ((!read1 | (failed1 == line1[128] & used1[bank]))
                & (!(read2 & failed2) | error2));
            byte_is_found: assert (!byte2 | found[{lower, right}][8*which +: 8] == its2);
            sample_in_step: assert ((!due1 | sample1 == came1) & (!read1 | due1) & (!due2 | sample2 == came2)
                & {valid2, valid1} == {due2, due1});
        end
    end
endmodule

bind texpipe_lines texpipe_lines_properties #(.WIDTH($bits(read_beat)), .SAMPLE($bits(out_sample))) properties (.*);
