// SPDX-License-Identifier: Apache-2.0
// mmu_gate: of requests from outside and of control nobody lets the other wait for more than one of its own; each
// result goes to who asked. Assumed: the cache gives a result for each request, with at most as many on their way as it
// holds, in any order; control and requests wait until they are taken, and control's is sent only while control wants
// it.
`include "geometry.svh"

module mmu_gate_properties (
    input clk, rst, want, mine, done, was_done, req_valid, req_ready, res_valid, res_ready,
    input in_valid, in_ready, out_valid, out_ready, sent, owed,
    input [`CFG_REQUEST_BITS-1:0] open
);
    localparam BITS = `CFG_REQUEST_BITS, MOST = `CFG_REQUESTS;
    reg started = 1'b0;
    reg [1:0] before_control; // requests from outside that entered while control wanted to: 0, 1, or more
    reg [1:0] before_request; // requests of control that entered while one from outside was offered
    reg [BITS-1:0] in_cache;    // requests in the cache
    wire enter_outside = req_valid & req_ready;
    wire enter_control = in_valid & in_ready & mine;
    wire enter = in_valid & in_ready;
    wire leave = out_valid & out_ready;

    always @(posedge clk) begin
        started        <= 1'b1;
        before_control <= rst | !want | sent | enter_control ? 2'd0 :
            before_control + (enter_outside & before_control != 2'd2);
        before_request <= rst | !req_valid | req_ready ? 2'd0 :
            before_request + (enter_control & before_request != 2'd2);
        in_cache         <= rst ? 0 : in_cache + enter - leave;
    end

    always @(posedge clk) begin
        begins_in_reset: assume (started | rst);
        for_a_request: assume (!out_valid | in_cache != 0);
        no_more_than_it_holds: assume (!in_ready | in_cache < MOST);
        if (started & !$past(rst)) begin
            want_stays: assume (!$past(want & !done) | want);
            request_stays: assume (!$past(req_valid & !req_ready) | req_valid);
        end
        sent_is_wanted: assume (!sent | want);
    end

    always @(posedge clk) if (started & !rst) begin
        control_never_starves: assert (before_control <= 2'd1);
        requests_never_starve: assert (before_request <= 2'd1);
        all_are_known: assert (in_cache == open + sent);
        alone: assert (!sent | open == 0);
        result_of_who_asked: assert (!(out_valid & out_ready) | (sent ? done & !res_valid : res_valid & !done));
        one_enters: assert (!(enter_outside & enter_control));
        told_once: assert ($past(rst) | was_done == $past(done));
        // what holds in between
        then_the_request: assert (before_request == 2'd0 | sent | owed);
        then_control: assert (before_control == 2'd0 | sent | !owed);
    end

    always @(posedge clk) if (started & !rst) begin
        both_waited: cover (enter_outside & before_request == 2'd1 & want);
    end
endmodule

bind mmu_gate mmu_gate_properties properties (.*);
