//
// Clocks: gpu_clk for primitives, quads and results, tex_clk for the rest; they may be unrelated. gpu_rst and
// tex_rst (each synchronous to its clock, active high) may come alone: a reset of one side resets the other as
// well, while gpu_resetting and tex_resetting are high; nothing is taken meanwhile. Both must overlap once, after
// power-up, for a few cycles of the slower clock, and m_axi_rst with them. Reads that are open at a reset are
// dropped as they come; m_axi_rst (synchronous to tex_clk) acts as tex_rst, and is for when memory forgets them.
// Parameters: none; a configuration is generated.
<%
    units, a = range(cfg.units), cfg.cache.address_bits
    own = [name.removesuffix("0") for name in cfg.streams if name.endswith("0")]
%>\
module ${cfg.block} (
    input  wire gpu_clk, // clock of the rasterizer's side
    input  wire gpu_rst, // synchronous to gpu_clk
    output wire gpu_resetting,       // the GPU's side is in reset
    input  wire tex_clk, // clock of the texture units and of memory
    input  wire tex_rst, // synchronous to tex_clk
    output wire tex_resetting,       // the texture units are in reset
% for stream in cfg.streams.values():
    // ${stream.doc} (${stream.clock})
${ports(stream_signals(stream))}
% endfor
    // AXI4 read channels (tex_clk); the id is the unit's number
${ports(cfg.axi.signals, last=True)}
);

    wire gpu_clear, tex_clear; // within a reset: of what the other side looks at

    reset_bridge resets (
        .a_clk(gpu_clk),
        .a_rst(gpu_rst),
        .a_reset(gpu_resetting),
        .a_clear(gpu_clear),
        .b_clk(tex_clk),
        .b_rst(tex_rst | m_axi_rst),
        .b_reset(tex_resetting),
        .b_clear(tex_clear)
    );

    wire r_last;
    wire [1:0] r_resp;
    wire ${width(cfg.axi.data_bits)} r_data;
% for n in units:

    wire ar${n}_valid, ar${n}_ready, r${n}_valid;
    wire ${width(a)} ar${n}_addr;

    ${cfg.block}_unit unit${n} (
        .gpu_clk(gpu_clk),
        .gpu_rst(gpu_resetting),
        .gpu_clear(gpu_clear),
        .tex_clk(tex_clk),
        .tex_rst(tex_resetting),
        .tex_clear(tex_clear),
        .m_axi_rst(m_axi_rst),
% for name in own:
% for kind in ("valid", "ready", "data") if cfg.streams[f"{name}{n}"].ready else ("valid", "data"):
        .${name}_${kind}(${name}${n}_${kind}),
% endfor
% endfor
        .ar_valid(ar${n}_valid),
        .ar_ready(ar${n}_ready),
        .ar_addr(ar${n}_addr),
        .r_valid(r${n}_valid),
        .r_data(r_data),
        .r_resp(r_resp),
        .r_last(r_last)
    );
% endfor

    ${cfg.block}_axi_read_port port (
        .clk(tex_clk),
% for n in units:
        .ar${n}_valid(ar${n}_valid),
        .ar${n}_ready(ar${n}_ready),
        .ar${n}_addr(ar${n}_addr),
        .r${n}_valid(r${n}_valid),
% endfor
        .r_data(r_data),
        .r_resp(r_resp),
        .r_last(r_last),
${connect(cfg.axi.signals, last=True)}
    );

endmodule
