// SPDX-License-Identifier: Apache-2.0
// icache: an instruction is what memory has at its address; with restart at the word, one of which memory failed the
// beat is told. The solver chooses the address, what memory has there, and whether it fails.
`include "geometry.svh"

module icache_words (
    input clk, reset, leave2, s2_wrong, m_axi_rvalid,
    input [1:0] m_axi_rresp,
    input [2:0] s2_op,
    input [31:0] fetched, m_axi_rdata,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] s2_address, m_axi_araddr
);
    localparam ADDRESS = `CFG_CACHE_ADDRESS_BITS, OFFSET = `CFG_CACHE_OFFSET_BITS, FETCH = 0;

    reg [ADDRESS-1:0] chosen;                // constants: nothing but themselves drives them
    reg [31:0] word;
    reg fails;

    always @(posedge clk) begin
        chosen <= chosen;
        word   <= word;
        fails  <= fails;
    end

`ifdef CFG_RESTART_WORD
    wire [ADDRESS-1:0] passing = icache.memory.address0;
    wire told = m_axi_rresp[1] == fails;
`else
    reg [ADDRESS-1:OFFSET] line;             // that memory gives
    wire [ADDRESS-1:0] passing = {line, icache.memory.given[`CFG_BEAT_BITS-1:0], 2'd0};
    wire told = 1'b1;

    always @(posedge clk)
        if (icache.m_axi_arvalid & icache.m_axi_arready)
            line <= m_axi_araddr[ADDRESS-1:OFFSET];
`endif

    always @(posedge clk) begin
        an_instruction: assume (chosen[1:0] == 0);
        if (m_axi_rvalid & passing == chosen)
            memory_has: assume (m_axi_rdata == word & told);
        if (icache.memory.started & !reset & leave2 & s2_op == FETCH & s2_address >> 2 == chosen >> 2) begin
            instruction_of_its_address: assert (s2_wrong | fetched == word);
`ifdef CFG_RESTART_WORD
            told_of_its_own_beat: assert (s2_wrong == fails);
`endif
        end
    end
endmodule

`ifdef CFG_RESTART_WORD
bind icache axi_bursts #(.DATA(`CFG_AXI_DATA_BITS), .ADDRESS(`CFG_CACHE_ADDRESS_BITS)) memory (.*);
`else
bind icache axi_reader #(
    .DATA(`CFG_AXI_DATA_BITS), .ADDRESS(`CFG_CACHE_ADDRESS_BITS), .BEATS(`CFG_BEATS)
) memory (.*);
`endif
bind icache icache_words properties (.*);
