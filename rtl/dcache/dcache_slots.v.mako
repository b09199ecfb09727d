% if cfg.mshrs:
// Requests under way, one of each warp: what they ask for, what they have got, what became of them.
//
// Interface: a request begins in the slot of its warp, which is free then. Groups of its lanes are looked up (look),
// read what they need (read), and end; the last one completes it. Results leave in the order of completion.
// Timing: begun in cycle k, its data can be read from k + 1 on; ended in cycle k, the result is offered from k + 1 on.
<%
    cache, N, A = cfg.cache, cfg.warps, cfg.warp_bits
    W, L, P = cache.way_bits, cache.line_bits, cache.offset_bits - 2
    res, evt = cfg.all_streams["res"], cfg.all_streams["evt"]
    lanes = range(8)
    tables = (  # of a lane: name, bits, written when, by what, where; read where
        ("place", P, "begin", "begin_slot", "begin_places", "read_slot", "read_places"),
        ("word", 32, "begin", "begin_slot", "begin_words", "read_slot", "read_words"),
        ("strobe", 4, "begin", "begin_slot", "begin_strobes", "read_slot", "read_strobes"),
        ("loaded", 32, "end_valid & (end_mask[n] | end_mask == 8'd0)", "end_slot", "end_words", "done_slot", "loaded"),
        ("way", W, "look & look_mask[n]", "look_slot", None, "done_slot", "ways"),
        ("victim", L, "look & look_mask[n]", "look_slot", None, "done_slot", "victims"),
    )
