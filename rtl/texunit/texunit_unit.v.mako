// One texture unit: FIFOs between the clocks, four stages, cache, and its side of the shared memory port.
//
// gate -> quad FIFO -> LOD -> coordinates -> addresses -> fetch (cache, colour table) -> filter -> result FIFO
//
// Interface and timing: docs/texunit.md.
<%
    prim, quad, res = (helpers.stream(cfg, name) for name in ("prim", "quad", "res"))
    evt, probe, perf = (helpers.stream(cfg, name) for name in ("evt", "probe", "perf"))
    handshakes = {
        "prim_in": "next_prim_valid & next_prim_ready", "prim_done": "prim_done & !tex_rst",
        "lod_in": "lod_in", "lod_out": "lod_valid & lod_ready", "pixel_out": "pixel_valid & pixel_ready",
        "query_in": "query_valid & query_ready", "query_out": "answer_valid",
        "filter_in": "filter_in", "filter_out": "filter_valid[7]",
    }
    pixel, texels, marks = helpers.pixel(cfg), helpers.texels(cfg), helpers.marks()
    line, a, data = cfg.cache.line_bits, cfg.cache.address_bits, cfg.axi.data_bits
    count = lambda depth: depth.bit_length()
    fifos = (
        ("prim_fifo", prim.width, 4, ("prim_fifo_valid", "prim_fifo_ready", "prim_data"), ("next_prim_valid", "next_prim_ready", "next_prim")),
        ("quad_fifo", quad.width, cfg.fifo.depth, ("quad_fifo_valid", "quad_fifo_ready", "quad_data"), ("next_quad_valid", "next_quad_ready", "next_quad")),
        ("result_fifo", res.width, cfg.fifo.depth, ("result_valid", "result_ready", "result"), ("res_valid", "res_ready", "res_data")),
    )
%>\
module texunit_unit (
    input  wire gpu_clk, // clock of the rasterizer's side
    input  wire gpu_rst,             // resets that overlap; see reset_bridge
    input  wire gpu_clear, // within gpu_rst: the other side is in reset, too
    input  wire tex_clk, // clock of the rest
    input  wire tex_rst, // synchronous
    input  wire tex_clear, // within tex_rst: the other side is in reset, too
    input  wire m_axi_rst,           // the memory's reset, only with tex_rst
    // the rasterizer's side (gpu_clk)
    input  wire prim_valid, // a primitive is offered
    output wire prim_ready, // it is taken
    input  wire ${width(prim.width)} prim_data, // the primitive
    input  wire quad_valid, // a quad is offered
    output wire quad_ready, // it is taken
    input  wire ${width(quad.width)} quad_data, // the quad
    output wire res_valid, // a quad is answered
    input  wire res_ready, // it is taken
    output wire ${width(res.width)} res_data, // the answer
% if cfg.observe:
    // observers (tex_clk)
    output wire evt_valid, // a query is answered
    output wire ${width(evt.width)} evt_data, // what the cache did
    output wire probe_valid, // a handshake
    output wire ${width(probe.width)} probe_data, // which
% endif
    // performance counters (tex_clk)
    output wire perf_valid, // always 1
    output wire ${width(perf.width)} perf_data, // the counters
    // memory (tex_clk)
    output wire ar_valid, // a burst is asked for
    input  wire ar_ready, // it is taken
    output wire ${width(a)} ar_addr, // its byte address
    input  wire r_valid, // a beat of this unit
    input  wire ${width(data)} r_data, // the beat
    input  wire [1:0] r_resp, // its AXI response
    input  wire r_last // last of its burst
);

    // Between the clocks
    wire prim_fifo_valid, prim_fifo_ready, quad_fifo_valid, quad_fifo_ready, set_up;
    wire next_prim_valid, next_prim_ready, next_quad_valid, next_quad_ready;
    wire ${width(prim.width)} next_prim;
    wire ${width(quad.width)} next_quad;
    wire result_valid, result_ready;
    wire ${width(res.width)} result;

    texunit_gate gate (
        .clk(gpu_clk),
        .rst(gpu_rst),
        .prim_valid(prim_valid),
        .prim_ready(prim_ready),
        .quad_valid(quad_valid),
        .quad_ready(quad_ready),
        .prim_fifo_valid(prim_fifo_valid),
        .prim_fifo_ready(prim_fifo_ready),
        .quad_fifo_valid(quad_fifo_valid),
        .quad_fifo_ready(quad_fifo_ready),
        .result_taken(res_valid & res_ready),
        .set_up(set_up)
    );
% for name, width_, depth, ins, outs in fifos:
<%
    source, target = ("tex", "gpu") if name == "result_fifo" else ("gpu", "tex")
