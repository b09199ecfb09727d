// SPDX-License-Identifier: Apache-2.0
// lpas_switch, one area or several: a cache grants one PE at most, one that asks; no PE while one of a nearer area asks;
// round robin inside an area, whose pointer is behind the PE that was granted last, and moves by nothing else. The
// solver chooses a cache and a PE.
//
// Assumed: a PE that was not granted goes on asking, but in cycles in which the cache takes no requests (lpas.sv).
`include "geometry.svh"

module lpas_switch_properties (
    input clk, rst,
    input [`CFG_PES*`CFG_PES-1:0] wants, grants
);
    localparam PES = `CFG_PES, ROWS = `CFG_ARRAY_ROWS, COLUMNS = `CFG_ARRAY_COLUMNS, BITS = `CFG_ARRAY_PE_BITS;
`ifdef CFG_SWITCH_FS
    localparam SIZE = PES;                   // of an area
`else
    localparam SIZE = COLUMNS;
`endif

    // Constants: nothing but themselves drives them
    reg [BITS-1:0] cache, pe;
    reg started = 1'b0;

    always @(posedge clk) begin
        cache   <= cache;
        pe      <= pe;
        started <= 1'b1;
    end

    // What the arbiters of all caches remember
    wire [PES-1:0] laters [0:PES-1];
    genvar n;
    generate
        for (n = 0; n < PES; n = n + 1) begin : gen_cache
            assign laters[n] = lpas_switch.gen_cache[n].arbiter.later;
        end
    endgenerate

    wire [PES-1:0] asked = wants[cache*PES +: PES], grant = grants[cache*PES +: PES], later = laters[cache];
    wire [7:0] home_row = cache / COLUMNS;

    // Rows between, of two that are as far the lower one first
    function automatic [7:0] distance(input [7:0] row, input [7:0] from);
        distance = row > from ? row - from : from - row;
    endfunction

    function automatic is_nearer(input [7:0] row, input [7:0] other, input [7:0] from);
        is_nearer = distance(row, from) < distance(other, from) |
                    (distance(row, from) == distance(other, from) & row < other);
    endfunction

    // PEs of the chosen one's area, and of nearer ones
    reg [PES-1:0] mine, nearer;
    integer i, j;

    always @* begin
        for (i = 0; i < PES; i = i + 1) begin
            mine[i]   = SIZE == PES | i / COLUMNS == pe / COLUMNS;
            nearer[i] = SIZE != PES & is_nearer(i / COLUMNS, pe / COLUMNS, home_row);
        end
    end

    // Of those before the chosen PE, from a pointer on; and whether a pointer is one: all behind it, none before
    function automatic [7:0] ahead(input [PES-1:0] members, input [PES-1:0] from, input [BITS-1:0] chosen);
        ahead = 0;
        for (integer k = 0; k < PES; k = k + 1)
            ahead = ahead + {7'd0, members[k] & (from[chosen] ? from[k] & k < chosen : from[k] | k < chosen)};
    endfunction

    function automatic is_pointer(input [PES-1:0] members, input [PES-1:0] from);
        is_pointer = 1'b1;
        for (integer k = 0; k + 1 < PES; k = k + 1)
            for (integer l = k + 1; l < PES; l = l + 1)
                is_pointer = is_pointer & !(members[k] & members[l] & from[k] & !from[l]);
    endfunction

    // The chosen PE waits; others of its area that were granted meanwhile
    reg waiting;
    reg [7:0] others;

    always @(posedge clk) begin
        waiting <= !rst & (waiting | asked[pe]) & !grant[pe];
        others  <= rst | grant[pe] | !(waiting | asked[pe]) ? 8'd0 : others + {7'd0, (grant & mine) != 0};
        if (started)
            goes_on_asking: assume (!waiting | asked[pe] | asked == 0);
        else
            first_a_reset: assume (rst);
    end

    // The promises
    always @(posedge clk) if (started) begin
        one_grant: assert ((grant & (grant - 1'b1)) == 0);
        to_who_asks: assert ((grant & ~asked) == 0);
        somebody: assert ((asked == 0) == (grant == 0));
        nearest_first: assert (!grant[pe] | (asked & nearer) == 0);
        turns: assert (others <= SIZE - 1);
        if ($past(started & !rst & (grant & mine) == 0))
            pointer_rests: assert ($past(rst) | (later & mine) == $past(later & mine));
        if ($past(started & !rst & grant[pe]))
            behind_the_winner: assert ((later & mine) == (mine & ~(({{PES{1'b0}}, 1'b1} << ({1'b0, pe} + 1'b1)) - 1'b1)));
    end

    // What holds in between, so that the induction closes
    always @(posedge clk) if (started) begin
        a_pointer: assert (is_pointer(mine, later));
        turns_left: assert (others + ahead(mine, later, pe) <= SIZE - 1);
        not_yet: assert (waiting | others == 0);
    end
endmodule

bind lpas_switch lpas_switch_properties properties (.*);
