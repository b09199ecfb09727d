// renderer: rasterizer, ${cfg.texunit.units} texture unit${"s" if cfg.texunit.units > 1 else ""} and depth test behind one AXI4 port.
//
//   vtx -> raster -> tiles ------------------------------> zcache (prefetch; test when shaded) -> pix
//                      |                                      ^ shade: what alpha discards        ^
//                      +-> quads (quad: coordinates) -> texunit -> collect: samples of a tile ----+
//   AXI4: texunit and zcache through an interconnect
// Timing: that of the parts (docs/raster.md, docs/texunit.md, docs/zcache.md); both clocks of the texture units are
// this one. docs/renderer.md has the rest.
<%
    streams, axi, units = cfg.streams, cfg.axi, range(cfg.texunit.units)
    tile, ztile, zres = cfg.raster.all_streams["tile"], cfg.zcache.all_streams["tile"], cfg.zcache.all_streams["res"]
    tex, prim = streams["tex"], cfg.texunit.all_streams["prim0"]
    unit_quad, unit_res = (cfg.texunit.all_streams[name] for name in ("quad0", "res0"))
    pix, perf = streams["pix"], streams["perf"]
    over = lambda items: "{" + ", ".join(reversed(list(items))) + "}"
    signals = {"texunit": cfg.texunit.axi.signals[1:], "zcache": cfg.zcache.axi.signals[1:]}
    texels = pix.offset("texel0")
    m, ids = axi.prefix, axi.inner_id_bits

    def word(channel, master=None):
        """All fields of a channel but for id and last, first field lowest; of a master, padded."""
        inner = {"texunit": cfg.texunit, "zcache": cfg.zcache}.get(master)
        before = f"{master}_" if master else ""
        found = []
        for field in axi.channels[channel].fields:
            if field.name == "id" or (channel == "w" and field.name == "last"):
                continue
            name = f"{before}{m}_{channel}{field.name}"
            bits = inner.axi.channels[channel].fields if inner else ()
            missing = field.width - next((f.width for f in bits if f.name == field.name), field.width)
            found.append(f"{{{missing}'d0, {name}}}" if missing else name)
        return over(found)
    def size(channel):
        return sum(f.width for f in axi.channels[channel].fields if f.name != "id" and (channel, f.name) != ("w", "last"))
    def id_of(master, channel):
        inner = {"texunit": cfg.texunit, "zcache": cfg.zcache}[master].axi.id_bits
        name = f"{master}_{m}_{channel}id"
        return f"{{{ids - inner}'d0, {name}}}" if ids > inner else name
%>\
module renderer (
    input  wire clk, // clock
    input  wire rst, // synchronous; all is forgotten, AXI bursts under way are completed
% for stream in streams.values():
    // ${stream.doc}
${ports(stream_signals(stream))}
% endfor
    // memory: ids of the texture units from 0 on, of the depth cache from ${1 << ids} on
${ports(axi.signals, last=True)}
);

    localparam [1:0] TILE = 2'd0;

    // Tiles: to the depth cache, which may prefetch, and to the texture units
    wire tile_valid, tile_ready;
    wire ${width(tile.width)} tile_data;
    ${unpack(tile, "tile_data", fields=("op", "mask", "prim"))}
    wire zcache_tile_ready, quads_ready, collect_ready;
    wire places = quads_ready & collect_ready;
    wire take   = tile_valid & tile_ready & tile_op == TILE;

    assign tile_ready = zcache_tile_ready & places;

    renderer_raster raster (
        .clk(clk),
        .rst(rst),
${connect(stream_signals(streams["vtx"]))}
        .tile_valid(tile_valid),
        .tile_ready(tile_ready),
        .tile_data(tile_data),
        .perf_data(raster_perf_data)
    );

    // State: to all texture units, each in its time
    wire ${width(len(units))} unit_tex_ready;
    reg  ${width(len(units))} told;
    wire ${width(len(units))} tells = ~told & {${len(units)}{tex_valid}};
    wire ${width(len(units))} tex_taken = tells & unit_tex_ready;

    assign tex_ready = &(told | unit_tex_ready);

    always @(posedge clk) begin
        if (rst | (tex_valid & tex_ready))
            told <= ${len(units)}'d0;
        else
            told <= told | tex_taken;
    end

    // Quads, samples
    wire ${width(len(units))} unit_quad_valid, unit_quad_ready, unit_res_valid, unit_res_ready;
    wire ${width(unit_quad.width)} unit_quad_data;
    wire ${width(len(units) * unit_res.width)} unit_res_data;
    wire handed, coordinates_wait, unit_wait, sample_wait;
    wire shade_valid, shade_ready, done, tested, failed;
    wire [15:0] shade_data;
    wire [15:0] mask;
    wire [15:0] prim;
    wire [511:0] texels;

    renderer_quads quads (
        .clk(clk),
        .rst(rst),
        .take(take),
        .ready(quads_ready),
        .take_mask(tile_mask),
${connect(stream_signals(streams["quad"]))}
        .unit_valid(unit_quad_valid),
        .unit_ready(unit_quad_ready),
        .unit_data(unit_quad_data),
        .handed(handed),
        .coordinates_wait(coordinates_wait),
        .unit_wait(unit_wait)
    );

    renderer_collect collect (
        .clk(clk),
        .rst(rst),
        .take(take),
        .ready(collect_ready),
        .take_mask(tile_mask),
        .take_prim(tile_prim),
        .tex_taken(tex_taken),
        .tex_kill(tex_data[${tex.offset("kill") + 7}:${tex.offset("kill")}]),
        .res_valid(unit_res_valid),
        .res_ready(unit_res_ready),
        .res_data(unit_res_data),
        .shade_valid(shade_valid),
        .shade_ready(shade_ready),
        .shade_data(shade_data),
        .done(done),
        .tile(tested),
        .mask(mask),
        .prim(prim),
        .failed(failed),
        .texels(texels),
        .sample_wait(sample_wait)
    );

