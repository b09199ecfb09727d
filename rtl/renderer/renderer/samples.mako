## State and quads to the texture units, their results tile by tile. What brings a tile, and what takes its samples, is
## the depth test's side: late.mako or early.mako.
<%
    units, streams, m = range(cfg.texunit.units), cfg.streams, cfg.axi.prefix
    tex, prim = streams["tex"], cfg.texunit.all_streams["prim0"]
    unit_quad, unit_res = (cfg.texunit.all_streams[name] for name in ("quad0", "res0"))
%>\
    // State: to all texture units, each in its time
    wire ${width(len(units))} unit_tex_ready;
    reg  ${width(len(units))} told;
    wire ${width(len(units))} tells = ~told & {${len(units)}{tex_valid}};
    wire ${width(len(units))} tex_taken = tells & unit_tex_ready;

    assign tex_ready = &(told | unit_tex_ready);

    always @(posedge clk) begin
        if (reset | (tex_valid & tex_ready))
            told <= ${len(units)}'d0;
        else
            told <= told | tex_taken;
    end

    // Quads, samples
    wire ${width(len(units))} unit_quad_valid, unit_quad_ready, unit_res_valid, unit_res_ready;
    wire ${width(unit_quad.width)} unit_quad_data;
    wire ${width(len(units) * unit_res.width)} unit_res_data;
    wire handed, coordinates_wait, unit_wait, sample_wait;
    wire shade_valid, shade_ready, done, held, failed;
    wire [15:0] mask;
    wire [15:0] prim;
    wire [511:0] texels;
% if cfg.early:
    wire ${width(cfg.beside_bits)} beside;
% else:
    wire [15:0] shade_data;
% endif

    renderer_quads quads (
        .clk(clk),
        .rst(reset),
        .take(${"take & res_tile" if cfg.early else "take"}),
        .ready(quads_ready),
% if cfg.early:
        .take_mask(res_mask),
        .take_passed(res_passed),
% else:
        .take_mask(tile_mask),
% endif
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
        .rst(reset),
        .take(take),
        .ready(collect_ready),
% if cfg.early:
        .take_mask(res_passed),
        .take_prim(res_prim),
        .take_beside({res_err, res_mask, res_y, res_x, res_tile}),
% else:
        .take_mask(tile_mask),
        .take_prim(tile_prim),
        .tex_taken(tex_taken),
        .tex_kill(tex_data[${tex.offset("kill") + 7}:${tex.offset("kill")}]),
% endif
        .res_valid(unit_res_valid),
        .res_ready(unit_res_ready),
        .res_data(unit_res_data),
        .shade_valid(shade_valid),
        .shade_ready(shade_ready),
% if not cfg.early:
        .shade_data(shade_data),
% endif
        .done(done),
        .held(held),
        .mask(mask),
        .prim(prim),
% if cfg.early:
        .beside(beside),
% endif
        .failed(failed),
        .texels(texels),
        .sample_wait(sample_wait)
    );

    wire gpu_resetting, tex_resetting;
    wire ${width(len(units))} texunit_perf_valid;

    renderer_texunit texunit (
        .gpu_clk(clk),
        .gpu_rst(reset),
        .gpu_resetting(gpu_resetting),
        .tex_clk(clk),
        .tex_rst(reset),
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
${connect(cfg.texunit.axi.signals[1:], before="texunit_", last=True)}
    );
