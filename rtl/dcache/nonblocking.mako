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
    req, res, evt, perf = (cfg.all_streams[name] for name in ("req", "res", "evt", "perf"))
    A, T, S, W, L = cache.address_bits, cache.tag_bits, cache.set_bits, cache.way_bits, cache.line_bits
    ways, offset, line_bits, words = cache.ways, cache.offset_bits, 8 * cache.line_bytes, cfg.line_words
    data, beats, beat_bytes = axi.data_bits, cfg.beats, axi.strobe_bits
    P, V = offset - 2, cfg.warp_bits
    C = cfg.write_buffer.bit_length()
    lanes = range(8)
    read_signals = [signal for signal in axi.signals[1:] if signal.name[len(axi.prefix) + 1:][:2] == "ar" or signal.name[len(axi.prefix) + 1] == "r"]
    write_signals = [signal for signal in axi.signals[1:] if signal not in read_signals]
    set_of = lambda line: f"{line}[{S - 1}:0]"
    tag_of = lambda line: f"{line}[{L - 1}:{S}]"
    def lanes_of(stream, vector, name):
        """A field of all lanes."""
        field, low = stream.field(f"{name}0"), stream.offset(f"{name}0")
        return f"{vector}[{low + 8 * field.width - 1}:{low}]"
    def number_of(onehot, count):
        """The number of the only bit that is set; 0 if none is."""
        masks = [sum(1 << n for n in range(count) if n >> bit & 1) for bit in range(count.bit_length() - 1)]
        return "{" + ", ".join(f"|({onehot} & {count}'h{mask:x})" for mask in reversed(masks)) + "}"
    def sum_of(vector):
        return " + ".join(f"{{3'd0, {vector}[{lane}]}}" for lane in lanes)
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
    reg  ${width(S + W)} s2_row;
    reg  ${width(T)} s2_tag;

    // Stage 3: the line is here
    reg                  s3_valid;
    reg                  s3_victim;
    reg  ${width(V)} s3_slot;
    reg  [7:0]           s3_mask;
    reg                  s3_err;
    reg                  s3_wrote;
    reg  ${width(S + W)} s3_row;
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

    ${unpack(req, "req_data", fields=("op", "warp", "mask"))}
    wire [7:0] req_lanes = req_mask & {8{req_op == LOAD | req_op == STORE}};
    wire accept   = req_valid & req_ready;
    wire d_access = d_op == LOAD | d_op == STORE;

    // What goes next is at the door, or comes if there is nothing
    wire [2:0] next_op = d_valid ? d_op : req_op;
    wire ${width(V)} next_warp = d_valid ? d_warp : req_warp;
    wire [7:0] next_lanes = d_valid ? d_lanes : req_lanes;
    wire ${width(8 * A)} next_addrs = d_valid ? d_addrs : ${lanes_of(req, "req_data", "addr")};
    wire [255:0] next_words = d_valid ? d_words : ${lanes_of(req, "req_data", "data")};
    wire [31:0] next_strobes = d_valid ? d_strobes : ${lanes_of(req, "req_data", "strobe")};
    wire door   = d_valid & can_issue & (d_begun | (d_access ? !busy[d_warp] : finished));
    wire direct = !d_valid & req_valid & !starting & can_issue & (req_op == LOAD | req_op == STORE) & !busy[req_warp];
    wire begins = direct | (door & !d_begun);

    assign issue     = door | direct;
    assign req_ready = !starting & (!d_valid | (door & last_group));

    always @(posedge clk) begin
        if (reset)
            d_valid <= 1'b0;
        else
            d_valid <= accept ? !(direct & last_group) : d_valid & !(door & last_group);
        if (accept) begin
            d_begun   <= direct;
            d_op      <= req_op;
            d_warp    <= req_warp;
            d_lanes   <= direct ? req_lanes & ~group : req_lanes;
            d_addrs   <= ${lanes_of(req, "req_data", "addr")};
            d_words   <= ${lanes_of(req, "req_data", "data")};
            d_strobes <= ${lanes_of(req, "req_data", "strobe")};
        end else if (issue) begin
            d_begun <= 1'b1;
            d_lanes <= d_lanes & ~group;
        end
    end

    // The first address that failed, until it is asked for
    reg  error;
    reg  ${width(L)} error_line;
    wire answered, refused;                // memory has answered a write
    wire ${width(L)} answered_line;
    wire ${width(W)} answered_way;
    wire told;                             // it is asked for

    // The next group: the lowest lane${", and others in its line" if cfg.coalescing else ""}
    wire [7:0] lowest = next_lanes & (~next_lanes + 1'b1);
    wire [2:0] lane = ${number_of("lowest", 8)};
    wire ${width(L)} line = next_addrs[lane*${A}+${offset} +: ${L}];
% if cfg.coalescing:
    wire [7:0] same = {
        ${(",\n" + 8 * " ").join(f"next_addrs[{A * n + A - 1}:{A * n + offset}] == line" for n in reversed(lanes))}
    };
    assign group = next_lanes & same;
% else:
    assign group = lowest;
% endif

    assign last_group = next_lanes == group;
    assign can_issue  = (!s1_valid | move1)${" & !ahead1 & !ahead" if cfg.prefetch else ""};

    // Operations: at the door until all before has ended, then set by set
    localparam [1:0] REST  = 2'd0;
    localparam [1:0] READ  = 2'd1;         // clean and flush: the tags of a set are read,
    localparam [1:0] LOOK  = 2'd2;         // its dirty lines go to the write buffer;
    localparam [1:0] DRAIN = 2'd3;         // all have gone: memory is still to answer

    reg  [1:0] phase;
    reg  acted;                            // the operation has begun
    reg  clearing;                         // a walk through all sets: all is forgotten, or what the operation says
    reg  walked;
    reg  ${width(S)} scan;                 // the set
    reg  ${width(ways)} tried;             // its ways that have gone
    reg  op_failed;                        // memory has refused one of its lines
    reg  op_wrote;                         // one went into the write buffer
    wire put;                              // one does
    wire ${width(ways)} dirty;
    wire ${width(ways)} todo = dirty & ~tried;
    wire ${width(ways)} next_way = todo & (~todo + 1'b1);
    wire ${width(W)} next_number = ${number_of("next_way", ways)};
    wire again;                            // memory has refused a line of the operation: it is dirty as before
    wire room;
    wire scans = d_op == CLEAN | d_op == FLUSH;
    wire walks = d_op == INVALIDATE | d_op == POLICY | d_op == FLUSH;
    wire act   = d_valid & !d_access & !acted & idle & !starting;
    wire send  = looking & todo != ${ways}'d0 & room & !again;
    wire look_on = looking & todo == ${ways}'d0 & !again; // to the next set
    wire drained = phase == DRAIN & idle_memory;
    wire walk_ends = clearing & (&scan);

    assign looking  = phase == LOOK;
    assign finished = acted & phase == REST & !clearing & (walked | !walks);

    always @(posedge clk) begin
        if (reset) begin
            phase    <= REST;
            acted    <= 1'b0;
            clearing <= 1'b1;
            walked   <= 1'b0;
        end else begin
            acted <= act | (acted & !issue);
            if (act & scans)
                phase <= READ;
            else if (phase == READ)
                phase <= LOOK;
            else if (look_on)
                phase <= &scan ? DRAIN : LOOK;
            else if (drained)
                phase <= REST;
            clearing <= (act & walks & !scans) | (drained & walks) | (clearing & !walk_ends);
            walked   <= !act & (walked | (walk_ends & !starting));
        end
        if (reset | act)
            scan <= ${S}'d0;
        else if (clearing | look_on)
            scan <= scan + 1'b1;
        if (act | look_on)
            tried <= ${ways}'d0;
        else if (send)
            tried <= tried | next_way;
        op_failed <= !act & (op_failed | again);
        op_wrote  <= !act & (op_wrote | put);
    end

    always @(posedge clk) begin
        if (reset)
            s1_valid <= 1'b0;
        else
            s1_valid <= issue | ${"ahead | " if cfg.prefetch else ""}(s1_valid & !move1);
        if (issue) begin
            s1_store  <= next_op == STORE;
            s1_slot   <= next_warp;
            s1_mask   <= group;
            s1_lowest <= lowest;
            s1_line   <= line;
            s1_err    <= d_valid & !d_access & (told ? error : scans & op_failed);
            s1_wrote  <= d_valid & scans & op_wrote;
% if cfg.prefetch:
            s1_whole  <= begins & last_group;
            s1_ahead  <= 1'b0;
        end else if (ahead) begin
            s1_store  <= 1'b0;
            s1_mask   <= 8'd0;
            s1_lowest <= 8'd0;
            s1_line   <= s1_line + 1'b1;
            s1_ahead  <= 1'b1;
% endif
        end
    end
% if cfg.prefetch:

    // The next line, behind a group that misses or is the first to use a line that was read ahead, and is all of its
    // request: what lies apart is not followed by its neighbours
    always @(posedge clk)
        ahead <= ahead1 & !reset;
% endif

    // The policy in force
    reg  [1:0] policy;

    always @(posedge clk) begin
        if (reset)
            policy <= 2'd${cache.policy_number};
        else if (act & d_op == POLICY)
            policy <= d_addrs[1:0];
    end

    // The look-up
    wire ${width(S)} set1 = ${set_of("s1_line")};
    wire ${width(ways * (T + 1))} tags;    // of all ways: a tag, below it its valid bit
    wire ${width(ways)} valids;
    wire ${width(ways)} equal;
    wire ${width(W)} victim;
    wire found = equal != ${ways}'d0;
    wire ${width(W)} way1 = found ? ${number_of("equal", ways)} : victim;
    wire ${width(T + 1)} victim_tag = tags[victim*${T + 1} +: ${T + 1}];
    wire access1 = s1_mask != 8'd0;
    wire here, closed, full, none;         // the line at that place is under way; see dcache_misses
    wire stale   = dirty[victim] & victim_tag[0];
    wire to2     = free2 & !serve_valid;
    wire hits1   = access1 & found;
    wire joins1  = hits1 & here;
    wire wants1  = access1${" | s1_ahead" if cfg.prefetch else ""};
    wire misses1 = wants1 & !found;
    wire can_join = !closed & !full;
    wire can_miss = !here & !none & (!stale | (room & to2));

    assign move1 = s1_valid & (joins1 ? can_join : misses1 ? can_miss : to2${" | s1_ahead" if cfg.prefetch else ""});

    wire look  = move1 & access1;
    wire open  = move1 & misses1;
    wire stale_out = open & stale;         // its victim is read

    // Stage 2
    wire serve = serve_valid & free2;
    wire ${width(V)} serve_slot;
    wire [7:0] serve_mask;
    wire ${width(S + W)} serve_row;
    wire ${width(T)} serve_tag;
    wire pass1 = move1 & !misses1 & !joins1${" & !s1_ahead" if cfg.prefetch else ""};

    always @(posedge clk) begin
        if (reset)
            s2_valid <= 1'b0;
        else if (free2)
            s2_valid <= serve | pass1 | stale_out | send;
        if (free2) begin
            s2_victim <= stale_out | send;
            s2_slot   <= serve ? serve_slot : s1_slot;
            s2_mask   <= serve ? serve_mask : stale_out ? s1_lowest : s1_mask & {8{!send}};
            s2_err    <= s1_err & !serve;
            s2_wrote  <= s1_wrote & !serve & !send;
            s2_row    <= serve ? serve_row : send ? {scan, next_number} : {set1, way1};
            s2_tag    <= serve ? serve_tag : send ? tags[next_number*${T + 1}+1 +: ${T}] :
                stale_out ? victim_tag[${T}:1] : ${tag_of("s1_line")};
        end
    end

    wire fill, fill_ends, fill_failed;
    wire ${width(S + W)} fill_row;
    wire ${width(cfg.beat_bits)} fill_beat;
    wire s2_store;                         // the request of the group
    wire ${width(8 * P)} s2_places;
    wire [255:0] s2_words;
    wire [31:0] s2_strobes;
    wire s2_poisoned;
    wire stores2 = s2_valid & !s2_victim & s2_store & s2_mask != 8'd0;

    assign free2 = !(stores2 & fill);      // a beat that comes goes before a store

    // Lines that memory has failed a beat of
    ram_async #(
        .WIDTH(1),
        .DEPTH(${cache.sets * ways}),
        .INDEX_BITS(${S + W})
    ) poison_ram (
        .clk(clk),
        .write(fill & fill_ends),
        .write_index(fill_row),
        .write_data(fill_failed),
        .read_index(s2_row),
        .read_data(s2_poisoned)
    );

    // Lines, byte by byte
    wire ${width(line_bits)} s3_line;
    wire store2 = stores2 & free2 & !s2_poisoned;
    wire ${width(S + W)} write_row = fill ? fill_row : s2_row;

    genvar n, b;
    generate
        for (n = 0; n < ${words}; n = n + 1) begin : gen_word
            localparam ${width(P)} PLACE = n;
            wire [7:0] wanted = {
                ${", ".join(f"s2_places[{P * lane + P - 1}:{P * lane}] == PLACE" for lane in reversed(lanes))}
            } & s2_mask;
            wire filled = fill & fill_beat == PLACE[${P - 1}:${P - cfg.beat_bits}];
            for (b = 0; b < 4; b = b + 1) begin : gen_byte
                // Of lanes that store it the highest
                wire [7:0] storing = wanted & {
                    ${", ".join(f"s2_strobes[{4 * lane} + b]" for lane in reversed(lanes))}
                };
                wire [7:0] highest = {
                    storing[7],
                    ${", ".join(f"storing[{lane}] & !(|storing[7:{lane + 1}])" for lane in reversed(range(7)))}
                };
                wire [7:0] stored = ${" | ".join(f"(s2_words[{32 * lane} + 8 * b +: 8] & {{8{{highest[{lane}]}}}})" for lane in lanes)};

                ram_1r1w #(
                    .WIDTH(8),
                    .DEPTH(${cache.sets * ways}),
                    .INDEX_BITS(${S + W})
                ) data_ram (
                    .clk(clk),
                    .write(filled | (store2 & storing != 8'd0)),
                    .write_index(write_row),
                    .write_data(fill ? m_axi_rdata[(n % ${cfg.beat_words}) * 32 + 8 * b +: 8] : stored),
                    .read(s2_valid),
                    .read_index(s2_row),
                    .read_data(s3_line[32 * n + 8 * b +: 8])
                );
            end
        end
    endgenerate

    // Stage 3
    always @(posedge clk) begin
        if (reset)
            s3_valid <= 1'b0;
        else
            s3_valid <= s2_valid & free2;
        s3_victim   <= s2_victim;
        s3_slot     <= s2_slot;
        s3_mask     <= s2_mask;
        s3_err      <= s2_err;
        s3_wrote    <= s2_wrote;
        s3_row      <= s2_row;
        s3_tag      <= s2_tag;
        s3_poisoned <= s2_poisoned;
        s3_places   <= s2_places;
    end

    // Errors
    wire ends3 = s3_valid & !s3_victim;
    wire none3 = s3_mask == 8'd0;          // an operation, or a request without lanes
    assign told = finished & issue & d_op == STATUS;
    wire read_fails = ends3 & !none3 & s3_poisoned;
    wire write_fails = answered & refused & !starting;

    assign again = write_fails & acted & scans;

    always @(posedge clk) begin
        if (reset)
            error <= 1'b0;
        else
            error <= read_fails | write_fails | (error & !told);
        if (!error)
            error_line <= read_fails ? {s3_tag, s3_row[${S + W - 1}:${W}]} : answered_line;
    end

    // What an operation answers goes through the stages, without lanes
    reg  ${width(L)} told_line;

    always @(posedge clk) begin
        if (told)
            told_line <= error_line;
    end

    wire [7:0] end_err = none3 ? {7'd0, s3_err} : s3_mask & {8{s3_poisoned}};
    wire [255:0] end_words;
    wire [31:0] op_word = ${f"{{{32 - A}'d0, told_line, {offset}'d0}}" if A < 32 else f"{{told_line, {offset}'d0}}"};
% for n in lanes:
    wire [31:0] word${n} = s3_line[{s3_places[${P * n + P - 1}:${P * n}], 5'd0} +: 32];
% endfor

    assign end_words = {${", ".join(f"word{n}" for n in reversed(lanes[1:]))}, none3 ? op_word : word0};

    // Requests under way
    assign put = s3_valid & s3_victim & !s3_poisoned;
    wire [2:0] res_op;
    wire [7:0] res_err;
    wire ${width(evt.width)} event_word;
    dcache_slots slots (
        .clk(clk),
        .rst(reset),
        .begin_valid(begins),
        .begin_slot(next_warp),
        .begin_op(next_op),
        .begin_mask(next_lanes),
        .begin_places({
            ${(",\n" + 12 * " ").join(f"next_addrs[{A * lane + offset - 1}:{A * lane + 2}]" for lane in reversed(lanes))}
        }),
        .begin_words(next_words),
        .begin_strobes(next_strobes),
        .busy(busy),
        .look(look),
        .look_slot(s1_slot),
        .look_mask(s1_mask),
        .look_missed(s1_lowest & {8{!found}}),
        .look_evict(victim_tag[0]),
        .look_way(way1),
        .look_victim({victim_tag[${T}:1], set1}),
        .write(put | (ends3 & s3_wrote)),
        .write_slot(s3_slot),
        .write_mask({s3_mask[7:1], s3_mask[0] | s3_wrote}),
        .read_slot(s2_slot),
        .read_store(s2_store),
        .read_places(s2_places),
        .read_words(s2_words),
        .read_strobes(s2_strobes),
        .end_valid(ends3),
        .end_slot(s3_slot),
        .end_mask(s3_mask),
        .end_err(end_err),
        .end_words(end_words),
        .res_valid(res_valid),
        .res_ready(res_ready),
        .res_data(res_data),
        .res_op(res_op),
        .res_err(res_err),
        .event_data(event_word)
    );

    // Misses
    wire ${width(L)} ask_line;
    wire ask_held;
    wire any_miss, reads_busy;

    dcache_misses misses (
        .clk(clk),
        .rst(reset),
        .look_set(set1),
        .look_way(way1),
        .here(here),
        .closed(closed),
        .full(full),
        .none(none),
        .open(open),
        .open_empty(${"s1_ahead" if cfg.prefetch else "1'b0"}),
        .open_line(s1_line),
        .add(look & joins1),
        .look_slot(s1_slot),
        .look_mask(s1_mask),
        .serve_valid(serve_valid),
        .serve_ready(free2),
        .serve_slot(serve_slot),
        .serve_mask(serve_mask),
        .serve_row(serve_row),
        .serve_tag(serve_tag),
        .fill(fill),
        .fill_row(fill_row),
        .fill_beat(fill_beat),
        .fill_ends(fill_ends),
        .fill_failed(fill_failed),
        .ask_line(ask_line),
        .ask_held(ask_held),
        .any(any_miss),
        .busy(reads_busy),
        .m_axi_rst(m_axi_rst),
${connect(read_signals, last=True)}
    );

    // Replaced lines
    wire ${width(C)} held;
    wire ${width(C + 1)} coming = {1'b0, held} + {${C}'d0, s2_valid & s2_victim} + {${C}'d0, s3_valid & s3_victim};
    wire writes_busy;

    assign room = coming < ${C + 1}'d${cfg.write_buffer};
    assign idle_memory = !any_miss & coming == ${C + 1}'d0;
    assign idle = busy == ${cfg.warps}'d0 & idle_memory & !clearing & !s1_valid${" & !ahead" if cfg.prefetch else ""};

    dcache_write_buffer write_buffer (
        .clk(clk),
        .rst(reset),
        .put(put),
        .put_line({s3_tag, s3_row[${S + W - 1}:${W}]}),
        .put_way(s3_row[${W - 1}:0]),
        .put_data(s3_line),
        .count(held),
        .ask_line(ask_line),
        .ask_held(ask_held),
        .answered(answered),
        .refused(refused),
        .answered_line(answered_line),
        .answered_way(answered_way),
        .busy(writes_busy),
        .m_axi_rst(m_axi_rst),
${connect(write_signals, last=True)}
    );

    always @(posedge clk) begin
        if (reset)
            starting <= 1'b1;
        else
            starting <= starting & ((clearing & !walk_ends) | reads_busy | writes_busy);
    end

    // Tags. A line has its tag from the moment on in which it is asked for
    wire ${width(ways)} kept = {${ways}{!starting & (d_op == POLICY | d_op == FLUSH)}} & (d_op == POLICY ? {${ways}{1'b1}} : dirty);
    wire ${width(S)} tag_set = clearing ? scan : set1;
% if cfg.prefetch:
    wire ${width(S)} ahead_set = set1 + 1'b1;
    wire tags_read = issue | ahead | phase == READ | look_on;
    wire ${width(S)} tag_read_set = ahead ? ahead_set : issue ? ${set_of("line")} : look_on ? scan + 1'b1 : scan;
% else:
    wire tags_read = issue | phase == READ | look_on;
    wire ${width(S)} tag_read_set = issue ? ${set_of("line")} : look_on ? scan + 1'b1 : scan;
% endif

    generate
        for (n = 0; n < ${ways}; n = n + 1) begin : gen_way
            localparam ${width(W)} NUMBER = n;

            ram_1r1w #(
                .WIDTH(${T + 1}),
                .DEPTH(${cache.sets}),
                .INDEX_BITS(${S})
            ) tag_ram (
                .clk(clk),
                .write(clearing ? !kept[n] : open & victim == NUMBER),
                .write_index(tag_set),
                .write_data({${tag_of("s1_line")}, !clearing}),
                .read(tags_read),
                .read_index(tag_read_set),
                .read_data(tags[n*${T + 1} +: ${T + 1}])
            );

            assign valids[n] = tags[n*${T + 1}];
            assign equal[n]  = valids[n] & tags[n*${T + 1}+1 +: ${T}] == ${tag_of("s1_line")};
        end
    endgenerate

    // Dirty lines: from a store on until they are read for the write buffer, or again if memory refuses them
    wire ${width(S)} dirty_set = again ? ${set_of("answered_line")} : clearing | looking ? scan : set1;
    wire ${width(ways)} way_bit = ${ways}'d1 << way1;
    wire ${width(ways)} stored1 = way_bit & {${ways}{s1_store}};
    wire ${width(ways)} dirty_next =
        again    ? dirty | (${ways}'d1 << answered_way) :
        clearing ? dirty & kept :
        looking  ? dirty & ~next_way :
        found    ? dirty | stored1 : (dirty & ~way_bit) | stored1;

    ram_async #(
        .WIDTH(${ways}),
        .DEPTH(${cache.sets}),
        .INDEX_BITS(${S})
    ) dirty_ram (
        .clk(clk),
        .write(again | clearing | send | look | open),
        .write_index(dirty_set),
        .write_data(dirty_next),
        .read_index(dirty_set),
        .read_data(dirty)
    );
% if cfg.prefetch:

    // Lines that were read ahead, and not used since; another policy keeps them
    wire ${width(ways)} marks;
    wire ${width(ways)} new_marks = (marks & ~way_bit) | (way_bit & {${ways}{s1_ahead & !found}});

    ram_async #(
        .WIDTH(${ways}),
        .DEPTH(${cache.sets}),
        .INDEX_BITS(${S})
    ) mark_ram (
        .clk(clk),
        .write(clearing | look | open),
        .write_index(tag_set),
        .write_data(clearing ? marks & kept : new_marks),
        .read_index(tag_set),
        .read_data(marks)
    );

    assign ahead1 = look & s1_whole & (!found | marks[way1]) & !(&s1_line);
% endif

    replacement #(
        .WAYS(${ways}),
        .WAY_BITS(${W}),
        .SETS(${cache.sets}),
        .SET_BITS(${S}),
        .INVALID_FIRST(${int(cache.invalid_first)})
    ) replace (
        .clk(clk),
        .policy(policy),
        .set(tag_set),
        .valid(valids),
        .clear(clearing),
        .update(look | open),
        .filled(!found),
        .way(way1),
        .victim(victim)
    );
% if cfg.observe:

    // What became of a request is reported once, in the cycle after its result was taken
    reg  event_valid;
    reg  ${width(evt.width)} event_data;

    always @(posedge clk) begin
        event_valid <= done & !reset;
        if (done)
            event_data <= event_word;
    end

    assign evt_valid = event_valid;
    assign evt_data  = event_data;
% else:
    wire unused_event = &{1'b0, event_word};
% endif

    // Counters
    wire [7:0] hit_lanes = s1_mask & ~(s1_lowest & {8{!found}}) & {8{look}};
    wire [7:0] err_lanes = res_err & {8{done & res_op != STATUS}};
<%
    steps = {
        "loads": "done & res_op == LOAD", "stores": "done & res_op == STORE", "hits": sum_of("hit_lanes"),
        "misses": "open & access1", "uncached": "1'b0", "evictions": "open & victim_tag[0]",
        "writes": "answered & !refused & !starting", "errors": sum_of("err_lanes"),
        "prefetches": "open & !access1", "memory_wait_cycles": "any_miss", "result_wait_cycles": "res_valid & !res_ready",
    }
%>\
% for field in perf.fields:

% if field.name in ("hits", "errors"):
    counter #(
        .STEP_BITS(4)
    ) count_${field.name} (
% else:
    counter count_${field.name} (
% endif
        .clk(clk),
        .rst(reset),
        .step(${steps[field.name]}),
        .count(perf_data[${perf.offset(field.name) + 31}:${perf.offset(field.name)}])
    );
% endfor

endmodule
