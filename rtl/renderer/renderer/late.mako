## The depth test behind the shader: a tile goes to the depth cache and to the texture units at once.
<%
    ztile, zres = cfg.zcache.all_streams["tile"], cfg.zcache.all_streams["res"]
%>\
    // Tiles: to the depth cache, which may prefetch, and to the texture units
    wire zcache_tile_ready, quads_ready, collect_ready;
    wire places = quads_ready & collect_ready;
    wire take   = tile_valid & tile_ready & tile_op == TILE;

    assign tile_ready = zcache_tile_ready & places;

<%include file="samples.mako"/>
    // The depth test
    wire res_valid, res_ready;
    wire ${width(zres.width)} res_data;
    ${unpack(zres, "res_data")}

    assign done      = res_valid & res_ready;
    assign res_ready = pix_ready;
    assign pix_valid = res_valid;
    assign pix_data  = {
        texels & {512{held}},
        res_err | (failed & held),
        res_passed,
        mask & {16{held}},
        prim & {16{held}},
        res_y & {${cfg.coordinate_bits}{held}},
        res_x & {${cfg.coordinate_bits}{held}},
        held
    };

    renderer_zcache zcache (
        .clk(clk),
        .rst(reset),
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
${connect(cfg.zcache.axi.signals[1:], before="zcache_", last=True)}
    );
