// icache: instruction cache of a SIMT processor, ${cfg.cache.ways} ways, any of four replacement policies.
//
//   req -> 1 address, read all ways -> 2 compare tags -> 3 choose the way -> res
% if cfg.early:
// ${cfg.cache.capacity_bytes} bytes: ${cfg.cache.sets} sets of ${cfg.cache.ways} ways of ${cfg.cache.line_bytes} bytes. A miss stops the pipeline until its word is there;
// the rest of its line comes while hits go on.
// Timing: from request to result, a hit takes 3 cycles, one request each cycle. A miss is answered the cycle after
// the beat of its word, which is the first. A result that waits stops all stages; docs/icache.md has the rest.
% else:
// ${cfg.cache.capacity_bytes} bytes: ${cfg.cache.sets} sets of ${cfg.cache.ways} ways of ${cfg.cache.line_bytes} bytes. A miss stops the pipeline until its line is there.
// Timing: from request to result, a hit takes 3 cycles, one request each cycle. A miss is answered the cycle after
// the last beat of its line. A result that waits stops all stages; docs/icache.md has the rest.
% endif
<%
    cache, axi, early = cfg.cache, cfg.axi, cfg.early
    req, res, evt, perf = (cfg.all_streams[name] for name in ("req", "res", "evt", "perf"))
    A, T, S, W, L = cache.address_bits, cache.tag_bits, cache.index_bits, cache.way_bits, cache.line_bits
    ways, data, offset = cache.ways, axi.data_bits, cache.offset_bits
    beat_low = offset - cfg.beat_bits
    above = offset + cache.set_bits  # the tag's place in an address
    row_bits = cache.set_bits + cfg.beat_bits  # of a beat's place in the RAM of a way
    row_of = lambda index, beat: f"{{{index}, {beat}}}" if cache.set_bits else beat
    set_of = lambda address: f"{address}[{above - 1}:{offset}]" if cache.set_bits else "1'd0"
    words = cfg.beat_words
    fetched2 = "s2_words[{s2_way, 5'd0} +: 32]" if ways > 1 else "s2_words"
    def word_of(vector, address):
        """The instruction at a byte address in a beat."""
        return vector if words == 1 else f"{vector}[{{{address}[{beat_low - 1}:2], 5'd0}} +: 32]"
%>\
module icache (
    input  wire clk, // clock
    input  wire rst, // synchronous; all lines are forgotten, an AXI burst under way is completed
% for stream in cfg.streams.values():
    // ${stream.doc}
${ports(stream_signals(stream))}
% endfor
    // memory: one ${"line" if early else "burst"} at a time, id 0
${ports(axi.signals, last=True)}
);

    localparam [2:0] FETCH = 3'd0, BASE = 3'd1, STATUS = 3'd2, INVALIDATE = 3'd3, POLICY = 3'd4;

    ${unpack(req, "req_data")}

    wire reset  = rst | m_axi_rst;
    wire accept = req_valid & req_ready;
    wire done   = res_valid & res_ready;

    // What the stages hold. The first: a request, whose line was read in all ways
    reg                  s1_valid;
% if early:
    reg                  s1_in_fill;        // it is in the line that comes, or that has come since it is here
    reg                  s1_refused;       // it is not: when it was taken, a beat of that had failed
    reg                  s1_bad;           // its beat has come, with an error
% else:
    reg                  s1_again;         // it must be read again: a line has come since
% endif
    reg                  s1_repeat;        // its line is that of the fetch before
    reg  [2:0]           s1_op;
    reg  ${width(A)} s1_address;
    reg  ${width(A)} s1_pc;
    reg  ${width(cfg.warp_bits)} s1_warp;
    reg  [1:0]           s1_sign;

    // The second: what the look-up found, and a word of each way
    reg                  s2_valid;
    reg                  s2_slow;          // it is a fetch that missed, or clears sets:
