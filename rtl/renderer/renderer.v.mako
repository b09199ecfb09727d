// renderer: rasterizer, ${cfg.texunit.units} texture unit${"s" if cfg.texunit.units > 1 else ""} and depth test ${"before them " if cfg.early else ""}behind one AXI4 port.
//
% if cfg.early:
//   vtx -> raster -> tiles -> zcache (prefetch; test) -> what passed
//     what passed +-> quads (quad: coordinates) -> texunit -+-> collect: samples of a tile -> pix
//                 +-----------------------------------------+
% else:
//   vtx -> raster -> tiles ------------------------------> zcache (prefetch; test when shaded) -> pix
//                      |                                      ^ shade: what alpha discards        ^
//                      +-> quads (quad: coordinates) -> texunit -> collect: samples of a tile ----+
% endif
//   AXI4: texunit and zcache through an interconnect
// Timing: that of the parts (docs/raster.md, docs/texunit.md, docs/zcache.md); both clocks of the texture units are
// this one. docs/renderer.md has the rest.
<%
    streams, axi = cfg.streams, cfg.axi
    tile, ids = cfg.raster.all_streams["tile"], axi.inner_id_bits
%>\
module renderer (
    input  wire clk, // clock
    input  wire rst, // synchronous; all is forgotten, AXI bursts under way are completed; 3 cycles at power-up
% for stream in streams.values():
    // ${stream.doc}
${ports(stream_signals(stream))}
% endfor
    // memory: ids of the texture units from 0 on, of the depth cache from ${1 << ids} on
${ports(axi.signals, last=True)}
);

    localparam [1:0] TILE = 2'd0;

    wire reset = rst | m_axi_rst;

    // What the triangles cover, tile by tile
    wire tile_valid, tile_ready;
    wire ${width(tile.width)} tile_data;
    ${unpack(tile, "tile_data", fields=("op", "mask", "prim"))}

    renderer_raster raster (
        .clk(clk),
        .rst(reset),
${connect(stream_signals(streams["vtx"]))}
        .tile_valid(tile_valid),
        .tile_ready(tile_ready),
        .tile_data(tile_data),
        .perf_data(raster_perf_data)
    );

    // The parts' way to memory
% for master, part in helpers.masters(cfg).items():
    ${wires(part.axi.signals[1:], f"{master}_")}
% endfor

<%include file="${'renderer/early.mako' if cfg.early else 'renderer/late.mako'}"/>
<%include file="renderer/memory.mako"/>
<%include file="renderer/counters.mako"/>

    wire unused = &{1'b0, gpu_resetting, tex_resetting, texunit_perf_valid, aw_ready[0], w_ready[0], b_valid[0], r_id, b_id};

endmodule
