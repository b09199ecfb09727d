// SPDX-License-Identifier: Apache-2.0
// lpas_switch, in two stages: a cache grants one PE at most, one that asks; a link leads to one cache at a time. The
// solver chooses a cache and two PEs of a column.
`include "geometry.svh"

module lpas_links_properties (
    input clk, rst,
    input [`CFG_PES*`CFG_PES-1:0] wants, grants
);
    localparam PES = `CFG_PES, COLUMNS = `CFG_ARRAY_COLUMNS, BITS = `CFG_ARRAY_PE_BITS;

    // Constants: nothing but themselves drives them
    reg [BITS-1:0] cache, other, pe, neighbour;

    always @(posedge clk) begin
        cache     <= cache;
        other     <= other;
        pe        <= pe;
        neighbour <= neighbour;
    end

    wire [PES-1:0] asked = wants[cache*PES +: PES], grant = grants[cache*PES +: PES];
    wire [PES-1:0] elsewhere = grants[other*PES +: PES];
    wire one_column = pe % COLUMNS == neighbour % COLUMNS & pe != neighbour;
    wire own = cache % COLUMNS == pe % COLUMNS, own_too = other % COLUMNS == pe % COLUMNS;

    always @(posedge clk) begin
        one_grant: assert ((grant & (grant - 1'b1)) == 0);
        to_who_asks: assert ((grant & ~asked) == 0);
        if (one_column & cache != other & !own & !own_too)
            one_line: assert (!(grant[pe] & elsewhere[neighbour]));
    end
endmodule

bind lpas_switch lpas_links_properties properties (.*);
