// SPDX-License-Identifier: Apache-2.0
// texcache_output: results leave in the order of their footprints, none lost or doubled, in the cycle after the read of
// the last beat, each with its own id, the texels of its own lines as they were written last, whatever is written
// beside and behind the read, and an error if one of these lines has one; a result stays as it is until it is taken; a
// beat is taken unless a result waits. Bank, place in it and texel looked at are chosen by the solver. At any time
// there may be a reset.
//
// Assumed of a beat: its look-ups go to different banks, and the bank of each texel that it serves is looked up, by
// texels of the same line (by parity: texcache_address.sv); with one port, no bank is written while it is read
// (texcache_fifo_control.sv).
`include "geometry.svh"
module texcache_output_properties #(
    parameter B = `CFG_BANK_BITS > 0 ? `CFG_BANK_BITS : 1,
    parameter S = `CFG_CACHE_SET_BITS,
    parameter W = `CFG_CACHE_WAY_BITS > 0 ? `CFG_CACHE_WAY_BITS : 1,
    parameter O = `CFG_PLACE_BITS,
    parameter LINE = 8 * `CFG_CACHE_LINE_BYTES,
    parameter WIDTH = 1                      // bits of a beat
) (
    input clk, rst, fill_valid, read_valid, read_ready, res_valid, res_ready, busy, valid, error,
    input [B-1:0] fill_bank,
    input [S+W-1:0] fill_index,
    input [LINE:0] fill_data,
    input [WIDTH-1:0] read_beat,
    input [`RES_WIDTH-1:0] res_data,
    input [`CFG_ID_BITS-1:0] id,
    input [B-1:0] bank0, bank1, bank2, bank3,
    input [O-1:0] offset0, offset1, offset2, offset3,
    input [31:0] texel0, texel1, texel2, texel3,
    input [`CFG_BANKS*(LINE+1)-1:0] lines
);
    localparam BANKS = `CFG_BANKS, PLACES = 1 << S + W;
    // Where the fields of a beat begin; one of several says which texels it serves, and whether it is the last
    localparam BANK = `CFG_PARITY ? 8 : 12, SET = BANK + 4*B, WAY = SET + 4*S, OFFSET = WAY + 4*W, ID = OFFSET + 4*O;

    // Constants: nothing but themselves drives them
    reg [B-1:0] bank;
    reg [S+W-1:0] place;
    reg [1:0] slot;

    wire go = read_valid & read_ready;
    wire [3:0] looks = read_beat[3:0], serves = `CFG_PARITY ? 4'd15 : read_beat[11:8];
    wire last = `CFG_PARITY ? 1'b1 : read_beat[WIDTH-1];
    wire [3:0][B-1:0] banks = read_beat[BANK +: 4*B];
    wire [3:0][S-1:0] sets = read_beat[SET +: 4*S];
    wire [3:0][W-1:0] ways = read_beat[WAY +: 4*W];
    wire [O-1:0] offset = read_beat[OFFSET + O*slot +: O];

    // The line at the place, once one was written there
    reg written = 1'b0;
    reg [LINE:0] line;
    wire writes = fill_valid & fill_bank == bank & fill_index == place;
    wire [LINE:0] line_now = writes ? fill_data : line;

    // All lines, with the one that is being written; of each bank the one that the beat reads
    wire [BANKS-1:0][PLACES-1:0][LINE:0] stored;
    reg [BANKS-1:0] reads, fails;
    reg [BANKS-1:0][S+W-1:0] index;
    reg apart, served;

    always @* begin
        {reads, index, fails} = 0;
        {apart, served} = 2'b11;
        for (int i = 0; i < 4; i++)
            for (int b = 0; b < BANKS; b++)
                if (looks[i] & banks[i] == b) begin
                    if (reads[b])
                        apart = 1'b0;
                    reads[b] = 1'b1;
                    index[b] = {sets[i], ways[i]};
                end
        for (int i = 0; i < 4; i++)
            for (int b = 0; b < BANKS; b++)
                if (serves[i] & banks[i] == b) begin
                    if (!reads[b])
                        served = 1'b0;
                    fails[b] = fill_valid & fill_bank == b & fill_index == index[b] ? fill_data[LINE] : stored[b][index[b]][LINE];
                end
    end

    wire in_a_bank = banks[0] < BANKS & banks[1] < BANKS & banks[2] < BANKS & banks[3] < BANKS;
    wire reads_it = banks[slot] == bank & index[bank] == place & (written | writes);

    // The footprint that was read last
    reg started = 1'b0, waits = 1'b0;
    reg [`RES_WIDTH-1:0] res_before;
    reg due = 1'b0;                          // its last beat was read, and it has not left
    reg fresh = 1'b1;                        // the next beat is the first of a footprint
    reg [`CFG_ID_BITS-1:0] its_id;
    reg texel_known = 1'b0;                  // the chosen one is of the chosen line
    reg [31:0] its_texel;
    reg its_failed;                          // one of its lines
    reg line_read = 1'b0;                    // the bank was read last at the place,
    reg [LINE:0] its_line;                   // where this was
    reg [3:0] its_serves;         // of the last beat
    reg [3:0][B-1:0] its_banks;
    reg [O-1:0] its_offset;
    reg [BANKS-1:0] its_fails;

    always @(posedge clk) begin
        started <= 1'b1;
        {bank, place, slot} <= {bank, place, slot};
        written <= written | writes;
        line    <= line_now;
        waits      <= !rst & res_valid & !res_ready;
        res_before <= res_data;
        due        <= !rst & (go ? last : due & !res_ready);
        fresh      <= rst | (go ? last : fresh);
        if (go) begin
            its_id <= read_beat[ID +: `CFG_ID_BITS];
            if (serves[slot])
                its_texel <= line_now[{offset, 5'd0} +: 32];
            texel_known <= serves[slot] ? reads_it : !fresh & texel_known;
            its_failed  <= fails != 0 | (!fresh & its_failed);
            {its_serves, its_banks, its_offset} <= {serves, banks, offset};
            its_fails   <= fails;
            if (reads[bank]) begin
                line_read <= index[bank] == place & (written | writes);
                its_line  <= line_now;
            end
        end
    end

    wire [3:0][31:0] shown = {res_data[`RES_TEXEL3], res_data[`RES_TEXEL1], res_data[`RES_TEXEL2], res_data[`RES_TEXEL0]};

    always @(posedge clk) begin
        if (!started)
            first_a_reset: assume (rst);
        if (read_valid)
            looked_up: assume (apart & served & in_a_bank);
`ifndef CFG_FILL_PORT_OWN
        read_or_written: assume (!(go & fill_valid & reads[fill_bank]));
`endif
        if (started & !rst) begin
            one_for_each_footprint: assert (res_valid == due);
            taken_unless_a_result_waits: assert (read_ready == (!due | res_ready));
            if (res_valid) begin
                in_order_with_its_own_id: assert (res_data[`RES_ID] == its_id);
                texel_of_its_own_line: assert (!texel_known | shown[slot] == its_texel);
                error_of_its_own_lines: assert (res_data[`RES_ERR] == its_failed);
                told_to_be_here: assert (busy);
            end
            if (waits)
                stays_as_it_is: assert (res_valid & res_data == res_before);
        end
    end

    // What holds in between, so that the induction closes
    wire [BANKS-1:0][LINE:0] shown_lines = lines;
    wire [3:0][B-1:0] banks_now = {bank3, bank2, bank1, bank0};
    wire [3:0][O-1:0] offsets_now = {offset3, offset2, offset1, offset0};
    wire [3:0] served_now;
    reg errors_shown;                        // of the lines that the beat reads

    always @* begin
        errors_shown = 1'b1;
        for (int i = 0; i < 4; i++)
            for (int b = 0; b < BANKS; b++)
                if (its_serves[i] & its_banks[i] == b & shown_lines[b][LINE] != its_fails[b])
                    errors_shown = 1'b0;
    end

    wire [3:0][31:0] texels = {texel3, texel2, texel1, texel0};
    genvar n, p;
    generate
        for (p = 0; p < PLACES; p = p + 1) begin : gen_place
            assign stored[0][p] = texcache_output.cache_ram0.words[p];
            if (BANKS > 1)
                assign stored[1][p] = texcache_output.cache_ram1.words[p];
            if (BANKS > 2) begin
                assign stored[2][p] = texcache_output.cache_ram2.words[p];
                assign stored[3][p] = texcache_output.cache_ram3.words[p];
            end
        end
        if (`CFG_PARITY) begin : gen_at_once
            assign served_now = 4'd15;
            always @(posedge clk) if (started)
                one_beat: assert (fresh & valid == due);
        end else begin : gen_beats
            assign served_now = texcache_output.served;
            wire its_last = texcache_output.last, gathered_error = texcache_output.gathered_error;
            wire [3:0][31:0] gathered = {texcache_output.gathered3, texcache_output.gathered2,
                texcache_output.gathered1, texcache_output.gathered0};
            always @(posedge clk) if (started) begin
                last_is_due: assert (due == (valid & its_last) & (!valid | its_last == fresh));
                texel_is_gathered: assert (valid | fresh | !texel_known | gathered[slot] == its_texel);
                error_is_gathered: assert (valid | (fresh ? !gathered_error : gathered_error == its_failed));
            end
        end
    endgenerate

    always @(posedge clk) begin
        line_is_kept: assert (!written | stored[bank][place] == line);
        line_is_read: assert (!line_read | shown_lines[bank] == its_line);
        if (started) begin
            id_is_kept: assert (!valid | id == its_id);
            errors_are_read: assert (!valid | errors_shown);
            beat_is_kept: assert (!valid | {served_now, banks_now, offsets_now[slot]} == {its_serves, its_banks, its_offset});
            texel_of_the_line: assert (!valid | !texel_known | !its_serves[slot] | (line_read & its_banks[slot] == bank
                & its_texel == its_line[{its_offset, 5'd0} +: 32]));
            texel_is_shown: assert (!valid | !texel_known | texels[slot] == its_texel);
            error_is_shown: assert (!valid | error == its_failed);
        end
    end

    // Traces to see
    reg [2:0] row = 0;                       // results that left in a row
    reg overwritten = 1'b0;                  // a line was, while the result that shows it waits
    reg beside = 1'b0;                       // a line was written beside its read
    always @(posedge clk) begin
        row <= rst | !(res_valid & res_ready) ? 0 : row + (row != 3'd7);
        overwritten <= !rst & waits & texel_known & writes;
        beside      <= !rst & go & serves[slot] & reads_it & writes;
        if (started & !rst) begin
            a_result_in_each_cycle: cover (row == 3'd4);
            shown_though_overwritten: cover (res_valid & overwritten);
            one_of_four_fails: cover (res_valid & its_failed & texel_known);
`ifdef CFG_FILL_PORT_OWN
            written_beside_its_read: cover (res_valid & beside);
`endif
        end
    end
endmodule

bind texcache_output texcache_output_properties #(.WIDTH($bits(read_beat))) properties (.*);