%>\
module dcache_slots (
    input  wire clk, // clock
    input  wire rst, // synchronous; all are forgotten
    // a request begins
    input  wire begin_valid, // one is here
    input  wire ${width(A)} begin_slot, // its warp
    input  wire [2:0] begin_op, // what it asks for
    input  wire [7:0] begin_mask, // lanes that take part
    input  wire ${width(8 * P)} begin_places, // word of its line, of each lane
    input  wire [255:0] begin_words, // word to store, of each lane
    input  wire [31:0] begin_strobes, // its bytes to store
    output wire ${width(N)} busy, // slots in use
    // a group is looked up
    input  wire look, // one is here
    input  wire ${width(A)} look_slot, // its request
    input  wire [7:0] look_mask, // its lanes
    input  wire [7:0] look_missed, // of them, the one that has missed
    input  wire look_evict, // a valid line was replaced for it
    input  wire ${width(W)} look_way, // where the line is, or will be
    input  wire ${width(L)} look_victim, // the line that was replaced
    // a replaced line goes into the write buffer
    input  wire write, // one does
    input  wire ${width(A)} write_slot, // the request that replaced it
    input  wire [7:0] write_mask, // its lane
    // a group reads what it needs
    input  wire ${width(A)} read_slot, // its request
    output wire read_store, // it is a store
    output wire ${width(8 * P)} read_places, // word of the line, of each lane
    output wire [255:0] read_words, // word to store
    output wire [31:0] read_strobes, // its bytes to store
    // a group ends
    input  wire end_valid, // one is here
    input  wire ${width(A)} end_slot, // its request
    input  wire [7:0] end_mask, // its lanes; none: the request had none
    input  wire [7:0] end_err, // of them, those that failed; or of an operation
    input  wire [255:0] end_words, // word of each lane
    // results
    output wire res_valid, // one is offered
    input  wire res_ready, // it is taken
    output wire ${width(res.width)} res_data, // words, errors, warp
    output wire [2:0] res_op, // what was asked for
    output wire [7:0] res_err, // lanes that failed
    output wire ${width(evt.width)} event_data // what became of it
);

    localparam [2:0] LOAD = 3'd0, STORE = 3'd1, STATUS = 3'd5;

    wire ${width(A)} done_slot;
    wire done = res_valid & res_ready;

    // Of each request: what it asks for, lanes that are still to end, what became of the others
    reg  ${width(N)} used;
    reg  ${width(3 * N)} ops;
    reg  ${width(8 * N)} masks;
    reg  ${width(8 * N)} rests;
    reg  ${width(8 * N)} errs;
    reg  ${width(8 * N)} hits;
    reg  ${width(8 * N)} evicts;
    reg  ${width(8 * N)} writes;
    wire [7:0] left = rests[{end_slot, 3'd0} +: 8] & ~end_mask;

    assign busy       = used;
    assign read_store = ops[read_slot*3 +: 3] == STORE;

    genvar n;
    generate
        for (n = 0; n < ${N}; n = n + 1) begin : gen_slot
            localparam ${width(A)} NUMBER = n;
            wire begins = begin_valid & begin_slot == NUMBER;
            wire [7:0] looked  = look_mask & {8{look & look_slot == NUMBER}};
            wire [7:0] written = write_mask & {8{write & write_slot == NUMBER}};
            wire [7:0] ended   = {8{end_valid & end_slot == NUMBER}};

            always @(posedge clk) begin
                if (rst)
                    used[n] <= 1'b0;
                else
                    used[n] <= begins | (used[n] & !(done & done_slot == NUMBER));
                if (begins) begin
                    ops[n*3 +: 3]    <= begin_op;
                    masks[n*8 +: 8]  <= begin_mask;
                    rests[n*8 +: 8]  <= begin_mask;
                    errs[n*8 +: 8]   <= 8'd0;
                    hits[n*8 +: 8]   <= 8'd0;
                    evicts[n*8 +: 8] <= 8'd0;
                    writes[n*8 +: 8] <= 8'd0;
                end else begin
                    rests[n*8 +: 8]  <= rests[n*8 +: 8] & ~(end_mask & ended);
                    errs[n*8 +: 8]   <= errs[n*8 +: 8] | (end_err & ended);
                    hits[n*8 +: 8]   <= hits[n*8 +: 8] | (looked & ~look_missed);
                    evicts[n*8 +: 8] <= evicts[n*8 +: 8] | (looked & look_missed & {8{look_evict}});
                    writes[n*8 +: 8] <= writes[n*8 +: 8] | written;
                end
            end
        end
    endgenerate

    // Of each lane, by request
    wire [255:0] loaded;
    wire ${width(8 * W)} ways;
    wire ${width(8 * L)} victims;

    generate
        for (n = 0; n < 8; n = n + 1) begin : gen_lane
% for name, bits, when, where, what, from_slot, shown in tables:
            ram_async #(
                .WIDTH(${bits}),
                .DEPTH(${N}),
                .INDEX_BITS(${A})
            ) ${name}_ram (
                .clk(clk),
                .write(${when.replace("begin", "begin_valid") if when == "begin" else when}),
                .write_index(${where}),
                .write_data(${f"{what}[n*{bits} +: {bits}]" if what else f"look_{name}"}),
                .read_index(${from_slot}),
                .read_data(${shown}[n*${bits} +: ${bits}])
            );
% if not loop.last:

% endif
% endfor
        end
    endgenerate

    // Complete requests
    wire fifo_ready;                       // always: there is a place for each slot

    fifo #(
        .WIDTH(${A}),
        .DEPTH(${N}),
        .COUNT_BITS(${A + 1})
    ) done_fifo (
        .clk(clk),
        .rst(rst),
        .in_valid(end_valid & left == 8'd0),
        .in_ready(fifo_ready),
        .in_data(end_slot),
        .out_valid(res_valid),
        .out_ready(res_ready),
        .out_data(done_slot)
    );

    wire [7:0] mask  = masks[{done_slot, 3'd0} +: 8];
    wire [7:0] hit   = hits[{done_slot, 3'd0} +: 8];
    wire [7:0] evict = evicts[{done_slot, 3'd0} +: 8];

    assign res_op  = ops[done_slot*3 +: 3];
    assign res_err = errs[{done_slot, 3'd0} +: 8];

    // A word of each lane of a load that has not failed; of status, the address in lane 0 that has
    wire [7:0] shown = res_op == LOAD ? mask & ~res_err : {7'd0, res_op == STATUS & res_err[0]};
% for lane in lanes:
    wire [31:0] word${lane} = {32{shown[${lane}]}} & loaded[${32 * lane + 31}:${32 * lane}];
    wire ${width(W)} way${lane} = {${W}{mask[${lane}]}} & ways[${W * lane + W - 1}:${W * lane}];
    wire ${width(L)} victim${lane} = {${L}{evict[${lane}]}} & victims[${L * lane + L - 1}:${L * lane}];
% endfor

    assign res_data   = {done_slot, res_err, ${", ".join(f"word{lane}" for lane in reversed(lanes))}};
    assign event_data = {
        ${", ".join(f"victim{lane}" for lane in reversed(lanes))},
        ${", ".join(f"way{lane}" for lane in reversed(lanes))},
        writes[{done_slot, 3'd0} +: 8], evict, hit, res_op
    };
    wire unused = &{1'b0, fifo_ready};

endmodule
% endif
