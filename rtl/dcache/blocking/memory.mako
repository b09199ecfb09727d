## Of a cache in which a miss stops all: its port to memory, and what passes from there to load and line.
<%
    cache, axi, back = cfg.cache, cfg.axi, cfg.write_back
    ways, A, S, data = cache.ways, cache.address_bits, cache.index_bits, axi.data_bits
    offset, strobes, beat_low = cache.offset_bits, axi.strobe_bits, helpers.beat_low(cfg)
    words = cfg.beat_words
%>\
    // Memory: the line of the request, its victim, a dirty line of the set looked at; or a beat
    wire ${width(S)} set2 = ${f"scans ? scan : {helpers.set_of(cfg, 's2_address')}" if back else helpers.set_of(cfg, "s2_address")};
    wire ${width(cfg.beat_bits)} beat;
    wire ${width(data)} come_data;
    wire ${width(data)} store_data = {${words}{s2_word}};
    wire ${width(strobes)} store_strobe = ${helpers.in_beat(cfg, "s2_strobe", 4, "s2_address")};
% if back:
    wire fetch;
    wire ${width(cfg.beat_bits)} fetch_beat;
    reg  s2_write;                         // what memory was asked for last is a write
    wire ${width(A)} wanted = ${helpers.with_set(cfg, "set2", helpers.tag_of(cfg, "s2_address"), f"{offset}'d0")};
    wire ${width(A)} stale  = ${helpers.with_set(cfg, "set2", "s2_victim", f"{offset}'d0")};
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
        .read(start_fill & !rst),
        .write(start_write & !rst),
        .single(${"s2_uncached" if back else "single_beat"}),
        .address(burst_address),
        .busy(burst),
        .ended(burst_ends),
        .failed(burst_fails),
        .fetch(${"fetch" if back else "unused_fetch"}),
        .fetch_beat(${"fetch_beat" if back else "unused_beat"}),
        .line_data(${f"{helpers.way_of(cfg, 'beats_read', 's2_way', data)}" if back else "store_data"}),
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
    wire [31:0] missed_word = come & here ? ${helpers.word_of(cfg, "come_data", "s2_address")} : passed_word;
    wire fill = filling & come & !s2_uncached;
% if back:
    wire ${width(strobes)} fill_bytes = store_strobe & {${strobes}{s2_op == STORE & here}};
    wire ${width(data)} fill_mask = ${helpers.mask_of(cfg, "fill_bytes")};
    wire ${width(data)} fill_data = (come_data & ~fill_mask) | (store_data & fill_mask);
% else:
    wire ${width(data)} fill_data = come_data;
% endif

    always @(posedge clk)
        passed_word <= missed_word;
