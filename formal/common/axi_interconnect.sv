// SPDX-License-Identifier: Apache-2.0
// axi_interconnect: what is offered is a master's own and stays; data follow the order of addresses; answers find back.
// An address is offered as soon as a master offers one, of writes if there is a place; so are the data that are due.
//
// One write is followed, the one at a place in the order that the solver chooses. Assumed: masters and memory keep what
// they offer.
module axi_interconnect_properties #(
    parameter MASTERS = 3, NUMBER_BITS = 2, ID_BITS = 1, ADDRESS_BITS = 2, WRITE_BITS = 2, ANSWER_BITS = 1,
    READ_BITS = 1, BURSTS_BITS = 2
) (
    input clk, rst,
    input [MASTERS-1:0] s_arvalid, s_arready, s_rvalid, s_rready, s_awvalid, s_awready, s_wvalid, s_wready, s_wlast,
    input [MASTERS-1:0] s_bvalid, s_bready,
    input [MASTERS*ID_BITS-1:0] s_arid, s_awid,
    input [MASTERS*ADDRESS_BITS-1:0] s_ar, s_aw,
    input [MASTERS*WRITE_BITS-1:0] s_w,
    input m_arvalid, m_arready, m_rvalid, m_rready, m_awvalid, m_awready, m_wvalid, m_wready, m_wlast, m_bvalid,
    input m_bready,
    input [NUMBER_BITS+ID_BITS-1:0] m_arid, m_rid, m_awid, m_bid,
    input [ADDRESS_BITS-1:0] m_ar, m_aw,
    input [WRITE_BITS-1:0] m_w
);
    localparam TOP = NUMBER_BITS + ID_BITS - 1;

    reg started = 1'b0;
    reg [BURSTS_BITS-1:0] chosen;            // a constant: nothing but itself drives it
    reg held = 1'b0;                         // the data of the chosen write are not complete
    reg [NUMBER_BITS-1:0] owner;             // whose it is
    wire [BURSTS_BITS-1:0] head = axi_interconnect.order.head;
    wire [BURSTS_BITS-1:0] tail = axi_interconnect.order.tail;
    wire [BURSTS_BITS-1:0] due = tail - head;
    wire [BURSTS_BITS-1:0] latest = tail - 1'b1;
    wire [NUMBER_BITS-1:0] last_noted = axi_interconnect.order.words[latest[BURSTS_BITS-2:0]];
    wire [BURSTS_BITS-1:0] place = chosen - head;
    wire asks = m_awvalid & m_awready;
    wire notes = m_awvalid & !axi_interconnect.noted;
    wire ends = m_wvalid & m_wready & m_wlast;
    wire [MASTERS-1:0] beats = s_wvalid & s_wready; // who gives a beat

    reg aw_waits;                            // an address that was offered has not been taken
    reg [BURSTS_BITS:0] behind;              // addresses that were taken, less bursts whose data are complete

    always @(posedge clk) begin
        if (rst)
            behind <= 0;
        else
            behind <= behind + asks - ends;
        started  <= 1'b1;
        chosen   <= chosen;
        aw_waits <= !rst & m_awvalid & !m_awready;
        if (rst)
            held <= 1'b0;
        else if (notes & tail == chosen) begin
            held  <= 1'b1;
            owner <= m_awid[TOP:ID_BITS];
        end else if (ends & head == chosen)
            held <= 1'b0;
    end

    wire [MASTERS-1:0] ar_left = s_arvalid & ~s_arready, aw_left = s_awvalid & ~s_awready;
    wire [MASTERS-1:0] w_left = s_wvalid & ~s_wready;
    reg  [MASTERS-1:0] ar_same, aw_same, w_same; // what a master offers has not changed
    reg  [MASTERS*ID_BITS-1:0] arid_before, awid_before;
    reg  [MASTERS*ADDRESS_BITS-1:0] ar_before, aw_before;
    reg  [MASTERS*WRITE_BITS-1:0] w_before;
    reg  [MASTERS-1:0] last_before;
    integer n;

    always @(posedge clk) begin
        {arid_before, awid_before} <= {s_arid, s_awid};
        {ar_before, aw_before}     <= {s_ar, s_aw};
        {w_before, last_before}    <= {s_w, s_wlast};
    end

    // What the masters whose address, or beat, goes have offered
    reg [NUMBER_BITS+ID_BITS+ADDRESS_BITS-1:0] ar_own, aw_own;
    reg [WRITE_BITS:0] w_own;

    always @(*) begin
        {ar_own, aw_own, w_own} = 0;
        for (n = 0; n < MASTERS; n = n + 1) begin
            ar_same[n] = s_arvalid[n] & arid_before[n*ID_BITS +: ID_BITS] == s_arid[n*ID_BITS +: ID_BITS] &
                ar_before[n*ADDRESS_BITS +: ADDRESS_BITS] == s_ar[n*ADDRESS_BITS +: ADDRESS_BITS];
            aw_same[n] = s_awvalid[n] & awid_before[n*ID_BITS +: ID_BITS] == s_awid[n*ID_BITS +: ID_BITS] &
                aw_before[n*ADDRESS_BITS +: ADDRESS_BITS] == s_aw[n*ADDRESS_BITS +: ADDRESS_BITS];
            w_same[n] = s_wvalid[n] & last_before[n] == s_wlast[n] &
                w_before[n*WRITE_BITS +: WRITE_BITS] == s_w[n*WRITE_BITS +: WRITE_BITS];
            if (s_arvalid[n] & s_arready[n])
                ar_own = {n[NUMBER_BITS-1:0], s_arid[n*ID_BITS +: ID_BITS], s_ar[n*ADDRESS_BITS +: ADDRESS_BITS]};
            if (s_awvalid[n] & s_awready[n])
                aw_own = {n[NUMBER_BITS-1:0], s_awid[n*ID_BITS +: ID_BITS], s_aw[n*ADDRESS_BITS +: ADDRESS_BITS]};
            if (beats[n])
                w_own = {s_wlast[n], s_w[n*WRITE_BITS +: WRITE_BITS]};
        end
    end

    always @(posedge clk) begin
        begins_in_reset: assume (started | rst);
        if (started & !$past(rst)) begin
            ar_offers_stay: assume (($past(ar_left) & ~ar_same) == 0);
            aw_offers_stay: assume (($past(aw_left) & ~aw_same) == 0);
            w_offers_stay: assume (($past(w_left) & ~w_same) == 0);
        end
    end

    wire [MASTERS-1:0] ar_gone = s_arvalid & s_arready, aw_gone = s_awvalid & s_awready;
    wire [MASTERS-1:0] r_owner = 1'b1 << m_rid[TOP:ID_BITS], b_owner = 1'b1 << m_bid[TOP:ID_BITS];

    always @(posedge clk) if (started & !rst) begin
        ar_offered: assert (m_arvalid == (s_arvalid != 0));
        aw_offered: assert (m_awvalid == (s_awvalid != 0 & (due != 1 << (BURSTS_BITS - 1) | aw_waits)));
        w_offered: assert (!held | place != 0 | m_wvalid == |(s_wvalid & 1'b1 << owner));
        ar_one: assert ((ar_gone & (ar_gone - 1'b1)) == 0 & (m_arvalid & m_arready) == (ar_gone != 0));
        ar_own_word: assert (ar_gone == 0 | {m_arid, m_ar} == ar_own);
        aw_one: assert ((aw_gone & (aw_gone - 1'b1)) == 0 & asks == (aw_gone != 0));
        aw_own_word: assert (aw_gone == 0 | {m_awid, m_aw} == aw_own);
        w_one: assert ((beats & (beats - 1'b1)) == 0 & (m_wvalid & m_wready) == (beats != 0));
        w_own_word: assert (beats == 0 | {m_wlast, m_w} == w_own);
        if (!$past(rst)) begin
            ar_stable: assert (!$past(m_arvalid & !m_arready) | (m_arvalid & $stable({m_arid, m_ar})));
            aw_stable: assert (!$past(m_awvalid & !m_awready) | (m_awvalid & $stable({m_awid, m_aw})));
            w_stable: assert (!$past(m_wvalid & !m_wready) | (m_wvalid & $stable({m_wlast, m_w})));
        end
        r_finds_back: assert (s_rvalid == (r_owner & {MASTERS{m_rvalid}}));
        r_taken: assert (!m_rvalid | m_rready == ((s_rready & r_owner) != 0 | r_owner == 0));
        b_finds_back: assert (s_bvalid == (b_owner & {MASTERS{m_bvalid}}));
        b_taken: assert (!m_bvalid | m_bready == ((s_bready & b_owner) != 0 | b_owner == 0));
        places: assert (due <= 1 << (BURSTS_BITS - 1));
        held_until_complete: assert (held == (place < due));
        a_master: assert (!held | owner < MASTERS);
        noted_while_offered: assert (!axi_interconnect.noted | axi_interconnect.write_turn.kept != 0);
        noted_own: assert (!axi_interconnect.noted | last_noted == m_awid[TOP:ID_BITS]);
        noted: assert (!held | axi_interconnect.order.words[chosen[BURSTS_BITS-2:0]] == owner);
        data_in_order: assert (beats == 0 | place != 0 | (held & beats == 1'b1 << owner));
        data_of_an_address: assert (beats == 0 | due != 0);
        read_choice: assert ((axi_interconnect.read_turn.kept & ~s_arvalid) == 0);
        read_choice_one: assert ((axi_interconnect.read_turn.kept & (axi_interconnect.read_turn.kept - 1'b1)) == 0);
        write_choice: assert ((axi_interconnect.write_turn.kept & ~axi_interconnect.writers) == 0);
        write_choice_one: assert ((axi_interconnect.write_turn.kept & (axi_interconnect.write_turn.kept - 1'b1)) == 0);
    end

    always @(posedge clk) if (started & !rst) begin
        two_wait_for_data: cover (held & place == 1 & owner == 2 & beats[0]);
        data_first: cover (m_wvalid & m_wready & behind == 0 & !asks);
        no_place: cover (s_awvalid != 0 & !m_awvalid);
        a_beat_behind_others: cover (m_rvalid & m_rready & s_rvalid[2] & $past(s_rvalid[0] & m_rready));
    end
endmodule

bind axi_interconnect axi_interconnect_properties #(
    .MASTERS(MASTERS), .NUMBER_BITS(NUMBER_BITS), .ID_BITS(ID_BITS), .ADDRESS_BITS(ADDRESS_BITS),
    .WRITE_BITS(WRITE_BITS), .ANSWER_BITS(ANSWER_BITS), .READ_BITS(READ_BITS), .BURSTS_BITS(BURSTS_BITS)
) properties (.*);
