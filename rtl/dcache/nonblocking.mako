// dcache: data cache of a SIMT processor, ${cfg.cache.ways} ways, any of four replacement policies, write-back, hits under misses.
//
//   req -> door -> 0 groups, read tags -> 1 compare, allocate -> 2 read or write lines -> 3 gather -> slots -> res
//                                            | misses ---- line here ----^
//                                            +- a dirty victim is read -> write buffer
// ${cfg.cache.capacity_bytes} bytes: ${cfg.cache.sets} sets of ${cfg.cache.ways} ways of ${cfg.cache.line_bytes} bytes. Tags change in the order of requests,
// data when lines are there. ${cfg.mshrs} lines may be under way, with ${cfg.targets} groups that wait for each; a line that
// was asked for is never given up before they were served. Results of a warp keep their order, those of different
// warps do not.
// Timing: a group each cycle. A request of n groups that hit is answered after n + 3 cycles, one without lanes after
// 4; one cycle more if it had to wait at the door. A line that is missed by the first group is asked for 3 cycles
// after the request was taken. In cycle k its last beat comes: its first group is in stage 2 in k + 2, its result
// here in k + 4.
% if cfg.prefetch:
// A group that misses, or is the first to use a line that was read ahead, keeps the next one back by two cycles, in
// which the next line is looked up, and read if it is not there.
% endif
// Operations go alone: status after 6 cycles, invalidate and policy after 6 + sets; docs/dcache.md has the rest.
<%
    cache, axi = cfg.cache, cfg.axi
    A, T, S, W, L = cache.address_bits, cache.tag_bits, cache.set_bits, cache.way_bits, cache.line_bits
    P, V = cache.offset_bits - 2, cfg.warp_bits
%>\
module dcache (
    input  wire clk, // clock
    input  wire rst, // synchronous; all lines are forgotten, AXI bursts under way are completed
% for stream in cfg.streams.values():
    // ${stream.doc}
${ports(stream_signals(stream))}
% endfor
    // memory: reads with the number of a miss as id, writes with id 0
${ports(axi.signals, last=True)}
);

    localparam [2:0] LOAD = 3'd0, STORE = 3'd1, CLEAN = 3'd2, FLUSH = 3'd3, INVALIDATE = 3'd4, STATUS = 3'd5,
        POLICY = 3'd6;

    wire reset  = rst | m_axi_rst;
    wire done   = res_valid & res_ready;
    reg  starting;                         // after a reset, until all sets are clear and memory has ended its bursts

    // The door: a request, and which of its lanes are still to come
    reg                  d_valid;
    reg                  d_begun;          // its first group has gone
    reg  [2:0]           d_op;
    reg  ${width(V)} d_warp;
    reg  [7:0]           d_lanes;
    reg  ${width(8 * A)} d_addrs;
    reg  [255:0]         d_words;
    reg  [31:0]          d_strobes;

    // Stage 1: a group, whose set was read in all ways
    reg                  s1_valid;
    reg                  s1_store;
    reg  ${width(V)} s1_slot;
    reg  [7:0]           s1_mask;          // its lanes; none: a request without lanes, or an operation
    reg  [7:0]           s1_lowest;
    reg  ${width(L)} s1_line;
    reg                  s1_err;           // of an operation
    reg                  s1_wrote;
% if cfg.prefetch:
    reg                  s1_whole;         // the group is all of its request
    reg                  s1_ahead;         // no group: a line is looked up to be read ahead
    reg  ahead;                            // that of the next line goes to stage 1
    wire ahead1;                           // the group in stage 1 is the reason
% endif

    // Stage 2: it reads or writes a line; or a victim is read for the write buffer
    reg                  s2_valid;
    reg                  s2_victim;
    reg  ${width(V)} s2_slot;
    reg  [7:0]           s2_mask;
    reg                  s2_err;
    reg                  s2_wrote;
    reg  ${width(helpers.place_bits(cfg))} s2_row;
    reg  ${width(T)} s2_tag;

    // Stage 3: the line is here
    reg                  s3_valid;
    reg                  s3_victim;
    reg  ${width(V)} s3_slot;
    reg  [7:0]           s3_mask;
    reg                  s3_err;
    reg                  s3_wrote;
    reg  ${width(helpers.place_bits(cfg))} s3_row;
    reg  ${width(T)} s3_tag;
    reg                  s3_poisoned;
    reg  ${width(8 * P)} s3_places;

    // What goes where in this cycle
    wire move1;                            // stage 1 is left
    wire free2;                            // stage 2 can be loaded
    wire serve_valid;                      // a group whose line has come: it goes first
    wire last_group;
    wire issue;
    wire can_issue;
    wire finished;                         // an operation has come to its end
    wire ${width(cfg.warps)} busy;         // requests under way, by warp
    wire idle;                             // there is none, nor anything that one has left to do
    wire idle_memory;                      // memory has answered all
    wire looking;
    wire [7:0] group;                      // lanes that go

<%include file="nonblocking/door.mako"/>
<%include file="nonblocking/operations.mako"/>
<%include file="nonblocking/look_up.mako"/>
<%include file="nonblocking/lines.mako"/>
<%include file="nonblocking/gather.mako"/>
<%include file="nonblocking/under_way.mako"/>
<%include file="nonblocking/tags.mako"/>\
<%include file="nonblocking/counters.mako"/>
endmodule
