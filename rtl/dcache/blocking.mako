// dcache: data cache of a SIMT processor, ${cfg.cache.ways} ways, any of four replacement policies, ${cfg.write_policy}.
//
//   req -> one lane after the other -> 1 address, read all ways -> 2 compare tags -> 3 choose the way -> res
// ${cfg.cache.capacity_bytes} bytes: ${cfg.cache.sets} sets of ${cfg.cache.ways} ways of ${cfg.cache.line_bytes} bytes. A miss stops the pipeline until its line is there.
// Timing: a word each cycle. A request of n lanes that hit is answered after n + 2 cycles, the next one begins in the
// cycle behind its last lane. A result that waits stops all stages; docs/dcache.md has the rest.
<%
    cache, axi, back = cfg.cache, cfg.axi, cfg.write_back
    ways, A, T, W = cache.ways, cache.address_bits, cache.tag_bits, cache.way_bits
    req = cfg.all_streams["req"]
%>\
module dcache (
    input  wire clk, // clock
    input  wire rst, // synchronous; all lines are forgotten, AXI bursts under way are completed
% for stream in cfg.streams.values():
    // ${stream.doc}
${ports(stream_signals(stream))}
% endfor
    // memory: one burst at a time, id 0
${ports(axi.signals, last=True)}
);

    localparam [2:0] LOAD = 3'd0, STORE = 3'd1, FLUSH = 3'd3, INVALIDATE = 3'd4, STATUS = 3'd5, POLICY = 3'd6;
% if back:
    localparam [2:0] CLEAN = 3'd2;
% endif

    // What a request waits for in the second stage
    localparam [2:0] REST  = 3'd0;         // nothing, or the end of a walk through all sets
    localparam [2:0] WRITE = 3'd1;         // memory is written: a line, or a beat of a store
    localparam [2:0] FILL  = 3'd2;         // memory is read
% if back:
    localparam [2:0] READ  = 3'd3;         // clean and flush: the tags of the first set are read,
    localparam [2:0] LOOK  = 3'd4;         // and a set looked at
% endif

    ${unpack(req, "req_data", fields=("op", "warp", "mask"))}
    wire ${width(8 * A)} req_addrs = ${helpers.lanes_of(req, "req_data", "addr")};
    wire ${width(256)} req_words = ${helpers.lanes_of(req, "req_data", "data")};
    wire ${width(32)} req_strobes = ${helpers.lanes_of(req, "req_data", "strobe")};

    wire reset  = rst | m_axi_rst;
    wire accept = req_valid & req_ready;
    wire done   = res_valid & res_ready;

    // What the stages hold. Before the first: lanes of a request that are still to come
    reg  [7:0]           rest;
    reg  [2:0]           rest_op;
    reg  ${width(cfg.warp_bits)} rest_warp;
    reg  ${width(8 * A)} rest_addrs;
    reg  ${width(256)} rest_words;
    reg  ${width(32)} rest_strobes;

    // The first: a lane, whose line was read in all ways, or a request without one
    reg                  s1_valid;
    reg                  s1_access;        // a lane
    reg                  s1_first, s1_last; // of its request
    reg  [2:0]           s1_lane;
    reg  [2:0]           s1_op;
    reg  ${width(cfg.warp_bits)} s1_warp;
    reg  ${width(A)} s1_address;
    reg  [31:0]          s1_word;
    reg  [3:0]           s1_strobe;

    // The second: what the look-up found, and a word of each way
    reg                  s2_valid;
    reg                  s2_slow;          // it waits for memory or for a walk, or did
    reg                  s2_access;
    reg                  s2_first, s2_last;
    reg  [2:0]           s2_lane;
    reg  [2:0]           s2_op;
    reg  ${width(cfg.warp_bits)} s2_warp;
    reg  [${A - 1}:2] s2_address;
    reg  [31:0]          s2_word;
    reg  [3:0]           s2_strobe;
    reg                  s2_uncached;
    reg                  s2_hit;
    reg                  s2_evict;         // a valid line is to be replaced
    reg  ${width(W)} s2_way;
    reg  ${width(T)} s2_victim;
    reg  ${width(32 * ways)} s2_words;

    // The third: the result as far as it has come
    reg                  s3_valid;
    reg  ${width(cfg.warp_bits)} s3_warp;
    reg  ${width(256)} s3_words;
    reg  [7:0]           s3_err;

<%include file="blocking/lanes.mako"/>
<%include file="blocking/look_up.mako"/>
<%include file="blocking/waits.mako"/>
<%include file="blocking/memory.mako"/>
<%include file="blocking/ways.mako"/>
<%include file="blocking/second_stage.mako"/>
<%include file="blocking/results.mako"/>
endmodule
