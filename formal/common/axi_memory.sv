// SPDX-License-Identifier: Apache-2.0
// What AXI memory may do, and what it is owed, by a port that has one burst at a time under way and never lets an
// answer wait. The solver chooses a byte; `in_memory` is what memory holds of it. To be bound, as `memory`, beside
// the properties of what is proved.
//
// Assumed of the memory: it answers what was asked for, reads give what was written last, a write that is answered
// with an error leaves it as it was, and it is not reset alone. Asserted of the port: the rules of its channels.
`include "geometry.svh"

module axi_memory #(parameter DATA = 16, ADDRESS = 12) (
    input clk, m_axi_rst,
    input m_axi_awvalid, m_axi_awready, m_axi_wvalid, m_axi_wready, m_axi_wlast, m_axi_bvalid, m_axi_bready,
    input m_axi_arvalid, m_axi_arready, m_axi_rvalid, m_axi_rready, m_axi_rlast,
    input [ADDRESS-1:0] m_axi_awaddr, m_axi_araddr,
    input [DATA-1:0] m_axi_wdata, m_axi_rdata,
    input [DATA/8-1:0] m_axi_wstrb,
    input [7:0] m_axi_awlen, m_axi_arlen,
    input [2:0] m_axi_awsize, m_axi_arsize,
    input [1:0] m_axi_bresp, m_axi_rresp
);
    localparam LANES = DATA / 8;             // bytes of a beat

    // The address of the byte looked at, a constant: nothing but itself drives it
    reg [ADDRESS-1:0] chosen;
    wire [7:0] lane = chosen % LANES;        // its place in its beat

    // What was asked for, and what of it has happened
    reg started = 1'b0;
    reg ar_taken, aw_taken, w_taken;         // address and data that the memory has
    reg [ADDRESS-1:0] taken;                 // the address
    reg [7:0] taken_len, beats;              // beats that have moved
    reg [7:0] in_memory, coming;        // coming: written, to be seen once answered
    reg comes;
    wire reading = m_axi_arvalid | ar_taken, writing = m_axi_awvalid | aw_taken;
    wire [ADDRESS-1:0] burst = m_axi_arvalid ? m_axi_araddr : m_axi_awvalid ? m_axi_awaddr : taken;
    wire [7:0] len = m_axi_arvalid ? m_axi_arlen : m_axi_awvalid ? m_axi_awlen : taken_len;
    wire [ADDRESS-1:0] distance = chosen / LANES - burst / LANES;
    wire ours = distance <= len;             // the burst has the chosen byte,
    wire [7:0] place = distance;             // in this beat
    wire last_read = m_axi_rvalid & m_axi_rlast;
    wire w_moves = m_axi_wvalid & m_axi_wready;
    wire our_beat = ours & beats == place;
    wire our_write = w_moves & our_beat & m_axi_wstrb[lane];

    always @(posedge clk) begin
        started <= 1'b1;
        chosen  <= chosen;
        if (m_axi_rst) begin
            {ar_taken, aw_taken, w_taken, comes} <= 4'd0;
            beats <= 8'd0;
        end else begin
            ar_taken <= (ar_taken | (m_axi_arvalid & m_axi_arready)) & !last_read;
            aw_taken <= (aw_taken | (m_axi_awvalid & m_axi_awready)) & !m_axi_bvalid;
            w_taken  <= (w_taken | (w_moves & m_axi_wlast)) & !m_axi_bvalid;
            beats    <= last_read | m_axi_bvalid ? 8'd0 : beats + (m_axi_rvalid | w_moves);
            comes    <= (comes | our_write) & !m_axi_bvalid;
        end
        {taken, taken_len} <= {burst, len};
        if (our_write)
            coming <= m_axi_wdata[lane * 8 +: 8];
        if (m_axi_bvalid & !m_axi_bresp[1] & comes)
            in_memory <= coming;
    end

    always @(posedge clk) begin
        if (!started)
            first_a_memory_reset: assume (m_axi_rst);
        else begin
            memory_not_reset_alone: assume (!m_axi_rst);
            read_as_asked: assume (!m_axi_rvalid | (ar_taken & m_axi_rlast == (beats == len)));
            read_what_was_written: assume (!m_axi_rvalid | !our_beat | m_axi_rresp[1] |
                                           m_axi_rdata[lane * 8 +: 8] == in_memory);
            written_as_asked: assume (!m_axi_bvalid | (aw_taken & w_taken));
        end
    end

    always @(posedge clk) if (started) begin
        one_burst_at_a_time: assert (!(reading & writing));
        data_with_its_address: assert (!m_axi_wvalid | (writing & !w_taken));
        no_address_again: assert (!(m_axi_arvalid & ar_taken) & !(m_axi_awvalid & aw_taken));
        comes_of_ours: assert (!comes | (writing & ours));
        always_ready: assert (m_axi_rready & m_axi_bready);
        w_last: assert (!m_axi_wvalid | m_axi_wlast == (beats == len));
        if ($past(!m_axi_rst & m_axi_awvalid & !m_axi_awready))
            aw_stable: assert (m_axi_awvalid & $stable(m_axi_awaddr) & $stable(m_axi_awlen));
        if ($past(!m_axi_rst & m_axi_wvalid & !m_axi_wready))
            w_stable: assert (m_axi_wvalid & $stable(m_axi_wdata) & $stable(m_axi_wstrb) & $stable(m_axi_wlast));
        if ($past(!m_axi_rst & m_axi_arvalid & !m_axi_arready))
            ar_stable: assert (m_axi_arvalid & $stable(m_axi_araddr) & $stable(m_axi_arlen));
    end

    axi_page #(.ADDRESS(ADDRESS)) ar_page (
        .clk, .valid(started & m_axi_arvalid), .addr(m_axi_araddr), .len(m_axi_arlen), .size(m_axi_arsize));
    axi_page #(.ADDRESS(ADDRESS)) aw_page (
        .clk, .valid(started & m_axi_awvalid), .addr(m_axi_awaddr), .len(m_axi_awlen), .size(m_axi_awsize));
endmodule
