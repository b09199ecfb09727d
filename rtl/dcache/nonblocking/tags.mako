## Of a cache that serves hits under misses: tags, dirty lines, lines that were read ahead, replacement.
<%
    cache = cfg.cache
    ways, T, S, W = cache.ways, cache.tag_bits, cache.index_bits, cache.way_bits
%>\
    // Tags. A line has its tag from the moment on in which it is asked for
    wire ${width(ways)} kept = {${ways}{!starting & (d_op == POLICY | d_op == FLUSH)}} & (d_op == POLICY ? {${ways}{1'b1}} : dirty);
    wire ${width(S)} tag_set = clearing ? scan : set1;
% if cfg.prefetch:
    wire ${width(S)} ahead_set = ${helpers.next_set(cfg, "set1")};
    wire tags_read = issue | ahead | phase == READ | look_on;
    wire ${width(S)} tag_read_set = ahead ? ahead_set : issue ? ${helpers.line_set(cfg, "line")} : look_on ? ${helpers.next_set(cfg, "scan")} : scan;
% else:
    wire tags_read = issue | phase == READ | look_on;
    wire ${width(S)} tag_read_set = issue ? ${helpers.line_set(cfg, "line")} : look_on ? ${helpers.next_set(cfg, "scan")} : scan;
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
                .write_data({${helpers.line_tag(cfg, "s1_line")}, !clearing}),
                .read(tags_read),
                .read_index(tag_read_set),
                .read_data(tags[n*${T + 1} +: ${T + 1}])
            );

            assign valids[n] = tags[n*${T + 1}];
            assign equal[n]  = valids[n] & tags[n*${T + 1}+1 +: ${T}] == ${helpers.line_tag(cfg, "s1_line")};
        end
    endgenerate

    // Dirty lines: from a store on until they are read for the write buffer, or again if memory refuses them
    wire ${width(S)} dirty_set = again ? ${helpers.line_set(cfg, "answered_line")} : clearing | looking ? scan : set1;
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
