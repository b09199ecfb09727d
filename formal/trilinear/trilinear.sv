// SPDX-License-Identifier: Apache-2.0
// trilinear: what lies between the port and both halves. The halves are left to the solver, and so are the FIFO of open
// requests and axi_turn. Assumed: what is offered stays until it is taken, and a half says that it is idle if it is not
// busy; of axi_turn what its own proof says, that it chooses one that asks, and stays with it.
`include "geometry.svh"
module trilinear_properties #(parameter RESULT = 1, ASKED = 1) (
    input clk, rst, m_axi_rst, req_valid, req_ready, res_valid, res_ready, take, pair, samples, finer, clear, clearing,
    input [`REQ_WIDTH-1:0] req_data,
    input [1:0] req_op, needs, open_needs, res_valids, res_taken, asking, asked, reader,
    input open_valid, open_ready, open_done, open_clears, open_finer,
    input even_busy, odd_busy, even_inv_ready, odd_inv_ready, even_req_ready, odd_req_ready, even_err, odd_err,
    input even_mine, odd_mine,
    input [ASKED-1:0] even_req, odd_req,
    input [RESULT-1:0] res_data,
    input [127:0] even_texels, odd_texels,
    input m_axi_arvalid, m_axi_arready, m_axi_rvalid, m_axi_rready,
    input even_m_axi_rvalid, odd_m_axi_rvalid, even_m_axi_rready, odd_m_axi_rready,
    input [31:0] m_axi_araddr, even_m_axi_araddr, odd_m_axi_araddr,
    input [3:0] m_axi_arid, m_axi_rid
);
    reg started = 1'b0;
    reg answered;                            // lines were forgotten for the oldest request
    reg [1:0] waits;                         // addresses that were offered in a reset and have not been taken
    wire reset = rst | m_axi_rst;

    // A half that is needed alone is that of the finer level
    function own_half(input [1:0] halves, input odd);
        own_half = (halves != 2'd1 | !odd) & (halves != 2'd2 | odd);
    endfunction

    // What the half of the finer level is asked, and that of the level behind it
    wire [$bits(req_data[`REQ_LEVEL])-1:0] level = req_data[`REQ_LEVEL], behind = level + 1'b1;
    wire [ASKED-1:0] of_finer = {1'b0, req_data[`REQ_TEX], level, req_data[`REQ_MODE_V],
        req_data[`REQ_MODE_U], req_data[`REQ_V0], req_data[`REQ_U0]};
    wire [ASKED-1:0] of_coarser = {1'b0, req_data[`REQ_TEX], behind, req_data[`REQ_MODE_V],
        req_data[`REQ_MODE_U], req_data[`REQ_V1], req_data[`REQ_U1]};

    always @(posedge clk) begin
        started  <= 1'b1;
        answered <= !reset & (clear | (answered & !open_done));
        waits    <= m_axi_rst ? 2'd0 : (rst ? asking : waits) & ~asked;
        begins_in_reset: assume (started | m_axi_rst);
        idle_is_told: assume (even_inv_ready == !even_busy & odd_inv_ready == !odd_busy);
        halves_take_beats: assume (even_m_axi_rready & odd_m_axi_rready);
        if (started & !$past(reset)) begin
            oldest_stays: assume (!$past(open_valid & !open_done) |
                (open_valid & $stable({trilinear.open_id, open_clears, open_finer, open_needs})));
            even_stays: assume (!$past(res_valids[0] & !res_taken[0]) | (res_valids[0] & $stable({even_texels, even_err})));
            odd_stays: assume (!$past(res_valids[1] & !res_taken[1]) | (res_valids[1] & $stable({odd_texels, odd_err})));
        end
        if (started & !$past(m_axi_rst)) begin // a reset of the block alone withdraws no address
            even_asks_on: assume (!$past(asking[0] & !asked[0]) | (asking[0] & $stable(even_m_axi_araddr)));
            odd_asks_on: assume (!$past(asking[1] & !asked[1]) | (asking[1] & $stable(odd_m_axi_araddr)));
        end
        one_in_turn: assume (asking == 2'd0 ? reader == 2'd0 : reader == (asking & {reader[1], !reader[1]}) & reader != 0);
        if (started & !$past(m_axi_rst))
            turn_stays: assume (!$past(m_axi_arvalid & !m_axi_arready) | $stable(reader));
        as_it_went_in: assume (own_half(open_needs, open_finer) & (!open_clears | open_needs == 2'd0));
    end

    always @(posedge clk) if (started) begin
        // Requests
        halves_can_take: assert (!take | (even_req_ready & odd_req_ready & open_ready));
        nothing_behind_invalidation: assert (!take | !clearing);
        needs_its_level: assert (needs == ({2{samples}} & (pair ? 2'd3 : finer ? 2'd2 : 2'd1)));
        goes_in: assert (own_half(needs, finer) & (req_op != 2'd2 | needs == 2'd0));
        one_is_finer: assert (even_mine != odd_mine);
        none_in_reset: assert (!reset | !req_ready);
        stale_have_left: assert (!take | waits == 2'd0);
        none_waits_without_need: assert (req_ready | reset | !even_req_ready | !odd_req_ready | !open_ready | clearing |
            waits != 2'd0);
        even_is_asked: assert (even_req == (level[0] ? of_coarser : of_finer));
        odd_is_asked: assert (odd_req == (level[0] ? of_finer : of_coarser));

        // Results
        taken_together: assert (res_taken == (open_needs & {2{res_valid & res_ready}}));
        given_when_it_can: assert (res_valid | !open_valid | (open_needs & ~res_valids) != 2'd0 | (open_clears & !answered));
        of_the_oldest: assert (!res_valid | res_data[`RES_ID] == trilinear.open_id);
        halves_have_it: assert ((res_taken & ~res_valids) == 2'd0);
        forgotten_before: assert (!(res_valid & open_clears) | answered);
        finer_first: assert (!(res_valid & open_needs != 0) | res_data[127:0] == (open_finer ? odd_texels : even_texels));
        coarser_behind: assert (!res_valid | res_data[255:128] ==
            (open_needs == 2'd3 ? (open_finer ? even_texels : odd_texels) : 128'd0));
        own_error: assert (!res_valid | res_data[256] == |(open_needs & {odd_err, even_err}));
        if (!$past(reset) & !reset)
            result_stays: assert (!$past(res_valid & !res_ready) | (res_valid & $stable(res_data)));

        // Invalidation
        forgotten_in_time: assert (clear | !clearing | !open_valid | !open_clears | answered | even_busy | odd_busy);
        at_rest: assert (!clear | (!even_busy & !odd_busy & open_valid & open_clears));
        once: assert (!clear | !answered);

        // Memory
        if (!$past(m_axi_rst))
            address_stays: assert (!$past(m_axi_arvalid & !m_axi_arready) |
                (m_axi_arvalid & $stable(m_axi_araddr) & $stable(m_axi_arid)));
        whose_address: assert (!m_axi_arvalid | m_axi_araddr == (m_axi_arid[0] ? odd_m_axi_araddr : even_m_axi_araddr));
        who_asks: assert (!m_axi_arvalid | asking[m_axi_arid[0]]);
        whose_beat: assert ({odd_m_axi_rvalid, even_m_axi_rvalid} == ({m_axi_rid[0], !m_axi_rid[0]} & {2{m_axi_rvalid}}));

        // What holds in between
        own_answered: assert (answered == trilinear.cleared);
        own_waits: assert (waits == trilinear.stale);
    end
endmodule

bind trilinear trilinear_properties #(.RESULT($bits(res_data)), .ASKED($bits(even_req))) properties (.*);
