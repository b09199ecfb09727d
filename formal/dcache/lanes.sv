// SPDX-License-Identifier: Apache-2.0
// dcache: each lane of a request passes the stages once, lowest first, with its own address, word and bytes, and the
// request is answered with what its lanes gave, in order of requests. With stores.sv, which begins and ends at the
// stages, no store is lost between the ports. A request is taken, a lane goes on, and a result is offered, unless a
// result before it waits to be taken, stage 2 for memory or a walk, or lanes are before it. The solver chooses a lane;
// copies of its request follow the stages.
`include "geometry.svh"

module dcache_lanes (
    input clk, rst, reset, accept, issue, move1, leave2, starting, told, wrong,
    input waits, walking, s2_slow, ends, req_valid, req_ready, res_ready,
    input [2:0] phase,
    input s1_valid, s1_access, s1_first, s1_last, s2_valid, s2_access, s2_first, s2_last, s3_valid, res_valid,
    input [2:0] req_op, s1_op, s2_op, rest_op, s1_lane, s2_lane,
    input [7:0] req_mask, rest, s3_err,
    input [31:0] s1_word, s2_word, word, req_strobes, rest_strobes,
    input [3:0] s1_strobe, s2_strobe,
    input [`CFG_WARP_BITS-1:0] req_warp, rest_warp, s1_warp, s2_warp, s3_warp,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] s1_address,
    input [`CFG_CACHE_ADDRESS_BITS-1:2] s2_address,
    input [8*`CFG_CACHE_ADDRESS_BITS-1:0] req_addrs, rest_addrs,
    input [255:0] req_words, rest_words, s3_words
);
    localparam A = `CFG_CACHE_ADDRESS_BITS, ASKED = `CFG_WARP_BITS + 8 + 3 + A + 32 + 4;
    localparam LOAD = 0, STORE = 1, STATUS = 5;

    // The lane, a constant: nothing but itself drives it
    reg started = 1'b0;
    reg [2:0] n;

    always @(posedge clk) begin
        started <= 1'b1;
        n       <= n;
    end

    always @(posedge clk)
        if (!started)
            first_a_reset: assume (rst);

    // What was asked, as the stages have it: warp, lanes, operation; of the lane, address, word, bytes
    wire [7:0] lanes = req_op == LOAD | req_op == STORE ? req_mask : 8'd0;
    wire [ASKED-1:0] asked = {req_warp, lanes, req_op, req_addrs[n*A +: A], req_words[n*32 +: 32], req_strobes[n*4 +: 4]};
    reg  [ASKED-1:0] door, in1, in2, in3;    // at the door, or last there; in the stages
    reg  [7:0] left;                         // lanes of the request that is under way that have left stage 2
    reg  [31:0] gave;                        // by the lane
    reg  failed;                             // it

    `define WARP(from) from[ASKED-1 -: `CFG_WARP_BITS]
    `define LANES(from) from[A+39 +: 8]
    `define OP(from) from[A+36 +: 3]
    `define ADDRESS(from) from[36 +: A]
    `define WORD(from) from[4 +: 32]
    `define STROBE(from) from[3:0]

    always @(posedge clk) begin
        if (accept)
            door <= asked;
        if (issue)
            in1 <= accept ? asked : door;
        if (move1)
            in2 <= in1;
        if (leave2)
            in3 <= in2;
        if (reset)
            left <= 8'd0;
        else if (leave2)
            left <= s2_last ? 8'd0 : left | 8'd1 << s2_lane;
        if (leave2 & s2_lane == n & s2_access)
            {failed, gave} <= {wrong, word};
        else if (leave2 & s2_first)
            {failed, gave} <= 33'd0;
    end

    function [7:0] below(input [2:0] lane);
        below = (8'd1 << lane) - 8'd1;
    endfunction

    // The promises
    wire mine = `LANES(in3) >> n & 1'b1;

    always @(posedge clk) if (started & res_valid) begin
        answers_its_request: assert (s3_warp == `WARP(in3));
        gives_what_the_lane_gave: assert (!mine | (s3_words[n*32 +: 32] == gave & s3_err[n] == failed));
        gives_nothing_else: assert (mine | `LANES(in3) == 0 | (s3_words[n*32 +: 32] == 0 & !s3_err[n]));
    end

    wire free = !res_valid | res_ready, alone = s1_valid & s1_op > STORE & s1_op != STATUS & s1_op != 7;
    wire goes = free & !s2_slow & !starting;
    reg answered;                            // the last lane of a request has left stage 2

    always @(posedge clk)
        answered <= !reset & ((leave2 & s2_last) | (res_valid & !res_ready));

    always @(posedge clk) if (started) begin
        taken_if_none_is_before: assert (req_ready == (goes & rest == 0 & !alone));
        next_lane_goes: assert (issue == ((req_valid & req_ready) | (goes & rest != 0)));
        lanes_move_on: assert (leave2 == (s2_valid & free & (!waits | ends)) &
                               move1 == (s1_valid & !s2_slow & free & (!waits | ends)));
        answered_then: assert (res_valid == answered);
    end

    always @(posedge clk) if (started & !reset & leave2) begin
        once_in_order: assert (!s2_access | (`LANES(in2) >> s2_lane & 1'b1 & left == (`LANES(in2) & below(s2_lane))));
        all_are_served: assert (s2_last == ((`LANES(in2) & ~left & ~(8'd1 << s2_lane & {8{s2_access}})) == 0));
        its_own: assert (!s2_access | s2_lane != n | (s2_address == in2[36+A-1:38] & s2_op == `OP(in2) &
                         s2_word == `WORD(in2) & s2_strobe == `STROBE(in2)));
    end

    // What holds in between, so that the induction closes
    wire more = rest != 0;
    wire [7:0] to_come1 = s1_valid ? (s1_access ? `LANES(in1) & ~below(s1_lane) : 8'd0) : rest;
    wire [7:0] done2 = s2_valid & !s2_last ? left | 8'd1 << s2_lane : 8'd0;

    always @(posedge clk) if (started) begin
        // each stage has a lane of its request
        if (more)
            at_the_door: assert ((rest & ~`LANES(door)) == 0 & rest_op == `OP(door) & rest_warp == `WARP(door) &
                                 (rest & (rest - 1'b1)) == (rest & ~(rest & -rest)));
        if (more & rest[n])
            at_the_door_its_own: assert (rest_addrs[n*A +: A] == `ADDRESS(door) & rest_words[n*32 +: 32] == `WORD(door) &
                                         rest_strobes[n*4 +: 4] == `STROBE(door));
        if (more & s1_valid)
            behind_its_lanes: assert (in1 == door & rest == (`LANES(door) & ~below(s1_lane) & ~(8'd1 << s1_lane)));
        if (s1_valid) begin
            in_stage_1: assert (s1_warp == `WARP(in1) & s1_op == `OP(in1) & s1_access == (`LANES(in1) != 0) &
                                (!s1_access | `LANES(in1) >> s1_lane & 1'b1));
            ends_1: assert (s1_first == ((`LANES(in1) & below(s1_lane) & {8{s1_access}}) == 0) &
                            s1_last == !(more & in1 == door & s1_access & (`LANES(in1) & ~below(s1_lane) & ~(8'd1 << s1_lane)) != 0));
            ends_with_none: assert (s1_last == ((`LANES(in1) & ~below(s1_lane) & ~(8'd1 << s1_lane)) == 0) | !s1_access);
            alone_is_last: assert (s1_access | (s1_first & s1_last));
        end
        if (s1_valid & s1_access & s1_lane == n)
            its_own_1: assert (s1_address == `ADDRESS(in1) & s1_word == `WORD(in1) & s1_strobe == `STROBE(in1));
        if (s2_valid) begin
            in_stage_2: assert (s2_warp == `WARP(in2) & s2_op == `OP(in2) & s2_access == (`LANES(in2) != 0) &
                                (!s2_access | (`LANES(in2) >> s2_lane & 1'b1 & left == (`LANES(in2) & below(s2_lane)))));
            ends_2: assert (s2_access ? s2_first == (left == 0) &
                            s2_last == ((`LANES(in2) & ~below(s2_lane) & ~(8'd1 << s2_lane)) == 0) :
                            s2_first & s2_last & left == 0);
        end
        if (s2_valid & s2_access & s2_lane == n)
            its_own_2: assert (s2_address == in2[36+A-1:38] & s2_word == `WORD(in2) & s2_strobe == `STROBE(in2));
        lanes_of_accesses: assert ((!more | `OP(door) <= STORE) & (!s1_valid | `LANES(in1) == 0 | `OP(in1) <= STORE));
        // what stage 2 waits for
        waits_with_a_request: assert (starting | !waits | (s2_valid & s2_slow));
        for_one_reason: assert (!walking | phase == 0);
        if (starting)
            starts_empty: assert (!s1_valid & !s2_valid & !s3_valid & phase == 0 & !more & left == 0);
        // stages that follow one another have lanes that do
        if (s2_valid & !s2_last)
            more_to_come: assert (s1_valid & s1_access & in1 == in2 & (`LANES(in1) & below(s1_lane)) == done2);
        if (s2_valid & s2_last & s1_valid)
            another_begins: assert (s1_first);
        if (!s2_valid & s1_valid)
            goes_on: assert (s1_access ? left == (`LANES(in1) & below(s1_lane)) : left == 0);
        if (!s2_valid & left != 0)
            goes_on_with_lanes: assert (s1_valid & s1_access & in3 == in1 & !s3_valid);
        if (s2_valid & left != 0)
            same_request: assert (in3 == in2 & !s3_valid);
        if (!s1_valid)
            nothing_before_stage_1: assert (!more);
        // the result as far as it has come
        if (left != 0 | s3_valid) begin
            kept_so_far: assert (!(`LANES(in3) >> n & (s3_valid | left >> n) & 1'b1) |
                                 (s3_words[n*32 +: 32] == gave & s3_err[n] == failed));
            not_yet: assert ((`LANES(in3) >> n & (s3_valid | left >> n) & 1'b1) | (`LANES(in3) == 0) |
                             (s3_words[n*32 +: 32] == 0 & !s3_err[n]));
            of_its_warp: assert (s3_warp == `WARP(in3));
        end
    end
endmodule

bind dcache dcache_lanes lanes_passed (.*);
