## Of a cache in which a miss stops all: tags, lines and which of them are dirty.
<%
    cache, axi, back = cfg.cache, cfg.axi, cfg.write_back
    ways, T, S, W, data = cache.ways, cache.tag_bits, cache.index_bits, cache.way_bits, axi.data_bits
    strobes, row_bits, words = axi.strobe_bits, cache.set_bits + cfg.beat_bits, cfg.beat_words
%>\
    // The ways. A store that hits is written as it leaves the first stage: what is read then gets it from ram_1r1w
    wire ${width(S)} set1  = ${helpers.set_of(cfg, "s1_address")};
% if back:
    wire tags_read = issue | reread | phase == READ | look_on;
    wire ${width(S)} tag_read_set = issue ? ${helpers.set_of(cfg, "address")} : scans ? (looking ? ${helpers.next_set(cfg, "scan")} : scan) : set1;
    wire data_read = issue | reread | fetch;
    wire ${width(row_bits)} data_read_row = fetch ? ${helpers.with_set(cfg, "set2", below="fetch_beat")} : issue ? ${helpers.row_of(cfg, "address")} : ${helpers.row_of(cfg, "s1_address")};
    wire ${width(ways)} dropped = {${ways}{look_on & s2_op == FLUSH}} & ~refusals; // flush leaves what memory refused
% else:
    wire tags_read = issue | reread;
    wire ${width(S)} tag_read_set = issue ? ${helpers.set_of(cfg, "address")} : set1;
    wire data_read = issue | reread;
    wire ${width(row_bits)} data_read_row = issue ? ${helpers.row_of(cfg, "address")} : ${helpers.row_of(cfg, "s1_address")};
    wire lost = refused & s2_hit;          // the line has what memory refused: it is dropped
% endif
    wire ${width(row_bits)} data_row = fill ? ${helpers.with_set(cfg, "set2", below="beat")} : ${helpers.row_of(cfg, "s1_address")};
    wire ${width(strobes)} hit_bytes = ${helpers.in_beat(cfg, "s1_strobe", 4, "s1_address")};
    wire ${width(data)} hit_mask = ${helpers.mask_of(cfg, "hit_bytes")};
    wire ${width(T + 1)} new_tag = {${helpers.tag_of(cfg, "s2_address")}, fill_ends & !failed_now};
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
            assign read_words[w*32 +: 32] = ${helpers.word_of(cfg, "beat_read", "s1_address")};
            assign valids[w] = tags[w*${T + 1}];
            assign equal[w]  = valids[w] & tags[w*${T + 1}+1 +: ${T}] == ${helpers.tag_of(cfg, "s1_address")};
        end
    endgenerate
% if back:

    // Dirty lines: from a store until they are written
    wire ${width(S)} dirty_set = walking ? walk : s2_slow ? set2 : set1;
    wire ${width(S)} dirty_read_set = looking ? ${helpers.next_set(cfg, "scan")} : dirty_set;
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
        .read_index(dirty_read_set),
        .read_data(dirty)
    );
% endif
