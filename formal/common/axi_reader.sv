// SPDX-License-Identifier: Apache-2.0
// The memory behind an AXI4 port that reads one burst of BEATS beats at a time: what it owes, and AXI's rules.
module axi_reader #(parameter DATA = 32, ADDRESS = 12, BEATS = 2) (
    input clk, rst, m_axi_rst, m_axi_arvalid, m_axi_arready, m_axi_rvalid, m_axi_rlast,
    input [ADDRESS-1:0] m_axi_araddr
);
    reg started = 1'b0;
    reg open;                                // a burst was taken, and has not ended
    reg [$clog2(BEATS):0] given;             // beats of it

    always @(posedge clk) begin
        started <= 1'b1;
        if (m_axi_rst)
            open <= 1'b0;
        else
            open <= (m_axi_arvalid & m_axi_arready) | (open & !(m_axi_rvalid & m_axi_rlast));
        if (m_axi_arvalid & m_axi_arready)
            given <= 0;
        else if (m_axi_rvalid)
            given <= given + 1'b1;
    end

    always @(posedge clk)
        if (!started)
            first_a_reset: assume (rst & m_axi_rst);
        else begin
            memory_owes: assume (!m_axi_rvalid | open);
            memory_ends: assume (!m_axi_rvalid | m_axi_rlast == (given == BEATS - 1));
        end

    always @(posedge clk) if (started) begin
        if ($past(started & !m_axi_rst & m_axi_arvalid & !m_axi_arready))
            ar_is_stable: assert (m_axi_arvalid & $stable(m_axi_araddr));
        one_burst: assert (!(m_axi_arvalid & open));
        whole_lines: assert (m_axi_araddr % (BEATS * DATA / 8) == 0);
        counted: assert (!open | given < BEATS);
    end
endmodule
