// SPDX-License-Identifier: Apache-2.0
// dcache with misses: what is looked up waits for memory alone. Whenever it does, a line is under way, being served or
// being written: memory's answers end that within a known number of cycles (proof misses), and no result need be taken
// for it. So there is no deadlock, and as nothing is looked up twice, no livelock.
`include "geometry.svh"

module dcache_properties (
    input clk, rst, m_axi_rst, reset, s1_valid, move1, any_miss, res_ready, starting, serve_valid, fill,
    input s2_valid, free2, res_valid, issue, d_valid, d_begun, d_access, looking, clearing,
    input [`CFG_WARPS-1:0] busy,
    input [`CFG_WARP_BITS-1:0] d_warp
);
    reg started = 1'b0;
    wire writes = dcache.coming != 0;

    always @(posedge clk)
        started <= 1'b1;

    always @(posedge clk) begin
        begins_in_reset: assume (started | (rst & m_axi_rst));
    end

    always @(posedge clk) if (started & !reset) begin
        waits_for_memory: assert (!s1_valid | move1 | any_miss | serve_valid | writes);
        stage2_waits_for_a_beat: assert (!s2_valid | free2 | fill);
        door_waits_for_its_own: assert (!d_valid | issue | starting | (s1_valid & !move1) | d_begun |
            (d_access ? busy[d_warp] | dcache.can_issue == 0 : 1'b1));
    end
endmodule

bind dcache dcache_properties properties (.*);
