// SPDX-License-Identifier: Apache-2.0
// texpipe_unit, from the read of a pixel's lines to the FIFO of sampled pixels and out of it, as its stages are wired:
// each pixel that is read has its place in that FIFO, so nothing has to stop on the way to it, and none is lost there;
// pixels leave it in the order in which they were read, each once, as they came from the filter (or the mixer, which
// makes one of two beats), each with its own marks and, if it is of one level, the errors of its own lines and table.
// So they do with a reset at any time. The pixel looked at is chosen by the solver: what holds of it holds of all.
//
// What reads, collects, the colour tables, the RAMs of lines and the filter are left to the solver: any pixels at any
// pace. That the RAMs take a cycle, tables two and the filter eight is not looked at.
`include "geometry.svh"
module texpipe_unit_places #(
    parameter TWO = `CFG_TRILINEAR,
    parameter WAY = TWO ? 16 : 13,           // cycles from the read to the FIFO
    parameter S = 32 + 4,                    // of a sample: where "more" is with two levels, else its format
    parameter F = TWO ? 9 : 0,               // bits of "more" and fraction
    parameter T = `CFG_SLOT_BITS,
    parameter READ = 1                       // bits of a beat
) (
    input tex_clk, tex_rst, read_valid, read_ready, coloured_valid, coloured_ready,
    input [READ-1:0] read_beat,
    input [36:0] coloured,
    input [5:0] reserved,
    input [`CFG_TABLES-1:0] table_errors
);
    localparam SAMPLE = READ - (S + F + 2 + T);

    // The design's: pixels on the way to the FIFO, the oldest on top, their marks, of the first ones format and slot,
    // of the others the errors; what goes into the FIFO
    wire [WAY-1:0] under_way;
    wire [WAY-1:0][3:0] marks;
    wire [4:0][S+F+1+T:0] samples = {texpipe_unit.texel_stage.sample2, texpipe_unit.texel_stage.sample1,
        texpipe_unit.data_banks.out_sample, texpipe_unit.data_banks.sample2, texpipe_unit.data_banks.sample1};
    wire [12:0] errors;
    wire [7:0] of_lines;                     // of the pixel read before: those of its lines that memory failed
    wire [5:0] held = texpipe_unit.pixel_fifo.count;
    wire [4:0] head = texpipe_unit.pixel_fifo.head[4:0];
    wire pushed = texpipe_unit.pixel_fifo.in_valid;
    wire [36:0] into = texpipe_unit.pixel_fifo.in_data;
    genvar n;

    assign of_lines = texpipe_unit.data_banks.used1 & texpipe_unit.data_banks.errors;
    assign errors[4:0] = {texpipe_unit.texel_stage.error2, texpipe_unit.texel_stage.error1,
        texpipe_unit.data_banks.out_error, texpipe_unit.data_banks.error2, of_lines != 0};
    generate
        for (n = 0; n < 5; n = n + 1) begin : gen_sample
            assign marks[n] = samples[n][35:32];
        end
        for (n = 0; n < 8; n = n + 1) begin : gen_beside
            assign marks[n + 5]  = texpipe_unit.texel_stage.beside[n*(5 + F) +: 4];
            assign errors[n + 5] = texpipe_unit.texel_stage.beside[n*(5 + F) + 4 + F];
        end
        if (TWO) begin : gen_two
            // Of two beats the second one counts
            wire [12:0] beats = {texpipe_unit.texel_stage.under_way, texpipe_unit.data_banks.out_valid,
                texpipe_unit.data_banks.valid2, texpipe_unit.data_banks.valid1};
            wire [12:0] more;
            for (n = 0; n < 5; n = n + 1) begin : gen_first
                assign more[n] = samples[n][S];
            end
            for (n = 0; n < 8; n = n + 1) begin : gen_more
                assign more[n + 5] = texpipe_unit.texel_stage.beside[n*(5 + F) + 4];
            end
            assign under_way = {texpipe_unit.mixer.under_way, beats & ~more};
            assign marks[15:13] = {texpipe_unit.mixer.marks3[3:0], texpipe_unit.mixer.marks2[3:0],
                texpipe_unit.mixer.marks1[3:0]};
        end else begin : gen_one
            assign under_way = {texpipe_unit.texel_stage.under_way, texpipe_unit.data_banks.out_valid,
                texpipe_unit.data_banks.valid2, texpipe_unit.data_banks.valid1};
        end
    endgenerate

    wire [S+F+1+T:0] sample = read_beat[READ-1:SAMPLE];
    wire reads = read_valid & read_ready & (!TWO | !sample[S]), leaves = coloured_valid & coloured_ready;

    reg started = 1'b0;
    reg follows = 1'b0;                      // a pixel is looked at
    reg [WAY-1:0] stage = 0;                 // where it is on its way
    reg queued = 1'b0;                       // it is in the FIFO
    reg [5:0] ahead;                         // pixels before it
    reg [3:0] its_marks;
    reg [1:0] its_format;
    reg [T-1:0] its_slot;
    reg its_error;
    reg [31:0] its_texel;
    (* anyseq *) wire choose;

    always @(posedge tex_clk) begin
        started <= 1'b1;
        stage   <= tex_rst ? 0 : {stage[WAY-2:0], reads & choose & !follows};
        queued  <= !tex_rst & (stage[WAY-1] | (queued & !(leaves & ahead == 0)));
        if (tex_rst)
            follows <= 1'b0;
        else if (follows) begin
            ahead   <= ahead - leaves;
            follows <= !(queued & leaves & ahead == 0);
        end else if (reads & choose) begin
            follows    <= 1'b1;
            ahead      <= reserved - leaves;
            its_marks  <= sample[35:32];
            its_format <= sample[S + F +: 2];
            its_slot   <= sample[S + F + 2 +: T];
        end
        if (stage[0])
            its_error <= of_lines != 0;
        else if (stage[4])
            its_error <= (its_error | (its_format[1] & table_errors[its_slot])) & !its_marks[3];
        if (stage[WAY-1])
            its_texel <= into[31:0];
        if (TWO & stage[WAY-1])
            its_error <= into[36];
    end

    // Pixels on their way, and those before the one that is looked at
    reg [5:0] on_their_way, older;
    reg passed;

    always @* begin
        on_their_way = 0;
        older = 0;
        passed = 1'b0;
        for (int i = 0; i < WAY; i++) begin
            on_their_way = on_their_way + under_way[i];
            older = older + (passed & under_way[i]);
            passed = passed | stage[i];
        end
    end

    wire [WAY-1:0] as_kept;
    wire [4:0] sampled_as_kept;
    wire [12:1] failed_as_kept;
    generate
        for (n = 0; n < WAY; n = n + 1) begin : gen_kept
            assign as_kept[n] = !stage[n] | (under_way[n] & marks[n] == its_marks);
        end
        for (n = 0; n < 5; n = n + 1) begin : gen_kept_sample
            assign sampled_as_kept[n] = !stage[n] | samples[n][S+F +: 2+T] == {its_slot, its_format};
        end
        for (n = 1; n < 13; n = n + 1) begin : gen_kept_error
            assign failed_as_kept[n] = !stage[n] | errors[n] == its_error;
        end
    endgenerate

    wire [4:0] place = head + ahead[4:0];
    wire its_turn = queued & ahead == 0;

    always @(posedge tex_clk) begin
        if (!started)
            first_a_reset: assume (tex_rst);
        if (started & !tex_rst) begin
            each_has_its_place: assert (!pushed | held != 6'd32);
            none_without_a_place: assert (!(read_valid & read_ready) | reserved != 6'd32);
            if (its_turn) begin
                it_is_there: assert (coloured_valid);
                in_order_with_its_own_marks: assert (coloured[35:32] == its_marks);
                texel_of_its_own: assert (coloured[31:0] == its_texel);
                error_of_its_own: assert (coloured[36] == its_error);
            end
            // What holds in between, so that the induction closes
            places_are_counted: assert (reserved == on_their_way + held & held <= 6'd32 & reserved <= 6'd32);
            in_one_place: assert (follows == (stage != 0 | queued) & (stage & (stage - 1'b1)) == 0 & !(stage != 0 & queued));
            in_step: assert (&as_kept & &sampled_as_kept & &failed_as_kept);
            before_it: assert (!follows | (queued ? ahead < held : ahead == older + held));
            kept_in_the_fifo: assert (!queued | texpipe_unit.pixel_fifo.words[place] == {its_error, its_marks, its_texel});
        end
    end
endmodule

bind texpipe_unit texpipe_unit_places #(.READ($bits(read_beat))) properties (.*);
