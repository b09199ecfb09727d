// SPDX-License-Identifier: Apache-2.0
// lpas_switch, bounded by age: an urgent PE goes before all that are not, and waits for one grant of each other PE at
// most. The arbiters of areas are left to the solver. The solver chooses a cache and a PE.
//
// Assumed: what arbiters of areas grant is one PE at most, one that asks (proved of them: switch.sv); a PE that was not
// granted goes on asking, urgent if it was (age.sv), but in cycles in which the cache takes no requests (lpas.sv).
`include "geometry.svh"

module lpas_urgent_properties (
    input clk, rst,
    input [`CFG_PES-1:0] urgent,
    input [`CFG_PES*`CFG_PES-1:0] wants, grants
);
    localparam PES = `CFG_PES, BITS = `CFG_ARRAY_PE_BITS;

    // Constants: nothing but themselves drives them
    reg [BITS-1:0] cache, pe;
    reg started = 1'b0;

    always @(posedge clk) begin
        cache   <= cache;
        pe      <= pe;
        started <= 1'b1;
    end

    // What the arbiters of all caches remember, and what those of areas grant
    wire [PES-1:0] laters [0:PES-1];
    wire [PES-1:0] by_areas [0:PES-1];
    genvar n;
    generate
        for (n = 0; n < PES; n = n + 1) begin : gen_cache
            assign laters[n] = lpas_switch.gen_cache[n].urgent_arbiter.later;
            assign by_areas[n] = lpas_switch.gen_cache[n].grant;
        end
    endgenerate

    wire [PES-1:0] asked = wants[cache*PES +: PES], grant = grants[cache*PES +: PES], later = laters[cache];
    wire [PES-1:0] by_area = by_areas[cache], pressing = asked & urgent;

    // Of those before the chosen PE, from the pointer on; and whether it is one: all behind it, none before
    function automatic [7:0] ahead(input [PES-1:0] from, input [BITS-1:0] chosen);
        ahead = 0;
        for (integer k = 0; k < PES; k = k + 1)
            ahead = ahead + {7'd0, from[chosen] ? from[k] & k < chosen : from[k] | k < chosen};
    endfunction

    wire is_pointer = ((later >> 1 | {1'b1, {PES-1{1'b0}}}) | ~later) == {PES{1'b1}};

    // The chosen PE waits, was urgent then; grants of its cache meanwhile
    reg waiting, was_urgent;
    reg [7:0] others;

    always @(posedge clk) begin
        waiting    <= !rst & (waiting | asked[pe]) & !grant[pe];
        was_urgent <= !rst & (was_urgent | pressing[pe]) & !grant[pe];
        others     <= rst | grant[pe] | !(was_urgent | pressing[pe]) ? 8'd0 : others + {7'd0, grant != 0};
        one_by_area: assume ((by_area & (by_area - 1'b1)) == 0 & (by_area & ~asked) == 0);
        somebody_by_area: assume ((asked == 0) == (by_area == 0));
        if (started) begin
            goes_on_asking: assume (!waiting | asked[pe] | asked == 0);
            stays_urgent: assume (!was_urgent | urgent[pe]);
        end else
            first_a_reset: assume (rst);
    end

    // The promises
    always @(posedge clk) if (started) begin
        one_grant: assert ((grant & (grant - 1'b1)) == 0);
        to_who_asks: assert ((grant & ~asked) == 0 & (asked == 0) == (grant == 0));
        urgent_first: assert (!grant[pe] | urgent[pe] | pressing == 0);
        soon: assert (others <= PES - 1);
        others_by_area: assert (pressing != 0 | grant == by_area);
        if ($past(started & pressing == 0))
            pointer_rests: assert ($past(rst) | later == $past(later));
    end

    // What holds in between, so that the induction closes
    always @(posedge clk) if (started) begin
        a_pointer: assert (is_pointer);
        soon_left: assert (others + ahead(later, pe) <= PES - 1);
        not_yet: assert (was_urgent ? waiting : others == 0);
    end
endmodule

bind lpas_switch lpas_urgent_properties properties (.*);
