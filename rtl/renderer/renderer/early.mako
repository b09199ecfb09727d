## The depth test before the shader: a tile goes to the depth cache alone, what passed there to the texture units.
<%
    ztile, zres = cfg.zcache.all_streams["tile"], cfg.zcache.all_streams["res"]
    bits = cfg.flight_bits
%>\
    // The depth test. What its result lacks of a word waits beside it, in order
    wire zcache_tile_valid, zcache_tile_ready, flight_ready, flight_valid, flight_tile;
    wire quads_ready, collect_ready;
    wire [15:0] flight_mask;
    wire [15:0] flight_prim;
    wire res_valid, res_ready;
    wire ${width(zres.width)} res_data;
    ${unpack(zres, "res_data", fields=("passed", "err"))}

    wire take = res_valid & res_ready;     // a word is tested

    assign zcache_tile_valid = tile_valid & flight_ready;
    assign tile_ready = zcache_tile_ready & flight_ready;
    assign res_ready  = quads_ready & collect_ready;

    renderer_zcache zcache (
        .clk(clk),
        .rst(reset),
        .tile_valid(zcache_tile_valid),
        .tile_ready(zcache_tile_ready),
        .tile_data(tile_data[${ztile.width - 1}:0]),
        .res_valid(res_valid),
        .res_ready(res_ready),
        .res_data(res_data),
        .perf_data(zcache_perf_data),
        .m_axi_rst(m_axi_rst),
${connect(cfg.zcache.axi.signals[1:], before="zcache_", last=True)}
    );

    fifo #(
        .WIDTH(33),
        .DEPTH(${1 << bits - 1}),
        .COUNT_BITS(${bits})
    ) flight (
        .clk(clk),
        .rst(reset),
        .in_valid(tile_valid & zcache_tile_ready),
        .in_ready(flight_ready),
        .in_data({tile_op == TILE, tile_prim, tile_mask}),
        .out_valid(flight_valid),
        .out_ready(take),
        .out_data({flight_tile, flight_prim, flight_mask})
    );
<% x, y = (zres.offset(name) for name in "xy"); C = cfg.coordinate_bits %>\

    // Of a barrier there is nothing but an error
    wire res_tile = flight_tile;
    wire [15:0] res_mask = flight_mask & {16{res_tile}};
    wire [15:0] res_prim = flight_prim & {16{res_tile}};
    wire ${width(C)} res_x = res_data[${x + C - 1}:${x}] & {${C}{res_tile}};
    wire ${width(C)} res_y = res_data[${y + C - 1}:${y}] & {${C}{res_tile}};

<%include file="samples.mako"/>
    // Shaded, in order
    wire pix_tile, pix_err;
    wire ${width(C)} pix_x, pix_y;
    wire [15:0] pix_mask;

    assign {pix_err, pix_mask, pix_y, pix_x, pix_tile} = beside;
    assign done        = pix_valid & pix_ready;
    assign shade_ready = !held | pix_ready;
    assign pix_valid   = held;
    assign pix_data    = {texels, pix_err | failed, mask, pix_mask, prim, pix_y, pix_x, pix_tile};

    wire unused_early = &{1'b0, flight_valid, shade_valid};
