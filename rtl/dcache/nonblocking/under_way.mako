## Of a cache that serves hits under misses: requests, misses and replaced lines that are under way.
<%
    cache, axi = cfg.cache, cfg.axi
    A, T, S, W, L = cache.address_bits, cache.tag_bits, cache.set_bits, cache.way_bits, cache.line_bits
    offset, C, lanes = cache.offset_bits, cfg.write_buffer.bit_length(), range(8)
    evt = cfg.all_streams["evt"]
    read_signals = [signal for signal in axi.signals[1:] if signal.name[len(axi.prefix) + 1:][:2] == "ar" or signal.name[len(axi.prefix) + 1] == "r"]
    write_signals = [signal for signal in axi.signals[1:] if signal not in read_signals]
%>\
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
        .look_victim(${helpers.with_set(cfg, "set1", f"victim_tag[{T}:1]")}),
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
        .put_line(${helpers.with_set(cfg, helpers.place_set(cfg, "s3_row"), "s3_tag")}),
        .put_way(${helpers.place_way(cfg, "s3_row")}),
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