%>\

    async_fifo #(
        .WIDTH(${width_}),
        .DEPTH(${depth}),
        .COUNT_BITS(${count(depth)})
    ) ${name} (
        .in_clk(${source}_clk),
        .in_rst(${source}_rst),
        .in_clear(${source}_clear),
        .in_valid(${ins[0]}),
        .in_ready(${ins[1]}),
        .in_data(${ins[2]}),
        .out_clk(${target}_clk),
        .out_rst(${target}_rst),
        .out_clear(${target}_clear),
        .out_valid(${outs[0]}),
        .out_ready(${outs[1]}),
        .out_data(${outs[2]})
    );
% endfor

    // The primitive
    wire ${width(prim.width)} current;
    wire forget, invalidate, cache_busy, loading, table_write, table_error;
    wire [5:0] table_index;
    wire table_address_valid, cache_address_valid, address_ready;
    wire ${width(line)} table_address, cache_address;
    wire line_valid, line_error;
    wire [127:0] line_data;

    texunit_setup setup (
        .clk(tex_clk),
        .rst(tex_rst),
        .prim_valid(next_prim_valid),
        .prim_ready(next_prim_ready),
        .prim_data(next_prim),
        .current(current),
        .set_up(set_up),
        .forget(forget),
        .invalidate(invalidate),
        .cache_busy(cache_busy),
        .address_valid(table_address_valid),
        .address_ready(address_ready),
        .address(table_address),
        .line_valid(line_valid),
        .line_error(line_error),
        .table_write(table_write),
        .table_index(table_index),
        .table_error(table_error),
        .loading(loading)
    );

    ${unpack(prim, "current")}
    ${unpack(quad, "next_quad", "corner")}

    wire rgb    = prim_format[0];
    wire tabled = prim_format[1];

    // The stages
    wire lod_valid, lod_ready, pixel_valid, pixel_ready, texels_valid, texels_ready;
    wire [3:0] lod_pixels, lod;
    wire [255:0] lod_uv;
    wire ${width(pixel.width)} pixel;
    wire ${width(texels.width)} texels;

    texunit_lod lod_stage (
        .clk(tex_clk),
        .rst(tex_rst),
        .log2w(prim_log2w),
        .log2h(prim_log2h),
        .max_lod(prim_max_lod),
        .in_valid(next_quad_valid),
        .in_ready(next_quad_ready),
        .in_pixels(corner_valid),
        .in_uv(${pack(helpers.corners(), "corner", indent=8)}),
        .out_valid(lod_valid),
        .out_ready(lod_ready),
        .out_pixels(lod_pixels),
        .out_uv(lod_uv),
        .out_lod(lod)
    );

    texunit_coordinate coordinate_stage (
        .clk(tex_clk),
        .rst(tex_rst),
        .log2w(prim_log2w),
        .log2h(prim_log2h),
        .mode_u(prim_mode_u),
        .mode_v(prim_mode_v),
        .bilinear(prim_bilinear),
        .in_valid(lod_valid),
        .in_ready(lod_ready),
        .in_pixels(lod_pixels),
        .in_uv(lod_uv),
        .in_lod(lod),
        .out_valid(pixel_valid),
        .out_ready(pixel_ready),
        .out_pixel(pixel)
    );

    texunit_address address_stage (
        .clk(tex_clk),
        .rst(tex_rst),
        .base(prim_base),
        .format(prim_format),
        .in_valid(pixel_valid),
        .in_ready(pixel_ready),
        .in_pixel(pixel),
        .out_valid(texels_valid),
        .out_ready(texels_ready),
        .out_texels(texels)
    );

    wire query_valid, query_ready, answer_valid, answer_error, table_read;
    wire ${width(line)} query_line;
    wire [127:0] answer_line;
    wire [7:0] colour_index;
    wire [31:0] colour;
    wire fetched_valid, fetched_last, fetched_none, fetched_error;
    wire [127:0] fetched_texels;
    wire [15:0] fetched_weights;
    wire [1:0] fetched_number;
    ${unpack(helpers.texel_words(), "fetched_texels", "fetched", ["texel0"])}

    texunit_fetch fetch_stage (
        .clk(tex_clk),
        .rst(tex_rst),
        .format(prim_format),
        .bilinear(prim_bilinear),
        .in_valid(texels_valid),
        .in_ready(texels_ready),
        .in_texels(texels),
        .query_valid(query_valid),
        .query_ready(query_ready),
        .query_line(query_line),
        .answer_valid(answer_valid),
        .answer_line(answer_line),
        .answer_error(answer_error),
        .table_read(table_read),
        .table_index(colour_index),
        .table_colour(colour),
        .out_valid(fetched_valid),
        .out_texels(fetched_texels),
        .out_weights(fetched_weights),
        .out_number(fetched_number),
        .out_last(fetched_last),
        .out_none(fetched_none),
        .out_error(fetched_error)
    );

    wire waiting;
