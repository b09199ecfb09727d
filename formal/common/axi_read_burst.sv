// SPDX-License-Identifier: Apache-2.0
// axi_read_port of one reader or several: each burst on AR, as emitted, is a line and stays in its 4 KB page.
//
// Assumed: a reader's address is that of a line, as line_reader is proved to give it (`asks_for_the_line`); of a
// reader that says how long its bursts are, that they are parts of lines.
`include "geometry.svh"

`ifdef CFG_RESTART_WORD
`define OFF(i) \
    `MODULE.ar``i``_addr % `CFG_CACHE_LINE_BYTES + (`MODULE.ar``i``_len + 16'd1) * (`CFG_AXI_DATA_BITS / 8) \
        > `CFG_CACHE_LINE_BYTES
`else
`define OFF(i) `MODULE.ar``i``_addr % `CFG_CACHE_LINE_BYTES != 0
`endif

`define READER(i) \
    if (i < `CFG_AXI_IDS) \
        assign off[i] = `MODULE.ar``i``_valid & `OFF(i);

module axi_read_burst (
    input clk, m_axi_rst, m_axi_arvalid,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] m_axi_araddr,
    input [7:0] m_axi_arlen,
    input [2:0] m_axi_arsize
);
    wire [`CFG_AXI_IDS-1:0] off;             // readers whose burst is not a line's
    generate
        `READER(0) `READER(1) `READER(2) `READER(3) `READER(4) `READER(5) `READER(6) `READER(7)
    endgenerate

    reg started = 1'b0;

    always @(posedge clk) begin
        started <= 1'b1;
        if (!started)
            first_a_reset: assume (m_axi_rst);
        addresses_of_lines: assume (off == 0);
    end

    axi_page #(.ADDRESS(`CFG_CACHE_ADDRESS_BITS)) page (
        .clk, .valid(started & m_axi_arvalid), .addr(m_axi_araddr), .len(m_axi_arlen), .size(m_axi_arsize));
endmodule

bind `MODULE axi_read_burst properties (.*);
