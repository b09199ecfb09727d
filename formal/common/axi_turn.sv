// SPDX-License-Identifier: Apache-2.0
// axi_turn: one of those that ask, each of the others once at most before it; what was offered stays.
//
// One master is followed, that of a number that the solver chooses. Assumed: who asks goes on until it is taken.
module axi_turn_properties #(parameter MASTERS = 3) (
    input clk, rst, taken,
    input [MASTERS-1:0] asking, choice, kept
);
    reg started = 1'b0;
    reg [7:0] chosen;                        // a constant: nothing but itself drives it
    reg [MASTERS-1:0] served;                // others that were taken while the chosen one asked
    reg [7:0] pointer, distance;             // where the turn begins; how far the chosen one is from there
    reg [MASTERS-1:0] nearer;                // those that are as near, or nearer
    reg known, earlier;                      // later is a pointer: no place below it, all from it on
    wire [MASTERS-1:0] later = axi_turn.turns.later;
    wire [MASTERS-1:0] mine = 1'b1 << chosen;
    wire waits = |(asking & mine);

    integer n;
    always @(*) begin
        pointer = 8'd0;
        for (n = MASTERS - 1; n > 0; n = n - 1)
            if (later[n])
                pointer = n;
        if (later[0])
            pointer = 8'd0;
        known   = 1'b1;
        earlier = 1'b0;
        for (n = 0; n < MASTERS; n = n + 1) begin
            known   = known & (!earlier | later[n]);
            earlier = earlier | later[n];
        end
        distance = chosen >= pointer ? chosen - pointer : chosen + MASTERS - pointer;
        for (n = 0; n < MASTERS; n = n + 1)
            nearer[n] = (n >= pointer ? n - pointer : n + MASTERS - pointer) <= distance;
    end

    always @(posedge clk) begin
        started <= 1'b1;
        chosen  <= chosen;
        served  <= rst | !waits | |(choice & mine & {MASTERS{taken}}) ? 0 : served | (choice & {MASTERS{taken}});
    end

    always @(posedge clk) begin
        a_master: assume (chosen < MASTERS);
        begins_in_reset: assume (started | rst);
        taken_is_asked: assume (!taken | asking != 0);
        if (started & !$past(rst))
            goes_on: assume (($past(asking & ~(choice & {MASTERS{taken}})) & ~asking) == 0);
    end

    always @(posedge clk) if (started & !rst) begin
        one_at_most: assert ((choice & (choice - 1'b1)) == 0);
        who_asks: assert ((choice & ~asking) == 0 & (choice != 0 | asking == 0));
        if (!$past(rst) & $past(choice != 0 & !taken))
            offer_stays: assert ($stable(choice));
        once_before_me: assert (!taken | (choice & served) == 0);
        a_pointer: assert (known);
        kept_asks: assert ((kept & ~asking) == 0 & (kept & (kept - 1'b1)) == 0);
        served_are_behind: assert ((served & nearer) == 0);
        kept_not_served: assert ((kept & served) == 0);
        kept_from_before_me: assert ((kept & ~nearer) == 0 | served == 0);
    end

    always @(posedge clk) if (started & !rst) begin
        both_others_first: cover (taken & |(choice & mine) & &(served | mine));
    end
endmodule

bind axi_turn axi_turn_properties #(.MASTERS(MASTERS)) properties (.*);