% for master, listed in signals.items():
    ${wires(listed, f"{master}_")}
% endfor
    wire gpu_resetting, tex_resetting;
    wire ${width(len(units))} texunit_perf_valid;

    renderer_texunit texunit (
        .gpu_clk(clk),
        .gpu_rst(rst),
        .gpu_resetting(gpu_resetting),
        .tex_clk(clk),
        .tex_rst(rst),
        .tex_resetting(tex_resetting),
% for n in units:
        .prim${n}_valid(tells[${n}]),
        .prim${n}_ready(unit_tex_ready[${n}]),
        .prim${n}_data(tex_data[${prim.width - 1}:0]),
        .quad${n}_valid(unit_quad_valid[${n}]),
        .quad${n}_ready(unit_quad_ready[${n}]),
        .quad${n}_data(unit_quad_data),
        .res${n}_valid(unit_res_valid[${n}]),
        .res${n}_ready(unit_res_ready[${n}]),
        .res${n}_data(unit_res_data[${(n + 1) * unit_res.width - 1}:${n * unit_res.width}]),
        .perf${n}_valid(texunit_perf_valid[${n}]),
        .perf${n}_data(texunit_perf${n}_data),
% endfor
        .m_axi_rst(m_axi_rst),
${connect(signals["texunit"], before="texunit_", last=True)}
    );

    // The depth test
    wire res_valid, res_ready;
    wire ${width(zres.width)} res_data;
    ${unpack(zres, "res_data")}

    assign done      = res_valid & res_ready;
    assign res_ready = pix_ready;
    assign pix_valid = res_valid;
    assign pix_data  = {
        texels & {512{tested}},
        res_err | (failed & tested),
        res_passed,
        mask & {16{tested}},
        prim & {16{tested}},
        res_y & {${cfg.coordinate_bits}{tested}},
        res_x & {${cfg.coordinate_bits}{tested}},
        tested
    };

    renderer_zcache zcache (
        .clk(clk),
        .rst(rst),
        .tile_valid(tile_valid & places),
        .tile_ready(zcache_tile_ready),
        .tile_data(tile_data[${ztile.width - 1}:0]),
        .shade_valid(shade_valid),
        .shade_ready(shade_ready),
        .shade_data(shade_data),
        .res_valid(res_valid),
        .res_ready(res_ready),
        .res_data(res_data),
        .perf_data(zcache_perf_data),
        .m_axi_rst(m_axi_rst),
${connect(signals["zcache"], before="zcache_", last=True)}
    );

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
% for n, master in enumerate(signals):
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

    wire reads = ${m}_rvalid & ${m}_rready;
<%
    steps = {
        "tiles": "done & tested", "quads": "handed", "coordinates_wait_cycles": "coordinates_wait",
        "unit_wait_cycles": "unit_wait", "sample_wait_cycles": "sample_wait",
        "test_wait_cycles": "shade_valid & !shade_ready", "result_wait_cycles": "res_valid & !res_ready",
        "texture_beats": f"reads & !{m}_rid[{ids}]", "depth_beats": f"reads & {m}_rid[{ids}]",
        "written_beats": f"{m}_wvalid & {m}_wready",
        "address_wait_cycles": f"texunit_{m}_arvalid & zcache_{m}_arvalid",
    }
%>\
% for field in perf.fields:

    counter count_${field.name} (
        .clk(clk),
        .rst(rst | m_axi_rst),
        .step(${steps[field.name]}),
        .count(perf_data[${perf.offset(field.name) + 31}:${perf.offset(field.name)}])
    );
% endfor

    wire unused = &{1'b0, gpu_resetting, tex_resetting, texunit_perf_valid, aw_ready[0], w_ready[0], b_valid[0], r_id, b_id};

endmodule
