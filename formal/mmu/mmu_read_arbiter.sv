// SPDX-License-Identifier: Apache-2.0
// mmu_read_arbiter: nobody starves; what was offered stays. Assumed: a reader that asks goes on until it is taken.
`include "geometry.svh"

module mmu_read_arbiter_properties (
    input clk, rst, taken, number, held,
    input [1:0] asking
);
    reg started = 1'b0;
    reg [1:0] passed0, passed1; // bursts of the other one while a reader asked: 0, 1, or more

    always @(posedge clk) begin
        started <= 1'b1;
        passed0 <= rst | !asking[0] | (taken & !number) ? 2'd0 : passed0 + (taken & passed0 != 2'd2);
        passed1 <= rst | !asking[1] | (taken & number)  ? 2'd0 : passed1 + (taken & passed1 != 2'd2);
    end

    always @(posedge clk) begin
        begins_in_reset: assume (started | rst);
        taken_is_asked: assume (!taken | asking != 2'd0);
        if (started & !$past(rst)) begin
            stays0: assume (!$past(asking[0] & !(taken & !number)) | asking[0]);
            stays1: assume (!$past(asking[1] & !(taken & number)) | asking[1]);
        end
    end

    always @(posedge clk) if (started & !rst) begin
        to_who_asks: assert (asking == 2'd0 | asking[number]);
        nobody_starves0: assert (passed0 <= 2'd1);
        nobody_starves1: assert (passed1 <= 2'd1);
        if (!$past(rst) & $past(asking != 2'd0 & !taken))
            offer_stays: assert ($stable(number));
        next_is0: assert (!(asking[0] & passed0 != 2'd0) | !number);
        next_is1: assert (!(asking[1] & passed1 != 2'd0) | number);
        held_is_asking: assert (!held | asking[mmu_read_arbiter.choice]);
        last0: assert (passed0 == 2'd0 | (mmu_read_arbiter.last & !(held & mmu_read_arbiter.choice)));
        last1: assert (passed1 == 2'd0 | (!mmu_read_arbiter.last & !(held & !mmu_read_arbiter.choice)));
    end

    always @(posedge clk) if (started & !rst) begin
        in_turn: cover (taken & number & passed1 == 2'd1);
    end
endmodule

bind mmu_read_arbiter mmu_read_arbiter_properties properties (.*);
