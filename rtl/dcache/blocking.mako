// dcache: data cache of a SIMT processor, ${cfg.cache.ways} ways, any of four replacement policies, ${cfg.write_policy}.
//
//   req -> one lane after the other -> 1 address, read all ways -> 2 compare tags -> 3 choose the way -> res
// ${cfg.cache.capacity_bytes} bytes: ${cfg.cache.sets} sets of ${cfg.cache.ways} ways of ${cfg.cache.line_bytes} bytes. A miss stops the pipeline until its line is there.
// Timing: a word each cycle. A request of n lanes that hit is answered after n + 2 cycles, the next one begins in the
// cycle behind its last lane. A result that waits stops all stages; docs/dcache.md has the rest.
<%
    cache, axi, back = cfg.cache, cfg.axi, cfg.write_back
    req, res, evt, perf = (cfg.all_streams[name] for name in ("req", "res", "evt", "perf"))
    A, T, S, W, L = cache.address_bits, cache.tag_bits, cache.set_bits, cache.way_bits, cache.line_bits
    ways, data, offset, strobes = cache.ways, axi.data_bits, cache.offset_bits, axi.strobe_bits
    beat_low = offset - cfg.beat_bits
    row_bits = S + cfg.beat_bits  # of a beat's place in the RAM of a way
    words = cfg.beat_words
    line_of = lambda address: f"{address}[{A - 1}:{offset}]"
    tag_of = lambda address: f"{address}[{A - 1}:{offset + S}]"
    set_of = lambda address: f"{address}[{offset + S - 1}:{offset}]"
    row_of = lambda address: f"{address}[{offset + S - 1}:{beat_low}]"
    place_of = lambda address, zeros: f"{{{address}[{beat_low - 1}:2], {zeros}'d0}}"
    def lanes_of(stream, vector, name):
        """A field of all lanes."""
        field, low = stream.field(f"{name}0"), stream.offset(f"{name}0")
        return f"{vector}[{low + 8 * field.width - 1}:{low}]"
    def word_of(vector, address):
        """The word at a byte address in a beat."""
        return vector if words == 1 else f"{vector}[{place_of(address, 5)} +: 32]"
    def in_beat(value, bits, address):
        """A word, or its bytes, at its place in a beat, all else 0."""
        if words == 1:
            return value
        wide = f"{{{bits * (words - 1)}'d0, {value}}}"
        return f"{wide} << {place_of(address, bits.bit_length() - 1)}"
    def number_of(onehot, count):
        """The number of the only bit that is set; 0 if none is."""
        masks = [sum(1 << n for n in range(count) if n >> bit & 1) for bit in range(count.bit_length() - 1)]
        return "{" + ", ".join(f"|({onehot} & {count}'h{mask:x})" for mask in reversed(masks)) + "}"
    def mask_of(strobe):
        return "{" + ", ".join(f"{{8{{{strobe}[{byte}]}}}}" for byte in reversed(range(strobes))) + "}"
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
    wire ${width(8 * A)} req_addrs = ${lanes_of(req, "req_data", "addr")};
    wire ${width(256)} req_words = ${lanes_of(req, "req_data", "data")};
    wire ${width(32)} req_strobes = ${lanes_of(req, "req_data", "strobe")};

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

    // Where a lane goes in this cycle
    wire free = !s3_valid | res_ready;     // the third stage can be loaded; if not, all stages stand still
    wire waits;                            // the second stage waits for something,
    wire ends;                             // which ends in this cycle
    wire flow   = free & (!waits | ends);
    wire leave2 = flow & s2_valid;
    wire move1  = flow & s1_valid & !s2_slow;
    wire reread = leave2 & s2_slow;        // what the first stage read is from before: once more
    wire store1 = s1_op == STORE;
    wire walks1 = s1_op == INVALIDATE | s1_op == POLICY${"" if back else " | s1_op == FLUSH"};
% if back:
    wire scans1 = s1_op == CLEAN | s1_op == FLUSH;
    wire alone1 = walks1 | scans1;         // nothing comes in behind it
