// SPDX-License-Identifier: Apache-2.0
// icache with restart at the word: an instruction is what memory has at its address, and one of which memory failed
// the beat is told. The solver chooses the address, what memory has there, and whether it fails.
`include "geometry.svh"

module icache_restart_words (
    input clk, reset, leave2, s2_wrong, m_axi_rvalid,
    input [1:0] m_axi_rresp,
    input [2:0] s2_op,
    input [31:0] fetched, m_axi_rdata,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] s2_address
);
    localparam ADDRESS = `CFG_CACHE_ADDRESS_BITS, FETCH = 0;

    reg [ADDRESS-1:0] chosen;                // constants: nothing but themselves drives them
    reg [31:0] word;
    reg fails;

    always @(posedge clk) begin
        chosen <= chosen;
        word   <= word;
        fails  <= fails;
    end

    always @(posedge clk) begin
        an_instruction: assume (chosen[1:0] == 0);
        if (m_axi_rvalid & icache.memory.address0 == chosen)
            memory_has: assume (m_axi_rdata == word & m_axi_rresp[1] == fails);
        if (icache.memory.started & !reset & leave2 & s2_op == FETCH & s2_address >> 2 == chosen >> 2) begin
            instruction_of_its_address: assert (s2_wrong | fetched == word);
            told_of_its_own_beat: assert (s2_wrong == fails);
        end
    end
endmodule

bind icache axi_bursts #(.DATA(`CFG_AXI_DATA_BITS), .ADDRESS(`CFG_CACHE_ADDRESS_BITS)) memory (.*);
bind icache icache_restart_words properties (.*);
