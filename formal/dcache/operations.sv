// SPDX-License-Identifier: Apache-2.0
// dcache with misses: what holds of an operation at the door, so that the inductions of other properties close. It goes
// alone, and passes the door at once when it has ended.

module dcache_operations (
    input clk, rst, m_axi_rst, reset, starting, clearing, acted, s1_valid, ahead, d_valid, d_begun, d_access,
    input [1:0] phase,
    input [7:0] d_lanes
);
    localparam REST = 0;

    reg started = 1'b0;

    always @(posedge clk)
        started <= 1'b1;

    always @(posedge clk)
        begins_in_reset: assume (started | (rst & m_axi_rst));

    always @(posedge clk) if (started & !reset) begin
        alone: assert (!(starting | acted) | (!s1_valid & !ahead));
        operation_at_the_door: assert (starting | !acted | (d_valid & !d_access));
        operation_in_one: assert (!d_valid | d_access | (!d_begun & d_lanes == 0));
        begins_empty: assert (!starting | (!d_valid & !acted));
        scans_for_a_reason: assert (phase == REST | (acted & !starting & !clearing));
        clears_for_a_reason: assert (!clearing | starting | acted);
    end
endmodule

bind dcache dcache_operations operations (.*);
