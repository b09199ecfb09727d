// SPDX-License-Identifier: Apache-2.0
// dcache with misses: what is looked up waits for memory alone. Whenever it does, a line is under way, being served or
// being written: memory's answers end that within a known number of cycles (proof misses), and no result need be taken
// for it. So there is no deadlock, and as nothing is looked up twice, no livelock. The same of operations: one at the
// door waits for requests, lines and writes under way; once begun it goes on in each cycle or waits for memory alone.
`include "geometry.svh"

module dcache_properties (
    input clk, reset, req_ready, s1_valid, move1, any_miss, starting, serve_valid, fill,
    input s2_valid, free2, issue, d_valid, d_begun, d_access, clearing, ahead, acted, act, finished, send, look_on,
    input again, drained, walks, walked,
    input [1:0] phase,
    input [`CFG_WARPS-1:0] busy,
    input [`CFG_WARP_BITS-1:0] d_warp
);
    reg started = 1'b0;
    wire writes = dcache.coming != 0;

    localparam REST = 0, READ = 1, LOOK = 2, DRAIN = 3;
    wire stage1_waits = (s1_valid & !move1) | ahead | dcache.ahead1; // two cycles to look the next line up
    wire at_the_door = d_valid & !d_access;

    always @(posedge clk)
        started <= 1'b1;

    always @(posedge clk) if (started & !reset) begin
        waits_for_memory: assert (!s1_valid | move1 | any_miss | serve_valid | writes);
        stage2_waits_for_a_beat: assert (!s2_valid | free2 | fill);
        door_waits_for_its_own: assert (!d_valid | !d_access | issue | starting | stage1_waits |
            (!d_begun & busy[d_warp]));
        taken_if_nothing_is_at_the_door: assert (d_valid | starting | req_ready);
        operation_waits_for_others: assert (!at_the_door | acted | act | starting | busy != 0 | any_miss | writes |
            clearing | s1_valid | ahead);
        operation_goes_on: assert (!at_the_door | !acted | phase == READ |
            (phase == LOOK & (send | look_on | again | writes)) |
            (phase == DRAIN & (drained | any_miss | writes)) | (phase == REST & (clearing | finished)));
        operation_ends: assert (!at_the_door | !finished | issue);
        // what holds in between, with operations.sv
        walks_or_has: assert (!acted | !walks | phase != REST | clearing | walked);
    end
endmodule

bind dcache dcache_properties properties (.*);
