// The door of a cache: requests from outside, and those of the control port between them.
//
// Interface: want stays high until done. Then no request from outside is let in until those that are have left;
// control's goes alone, and its result is kept from outside. A request that waits goes before control's next.
// Timing: requests and results from outside pass in the same cycle.
<%
    bits = cfg.request_bits
%>\
module mmu_gate (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // control
    input  wire want, // it has a request
    output wire mine, // it is the one that is offered to the cache
    output wire done, // its result is here
    output reg  was_done, // the cycle after that
    // outside
    input  wire req_valid, // a request is offered
    output wire req_ready, // it is taken
    output wire res_valid, // a result is offered
    input  wire res_ready, // it is taken
    // the cache
    output wire in_valid, // a request is offered
    input  wire in_ready, // it is taken
    input  wire out_valid, // a result is offered
    output wire out_ready // it is taken
);

    reg ${width(bits)} open; // requests from outside that have not left
    reg sent;       // control's request is in the cache
    reg owed;       // control was served last

    wire enter = req_valid & req_ready;
    wire leave = res_valid & res_ready;

    assign mine      = want & !(owed & req_valid);
    assign in_valid  = !sent & (mine ? open == ${bits}'d0 : req_valid);
    assign req_ready = in_ready & !sent & !mine;
    assign done      = sent & out_valid;
    assign res_valid = out_valid & !sent;
    assign out_ready = sent | res_ready;

    always @(posedge clk) begin
        if (rst) begin
            open     <= ${bits}'d0;
            sent     <= 1'b0;
            owed     <= 1'b0;
            was_done <= 1'b0;
        end else begin
            open     <= open + {${bits - 1}'d0, enter} - {${bits - 1}'d0, leave};
            sent     <= (in_valid & in_ready & mine) | (sent & !done);
            owed     <= done | (owed & !enter);
            was_done <= done;
        end
    end

endmodule
