## Memory's port, which texture units and depth cache share.
<%
    axi, ids, m = cfg.axi, cfg.axi.inner_id_bits, cfg.axi.prefix
    word = lambda channel, master="": helpers.channel_word(cfg, channel, master)
    size = lambda channel: helpers.channel_bits(cfg, channel)
    id_of = lambda master, channel: helpers.master_id(cfg, master, channel)
%>\
    // Memory: texture units are master 0, the depth cache is master 1
% for channel in axi.channels:
    wire ${width(size(channel))} ${channel}_word;
% endfor
    wire ${width(ids)} r_id, b_id;
    wire [1:0] r_valid, b_valid, ar_ready, aw_ready, w_ready;

    axi_interconnect #(
        .MASTERS(2),
        .NUMBER_BITS(1),
        .ID_BITS(${ids}),
        .ADDRESS_BITS(${size("ar")}),
        .WRITE_BITS(${size("w")}),
        .ANSWER_BITS(${size("b")}),
        .READ_BITS(${size("r")}),
        .BURSTS_BITS(3)
    ) to_memory (
        .clk(clk),
        .rst(m_axi_rst),
        .s_arvalid({zcache_${m}_arvalid, texunit_${m}_arvalid}),
        .s_arready(ar_ready),
        .s_arid({${id_of("zcache", "ar")}, ${id_of("texunit", "ar")}}),
        .s_ar({${word("ar", "zcache")},
            ${word("ar", "texunit")}}),
        .s_rvalid(r_valid),
        .s_rready({zcache_${m}_rready, texunit_${m}_rready}),
        .s_rid(r_id),
        .s_r(r_word),
        .s_awvalid({zcache_${m}_awvalid, 1'b0}),
        .s_awready(aw_ready),
        .s_awid({${id_of("zcache", "aw")}, ${ids}'d0}),
        .s_aw({${word("aw", "zcache")}, ${size("aw")}'d0}),
        .s_wvalid({zcache_${m}_wvalid, 1'b0}),
        .s_wready(w_ready),
        .s_wlast({zcache_${m}_wlast, 1'b0}),
        .s_w({${word("w", "zcache")}, ${size("w")}'d0}),
        .s_bvalid(b_valid),
        .s_bready({zcache_${m}_bready, 1'b1}),
        .s_bid(b_id),
        .s_b(b_word),
% for channel in ("ar", "r", "aw", "w", "b"):
        .m_${channel}valid(${m}_${channel}valid),
        .m_${channel}ready(${m}_${channel}ready),
% if channel == "w":
        .m_wlast(${m}_wlast),
% else:
        .m_${channel}id(${m}_${channel}id),
% endif
        .m_${channel}(${f"{channel}_word" if channel in ("ar", "aw", "w") else word(channel)})${"" if channel == "b" else ","}
% endfor
    );

    assign ${word("ar")} = ar_word;
    assign ${word("aw")} = aw_word;
    assign ${word("w")} = w_word;
% for n, master in enumerate(helpers.masters(cfg)):
    assign ${master}_${m}_arready = ar_ready[${n}];
    assign ${master}_${m}_rvalid  = r_valid[${n}];
    assign ${master}_${m}_rid     = r_id[${getattr(cfg, master).axi.id_bits - 1}:0];
    assign ${word("r", master)} = r_word;
% endfor
    assign zcache_${m}_awready = aw_ready[1];
    assign zcache_${m}_wready  = w_ready[1];
    assign zcache_${m}_bvalid  = b_valid[1];
    assign zcache_${m}_bid     = b_id[${cfg.zcache.axi.id_bits - 1}:0];
    assign ${word("b", "zcache")} = b_word;
