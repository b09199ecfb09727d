// SPDX-License-Identifier: Apache-2.0
// lpas_select, bounded by age: a request that was not granted in its first W cycles is urgent in each one after them,
// until it is granted; none is before.
//
// Assumed: what is served, by a cache or outside, was granted, and is served once (lpas.sv).
`include "geometry.svh"

module lpas_age_properties (
    input clk, rst, active, grant, urgent, held, granted, due, served, ended
);
    reg started = 1'b0;
    reg [15:0] cycles;                       // in which the request was there and not granted

    always @(posedge clk) begin
        started <= 1'b1;
        cycles  <= rst | !active | grant ? 16'd0 : cycles + {15'd0, cycles < `CFG_AGE};
        if (!started)
            first_a_reset: assume (rst);
        served_if_granted: assume (!(served | ended) | granted | grant);
        served_once: assume (!(due & (served | ended)) & !(served & ended));
        granted_if_it_asks: assume (!grant | active);
    end

    always @(posedge clk) if (started) begin
        urgent_in_time: assert (urgent == (cycles == `CFG_AGE));
        if ($past(started & !rst & active & !grant))
            goes_on_asking: assert (active);
    end

    // What holds in between, so that the induction closes
    always @(posedge clk) if (started) begin
        counts: assert (cycles == lpas_select.waited & cycles <= `CFG_AGE);
        granted_is_held: assert (!(granted | due) | (held & granted));
    end
endmodule

bind lpas_select lpas_age_properties properties (.*);
