// SPDX-License-Identifier: Apache-2.0
// lpas bounded by age, 4 PEs: how long a request waits for its grant. Caches, memory's side, outside and the arbiters of
// areas are left to the solver, which chooses a PE, too.
//
// Assumed: what is served was granted, and is served once (lpas.sv); the outside takes what is for it, at once; what
// arbiters of areas grant is one PE at most, one that asks (switch.sv).
`include "geometry.svh"
`define EACH(signal) {lpas.select3.signal, lpas.select2.signal, lpas.select1.signal, lpas.select0.signal}

module lpas_bound (
    input clk, reset,
    input take, ended, req0_valid, req1_valid, req2_valid, req3_valid,
    input [3:0] active, outside, grant, urgent, can_grant, served,
    input [15:0] wants, grants,
    input [`REQ0_WIDTH-1:0] request0, request1, request2,
    input [`REQ3_WIDTH-1:0] request3
);
    localparam PES = 4, SLOT = `CFG_SLOT_BITS;

    generate
        if (`CFG_PES != PES) begin : gen_illegal
            these_properties_need_4_PEs illegal ();
        end
    endgenerate

    // A constant: nothing but itself drives it
    reg [1:0] pe;
    reg started = 1'b0;

    always @(posedge clk) begin
        pe      <= pe;
        started <= 1'b1;
        if (!started)
            first_a_reset: assume (reset);
    end

    // The chosen PE's request, and its home: what that one's arbiters remember, and grant by areas
    wire [`REQ3_WIDTH-1:0] request = pe == 0 ? request0 : pe == 1 ? request1 : pe == 2 ? request2 : request3;
    wire is_last = pe == PES - 1, asks = active[pe] & !outside[pe];
    wire [1:0] home = (is_last ? request[`REQ3_WORD] : request[`REQ0_WORD]) >> SLOT;
    wire [PES-1:0] laters [0:PES-1];
    wire [PES-1:0] well_granted, pointers;   // whether a pointer is one: all behind it, none before
    genvar n;
    generate
        for (n = 0; n < PES; n = n + 1) begin : gen_cache
            wire [PES-1:0] by_area = lpas.switch.gen_cache[n].grant, asked = wants[n*PES +: PES];

            assign laters[n] = lpas.switch.gen_cache[n].urgent_arbiter.later;
            assign pointers[n] = ((laters[n] >> 1 | 4'b1000) | ~laters[n]) == 4'hf;
            assign well_granted[n] = (by_area & (by_area - 1'b1)) == 0 & (by_area & ~asked) == 0;
        end
    endgenerate

    wire [PES-1:0] later = laters[home], home_grants = grants[home*PES +: PES];
    wire held = `EACH(held) >> pe, granted = `EACH(granted) >> pe, due = `EACH(due) >> pe;
    wire ends = served[pe] | (is_last & ended);
    wire [7:0] waited = pe == 0 ? lpas.select0.waited : pe == 1 ? lpas.select1.waited :
                        pe == 2 ? lpas.select2.waited : lpas.select3.waited;

    // Of those before the chosen PE, from the pointer among urgent ones on
    function automatic [7:0] ahead(input [PES-1:0] from, input [1:0] chosen);
        ahead = 0;
        for (integer k = 0; k < PES; k = k + 1)
            ahead = ahead + {7'd0, from[chosen] ? from[k] & k < chosen : from[k] | k < chosen};
    endfunction

    // Cycles without a grant so far, 255 standing for more; of these, beyond the first W, those in which the home
    // granted others; whether the home could grant in each
    wire waits = !reset & asks & !grant[pe];
    reg [7:0] cycles, others;
    reg could;

    always @(posedge clk) begin
        cycles <= waits ? cycles + {7'd0, cycles != 8'hff} : 8'd0;
        others <= waits ? others + {7'd0, cycles >= `CFG_AGE & home_grants != 0} : 8'd0;
        could  <= !waits | (could & can_grant[home]);
        served_if_granted: assume (!ends | granted | grant[pe]);
        served_once: assume (!(due & ends) & !(served[pe] & ended));
        taken_by_the_outside: assume (take == (active[PES-1] & outside[PES-1]));
        by_areas: assume (&well_granted);
    end

    // The promises: of a request that waits
    always @(posedge clk) if (started & waits) begin
        grants_of_others: assert (others <= PES - 1);
        if (could & can_grant[home])
            in_time: assert (cycles < `CFG_AGE + PES - 1);
    end

    // A request that waits asks
    wire [PES-1:0] valid = {req3_valid, req2_valid, req1_valid, req0_valid};

    always @(posedge clk)
        if (started & !reset)
            asks_until_granted: assert (active[pe] == ((held | valid[pe]) & !granted));

    // What holds in between, so that the induction closes
    always @(posedge clk) if (started) begin
        granted_is_held: assert (!(granted | due) | (held & granted));
        counts: assert (waited == (cycles < `CFG_AGE ? cycles : `CFG_AGE));
        turns_left: assert (!asks | cycles < `CFG_AGE | others + ahead(later, pe) <= PES - 1);
        none_before: assert (cycles > `CFG_AGE | others == 0);
        no_more_cycles: assert (!could | cycles <= `CFG_AGE | cycles == `CFG_AGE + others);
        is_held: assert (cycles == 0 | (held & !granted & asks));
        are_pointers: assert (&pointers);
    end

    // Traces to see: a request that waits as long as it may
    always @(posedge clk)
        if (started)
            as_long_as_may_be: cover (asks & grant[pe] & could & cycles == `CFG_AGE + PES - 1);
endmodule

bind lpas lpas_bound properties (.*);
