// FIFO control circuit: beats that miss, and all behind them, wait in the tag FIFO until their lines have come.
//
% if cfg.held_hit == "queue":
// A beat that hits while nothing is waiting, not even a result, goes straight to the output circuit. Any other
// passes the tag FIFO,
% else:
// A beat that hits while nothing is waiting goes straight to the output circuit. Any other passes the tag FIFO,
% endif
// its output register (head), the fill stage, which takes the beat's lines from the data FIFO one per cycle
// and writes them to the caches, and the read stage. Timing: straight through, a beat is read at the edge it
// leaves the tag compare circuit; through the FIFO four cycles later, and as much as its lines keep it waiting.
// Order is kept throughout, so a line is in its cache before a later beat reads it, and a replaced line is
// read by all beats that still need it before it is overwritten.
//
// A full tag FIFO stops the requester; begin follows ${"when everything that waited has been served" if cfg.resume == "drained" else "as soon as there is space again"}.
<%
    s = cfg.cache.index_bits
    b, w = max(1, cfg.bank_bits), max(1, cfg.cache.way_bits)
    beat, line = helpers.beat(cfg), cfg.cache.line_bytes * 8
    slots, count = range(cfg.slots), cfg.fifo.depth.bit_length()
    banks = [f"bank{slot}" for slot in slots]
    own, read = cfg.fill_port == "own", ["valid", *banks]
    if own:
        read += [f"{name}{slot}" for name in ("set", "way") for slot in slots]
    places = [f"{name}{slot}" for name in ("bank", "set", "way") for slot in slots]
    def meets(i):
        place = f" & {helpers.row(cfg, f'read_stage_set{i}', f'read_stage_way{i}')} == fill_index" if own else ""
        return f"read_stage_bank{i} == fill_bank{place}"
    def chosen(name, bits):
        return " |\n        ".join(f"({{{bits}{{stage_slot[{i}]}}}} & stage_{name}{i})" for i in slots)
%>\
module texcache_fifo_control (
    input  wire clk, // clock
    input  wire rst,                 // synchronous
    // beats from the tag compare circuit
    input  wire beat_valid, // a beat is offered
    output wire beat_ready, // it is taken
    input  wire ${width(beat.width)} beat, // the beat; fields as in texcache_tag_compare
    input  wire beat_hit,            // a beat is offered of which every look-up hits
    input  wire upstream_busy,       // a footprint waits in the tag compare circuit
    // data FIFO: lines in the order they were asked for
    input  wire line_valid, // a line has come
    output wire line_ready, // it is taken
    input  wire ${width(line)} line_data, // its texels
    input  wire line_error, // it came with an AXI error
    // lines to write into the caches
    output wire fill_valid, // write a line in this cycle
    output wire ${width(b)} fill_bank, // single-port cache
    output wire ${width(helpers.row_bits(cfg))} fill_index,   // {set, way}
    output wire ${width(line + 1)} fill_data,  // {error, line}
    // beats to read from the caches
    output wire read_valid, // a beat is offered
    input  wire read_ready, // it is taken
    output wire ${width(beat.width)} read_beat, // the beat
    // back-pressure
    output wire stopped,             // no requests from the stop pulse to the begin pulse
    output wire usp_stop,            // pulse: the tag FIFO is full
    output wire usp_begin,           // pulse: go on
    output wire busy,                // a beat is here
    output wire memory_wait          // the head waits for its line
);

    // Tag FIFO. A beat goes on to an empty head in the cycle after it came. So a beat is in the FIFO or at the head if
    // one came in the cycle before, or one is at the head: no pointers are compared for that.
    reg pushed;                      // a beat came in the cycle before
    wire tag_in_ready, tag_out_valid;
    wire head_ready;
    wire ${width(beat.width)} tag_out;
% if cfg.held_hit == "queue":
    // A beat that goes straight through finds the FIFO empty: any beat is taken if there is a place.
    wire bypass = beat_hit & !busy & read_ready;
    assign beat_ready = tag_in_ready;
% else:
    wire bypass = beat_hit & !busy;
    assign beat_ready = bypass ? read_ready : tag_in_ready;