% if early:
    reg                  s2_busy;          // that has not ended, or it is a fetch whose beat has not come
    reg                  s2_passes;        // its word is seen as it passes on the bus
    reg                  s2_failed;        // so was an error
    reg  [31:0]          s2_word;          // the word that passed
% else:
    reg                  s2_busy;          // and that has not ended
    reg                  s2_follows;       // its word was seen to pass on the bus
    reg                  s2_failed;        // so was an error
% endif
    reg                  s2_hit;
    reg                  s2_repeat;
    reg  ${width(W)} s2_way;
    reg  ${width(32 * ways)} s2_words;
    reg  [2:0]           s2_op;
    reg  ${width(A)} s2_address;
    reg  ${width(A)} s2_pc;
    reg  ${width(cfg.warp_bits)} s2_warp;
    reg  [1:0]           s2_sign;

    // The third: the result
    reg                  s3_valid;
    reg  ${width(res.width)} s3_result;
    reg  ${width(evt.width)} s3_event;

    // Where a request goes in this cycle
    wire free   = !s3_valid | res_ready;   // the third stage can be loaded; if not, all stages stand still
    wire ends;                             // what the second stage waits for ends in this cycle
    wire lookup;                           // the first stage's tags are compared,
    wire found;                            // one is right${", or its line comes" if early else ""}
    wire failed_now;                       // so far, the line that ${"comes" if early else "is waited for"} came with an error
    wire flow   = free & (!s2_busy | ends);
    wire leave2 = flow & s2_valid;
    wire fetch1 = s1_op == FETCH;
    wire clears = s1_op == INVALIDATE | s1_op == POLICY;
    wire missed = s2_slow & s2_op == FETCH;
% if early:
    reg  fill;                             // a line comes
    reg  ended;                            // it came to its end in the cycle before
    wire waits;                            // in that line: its beat has not come
    wire ask;                              // a line is missed
    wire looks  = fetch1 & !s1_repeat;     // it hangs on tags:
    wire again  = ended & looks & !s1_in_fill;             // they were read before the line came,
    wire held   = fill & looks & !found;                  // or have to wait for it
    wire move1  = flow & s1_valid & !again & !held & !(fill & clears);

    reg  starting;                         // after a reset, until all sets are clear and memory has ended its bursts
    reg  walking;                          // sets are cleared

    assign req_ready = free & !starting & !walking & !(s1_valid & (clears | s2_busy | again | (fill & looks)));
% else:
    wire stale  = missed & s1_valid & fetch1 & !s1_repeat; // read before the line came
    wire reread = free & s1_again;
    wire move1  = flow & s1_valid & !stale & !s1_again;

    reg  starting;                         // after a reset, until all sets are clear and memory has ended its burst

    assign req_ready = free & !s2_slow & !s1_again & !(s1_valid & clears) & !starting;
% endif

    always @(posedge clk) begin
        if (reset) begin
            s1_valid <= 1'b0;
% if not early:
            s1_again <= 1'b0;
% endif
            s2_valid <= 1'b0;
            s2_slow  <= 1'b0;
            s2_busy  <= 1'b0;
            s3_valid <= 1'b0;
        end else begin
            s1_valid <= accept | (s1_valid & !move1);
% if early:
            if (flow) begin
                s2_valid <= move1;
                s2_slow  <= move1 & (ask | clears);
                s2_busy  <= move1 & (ask | clears | waits);
% else:
            s1_again <= (flow & stale) | (s1_again & !free);
            if (flow) begin
                s2_valid <= move1;
                s2_slow  <= move1 & ((lookup & !found) | clears);
                s2_busy  <= move1 & ((lookup & !found) | clears);
% endif
            end else
                s2_busy  <= s2_busy & !ends;
            if (free)
                s3_valid <= leave2;
        end
    end

    // First stage: the block's base gives the address; all ways are read, and again ${"as long as a request is here" if early else "after a fill"}
    reg  ${width(cfg.blocks * A)} bases;
    reg  ${width(L)} last_line;            // of the fetch before,
    reg                  chained;          // which was answered or will be, without an error