% else:
    wire alone1 = walks1;
% endif

    reg  starting;                         // after a reset, until all sets are clear and memory has ended its burst

    wire go    = free & !s2_slow & !starting;
    wire more  = rest != 8'd0;
    wire issue = accept | (more & go);

    assign req_ready = go & !more & !(s1_valid & alone1);

    // The lane to come: the lowest
    wire [7:0] asked = {8{req_op == LOAD | req_op == STORE}} & req_mask;
    wire [7:0] lanes = more ? rest : asked;
    wire [7:0] others = lanes & (lanes - 1'b1);
    wire [7:0] lowest = lanes & ~others;
    wire [2:0] lane = ${number_of("lowest", 8)};
    wire ${width(8 * A)} addrs = more ? rest_addrs : req_addrs;
    wire ${width(256)} store_words = more ? rest_words : req_words;
    wire ${width(32)} store_strobes = more ? rest_strobes : req_strobes;
    wire ${width(A)} address = addrs[lane*${A} +: ${A}];

    always @(posedge clk) begin
        if (reset)
            rest <= 8'd0;
        else if (issue)
            rest <= others;
        if (accept) begin
            rest_op      <= req_op;
            rest_warp    <= req_warp;
            rest_addrs   <= req_addrs;
            rest_words   <= req_words;
            rest_strobes <= req_strobes;
        end
    end

    always @(posedge clk) begin
        if (issue) begin
            s1_access  <= lanes != 8'd0;
            s1_first   <= !more;
            s1_last    <= others == 8'd0;
            s1_lane    <= lane;
            s1_op      <= more ? rest_op : req_op;
            s1_warp    <= more ? rest_warp : req_warp;
            s1_address <= address;
            s1_word    <= store_words[{lane, 5'd0} +: 32];
            s1_strobe  <= store_strobes[{lane, 2'd0} +: 4];
        end
    end

    // The look-up, and what it needs of memory
% if cfg.uncached_bits:
    wire uncached1 = s1_access & (&s1_address[${A - 1}:${A - cfg.uncached_bits}]);
% else:
    wire uncached1 = 1'b0;
% endif
    wire ${width(ways)} valids;
    wire ${width(ways)} equal;
    wire found   = equal != ${ways}'d0;
    wire ${width(W)} victim;
    wire lookup  = move1 & s1_access & !uncached1;
% if back:
    wire fills1  = lookup & !found;        // a line is to be replaced
    wire ask1    = fills1 | (move1 & uncached1);
% else:
    wire fills1  = lookup & !found & !store1;
    wire ask1    = fills1 | (move1 & uncached1) | (lookup & store1);
% endif
    wire slow1   = ask1 | (move1 & alone1);

    always @(posedge clk) begin
        if (reset) begin
            s1_valid <= 1'b0;
            s2_valid <= 1'b0;
            s2_slow  <= 1'b0;
            s3_valid <= 1'b0;
        end else begin
            s1_valid <= issue | (s1_valid & !move1);
            if (flow) begin
                s2_valid <= move1;
                s2_slow  <= slow1;
            end
            if (free)
                s3_valid <= leave2 & s2_last;
        end
    end

    // Clearing: a set each cycle, after a reset or for a request in the second stage
    reg  walking;
    reg  ${width(S)} walk;
    wire walk_ends = walking & (&walk);
    wire forget    = walking & (starting | s2_op != POLICY);

    always @(posedge clk) begin
        if (reset)
            {walking, walk} <= {1'b1, ${S}'d0};
        else begin
            walking <= (move1 & walks1) | (walking & !walk_ends);
            walk    <= walking ? walk + 1'b1 : ${S}'d0;
        end
    end

    // The policy in force
    reg  [1:0] policy;

    always @(posedge clk) begin
        if (reset)
            policy <= 2'd${cache.policy_number};
        else if (move1 & s1_op == POLICY)
            policy <= s1_address[1:0];
    end

    // What the second stage waits for. Memory serves one burst at a time; after a reset nothing is asked for until
    // what was asked for before has come
    reg  [2:0] phase;
    reg  failed;                           // memory has reported an error
    wire burst, burst_ends, burst_fails, come;
    wire writing    = phase == WRITE;
    wire filling    = phase == FILL;
    wire write_ends = writing & burst_ends;
    wire fill_ends  = filling & burst_ends;
    wire wrote      = write_ends & !burst_fails;
    wire refused    = write_ends & burst_fails;
    wire failed_now = failed | ((writing | filling) & burst_fails);
% if back:
    reg  s2_fills;                         // a line is to be read, after its victim was written if that is dirty
    reg  ${width(S)} scan;                 // the set that clean or flush has come to,
    reg  ${width(ways)} tried;             // and the ways that were written there, or refused
    wire ${width(ways)} dirty;
    wire ${width(ways)} todo = dirty & ~tried;
    wire ${width(ways)} next_way = todo & (~todo + 1'b1);
    wire scans   = s2_op == CLEAN | s2_op == FLUSH;
    wire looking = phase == LOOK;
    wire ${width(W)} next_number = ${number_of("next_way", ways)};
    wire look_on = looking & todo == ${ways}'d0;    // to the next set
    wire look_ends = look_on & (&scan);
    wire write_first = uncached1 ? store1 : dirty[victim];
    wire goes_on = wrote & s2_fills;
    wire start_write = (ask1 & write_first) | (looking & !look_on);
    wire start_fill  = (ask1 & !write_first) | goes_on;

    assign ends = fill_ends | (write_ends & !goes_on & !scans) | look_ends | (walk_ends & !starting);
% else:
    wire start_write = ask1 & store1;
    wire start_fill  = ask1 & !store1;

    assign ends = fill_ends | write_ends | (walk_ends & !starting);
% endif
    assign waits = phase != REST | walking;

    always @(posedge clk) begin
        if (reset)
            phase <= REST;
        else if (start_write)
            phase <= WRITE;
        else if (start_fill)
            phase <= FILL;
% if back:
        else if (move1 & scans1)
            phase <= READ;
        else if (phase == READ | (write_ends & scans))
            phase <= LOOK;
% endif
        else if (ends)
            phase <= REST;
    end

    always @(posedge clk) begin
        if (move1)
            failed <= 1'b0;
        else
            failed <= failed_now;
    end
% if back:

    always @(posedge clk) begin
        if (move1) begin
            s2_fills <= fills1;
            scan     <= ${S}'d0;
            tried    <= ${ways}'d0;
        end else if (look_on) begin
            scan  <= scan + 1'b1;
            tried <= ${ways}'d0;
        end else if (looking)
            tried <= tried | next_way;
    end
% endif

    // Memory: the line of the request, its victim, a dirty line of the set looked at; or a beat
    wire ${width(S)} set2 = ${f"scans ? scan : {set_of('s2_address')}" if back else set_of("s2_address")};
    wire ${width(cfg.beat_bits)} beat;
    wire ${width(data)} come_data;
    wire ${width(data)} store_data = {${words}{s2_word}};
    wire ${width(strobes)} store_strobe = ${in_beat("s2_strobe", 4, "s2_address")};
% if back:
    wire fetch;
    wire ${width(cfg.beat_bits)} fetch_beat;
    reg  s2_write;                         // what memory was asked for last is a write
    wire ${width(A)} wanted = {${tag_of("s2_address")}, set2, ${offset}'d0};
    wire ${width(A)} stale  = {s2_victim, set2, ${offset}'d0};
    wire ${width(A)} single = {s2_address[${A - 1}:${beat_low}], ${beat_low}'d0};
    wire ${width(A)} burst_address = s2_uncached ? single : s2_write ? stale : wanted;
    wire ${width(ways * data)} beats_read;

    always @(posedge clk) begin
        if (start_write | start_fill)
            s2_write <= start_write;
    end
% else:
    wire single_beat = s2_uncached | s2_op == STORE;
    wire ${width(A)} burst_address = {s2_address[${A - 1}:${offset}], single_beat ? ${f"{{s2_address[{offset - 1}:{beat_low}], {beat_low}'d0}}"} : ${offset}'d0};
    wire unused_fetch;
    wire ${width(cfg.beat_bits)} unused_beat;
% endif

    dcache_axi_beats port (
        .clk(clk),
        .start((start_write | start_fill) & !rst),
        .write(start_write),
        .single(${"s2_uncached" if back else "single_beat"}),
        .address(burst_address),
        .busy(burst),
        .ended(burst_ends),
        .failed(burst_fails),
        .fetch(${"fetch" if back else "unused_fetch"}),
        .fetch_beat(${"fetch_beat" if back else "unused_beat"}),
        .line_data(${f"beats_read[s2_way*{data} +: {data}]" if back else "store_data"}),
        .single_data(store_data),
        .strobe(store_strobe),
        .come(come),
        .beat(beat),
        .read_data(come_data),
${connect(axi.signals, last=True)}
    );

    always @(posedge clk) begin
        if (reset)
            starting <= 1'b1;
        else
            starting <= starting & ((walking & !walk_ends) | (burst & !burst_ends));
    end

    // The word of the load that waits, as it passes; the bytes of the store that waits go into the line as that passes
    reg  [31:0] passed_word;
    wire here = s2_uncached | beat == s2_address[${offset - 1}:${beat_low}];
    wire [31:0] missed_word = come & here ? ${word_of("come_data", "s2_address")} : passed_word;
    wire fill = filling & come & !s2_uncached;
% if back:
    wire ${width(strobes)} fill_bytes = store_strobe & {${strobes}{s2_op == STORE & here}};
    wire ${width(data)} fill_mask = ${mask_of("fill_bytes")};
    wire ${width(data)} fill_data = (come_data & ~fill_mask) | (store_data & fill_mask);
% else:
    wire ${width(data)} fill_data = come_data;
% endif

    always @(posedge clk)
        passed_word <= missed_word;

    // The ways. A store that hits is written as it leaves the first stage: what is read then gets it from ram_1r1w
    wire ${width(S)} set1  = ${set_of("s1_address")};
% if back:
    wire tags_read = issue | reread | phase == READ | look_on;
    wire ${width(S)} tag_read_set = issue ? ${set_of("address")} : scans ? (looking ? scan + 1'b1 : scan) : set1;
    wire data_read = issue | reread | fetch;
    wire ${width(row_bits)} data_read_row = fetch ? {set2, fetch_beat} : issue ? ${row_of("address")} : ${row_of("s1_address")};
    wire ${width(ways)} dropped = {${ways}{look_on & s2_op == FLUSH}} & ~dirty; // flush leaves what memory refused
% else:
    wire tags_read = issue | reread;
    wire ${width(S)} tag_read_set = issue ? ${set_of("address")} : set1;
    wire data_read = issue | reread;
    wire ${width(row_bits)} data_read_row = issue ? ${row_of("address")} : ${row_of("s1_address")};
    wire lost = refused & s2_hit;          // the line has what memory refused: it is dropped
% endif
    wire ${width(row_bits)} data_row = fill ? {set2, beat} : ${row_of("s1_address")};
    wire ${width(strobes)} hit_bytes = ${in_beat("s1_strobe", 4, "s1_address")};
    wire ${width(data)} hit_mask = ${mask_of("hit_bytes")};
    wire ${width(T + 1)} new_tag = {${tag_of("s2_address")}, fill_ends & !failed_now};
    wire ${width(ways * (T + 1))} tags;    // of all ways: a tag, below it its valid bit
    wire ${width(32 * ways)} read_words;

    genvar w;
    generate
        for (w = 0; w < ${ways}; w = w + 1) begin : gen_way
            localparam ${width(W)} NUMBER = w;
            wire mine = s2_way == NUMBER;

            ram_1r1w #(
                .WIDTH(${T + 1}),
                .DEPTH(${cache.sets}),
                .INDEX_BITS(${S})
            ) tag_ram (
                .clk(clk),
                .write(forget | (fill & mine)${" | dropped[w]" if back else " | (lost & mine)"}),
                .write_index(walking ? walk : set2),
                .write_data(fill ? new_tag : ${T + 1}'d0),
                .read(tags_read),
                .read_index(tag_read_set),
                .read_data(tags[w*${T + 1} +: ${T + 1}])
            );

            wire ${width(data)} beat_read;
            wire ${width(data)} stored = (beat_read & ~hit_mask) | ({${words}{s1_word}} & hit_mask);

            ram_1r1w #(
                .WIDTH(${data}),
                .DEPTH(${cache.sets * cfg.beats}),
                .INDEX_BITS(${row_bits})
            ) data_ram (
                .clk(clk),
                .write((fill & mine) | (lookup & store1 & equal[w])),
                .write_index(data_row),
                .write_data(fill ? fill_data : stored),
                .read(data_read),
                .read_index(data_read_row),
                .read_data(beat_read)
            );

% if back:
            assign beats_read[w*${data} +: ${data}] = beat_read;
% endif
            assign read_words[w*32 +: 32] = ${word_of("beat_read", "s1_address")};
            assign valids[w] = tags[w*${T + 1}];
            assign equal[w]  = valids[w] & tags[w*${T + 1}+1 +: ${T}] == ${tag_of("s1_address")};
        end
    endgenerate
% if back:

    // Dirty lines: from a store until they are written
    wire ${width(S)} dirty_set = walking ? walk : s2_slow ? set2 : set1;
    wire ${width(ways)} way2_bit = ${ways}'d1 << s2_way;
    wire changed2 = (fill & fill_ends) | (wrote & scans);
    wire dirty2   = fill & s2_op == STORE & !failed_now;

    ram_async #(
        .WIDTH(${ways}),
        .DEPTH(${cache.sets}),
        .INDEX_BITS(${S})
    ) dirty_ram (
        .clk(clk),
        .write(forget | (lookup & store1 & found) | changed2),
        .write_index(dirty_set),
        .write_data(forget ? ${ways}'d0 : lookup ? dirty | equal : (dirty & ~way2_bit) | (way2_bit & {${ways}{dirty2}})),
        .read_index(dirty_set),
        .read_data(dirty)
    );
% endif

    // Second stage
    wire ${width(W)} way1 = found ? ${number_of("equal", ways)} : victim;
    wire ${width(T + 1)} victim_tag = tags[victim*${T + 1} +: ${T + 1}];

    replacement #(
        .WAYS(${ways}),
        .WAY_BITS(${W}),
        .SETS(${cache.sets}),
        .SET_BITS(${S}),
        .INVALID_FIRST(${int(cache.invalid_first)})
    ) replace (
        .clk(clk),
        .policy(policy),
        .set(walking ? walk : ${"looking ? scan : set1" if back else "set1"}),
        .valid(valids),
        .clear(walking${" | (look_on & s2_op == FLUSH)" if back else ""}),
        .update(${"lookup" if back else "lookup & (found | !store1)"}),
        .filled(!found),
        .way(way1),
        .victim(victim)
    );

    always @(posedge clk) begin
        if (move1) begin
            s2_access   <= s1_access;
            s2_first    <= s1_first;
            s2_last     <= s1_last;
            s2_lane     <= s1_lane;
            s2_op       <= s1_op;
            s2_warp     <= s1_warp;
            s2_address  <= s1_address[${A - 1}:2];
            s2_word     <= s1_word;
            s2_strobe   <= s1_strobe;
            s2_uncached <= uncached1;
            s2_words    <= read_words;
            s2_hit      <= lookup & found;
            s2_evict    <= fills1 & victim_tag[0];
            s2_victim   <= victim_tag[${T}:1];
            s2_way      <= way1;
% if back:
        end else if (looking) begin
            s2_victim   <= tags[next_number*${T + 1}+1 +: ${T}];
            s2_way      <= next_number;
% endif
        end
    end

    // The first address that failed, until it is asked for
    reg  error;
    reg  ${width(A)} error_address;
    wire error_now = ${"refused | (fill_ends & failed_now)" if back else "ends & failed_now"};

    always @(posedge clk) begin
        if (reset)
            error <= 1'b0;
        else
            error <= error_now | (error & !(leave2 & s2_op == STATUS));
        if (error_now & !error)
            error_address <= ${"refused & !s2_uncached ? stale : " if back else ""}{s2_address, 2'd0};
    end

    // Third stage
    wire s2_load = s2_access & s2_op == LOAD;
    wire told    = s2_op == STATUS & error;
    wire wrong   = (s2_slow & failed_now) | told;
    wire [31:0] loaded = s2_slow ? missed_word : s2_words[{s2_way, 5'd0} +: 32];
    wire [31:0] word   = ({32{s2_load & !wrong}} & loaded) | ({32{told}} & ${f"{{{32 - A}'d0, error_address}}" if A < 32 else "error_address"});
    wire [7:0]  lane2  = 8'd1 << s2_lane;
    wire [7:0]  keep   = {8{!s2_first}};   // what lanes of the same request have left

    always @(posedge clk) begin
        if (leave2) begin
            s3_warp  <= s2_warp;
            s3_words <= ({256{!s2_first}} & s3_words) | ({224'd0, word} << {s2_lane, 5'd0});
            s3_err   <= (keep & s3_err) | (lane2 & {8{wrong}});
        end
    end

    assign res_valid = s3_valid;
    assign res_data  = {s3_warp, s3_err, s3_words};

    // What became of a request is reported once, in the cycle after its result was taken
    wire missed2  = s2_access & !s2_hit & !s2_uncached;
% if back:
    reg  kept, written;                    // memory refused the victim; it was written
    wire kept_now    = kept | (refused & s2_fills);
    wire written_now = written | wrote;
    wire evicted2    = s2_evict & !kept_now;
    wire placed2     = s2_hit | missed2;   // it has a way

    always @(posedge clk)
        {kept, written} <= {kept_now, written_now} & {2{!move1}};
% else:
    reg  written;
    wire written_now = written | wrote;
    wire evicted2    = s2_evict;
    wire placed2     = s2_hit | (missed2 & s2_op == LOAD);

    always @(posedge clk)
        written <= written_now & !move1;
% endif

    reg  [2:0] s3_op;
    reg  [7:0] s3_hit, s3_evict, s3_write;
    reg  ${width(8 * W)} s3_ways;
    reg  ${width(8 * L)} s3_victims;

    always @(posedge clk) begin
        if (leave2) begin
            s3_op      <= s2_op;
            s3_hit     <= (keep & s3_hit) | (lane2 & {8{s2_hit}});
            s3_evict   <= (keep & s3_evict) | (lane2 & {8{evicted2}});
            s3_write   <= (keep & s3_write) | (lane2 & {8{s2_slow & written_now}});
            s3_ways    <= ({${8 * W}{!s2_first}} & s3_ways) | ({${7 * W}'d0, {${W}{placed2}} & s2_way} << (s2_lane * ${W}));
            s3_victims <= ({${8 * L}{!s2_first}} & s3_victims) |
                          ({${7 * L}'d0, {${L}{evicted2}} & {s2_victim, set2}} << (s2_lane * ${L}));
        end
    end
% if cfg.observe:

    reg event_valid;
    reg ${width(evt.width)} event_data;

    always @(posedge clk) begin
        event_valid <= done & !reset;
        if (done)
            event_data <= {s3_victims, s3_ways, s3_write, s3_evict, s3_hit, s3_op};
    end

    assign evt_valid = event_valid;
    assign evt_data  = event_data;
% else:
    wire unused_event = &{1'b0, s3_victims, s3_ways, s3_write, s3_evict, s3_hit};
% endif
<%
    steps = {
        "loads": "done & s3_op == LOAD", "stores": "done & s3_op == STORE", "hits": "leave2 & s2_hit",
        "misses": "leave2 & missed2", "uncached": "leave2 & s2_uncached", "evictions": "leave2 & evicted2",
        "writes": "wrote", "errors": "leave2 & wrong & !told", "memory_wait_cycles": "writing | filling",
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