% endif

    fifo #(
        .WIDTH(${beat.width}),
        .DEPTH(${cfg.fifo.depth}),
        .COUNT_BITS(${count})
    ) tag_fifo (
        .clk(clk),
        .rst(rst),
        .in_valid(beat_valid & !bypass),
        .in_ready(tag_in_ready),
        .in_data(beat),
        .out_valid(tag_out_valid),
        .out_ready(head_ready),
        .out_data(tag_out)
    );

    always @(posedge clk) begin
        pushed <= !rst & beat_valid & !bypass & tag_in_ready;
    end

    // The misses of its beats once more: they go into flip-flops, the beat into the output register of a block RAM
    ${unpack(beat, "beat", "beat", ["fill"])}
    wire misses_in_ready, misses_out_valid;
    wire [3:0] misses_out;

    fifo #(
        .WIDTH(4),
        .DEPTH(${cfg.fifo.depth}),
        .COUNT_BITS(${count})
    ) miss_fifo (
        .clk(clk),
        .rst(rst),
        .in_valid(beat_valid & !bypass),
        .in_ready(misses_in_ready),
        .in_data(beat_fill),
        .out_valid(misses_out_valid),
        .out_ready(head_ready),
        .out_data(misses_out)
    );

    wire unused_misses = &{1'b0, misses_in_ready, misses_out_valid};

    // Head: the beat whose lines are awaited
    reg head_valid;
    reg ${width(beat.width)} head;
    reg [3:0] unfilled;              // its lines that were not passed on yet
    wire [3:0] first = unfilled & ~{unfilled[2] | unfilled[1] | unfilled[0], unfilled[1] | unfilled[0], unfilled[0], 1'b0};
    wire head_needs  = head_valid & unfilled != 4'd0;
    wire head_final  = unfilled == first; // with this step the beat is complete
    wire stage_ready;
    wire head_step   = head_valid & stage_ready & (unfilled == 4'd0 | line_valid);
    wire head_leaves = head_step & head_final;

    assign head_ready  = !head_valid | head_leaves;
    assign line_ready  = head_needs & stage_ready;
    assign memory_wait = head_needs & !line_valid;

    always @(posedge clk) begin
        if (rst)
            head_valid <= 1'b0;
        else if (head_ready)
            head_valid <= tag_out_valid;
    end

    always @(posedge clk) begin
        if (head_ready)
            head <= tag_out;
        if (head_ready)
            unfilled <= misses_out;
        else if (head_step)
            unfilled <= unfilled & ~first;
    end

    // Fill stage: writes a line, passes the beat on
    reg stage_fill;                  // a line to write
    reg stage_valid;                 // the beat goes on to the read stage
    reg ${width(beat.width)} stage;
    reg [3:0] stage_slot;            // slot of the line
    reg ${width(line + 1)} stage_line;
    reg read_held;                   // the read stage holds a beat
    reg ${width(beat.width)} read_stage;

    ${unpack(beat, "stage", "stage", places)}
% if own and cfg.cache.ways > 1:

    // A port of its own: the line is written beside the read of the beat before it. That one never reads the
    // line being replaced, which would have been used last of its set.
    wire stage_moves = !stage_valid | !read_held | read_ready;
% else:
    ${unpack(beat, "read_stage", "read_stage", read)}

% if own:
    // A port of its own: the line waits only while the beat before it still has to read the one being replaced.
% else:
    // A single port: the line waits while the beat before it still has to read from the same cache.
% endif
    wire [3:0] read_slots = read_stage_valid & {
        ${",\n        ".join(meets(i) for i in reversed(slots))}
    };
    wire port_taken = read_held & read_slots != 4'd0;
    wire stage_moves = (!stage_fill | !port_taken) & (!stage_valid | !read_held | read_ready);
% endif

    assign stage_ready = !(stage_fill | stage_valid) | stage_moves;
    assign fill_valid  = stage_fill & stage_moves;
    assign fill_data   = stage_line;
    assign fill_bank   =
        ${chosen("bank", b)};
% if cfg.cache.set_bits:
    wire ${width(s)} fill_set =
        ${chosen("set", s)};
% endif
    wire ${width(w)} fill_way =
        ${chosen("way", w)};
    assign fill_index  = ${helpers.row(cfg, "fill_set", "fill_way")};

    always @(posedge clk) begin
        if (rst) begin
            stage_fill  <= 1'b0;
            stage_valid <= 1'b0;
        end else if (stage_ready) begin
            stage_fill  <= head_step & unfilled != 4'd0;
            stage_valid <= head_leaves;
        end
    end

    always @(posedge clk) begin
        if (head_step) begin
            stage      <= head;
            stage_slot <= first;
            stage_line <= {line_error, line_data};
        end
    end

    // Read stage
    always @(posedge clk) begin
        if (rst)
            read_held <= 1'b0;
        else if (!read_held | read_ready)
            read_held <= stage_valid & stage_moves;
    end

    always @(posedge clk) begin
        if (stage_valid & stage_moves)
            read_stage <= stage;
    end

    assign read_valid = read_held | bypass;
    assign read_beat  = read_held ? read_stage : beat;
    assign busy       = pushed | head_valid | stage_fill | stage_valid | read_held;

    // Stop and begin
    reg  halted;
    wire full = !tag_in_ready;
% if cfg.resume == "drained":
    wire resume = !busy & !upstream_busy;
% else:
    wire resume = !full;
    wire unused = &{1'b0, upstream_busy};
% endif

    assign usp_stop  = full & !halted;
    assign usp_begin = halted & resume;
    assign stopped   = full | halted;

    always @(posedge clk) begin
        if (rst)
            halted <= 1'b0;
        else if (usp_stop)
            halted <= 1'b1;
        else if (resume)
            halted <= 1'b0;
    end

endmodule
