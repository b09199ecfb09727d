// SPDX-License-Identifier: Apache-2.0
// texcache: results in request order, none lost or doubled, each with the texels of its own addresses; the rules
// of stop and begin, of valid and ready, and of AXI. Look-up table and address circuit are left to the solver:
// any footprint may come at any time.
//
// Assumed: the memory answers in order what it was asked for, whole bursts, and no errors; the texel at address A
// is A. Requests carry their number as id. To keep it small, addresses stay below 16 texels; with banks by parity
// below 64, so that a set meets more lines than it has ways.
`include "geometry.svh"
module texcache_properties (
    input clk, rst, m_axi_rst, req_valid, req_ready, res_valid, res_ready, inv_valid, inv_ready, busy,
    input usp_stop, usp_begin, m_axi_arvalid, m_axi_arready, m_axi_rvalid, m_axi_rready, m_axi_rlast,
    input evt_valid,
    input [`REQ_WIDTH-1:0] req_data,
    input [`RES_WIDTH-1:0] res_data,
    input [`EVT_WIDTH-1:0] evt_data,
    input [4*`CFG_TEXEL_BITS-1:0] address,
    input [3:0] need, m_axi_arid,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] m_axi_araddr,
    input [7:0] m_axi_arlen,
    input [2:0] m_axi_arsize,
    input [1:0] m_axi_arburst, m_axi_rresp,
    input [`CFG_AXI_DATA_BITS-1:0] m_axi_rdata
);
    localparam T = `CFG_TEXEL_BITS, O = `CFG_PLACE_BITS, SMALL = `CFG_PARITY ? 6 : 4;
    localparam WORDS = `CFG_AXI_DATA_BITS / 32, DEPTH = `CFG_FIFO_DEPTH;

    wire [3:0][T-1:0] texel = address;       // in look-up order: left, left, right, right; rows 0, 1, 0, 1
    wire asked = req_valid & req_ready, answered = res_valid & res_ready;

    // Requests and answers are numbered; of one, which the solver chooses, the addresses are kept
    reg started = 1'b0, stopped = 1'b0, res_stalled = 1'b0, ar_stalled = 1'b0;
    reg [`CFG_ID_BITS-1:0] next_id = 0, due_id = 0;
    reg [4:0] requests = 0, answers = 0;
    reg [4:0] chosen;                        // a constant: nothing but itself drives it
    reg [(1 << SMALL - O)-1:0] half;         // of the banks, of each line; a constant, too
    reg [3:0][T-1:0] wanted;
    reg [`RES_WIDTH-1:0] res_before;
    reg [`CFG_CACHE_ADDRESS_BITS-1:0] araddr_before;

    always @(posedge clk) begin
        started <= 1'b1;
        chosen  <= chosen;
        half    <= half;
        stopped <= !rst & (usp_stop | (stopped & !usp_begin));
        res_stalled <= !rst & res_valid & !res_ready;
        res_before  <= res_data;
        ar_stalled  <= !rst & m_axi_arvalid & !m_axi_arready;
        araddr_before <= m_axi_araddr;
        next_id  <= rst ? 0 : next_id + asked;
        due_id   <= rst ? 0 : due_id + answered;
        requests <= rst ? 0 : requests + asked;
        answers  <= rst ? 0 : answers + answered;
        if (asked & requests == chosen)
            wanted <= texel;
    end

    // The memory: addresses of open bursts, the oldest first
    reg [SMALL-1:0] open [0:DEPTH-1];
    reg [3:0] opened = 0, closed = 0, beat = 0;
    wire [SMALL-1:0] line = open[closed % DEPTH];
    reg [`CFG_AXI_DATA_BITS-1:0] data;

    always @* begin
        for (int i = 0; i < WORDS; i++)
            data[32*i +: 32] = {{32-SMALL{1'b0}}, line} + beat * WORDS + i;
    end

    always @(posedge clk) begin
        if (m_axi_arvalid & m_axi_arready)
            open[opened % DEPTH] <= m_axi_araddr[2 +: SMALL];
        opened <= rst ? 4'd0 : opened + (m_axi_arvalid & m_axi_arready);
        closed <= rst ? 4'd0 : closed + (m_axi_rvalid & m_axi_rlast);
        if (rst | (m_axi_rvalid & m_axi_rlast))
            beat <= 4'd0;
        else if (m_axi_rvalid)
            beat <= beat + 4'd1;
    end

    reg in_range;

    always @* begin
        in_range = 1'b1;
        for (int i = 0; i < 4; i++)
            if (texel[i] >= 1 << SMALL)
                in_range = 1'b0;
    end

    // The look-ups of a footprint. By parity, as is proved of the address circuit (conflict_free): each texel's line
    // is looked up, each look-up has a bank of its own, and a line is always in the same half of the banks.
    wire [3:0] side;
    generate
        if (`CFG_PARITY) begin : gen_parity
            assign side = texcache.side;
        end else begin : gen_address
            assign side = {4{texcache.small_level}};
        end
    endgenerate

    reg [3:0] found;
    reg placed;

    always @* begin
        found = 4'd0;
        placed = 1'b1;
        for (int i = 0; i < 4; i++) begin
            for (int j = 0; j < 4; j++) begin
                if (need[j] & texel[i][T-1:O] == texel[j][T-1:O])
                    found[i] = 1'b1;
                if (i != j & need[i] & need[j] & {side[i], texel[i][O]} == {side[j], texel[j][O]})
                    placed = 1'b0;
            end
            if (side[i] != half[texel[i][SMALL-1:O]])
                placed = 1'b0;
        end
        if (!`CFG_PARITY)
            placed = side == 4'd0 & need == {
                texel[3][T-1:O] != texel[1][T-1:O], texel[2][T-1:O] != texel[0][T-1:O], 2'b11};
        else if (found != 4'd15)
            placed = 1'b0;
    end

    always @(posedge clk) begin
        one_reset_at_first: assume (rst == !started & m_axi_rst == !started);
        numbered: assume (req_data[`REQ_ID] == next_id);
        small_addresses: assume (in_range);
        look_ups: assume (placed);
        memory_answers_what_was_asked: assume (!m_axi_rvalid | opened != closed);
        memory_whole_bursts: assume (m_axi_rlast == (beat == m_axi_arlen) & m_axi_rresp == 2'b00);
        memory_data: assume (m_axi_rdata == data);
        if (started) begin
            if (res_valid) begin
                an_answer_to_a_request: assert (requests != answers);
                in_request_order: assert (res_data[`RES_ID] == due_id);
                no_error: assert (!res_data[`RES_ERR]);
            end
            if (res_valid & answers == chosen)
                right_texels: assert (
                    res_data[`RES_TEXEL0] == wanted[0] & res_data[`RES_TEXEL1] == wanted[2] &
                    res_data[`RES_TEXEL2] == wanted[1] & res_data[`RES_TEXEL3] == wanted[3]);
            none_lost: assert (busy | requests == answers);
            if (res_stalled)
                result_is_stable: assert (res_valid & res_data == res_before);
            no_request_while_stopped: assert (!((stopped | usp_stop) & asked));
            no_second_stop: assert (!(stopped & usp_stop) & (stopped | !usp_begin));
            invalidate_when_idle: assert (!(inv_valid & inv_ready & (requests != answers)));
            if (ar_stalled)
                ar_is_stable: assert (m_axi_arvalid & m_axi_araddr == araddr_before);
            room_for_all_lines: assert (opened - closed <= DEPTH & m_axi_rready);
        end
    end

    // Traces to see
    reg missed = 1'b0, emptied = 1'b0;
    wire miss0 = evt_valid & evt_data[`EVT_VALID0] & !evt_data[`EVT_HIT0];
    always @(posedge clk) begin
        missed  <= missed | miss0;
        emptied <= emptied | (inv_valid & inv_ready & missed);
        if (started) begin
            hit_after_miss: cover (evt_valid & evt_data[`EVT_HIT0] & evt_data[`EVT_VALID0] & missed);
            eviction: cover (evt_valid & evt_data[`EVT_EVICT0]);
            stop: cover (usp_stop);
            stop_and_begin: cover (usp_begin);
            miss_after_invalidate: cover (miss0 & emptied);
            three_answers: cover (answers == 5'd3 & !busy);
        end
    end
endmodule

bind texcache texcache_properties properties (.*);
