// SPDX-License-Identifier: Apache-2.0
// lpas_switch, in two stages, reading A: a cache grants one PE at most, one that asks; a link leads to one cache at a
// time, and carries the request of who is granted. A PE that asks waits while its cache grants another one, or, in
// another column, while the line of its column carries another one's request. The solver chooses a cache and two PEs of
// a column.
`include "geometry.svh"

module lpas_links_properties (
    input clk, rst,
    input [`CFG_PES*`CFG_PES-1:0] wants, grants,
    input [`CFG_PES*(`CFG_ARRAY_ROWS+1)-1:0] links,
    input [`CFG_PES*`CFG_ARRAY_COLUMNS-1:0] chosen
);
    localparam PES = `CFG_PES, ROWS = `CFG_ARRAY_ROWS, COLUMNS = `CFG_ARRAY_COLUMNS, BITS = `CFG_ARRAY_PE_BITS;

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

    // The way of the chosen PE to the cache: the link of its column, whose PEs are in order of their rows
    wire [7:0] row = pe / COLUMNS, column = pe % COLUMNS;
    wire [7:0] link = column * (ROWS + 1) + (own ? cache / COLUMNS : ROWS);
    wire [ROWS-1:0] carried = links[link*ROWS +: ROWS];
    wire [COLUMNS-1:0] taken = chosen[cache*COLUMNS +: COLUMNS];

    always @(posedge clk) begin
        if (grant[pe]) begin
            over_its_link: assert (carried == {{ROWS-1{1'b0}}, 1'b1} << row);
            into_the_cache: assert (taken == {{COLUMNS-1{1'b0}}, 1'b1} << column);
        end
        one_grant: assert ((grant & (grant - 1'b1)) == 0);
        to_who_asks: assert ((grant & ~asked) == 0);
        waits_for_another: assert (!asked[pe] | grant != 0 | (!own & carried != 0 & !carried[row]));
        if (one_column & cache != other & !own & !own_too)
            one_line: assert (!(grant[pe] & elsewhere[neighbour]));
    end
endmodule

bind lpas_switch lpas_links_properties properties (.*);