% if early:
    wire broken;                           // no more: a beat of its line fails
% endif
    wire ${width(A)} address = bases[req_block*${A} +: ${A}] + req_pc;
    wire ${width(L)} request_line = address[${A - 1}:${offset}];

    always @(posedge clk) begin
        if (reset)
            bases <= ${cfg.blocks * A}'d0;
        else if (accept & req_op == BASE)
            bases[req_block*${A} +: ${A}] <= req_pc;
    end

    always @(posedge clk) begin
        if (accept) begin
            s1_op      <= req_op;
            s1_repeat  <= req_op == FETCH & chained ${"& !broken " if early else ""}& request_line == last_line;
            s1_address <= address;
            s1_pc      <= req_pc;
            s1_warp    <= req_warp;
            s1_sign    <= req_sign;
        end
        if (accept & req_op == FETCH)
            last_line <= request_line;
    end

    always @(posedge clk) begin
        if (reset)
            chained <= 1'b0;
        else if (accept & req_op != BASE & req_op != STATUS)
            chained <= req_op == FETCH;
% if early:
        else if (broken)
            chained <= 1'b0;
% else:
        else if (leave2 & missed & failed_now)
            chained <= stale;
% endif
    end

    // Clearing: a set each cycle, after a reset or for a request in the second stage
% if not early:
    reg  walking;
% endif
% if cache.set_bits:
    reg  ${width(S)} walk;
    wire walk_ends = walking & (&walk);
% else:
    wire ${width(S)} walk = 1'd0;          // the only set
    wire walk_ends = walking;
% endif
    wire forget    = walking & (starting | s2_op == INVALIDATE);

    always @(posedge clk) begin
% if cache.set_bits:
        if (reset)
            {walking, walk} <= {1'b1, ${S}'d0};
        else begin
            walking <= (move1 & clears) | (walking & !walk_ends);
            walk    <= walking ? walk + 1'b1 : ${S}'d0;
        end
% else:
        walking <= reset | (move1 & clears);
% endif
    end

    // The policy in force
    reg  [1:0] policy;

    always @(posedge clk) begin
        if (reset)
            policy <= 2'd${cache.policy_number};
        else if (move1 & s1_op == POLICY)
            policy <= s1_pc[1:0];
    end

