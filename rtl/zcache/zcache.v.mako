// zcache: a depth cache with its test, ${cfg.cache.ways} ways${", that prefetches what the rasterizer steps on" if cfg.prefetching else ""}.
//
//   tile -> tokens (in flight, shading) -> look (T0) -> test (T1) -> res
//              ahead (requests) -> lines (tags, states, PLRU) | fills (AR, R) | write buffer | barrier
// ${cfg.cache.capacity_bytes} bytes: ${cfg.cache.sets} sets of ${cfg.cache.ways} ways of a tile of 4x4 pixels each.
// Timing: a tile each cycle. One whose line is there when it is shaded, in cycle k, is offered as a result in k + 1. A
// line that is missed in cycle k is asked for in k + 1; a tile moves on in the cycle after its last beat has come.
<% axi = cfg.axi %>\
module zcache (
    input  wire clk, // clock
    input  wire rst, // synchronous; all is forgotten, AXI bursts under way are completed
% for stream in cfg.streams.values():
    // ${stream.doc}
${ports(stream_signals(stream))}
% endfor
    // memory: reads with the number of a fill as id, writes with id 0
${ports(axi.signals, last=True)}
);

    localparam [1:0] TILE = 2'd0;

    wire reset = rst | m_axi_rst;

    // After a reset, until memory has answered what it was asked for before
    reg  stale;
    wire reads_owed, writes_owed;
    wire hold = stale & (reads_owed | writes_owed);

    always @(posedge clk)
        stale <= reset | hold;

<%include file="zcache/flight.mako"/>
<%include file="zcache/look_up.mako"/>\
<%include file="zcache/requests.mako"/>
<%include file="zcache/lines.mako"/>
<%include file="zcache/test.mako"/>
<%include file="zcache/writes.mako"/>
<%include file="zcache/counters.mako"/>
endmodule
