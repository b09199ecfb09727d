## Of a cache that serves hits under misses: the second stage, which reads and writes lines.
<%
    cache = cfg.cache
    ways, T, S, W, words = cache.ways, cache.tag_bits, cache.set_bits, cache.way_bits, cfg.line_words
    places, line_bits, P, V, lanes = helpers.place_bits(cfg), 8 * cache.line_bytes, cache.offset_bits - 2, cfg.warp_bits, range(8)
%>\
    // Stage 2
    wire serve = serve_valid & free2;
    wire ${width(V)} serve_slot;
    wire [7:0] serve_mask;
    wire ${width(places)} serve_row;
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
            s2_row    <= serve ? serve_row : send ? ${helpers.place(cfg, "scan", "next_number")} : ${helpers.place(cfg, "set1", "way1")};
            s2_tag    <= serve ? serve_tag : send ? tags[next_number*${T + 1}+1 +: ${T}] :
                stale_out ? victim_tag[${T}:1] : ${helpers.line_tag(cfg, "s1_line")};
        end
    end

    wire fill, fill_ends, fill_failed;
    wire ${width(places)} fill_row;
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
        .INDEX_BITS(${places})
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
    wire ${width(places)} write_row = fill ? fill_row : s2_row;

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
                    .INDEX_BITS(${places})
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
