// simple: a direct-mapped cache between one load/store port and memory, ${cfg.policy}.
//
// One request at a time, answered in order; the next is taken in the cycle in which a load is answered.
//   req -> look up -> res         a miss: a dirty victim is written back, the line is read, and looked up again
// ${cfg.cache.capacity_bytes} bytes: ${cfg.cache.sets} lines of ${cfg.cache.line_bytes} bytes.
// Timing: from request to result, a hit takes 1 cycle: a load each cycle, a store every second one. A miss takes 6 and
// those of the memory; docs/simple.md has the others.
<%
    cache, axi, back = cfg.cache, cfg.axi, cfg.write_back
    req, res, evt, perf = (cfg.all_streams[name] for name in ("req", "res", "evt", "perf"))
    line, word, strobes = cache.line_bytes * 8, cfg.word_bits, cfg.word_bytes
    set_low, tag_low = cfg.slot_bits, cfg.slot_bits + cache.set_bits
    beat_low = (axi.strobe_bits // cfg.word_bytes).bit_length() - 1  # bits of a word's place in its beat
    word_place = f"place[{beat_low - 1}:0]"  # the same in bytes
    if strobes > 1:
        word_place = f"{{{word_place}, {strobes.bit_length() - 1}'d0}}"
%>\
module simple (
    input  wire clk, // clock
    input  wire rst, // synchronous; all lines are forgotten, AXI bursts under way are completed
% for stream in cfg.streams.values():
    // ${stream.doc}
${ports(stream_signals(stream))}
% endfor
    // memory: one burst at a time, id 0
${ports(axi.signals, last=True)}
);

    localparam [1:0] LOAD = 2'd0, STORE = 2'd1, ${"FLUSH = 2'd2, INVALIDATE" if back else "INVALIDATE"} = 2'd3;

    localparam [2:0] LOOKUP  = 3'd0;       // nothing to do, or the request's line is looked up
    localparam [2:0] WRITE   = 3'd1;       // memory is written
    localparam [2:0] FILL    = 3'd2;       // the line is read from memory,
    localparam [2:0] INSTALL = 3'd3;       // goes into the RAM,
    localparam [2:0] RELOAD  = 3'd4;       // and is read out of it
% if back:
    localparam [2:0] SCAN    = 3'd5;       // a flush looks for the next dirty line
% endif
    localparam [2:0] ANSWER  = 3'd6;       // the end of a flush, or an error

    ${unpack(req, "req_data")}

    // The request that is served, and what became of it so far
    reg                  held;
    reg  [2:0]           state;
    reg  [1:0]           op;
    reg  ${width(cfg.word_address_bits)} place;
    reg  ${width(word)} data;
    reg  ${width(strobes)} strobe;
    reg  ${width(cfg.id_bits)} id;
    reg                  missed;           // the line was not there
    reg                  failed;           // memory answered with an error
    reg                  evicted;          // a valid line was replaced
    reg                  wrote;            // memory was written
% if back:
    reg  ${width(cache.set_bits)} scan;    // the set that a flush has come to
% endif

    wire reset  = rst | m_axi_rst;
    wire accept = req_valid & req_ready;
    wire done   = res_valid & res_ready;
    wire access = op == LOAD | op == STORE;

    wire ${width(cfg.slot_bits)} slot = place[${set_low - 1}:0];
    wire ${width(cache.set_bits)} set  = place[${tag_low - 1}:${set_low}];
    wire ${width(cache.tag_bits)} tag  = place[${cfg.word_address_bits - 1}:${tag_low}];
% if back:
    wire ${width(cache.set_bits)} here = op == FLUSH ? scan : set;
% else:
    wire ${width(cache.set_bits)} here = set;
% endif

    always @(posedge clk) begin
        if (accept) begin
            op     <= req_op;
            place  <= req_word;
            strobe <= req_strobe;
            data   <= req_value;
            id     <= req_id;
        end
    end

    // Memory serves one command at a time; its end counts if the command was given since reset
    reg  asked;
    wire axi_ready, axi_done, axi_error;
    wire ${width(line)} axi_line;
    wire waiting = held & (state == WRITE | state == FILL);
    wire ended   = asked & axi_done;
    wire wrote_now = state == WRITE & ended & !axi_error;

    // Look-up in the cycle of acceptance: no tag is compared between the registers of a request and its result
    reg  ${width(cache.sets)} valid;
    reg                  match;            // the request's line is there
    reg                  stored_valid;     // what its set holds, or the set that a flush looks at:
    reg  ${width(cache.tag_bits)} stored_tag;
% if back:
    reg  ${width(cache.sets)} dirty;
    reg                  stored_dirty;
    wire                 flushing = held & op == FLUSH;
    wire                 advance = (state == SCAN & !stored_dirty) | (state == WRITE & ended);
    wire ${width(cache.set_bits)} following = scan + 1'b1;
% endif
    wire ${width(cache.tag_bits)} tag_read;
    wire ${width(cache.set_bits)} req_set = req_word[${tag_low - 1}:${set_low}];
    wire ${width(cache.set_bits)} read_set = ${"flushing ? scan : req_set" if back else "req_set"};

    always @(posedge clk) begin
        if (accept)
            match <= valid[req_set] & tag_read == req_word[${cfg.word_address_bits - 1}:${tag_low}];
        else if (state == INSTALL)
            match <= 1'b1;
        if (accept)
            stored_valid <= valid[req_set];
        if (accept${" | flushing" if back else ""})
            stored_tag <= tag_read;
% if back:
        if (flushing)
            stored_dirty <= advance ? dirty[following] : dirty[scan];
        else if (accept)
            stored_dirty <= dirty[req_set];
% endif
    end

% if back:
    wire answered = access ? match : op == INVALIDATE;
% else:
    wire answered = op == LOAD ? match : op != STORE | wrote;
% endif

    reg [2:0] next;

    always @* begin
        next = state;
        case (state)
% if back:
            LOOKUP:
                if (!answered)
                    next = op == FLUSH ? SCAN : stored_dirty ? WRITE : FILL;
            WRITE:
                if (ended)
                    next = op == FLUSH ? (&scan ? ANSWER : SCAN) : axi_error ? ANSWER : FILL;
            SCAN:
                if (stored_dirty)
                    next = WRITE;
                else if (&scan)
                    next = ANSWER;
% else:
            LOOKUP:
                if (!answered)
                    next = op == STORE ? WRITE : FILL;
            WRITE:
                if (ended)
                    next = axi_error ? ANSWER : LOOKUP;
% endif
            FILL:
                if (ended)
                    next = axi_error ? ANSWER : INSTALL;
            INSTALL:
                next = RELOAD;
            RELOAD:
                next = LOOKUP;
            default: // ANSWER: until the result is taken
                next = ANSWER;
        endcase
    end

    wire replace = held & !done & state != FILL & next == FILL;

    always @(posedge clk) begin
        if (reset) begin
            held  <= 1'b0;
            state <= LOOKUP;
            asked <= 1'b0;
        end else begin
            held  <= accept | (held & !done);
            state <= held & !done ? next : LOOKUP;
            asked <= waiting & !ended & (asked | axi_ready);
        end
    end

    always @(posedge clk) begin
        if (accept)
            {missed, failed, evicted, wrote} <= 4'd0;
        else begin
            missed <= missed | replace;
            failed <= failed | (ended & axi_error);
            wrote  <= wrote | wrote_now;
            if (replace)
                evicted <= stored_valid;
        end
    end
% if back:

    always @(posedge clk) begin
        if (accept)
            scan <= ${cache.set_bits}'d0;
        else if (advance)
            scan <= following;
    end
% endif

    // The lines: valid from their installation until they are replaced${", dirty from a store until they are written" if back else ""}
    wire store_now = done & state == LOOKUP & op == STORE & match;
    wire forget    = done & op == INVALIDATE;

    always @(posedge clk) begin
        if (reset | forget)
            valid <= ${cache.sets}'d0;
        else if (state == INSTALL)
            valid[here] <= 1'b1;
        else if (replace)
            valid[here] <= 1'b0;
    end
% if back:

    always @(posedge clk) begin
        if (reset | forget)
            dirty <= ${cache.sets}'d0;
        else if (store_now)
            dirty[here] <= 1'b1;
        else if (wrote_now)
            dirty[here] <= 1'b0;
    end
% endif

    ram_async #(
        .WIDTH(${cache.tag_bits}),
        .DEPTH(${cache.sets}),
        .INDEX_BITS(${cache.set_bits})
    ) tags (
        .clk(clk),
        .write(state == INSTALL),
        .write_index(here),
        .write_data(tag),
        .read_index(read_set),
        .read_data(tag_read)
    );

    // A store keeps the other bytes of its line
    wire ${width(line)} stored;
    wire ${width(word)} mask = {${", ".join(f"{{8{{strobe[{byte}]}}}}" for byte in reversed(range(strobes)))}};
    wire ${width(line)} line_mask = {${line - word}'d0, mask} << {slot, ${word.bit_length() - 1}'d0};
    wire ${width(line)} merged = (stored & ~line_mask) | ({${line // word}{data}} & line_mask);

    ram_1p #(
        .WIDTH(${line}),
        .DEPTH(${cache.sets}),
        .INDEX_BITS(${cache.set_bits})
    ) lines (
        .clk(clk),
        .read(accept | state == RELOAD${" | state == SCAN" if back else ""}),
        .write(state == INSTALL | store_now),
        .index(accept ? req_set : here),
        .write_data(state == INSTALL ? axi_line : merged),
        .read_data(stored)
    );

    // Result. A store writes the RAM when its result is taken: the next request cannot read it then.
    wire loaded  = op == LOAD & state == LOOKUP;
    wire res_err = state == ANSWER & failed;
    wire ${width(word)} res_value = {${word}{loaded}} & stored[{slot, ${word.bit_length() - 1}'d0} +: ${word}];

    assign req_ready = !held | (done & op == LOAD);
    assign res_valid = held & (state == ANSWER | (state == LOOKUP & answered));
    assign res_data  = ${pack(res, values={"id": "id"})};

    // Memory: the line of the request, or its victim's${"" if back else "; a store's beat"}
% if back:
    wire ${width(cache.tag_bits)} axi_tag = state == WRITE ? stored_tag : tag;
    wire ${width(cache.address_bits)} axi_address = {axi_tag, here, ${cache.offset_bits}'d0};
% else:
    wire ${width(cache.address_bits)} beat_address = {place[${cfg.word_address_bits - 1}:${beat_low}], ${axi.strobe_bits.bit_length() - 1}'d0};
    wire ${width(cache.address_bits)} axi_address = state == WRITE ? beat_address : {tag, here, ${cache.offset_bits}'d0};
    wire ${width(axi.strobe_bits)} beat_strobe = ${f"{{{axi.strobe_bits - strobes}'d0, strobe}} << {word_place}" if beat_low else "strobe"};
% endif

    simple_axi_line${"" if back else " #(.WRITE_LEN(0))"} port (
        .clk(clk),
        .valid(waiting & !asked),
        .ready(axi_ready),
        .write(state == WRITE),
        .address(axi_address),
        .data(${"stored" if back else "{%d{data}}" % (line // word)}),
        .strobe(${f"{{{axi.strobe_bits}{{1'b1}}}}" if back else "beat_strobe"}),
        .done(axi_done),
        .error(axi_error),
        .line(axi_line),
${connect(axi.signals, last=True)}
    );

    // What became of a request is reported once, in the cycle after its result was taken
    wire hit = access & match & !missed;
    reg event_valid;
    reg ${width(evt.width)} event_data;

    always @(posedge clk) begin
        event_valid <= done & !reset;
        if (done)
            event_data <= ${pack(evt, indent=12, values={
                "op": "op", "hit": "hit", "evict": "evicted", "write": "wrote",
                "line": f"{{{cache.line_bits}{{access}}}} & {{tag, set}}",
                "victim": f"{{{cache.line_bits}{{evicted}}}} & {{stored_tag, set}}"})};
    end
% if cfg.observe:

    assign evt_valid = event_valid;
    assign evt_data  = event_data;
% else:

    wire unused_event = &{1'b0, event_valid, event_data};
% endif
<%
    steps = {
        "loads": "done & op == LOAD", "stores": "done & op == STORE", "hits": "done & hit",
        "misses": "done & access & !hit", "evictions": "done & evicted", "writes": "wrote_now",
        "errors": "done & res_err", "memory_wait_cycles": "waiting",
        "result_wait_cycles": "res_valid & !res_ready",
    }
%>\
% for field in perf.fields:

    counter count_${field.name} (
        .clk(clk),
        .rst(reset),
        .step(${steps[field.name]}),
        .count(perf_data[${perf.offset(field.name) + 31}:${perf.offset(field.name)}])
    );
% endfor

endmodule
