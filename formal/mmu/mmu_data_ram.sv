// SPDX-License-Identifier: Apache-2.0
// mmu_data_ram: each pass serves lanes that wait, so eight end any request; each start is answered once, none is lost. A
// request may start as soon as none is being served, and the RAM is cleared in as many cycles as it has rows.
// Assumed: a start only when ready, and at most four requests on their way (the data cache has three).
`include "geometry.svh"

module mmu_data_ram_properties (
    input clk, rst, start, ready, store, out_valid, out_ready, pass, again, finished, clearing,
    input [7:0] mask, lanes, served, left, rest
);
    reg started = 1'b0;
    reg [2:0] open;   // requests that were started and not answered
    reg [3:0] passes; // of the request that is being served
    reg [7:0] cycles; // since a reset
    wire [2:0] held = mmu_data_ram.answers.tail - mmu_data_ram.answers.head;

    function [3:0] count(input [7:0] bits);
        count = bits[0] + bits[1] + bits[2] + bits[3] + bits[4] + bits[5] + bits[6] + bits[7];
    endfunction

    always @(posedge clk) begin
        started <= 1'b1;
        open    <= rst ? 3'd0 : open + {2'd0, start} - {2'd0, out_valid & out_ready};
        cycles  <= rst ? 8'd0 : cycles + {7'd0, cycles != 8'hff};
        passes  <= rst | left == 8'd0 ? 4'd0 : passes + 4'd1;
    end

    always @(posedge clk) begin
        begins_in_reset: assume (started | rst);
        start_when_ready: assume (!start | ready);
        no_more_than_four: assume (!start | open < 3'd4);
    end

    always @(posedge clk) if (started & !rst) begin
        served_wait: assert ((served & ~lanes) == 8'd0);
        each_pass_serves: assert (lanes == 8'd0 | (served & lanes) != 8'd0);
        eight_passes: assert (passes + {3'd0, pass} <= 4'd8);
        there_is_a_place: assert (!finished | mmu_data_ram.answers.in_ready);
        none_is_lost: assert (open == held + {2'd0, finished} + {2'd0, rest != 8'd0});
        cleared_in_time: assert (clearing == (cycles < `CFG_DATA_RAM_ROWS));
        starts_if_none_is_served: assert (ready == (!clearing & rest == 8'd0));
        // what holds in between
        row_by_row: assert (!clearing | mmu_data_ram.clear_row == cycles);
        lanes_left: assert (passes + count(rest) <= 4'd8);
    end

    always @(posedge clk) if (started & !rst) begin
        all_rows: cover (passes == `CFG_DATA_RAM_ROWS - 1 & pass);
    end
endmodule

bind mmu_data_ram mmu_data_ram_properties properties (.*);