% if early:
    // Memory: a line at a time, from the beat that is missed to its end, then from its beginning; what was asked for
    // before a reset is dropped, and nothing asked for until it has come
    reg  ar_valid;
    reg  tail;                             // the line's beginning is asked for, or was
    reg  more;                             // it will be, behind its end
    reg  [1:0] bursts;                     // asked for, and not ended
    reg  failed;                           // a beat before this one came with an error
    reg  ${width(cfg.beat_bits)} count;    // beats that have come
    reg  [${A - 1}:${beat_low}] fill_address;     // the beat that was missed
    reg  ${width(W)} fill_way;
    wire r_valid, r_last, ar_ready;
    wire [1:0] r_resp;
    wire ${width(data)} r_data;
    wire ${width(L)} fill_line = fill_address[${A - 1}:${offset}];
    wire ${width(S)} fill_set  = ${set_of("fill_address")};
    wire ${width(cfg.beat_bits)} first_beat = fill_address[${offset - 1}:${beat_low}];
    wire ${width(cfg.beat_bits)} beat       = first_beat + count;
    wire come      = r_valid & fill;
    wire fill_ends = come & (&count);
    wire fails     = come & r_resp[1];
    wire begins    = !rst & (ask | (ar_valid & ar_ready & more));      // a burst
    wire [1:0] bursts_next = bursts + {1'b0, begins} - {1'b0, r_valid & r_last};

    assign failed_now = failed | fails;
    assign broken     = fails & !failed & last_line == fill_line;

    always @(posedge clk) begin
        if (m_axi_rst) begin
            bursts   <= 2'd0;
            ar_valid <= 1'b0;
        end else begin
            bursts   <= bursts_next;
            ar_valid <= begins | (ar_valid & !ar_ready);
        end
    end

    always @(posedge clk) begin
        if (reset)
            {starting, fill, ended} <= 3'b100;
        else begin
            starting <= starting & ((walking & !walk_ends) | bursts_next != 2'd0);
            fill     <= ask | (fill & !fill_ends);
            ended    <= fill_ends;
        end
    end

    always @(posedge clk) begin
        if (ask) begin
            fill_address <= s1_address[${A - 1}:${beat_low}];
            failed <= 1'b0;
            count  <= ${cfg.beat_bits}'d0;
        end else begin
            failed <= failed_now;
            if (come)
                count <= count + 1'b1;
        end
        if (reset)
            more <= 1'b0;
        else if (ask | ar_ready)
            more <= ask & s1_address[${offset - 1}:${beat_low}] != ${cfg.beat_bits}'d0;
        if (ask | (ar_valid & ar_ready))
            tail <= !ask;
    end

    icache_axi_read_port port (
        .clk(clk),
        .ar0_valid(ar_valid),
        .ar0_ready(ar_ready),
        .ar0_addr({fill_line, {${cfg.beat_bits}{!tail}} & first_beat, ${beat_low}'d0}),
        .ar0_len(${f"{{{8 - cfg.beat_bits}'d0, " if cfg.beat_bits < 8 else "{"}tail ? first_beat - 1'b1 : ~first_beat}),
        .r0_valid(r_valid),
        .r_data(r_data),
        .r_resp(r_resp),
        .r_last(r_last),
${connect(axi.signals, last=True)}
    );

    // Fetches in the line that comes: whether their beat has come, comes now, or is waited for in the second stage
    wire ${width(cfg.beat_bits)} s1_beat  = s1_address[${offset - 1}:${beat_low}];
    wire ${width(cfg.beat_bits)} s1_place = s1_beat - first_beat;      // in the order of beats
    wire comes1 = fill & !s1_refused & s1_address[${A - 1}:${offset}] == fill_line;
    wire in_fill = fetch1 & (s1_in_fill | comes1);
    wire here1  = in_fill & come & beat == s1_beat;
    wire here2  = s2_busy & come & beat == s2_address[${offset - 1}:${beat_low}];
    wire absent = in_fill & fill & s1_place >= count;                   // not in what was read
    wire bad1   = s1_bad | (here1 & r_resp[1]);
    wire s2_wrong = s2_failed | (here2 & r_resp[1]);
    wire [31:0] passing = here2 ? ${word_of("r_data", "s2_address")} : s2_word;

    assign waits = absent & !here1;
    assign ends  = here2 | (walk_ends & !starting);

    always @(posedge clk) begin
        if (accept)
            s1_refused <= fill & failed_now;
        s1_in_fill <= !accept & in_fill;
        s1_bad    <= !accept & bad1;
        s2_word   <= move1 ? ${word_of("r_data", "s1_address")} : passing;
    end

% else:
    // Memory: a burst at a time; what was asked for before a reset is dropped, and nothing asked for until it has come
    reg  burst;                            // asked for, and not ended
    reg  ar_valid;
    reg  ours;                             // since the last reset
    reg  failed;                           // a beat before this one came with an error
    reg  ${width(cfg.beat_bits)} beat;
    wire r_valid, r_last, ar_ready;
    wire [1:0] r_resp;
    wire ${width(data)} r_data;
    wire ask       = lookup & !found;
    wire come      = r_valid & ours;
    wire fill_ends = come & r_last;

    assign failed_now = failed | (come & r_resp[1]);
    assign ends       = fill_ends | (walk_ends & !starting);

    always @(posedge clk) begin
        if (m_axi_rst) begin
            burst    <= 1'b0;
            ar_valid <= 1'b0;
        end else begin
            burst    <= (ask & !rst) | (burst & !(r_valid & r_last));
            ar_valid <= (ask & !rst) | (ar_valid & !ar_ready);
        end
    end

    always @(posedge clk) begin
        if (reset)
            {starting, ours} <= 2'b10;
        else begin
            starting <= starting & ((walking & !walk_ends) | (burst & !(r_valid & r_last)));
            ours     <= ask | (ours & !fill_ends);
        end
    end

    always @(posedge clk) begin
        if (ask) begin
            failed <= 1'b0;
            beat   <= ${cfg.beat_bits}'d0;
        end else begin
            failed <= failed_now;
            if (come)
                beat <= beat + 1'b1;
        end
    end

    icache_axi_read_port port (
        .clk(clk),
        .ar0_valid(ar_valid),
        .ar0_ready(ar_ready),
        .ar0_addr({s2_address[${A - 1}:${offset}], ${offset}'d0}),
        .r0_valid(r_valid),
        .r_data(r_data),
        .r_resp(r_resp),
        .r_last(r_last),
${connect(axi.signals, last=True)}
    );

    // The words of the fetch that missed, and of the one behind it, as they pass
    reg  [31:0] miss_inst;
    reg  [31:0] line_miss_inst;
    wire here = come & beat == s2_address[${offset - 1}:${beat_low}];
    wire [31:0] missed_word = here ? ${word_of("r_data", "s2_address")} : miss_inst;

    always @(posedge clk) begin
        miss_inst <= missed_word;
        if (come & beat == s1_address[${offset - 1}:${beat_low}])
            line_miss_inst <= ${word_of("r_data", "s1_address")};
    end

% endif
    // The ways
    wire ${width(S)} s1_set     = ${set_of("s1_address")};
    wire ${width(S)} read_set   = ${f"accept ? {set_of('address')} : s1_set" if cache.set_bits else "s1_set"};
% if early:
    wire ${width(S)} tag_set    = forget ? walk : fill_ends ? fill_set : read_set;
    wire ${width(row_bits)} read_row   = accept ? address[${above - 1}:${beat_low}] : s1_address[${above - 1}:${beat_low}];
    wire ${width(T + 1)} new_tag    = {fill_address[${A - 1}:${above}], !failed_now};
    wire same_set   = fill & s1_set == fill_set;
% else:
    wire ${width(S)} fill_set   = ${set_of("s2_address")};
    wire ${width(S)} tag_set    = forget ? walk : come ? fill_set : read_set;
    wire ${width(row_bits)} read_row   = accept ? address[${above - 1}:${beat_low}] : s1_address[${above - 1}:${beat_low}];
    wire ${width(row_bits)} row        = come ? ${row_of("fill_set", "beat")} : read_row;
    wire ${width(T + 1)} new_tag    = {s2_address[${A - 1}:${above}], fill_ends & !failed_now};
% endif
    wire ${width(ways * (T + 1))} tags;    // of all ways: a tag, below it its valid bit
    wire ${width(ways)} valids;
    wire ${width(ways)} equal;
    wire ${width(ways * W)} numbers;       // the way among those up to each that equal
    wire ${width(32 * ways)} read_words;

    genvar w;
    generate
        for (w = 0; w < ${ways}; w = w + 1) begin : gen_way
            localparam ${width(W)} NUMBER = w;
            wire filled = come & ${"fill_way" if early else "s2_way"} == NUMBER;

            ram_1p #(
                .WIDTH(${T + 1}),
                .DEPTH(${cache.sets}),
                .INDEX_BITS(${S})
            ) tag_ram (
                .clk(clk),
                .read(accept | ${"s1_valid" if early else "reread"}),
                .write(forget | ${"(filled & fill_ends)" if early else "filled"}),
                .index(tag_set),
                .write_data(forget ? ${T + 1}'d0 : new_tag),
                .read_data(tags[w*${T + 1} +: ${T + 1}])
            );

            wire ${width(data)} beat_read;

            ${"ram_1r1w" if early else "ram_1p"} #(
                .WIDTH(${data}),
                .DEPTH(${cache.sets * cfg.beats}),
                .INDEX_BITS(${row_bits})
            ) inst_ram (
                .clk(clk),
% if early:
                .write(filled),
                .write_index(${row_of("fill_set", "beat")}),
                .write_data(r_data),
                .read(accept | s1_valid),
                .read_index(read_row),
% else:
                .read(accept | reread),
                .write(filled),
                .index(row),
                .write_data(r_data),
% endif
                .read_data(beat_read)
            );

            assign read_words[w*32 +: 32] = ${word_of("beat_read", "s1_address")};
            assign valids[w]  = tags[w*${T + 1}];
            assign equal[w] = valids[w] & ${"!(same_set & fill_way == NUMBER) & " if early else ""}tags[w*${T + 1}+1 +: ${T}] == s1_address[${A - 1}:${above}];
            wire ${width(W)} number = equal[w] ? NUMBER : ${W}'d0;
            if (w == 0) begin : gen_first
                assign numbers[${W - 1}:0] = number;
            end else begin : gen_next
                assign numbers[w*${W} +: ${W}] = numbers[(w-1)*${W} +: ${W}] | number;
            end
        end
    endgenerate

    // Second stage: a fetch in the line of the one before repeats what that found; any other is looked up
    reg  ${width(W)} last_way;
    assign lookup = move1 & fetch1 & !s1_repeat;
    assign found  = ${"in_fill | " if early else ""}equal != ${ways}'d0;
% if early:
    assign ask    = lookup & !found;
% endif
    wire ${width(W)} way = ${"in_fill ? fill_way : " if early else ""}numbers[${ways * W - 1}:${(ways - 1) * W}];
% if not early:
    wire follows = missed & s1_repeat;
% endif

    // The first cycle in the second stage: a hit uses its way, a miss gets one and uses it in the next
    reg  used, chooses, chosen;
    reg  ${width(ways * (T + 1))} s2_tags;
    wire ${width(ways)} s2_valids;
    wire ${width(S)} s2_set = ${set_of("s2_address")};
    wire ${width(W)} victim;
    wire ${width(T)} s2_victim;
    wire s2_full;                          // a miss: its way holds a line, with the tag s2_victim
    assign {s2_victim, s2_full} = s2_tags[s2_way*${T + 1} +: ${T + 1}];
    wire s2_evict = missed & s2_full;

    generate
        for (w = 0; w < ${ways}; w = w + 1) begin : gen_s2_way
            assign s2_valids[w] = s2_tags[w*${T + 1}];
        end
    endgenerate

    always @(posedge clk) begin
        if (reset)
            {used, chooses, chosen} <= 3'd0;
        else begin
            used    <= lookup & found;
            chooses <= ask;
            chosen  <= chooses;
        end
    end

    replacement #(
        .WAYS(${ways}),
        .WAY_BITS(${W}),
        .SETS(${cache.sets}),
        .SET_BITS(${S}),
        .INVALID_FIRST(${int(cache.invalid_first)})
    ) replace (
        .clk(clk),
        .policy(policy),
        .set(walking ? walk : s2_set),
        .valid(s2_valids),
        .clear(walking),
        .update(used | chosen),
        .filled(chosen),
        .way(s2_way),
        .victim(victim)
    );

    always @(posedge clk) begin
        if (move1) begin
            s2_op      <= s1_op;
            s2_address <= s1_address;
            s2_pc      <= s1_pc;
            s2_warp    <= s1_warp;
            s2_sign    <= s1_sign;
            s2_words   <= read_words;
            s2_repeat  <= s1_repeat;
% if early:
            s2_passes  <= ask | absent;
            s2_hit     <= fetch1 & (s1_repeat | found);
% else:
            s2_follows <= follows;
            s2_failed  <= follows & failed_now;
            s2_hit     <= fetch1 & (s1_repeat ? !(follows & failed_now) : found);
% endif
            s2_tags    <= tags;
            s2_way     <= s1_repeat ? last_way : way;
        end else if (chooses)
            s2_way     <= victim;
% if early:
        s2_failed <= move1 ? bad1 : s2_wrong;
        if (chooses)
            fill_way <= victim;
% endif
        if (lookup)
            last_way <= way;
        else if (chooses)
            last_way <= victim;
    end

    // The first address that failed, until it is asked for
    reg  error;
    reg  ${width(A)} error_address;
    wire error_now = leave2 & ${"s2_op == FETCH & s2_wrong" if early else "missed & failed_now"};

    always @(posedge clk) begin
        if (reset)
            error <= 1'b0;
        else
            error <= error_now | (error & !(leave2 & s2_op == STATUS));
        if (error_now & !error)
            error_address <= s2_address;
    end

    // Third stage
    wire s2_fetch  = s2_op == FETCH;
    wire s2_status = s2_op == STATUS;
% if early:
    wire s2_right  = s2_hit & !s2_wrong;
    wire [31:0] fetched = s2_passes ? passing : ${fetched2};
% else:
    wire s2_wrong  = missed ? failed_now : s2_failed;
    wire [31:0] fetched = missed ? missed_word : s2_follows ? line_miss_inst : ${fetched2};
% endif
    wire [31:0] inst    =
        ({32{s2_fetch & !s2_wrong}} & fetched) | ({32{s2_status & error}} & ${f"{{{32 - A}'d0, error_address}}" if A < 32 else "error_address"});
    wire err = s2_fetch ? s2_wrong : s2_status & error;
    wire placed = s2_fetch & (${"s2_right" if early else "s2_hit"} | missed);    // it has a way

    always @(posedge clk) begin
        if (leave2) begin
            s3_result <= ${pack(res, indent=12, values={"inst": "inst", "err": "err", "pc": "s2_pc", "warp": "s2_warp", "sign": "s2_sign"})};
            s3_event <= ${pack(evt, indent=12, values={
                "op": "s2_op", "hit": "s2_right" if early else "s2_hit", "repeat": "s2_fetch & s2_repeat",
                "way": f"{{{W}{{placed}}}} & s2_way",
                "line": f"{{{L}{{s2_fetch}}}} & s2_address[{A - 1}:{offset}]", "evict": "s2_evict",
                "victim": f"{{{L}{{s2_evict}}}} & {'{s2_victim, fill_set}' if cache.set_bits else 's2_victim'}"})};
        end
    end

    assign res_valid = s3_valid;
    assign res_data  = s3_result;

    // What became of a request is reported once, in the cycle after its result was taken
    ${unpack(evt, "s3_event", name="was", fields=("op", "hit", "repeat", "evict"))}
    ${unpack(res, "s3_result", name="was", fields=("err",))}
    wire was_fetch = was_op == FETCH;
% if cfg.observe:
    reg event_valid;
    reg ${width(evt.width)} event_data;

    always @(posedge clk) begin
        event_valid <= done & !reset;
        if (done)
            event_data <= s3_event;
    end

    assign evt_valid = event_valid;
    assign evt_data  = event_data;
% else:
    wire unused_event = &{1'b0, s3_event};
% endif
<%
    steps = {
        "fetches": "done & was_fetch", "hits": "done & was_hit", "repeats": "done & was_hit & was_repeat",
        "misses": "done & was_fetch & !was_hit", "evictions": "done & was_evict",
        "errors": "done & was_fetch & was_err", "memory_wait_cycles": "s2_busy ? s2_op == FETCH : s1_valid & held" if early else "s2_busy & missed",
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

    wire unused = &{1'b0, r_resp[0]};

endmodule