% if not cfg.observe:
    wire ${width(evt.width)} evt_data; // what observers would see
% endif

    texunit_cache cache (
        .clk(tex_clk),
        .rst(tex_rst),
        .forget(forget),
        .invalidate(invalidate),
        .busy(cache_busy),
        .query_valid(query_valid),
        .query_ready(query_ready),
        .query_line(query_line),
        .answer_valid(answer_valid),
        .answer_line(answer_line),
        .answer_error(answer_error),
        .address_valid(cache_address_valid),
        .address_ready(address_ready & !loading),
        .address(cache_address),
        .line_valid(line_valid & !loading),
        .line_data(line_data),
        .line_error(line_error),
        .evt_data(evt_data),
        .waiting(waiting)
    );

    colour_table table_ram (
        .clk(tex_clk),
        .write(table_write),
        .write_slot(1'b0),
        .write_index(table_index),
        .write_data(line_data),
        .read(table_read),
        .slot(1'b0),
        .rgb(rgb),
        .index(colour_index),
        .colour(colour)
    );

    // The filter, with what belongs to its pixels beside it
    wire filter_in = fetched_valid & prim_bilinear;
    wire [31:0] filtered;
    reg  [7:0] filter_valid;
    reg  [39:0] beside;              // the marks of each pixel in the filter, the oldest on top
    wire ${width(marks.width)} arriving = ${pack(marks, "fetched")};

    texunit_filter filter (
        .clk(tex_clk),
        .in_texels(fetched_texels),
        .in_weights(fetched_weights),
        .out_texel(filtered)
    );

    always @(posedge tex_clk) begin
        if (tex_rst)
            filter_valid <= 8'd0;
        else
            filter_valid <= {filter_valid[6:0], filter_in};
        beside <= {beside[34:0], arriving};
    end

    wire [4:0] done = prim_bilinear ? beside[39:35] : arriving;
    ${unpack(marks, "done", "done")}

    texunit_collect collect (
        .clk(tex_clk),
        .rst(tex_rst),
        .in_valid(prim_bilinear ? filter_valid[7] : fetched_valid),
        .in_texel(prim_bilinear ? filtered : fetched_texel0),
        .in_number(done_number),
        .in_last(done_last),
        .in_none(done_none),
        .in_error(done_error | (tabled & table_error)),
        .out_valid(result_valid),
        .out_data(result)
    );

    // Memory
    texunit_line_reader reader (
        .clk(tex_clk),
        .rst(tex_rst),
        .axi_rst(m_axi_rst),
        .address_valid(table_address_valid | cache_address_valid),
        .address_ready(address_ready),
        .address(loading ? table_address : cache_address),
        .line_valid(line_valid),
        .line_ready(1'b1),
        .line_data(line_data),
        .line_error(line_error),
        .ar_valid(ar_valid),
        .ar_ready(ar_ready),
        .ar_addr(ar_addr),
        .r_valid(r_valid),
        .r_data(r_data),
        .r_resp(r_resp),
        .r_last(r_last)
    );

% if cfg.observe:
    // Observers
    wire lod_in    = next_quad_valid & next_quad_ready;
    reg  set_up_before;
    wire prim_done = set_up != set_up_before;

    always @(posedge tex_clk) begin
        set_up_before <= set_up;
    end

    assign evt_valid   = answer_valid;
    assign probe_data  = ${pack(probe, values=handshakes)};
    assign probe_valid = probe_data != ${probe.width}'d0;
% endif
    assign perf_valid  = 1'b1;

    ${unpack(evt, "evt_data")}
    ${unpack(res, "result", "sampled", ["valid"])}

    texunit_counters counters (
        .clk(tex_clk),
        .rst(tex_rst),
        .quads(result_valid),
        .queries(answer_valid),
        .repeats(answer_valid & evt_repeat),
        .hits(answer_valid & evt_hit),
        .misses(answer_valid & !evt_hit & !evt_repeat),
        .evictions(answer_valid & evt_evict),
        .errors((answer_valid & evt_err) | (table_write & line_error)),
        .memory_wait_cycles(waiting),
        .quad_wait_cycles(next_quad_ready & !next_quad_valid),
        .pixels(sampled_valid),
        .perf_data(perf_data)
    );

    wire unused = &{1'b0, result_ready, prim_invalidate, evt_line, evt_way, evt_victim};

endmodule
