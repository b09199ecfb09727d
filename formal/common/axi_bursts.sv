// SPDX-License-Identifier: Apache-2.0
// The memory behind an AXI4 port that reads two bursts of any length at a time, in order: what it owes, and AXI's rules.
module axi_bursts #(parameter DATA = 32, ADDRESS = 12) (
    input clk, rst, m_axi_rst, m_axi_arvalid, m_axi_arready, m_axi_rvalid, m_axi_rlast,
    input [ADDRESS-1:0] m_axi_araddr,
    input [7:0] m_axi_arlen,
    input [2:0] m_axi_arsize
);
    reg started = 1'b0;
    reg [1:0] open;                          // bursts that were taken, and have not ended
    reg [ADDRESS-1:0] address0, address1;    // of the next beat, of the burst behind it
    reg [7:0] left0, left1;                  // beats behind that one
    wire take = m_axi_arvalid & m_axi_arready;
    wire ends = m_axi_rvalid & m_axi_rlast;
    wire alone = open == 0 | (open == 1 & ends); // what is taken is the next

    always @(posedge clk) begin
        started <= 1'b1;
        open    <= m_axi_rst ? 2'd0 : open + {1'b0, take} - {1'b0, ends};
        if (take & alone) begin
            address0 <= m_axi_araddr;
            left0    <= m_axi_arlen;
        end else if (ends) begin
            address0 <= address1;
            left0    <= left1;
        end else if (m_axi_rvalid) begin
            address0 <= address0 + DATA / 8;
            left0    <= left0 - 1'b1;
        end
        if (take & !alone) begin
            address1 <= m_axi_araddr;
            left1    <= m_axi_arlen;
        end
    end

    always @(posedge clk)
        if (!started)
            first_a_reset: assume (rst & m_axi_rst);
        else begin
            memory_owes: assume (!m_axi_rvalid | open != 0);
            memory_ends: assume (!m_axi_rvalid | m_axi_rlast == (left0 == 0));
        end

    always @(posedge clk) if (started) begin
        if ($past(started & !m_axi_rst & m_axi_arvalid & !m_axi_arready))
            ar_is_stable: assert (m_axi_arvalid & $stable(m_axi_araddr) & $stable(m_axi_arlen));
        two_bursts: assert (!(m_axi_arvalid & open == 2));
        at_most_two: assert (open != 3);
    end

    axi_page #(.ADDRESS(ADDRESS)) page (
        .clk, .valid(started & m_axi_arvalid), .addr(m_axi_araddr), .len(m_axi_arlen), .size(m_axi_arsize));
endmodule
