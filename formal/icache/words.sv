// SPDX-License-Identifier: Apache-2.0
// icache: an instruction is what memory has at its address. The solver chooses the address and what memory has there.
`include "geometry.svh"

module icache_words (
    input clk, reset, leave2, s2_wrong, m_axi_rvalid,
    input [2:0] s2_op,
    input [31:0] fetched, m_axi_rdata,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] s2_address, m_axi_araddr
);
    localparam ADDRESS = `CFG_CACHE_ADDRESS_BITS, OFFSET = `CFG_CACHE_OFFSET_BITS, FETCH = 0;

    reg [ADDRESS-1:0] chosen;                // constants: nothing but themselves drives them
    reg [31:0] word;
    reg [ADDRESS-1:OFFSET] line;             // that memory gives

    always @(posedge clk) begin
        chosen <= chosen;
        word   <= word;
        if (icache.m_axi_arvalid & icache.m_axi_arready)
            line <= m_axi_araddr[ADDRESS-1:OFFSET];
    end

    wire [ADDRESS-1:0] passing = {line, icache.memory.given[`CFG_BEAT_BITS-1:0], 2'd0};

    always @(posedge clk) begin
        an_instruction: assume (chosen[1:0] == 0);
        if (m_axi_rvalid & passing == chosen)
            memory_has: assume (m_axi_rdata == word);
        if (icache.memory.started & !reset & leave2 & s2_op == FETCH & !s2_wrong & s2_address >> 2 == chosen >> 2)
            instruction_of_its_address: assert (fetched == word);
    end
endmodule

bind icache axi_reader #(
    .DATA(`CFG_AXI_DATA_BITS), .ADDRESS(`CFG_CACHE_ADDRESS_BITS), .BEATS(`CFG_BEATS)
) memory (.*);
bind icache icache_words properties (.*);
