// SPDX-License-Identifier: Apache-2.0
// The memory behind an AXI4 port with a read under way for each id, and several writes, in order: what it may do, and
// what it is owed. To be bound, as `memory`, beside the properties of what is proved.
//
// Assumed: it answers what it was asked for, reads of different ids in any order, also with errors; it is not reset
// alone. Asserted of the port: the rules of its channels, whole lines, an id is asked for once.
module axi_many #(parameter IDS = 2, ID = 2, DATA = 128, ADDRESS = 32, BEATS = 4) (
    input clk, rst, m_axi_rst,
    input m_axi_awvalid, m_axi_awready, m_axi_wvalid, m_axi_wready, m_axi_wlast, m_axi_bvalid, m_axi_bready,
    input m_axi_arvalid, m_axi_arready, m_axi_rvalid, m_axi_rready, m_axi_rlast,
    input [ADDRESS-1:0] m_axi_awaddr, m_axi_araddr,
    input [DATA-1:0] m_axi_wdata,
    input [DATA/8-1:0] m_axi_wstrb,
    input [ID-1:0] m_axi_arid, m_axi_rid,
    input [7:0] m_axi_awlen, m_axi_arlen,
    input [2:0] m_axi_awsize, m_axi_arsize
);
    reg started = 1'b0;
    reg [IDS-1:0] owed;                      // reads that were asked for, and have not ended
    reg [IDS*8-1:0] sent;                    // beats of them
    reg [3:0] addresses, lines;              // writes: addresses and data that memory has got, and not answered
    reg [7:0] given;                         // beats of the next
    wire asks = m_axi_arvalid & m_axi_arready;
    wire gives = m_axi_rvalid & m_axi_rready;
    wire takes = m_axi_wvalid & m_axi_wready;

    genvar n;
    generate
        for (n = 0; n < IDS; n = n + 1) begin : gen_id
            always @(posedge clk) begin
                if (m_axi_rst)
                    owed[n] <= 1'b0;
                else
                    owed[n] <= (asks & m_axi_arid == n) | (owed[n] & !(gives & m_axi_rid == n & m_axi_rlast));
                if (asks & m_axi_arid == n)
                    sent[n*8 +: 8] <= 8'd0;
                else if (gives & m_axi_rid == n)
                    sent[n*8 +: 8] <= sent[n*8 +: 8] + 1'b1;
            end
        end
    endgenerate

    always @(posedge clk) begin
        started   <= 1'b1;
        addresses <= m_axi_rst ? 4'd0 : addresses + (m_axi_awvalid & m_axi_awready) - m_axi_bvalid;
        lines     <= m_axi_rst ? 4'd0 : lines + (takes & m_axi_wlast) - m_axi_bvalid;
        given     <= m_axi_rst ? 8'd0 : takes ? (m_axi_wlast ? 8'd0 : given + 1'b1) : given;
    end

    always @(posedge clk) begin
        begins_in_reset: assume (started | (rst & m_axi_rst));
        not_reset_alone: assume (!m_axi_rst | rst);
        reads_that_were_asked: assume (!m_axi_rvalid | (m_axi_rid < IDS & owed[m_axi_rid]));
        reads_whole_lines: assume (!m_axi_rvalid | m_axi_rlast == (sent[m_axi_rid*8 +: 8] == BEATS - 1));
        writes_it_has_got: assume (!m_axi_bvalid | (addresses != 0 & lines != 0));
    end

    always @(posedge clk) if (started) begin
        answers_are_taken: assert (m_axi_bready);
        id_asked_once: assert (!m_axi_arvalid | (m_axi_arid < IDS & !owed[m_axi_arid]));
        w_last: assert (!m_axi_wvalid | (m_axi_wlast == (given == BEATS - 1) & (&m_axi_wstrb)));
        if ($past(started & !m_axi_rst & m_axi_awvalid & !m_axi_awready))
            aw_stable: assert (m_axi_awvalid & $stable(m_axi_awaddr) & $stable(m_axi_awlen));
        if ($past(started & !m_axi_rst & m_axi_wvalid & !m_axi_wready))
            w_stable: assert (m_axi_wvalid & $stable(m_axi_wlast) & $stable(m_axi_wdata));
        if ($past(started & !m_axi_rst & m_axi_arvalid & !m_axi_arready))
            ar_stable: assert (m_axi_arvalid & $stable(m_axi_araddr) & $stable(m_axi_arid));
    end

    always @(posedge clk) if (started) begin
        ar_lines: assert (!m_axi_arvalid | (m_axi_arlen == BEATS - 1 & m_axi_araddr % (BEATS * DATA / 8) == 0));
        aw_lines: assert (!m_axi_awvalid | (m_axi_awlen == BEATS - 1 & m_axi_awaddr % (BEATS * DATA / 8) == 0));
    end

    axi_page #(.ADDRESS(ADDRESS)) ar_page (
        .clk, .valid(started & m_axi_arvalid), .addr(m_axi_araddr), .len(m_axi_arlen), .size(m_axi_arsize));
    axi_page #(.ADDRESS(ADDRESS)) aw_page (
        .clk, .valid(started & m_axi_awvalid), .addr(m_axi_awaddr), .len(m_axi_awlen), .size(m_axi_awsize));
endmodule
