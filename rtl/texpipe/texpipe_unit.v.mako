// One texture unit: FIFOs between the clocks, stages that each take a pixel in a cycle, cache, its side of memory.
//
// gate -> FIFO -> set-up -> LOD -> coordinates -> lines -> tags -> tag FIFO -> data -> filter ->${" mixer ->" if cfg.trilinear else ""} result FIFO
//
// Interface and timing: docs/texpipe.md.
<%
    prim, quad, res = (helpers.stream(cfg, name) for name in ("prim", "quad", "res"))
    evt, probe, perf = (helpers.stream(cfg, name) for name in ("evt", "probe", "perf"))
    numbered, levelled, pixel, sample = helpers.quad(), helpers.levelled(cfg), helpers.pixel(cfg), helpers.sample(cfg)
    asked, beat, filtered, coloured = helpers.lookups(cfg), helpers.beat(cfg), helpers.sampled(cfg), helpers.coloured()
    handshakes = {
        "prim_in": "prim_taken", "prim_done": "prim_taken_before",
        "quad_in": "quad_out_valid & quad_out_ready", "quad_out": "level_valid & level_ready",
        "pixel_out": "pixel_valid & pixel_ready", "beat": "beat_valid & beat_ready",
        "read": "read_valid & read_ready", "sampled": "sampled_valid",
    }
    if cfg.trilinear:
        handshakes["mixed"] = "mixed_valid"
    pixels = "mixed" if cfg.trilinear else "sampled" # what goes into the pixel FIFO
    slot = cfg.slot_bits
    line, a, data = cfg.cache.line_bits, cfg.cache.address_bits, cfg.axi.data_bits
    word, depth, count, s, w = helpers.word(cfg), cfg.fifo.depth, helpers.BANKS, cfg.cache.set_bits, cfg.cache.way_bits
    fifos = (
        ("request_fifo", word, ("gpu", ("gate_valid", "gate_ready", "gate_data")), ("tex", ("word_valid", "word_ready", "word_data"))),
        ("result_fifo", res.width, ("tex", ("result_valid", "result_ready", "result")), ("gpu", ("res_valid", "res_ready", "res_data"))),
    )
    def flags(name):
        return "{" + ", ".join(f"evt_{name}{b}" for b in reversed(range(count))) + f"}} & {{{count}{{evt_valid}}}}"
    counted = [f"{name}{b}" for b in range(count) for name in ("valid", "hit", "evict")]
    ignored = [f"evt_{field.name}" for field in evt.fields if field.name not in counted]
%>\
module texpipe_unit (
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
    output wire evt_valid, // the lines of a pixel were looked up in the cycle before
    output wire ${width(evt.width)} evt_data, // what was decided
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
    wire gate_valid, gate_ready, word_valid, word_ready, result_valid, result_ready;
    wire ${width(word)} gate_data, word_data;
    wire ${width(res.width)} result;

    texpipe_gate gate (
        .clk(gpu_clk),
        .rst(gpu_rst),
        .prim_valid(prim_valid),
        .prim_ready(prim_ready),
        .prim_data(prim_data),
        .quad_valid(quad_valid),
        .quad_ready(quad_ready),
        .quad_data(quad_data),
        .fifo_valid(gate_valid),
        .fifo_ready(gate_ready),
        .fifo_data(gate_data)
    );
% for name, bits, (source, inward), (target, outward) in fifos:

    async_fifo #(
        .WIDTH(${bits}),
        .DEPTH(${depth}),
        .COUNT_BITS(${depth.bit_length()})
    ) ${name} (
        .in_clk(${source}_clk),
        .in_rst(${source}_rst),
        .in_clear(${source}_clear),
        .in_valid(${inward[0]}),
        .in_ready(${inward[1]}),
        .in_data(${inward[2]}),
        .out_clk(${target}_clk),
        .out_rst(${target}_rst),
        .out_clear(${target}_clear),
        .out_valid(${outward[0]}),
        .out_ready(${outward[1]}),
        .out_data(${outward[2]})
    );
% endfor

    // Primitives and the colour tables
    wire ${width(helpers.PRIMS * prim.width)} prims;
    wire ${width(helpers.PRIMS * slot)} slots;
    wire quad_out_valid, quad_out_ready, found, invalidate;
    wire ${width(numbered.width)} quad_out;
    wire ${width(helpers.PRIM_BITS)} found_prim;
    wire table_address_valid, table_line, table_write, table_coming, prim_taken, table_begins, prim_waits, starved;
    wire ${width(line)} table_address;
    wire ${width(slot)} table_slot;
    wire [5:0] table_index;
    wire ${width(cfg.tables)} table_errors;
    wire address_ready, line_valid, line_error;
    wire [127:0] line_data;

    texpipe_setup setup (
        .clk(tex_clk),
        .rst(tex_rst),
        .in_valid(word_valid),
        .in_ready(word_ready),
        .in_data(word_data),
        .out_valid(quad_out_valid),
        .out_ready(quad_out_ready),
        .out_quad(quad_out),
        .found(found),
        .found_prim(found_prim),
        .answered(result_valid & result_ready),
        .prims(prims),
        .slots(slots),
        .invalidate(invalidate),
        .address_valid(table_address_valid),
        .address_ready(address_ready),
        .address(table_address),
        .line_valid(table_write),
        .line_error(line_error),
        .table_slot(table_slot),
        .table_index(table_index),
        .table_coming(table_coming),
        .table_errors(table_errors),
        .prim_taken(prim_taken),
        .table_begins(table_begins),
        .prim_waits(prim_waits),
        .starved(starved)
    );

    // From quads to lines
    wire level_valid, level_ready, pixel_valid, pixel_ready, lines_valid, lines_ready;
    wire ${width(levelled.width)} levelled;
    wire ${width(pixel.width)} pixel;
    wire ${width(asked.width)} lines;
    wire ${width(sample.width)} lines_sample;

    texpipe_lod lod_stage (
        .clk(tex_clk),
        .rst(tex_rst),
        .prims(prims),
        .in_valid(quad_out_valid),
        .in_ready(quad_out_ready),
        .in_quad(quad_out),
        .out_valid(level_valid),
        .out_ready(level_ready),
        .out_quad(levelled)
    );

    texpipe_coordinate coordinate_stage (
        .clk(tex_clk),
        .rst(tex_rst),
        .prims(prims),
        .in_valid(level_valid),
        .in_ready(level_ready),
        .in_quad(levelled),
        .out_valid(pixel_valid),
        .out_ready(pixel_ready),
        .out_pixel(pixel)
    );

    texpipe_address address_stage (
        .clk(tex_clk),
        .rst(tex_rst),
        .prims(prims),
        .slots(slots),
        .in_valid(pixel_valid),
        .in_ready(pixel_ready),
        .in_pixel(pixel),
        .out_valid(lines_valid),
        .out_ready(lines_ready),
        .out_lines(lines),
        .out_sample(lines_sample),
        .found(found),
        .found_prim(found_prim)
    );

    // The cache: tags run ahead of data
    wire miss_valid, beat_valid, beat_ready, beat_hit, asking, blocked, line_ready, memory_wait;
    wire ${width(line)} miss_line;
    wire ${width(beat.width)} beat, read_beat;
    wire ${width(count)} fill;
    wire ${width(s + w)} fill_index;
    wire [128:0] fill_data;
    wire read_valid, read_ready;
% if not cfg.observe:
    wire evt_valid;                  // what observers would see
    wire ${width(evt.width)} evt_data;
% endif

    texpipe_lookup lookup (
        .clk(tex_clk),
        .rst(tex_rst),
        .invalidate(invalidate),
        .in_valid(lines_valid),
        .in_ready(lines_ready),
        .in_lines(lines),
        .in_sample(lines_sample),
        .miss_valid(miss_valid),
        .miss_ready(address_ready & !table_address_valid),
        .miss_line(miss_line),
        .beat_valid(beat_valid),
        .beat_ready(beat_ready),
        .beat(beat),
        .beat_hit(beat_hit),
        .evt_valid(evt_valid),
        .evt_data(evt_data),
        .asking(asking),
        .blocked(blocked)
    );

    texpipe_fill fill_control (
        .clk(tex_clk),
        .rst(tex_rst),
        .beat_valid(beat_valid),
        .beat_ready(beat_ready),
        .beat(beat),
        .beat_hit(beat_hit),
        .line_valid(line_valid & !table_line),
        .line_ready(line_ready),
        .line_data(line_data),
        .line_error(line_error),
        .fill(fill),
        .fill_index(fill_index),
        .fill_data(fill_data),
        .read_valid(read_valid),
        .read_ready(read_ready),
        .read_beat(read_beat),
        .memory_wait(memory_wait)
    );

    wire texels_valid, texels_error;
    wire [127:0] texels;
    wire ${width(sample.width)} texels_sample;

    texpipe_lines data_banks (
        .clk(tex_clk),
        .rst(tex_rst),
        .fill(fill),
        .fill_index(fill_index),
        .fill_data(fill_data),
        .read(read_valid & read_ready),
        .read_beat(read_beat),
        .out_valid(texels_valid),
        .out_texels(texels),
        .out_sample(texels_sample),
        .out_error(texels_error)
    );

    // From texels to pixels
% if cfg.trilinear:
    wire sampled_valid, mixed_valid, mixed_ready, coloured_valid, coloured_ready;
    wire ${width(filtered.width)} sampled;
    wire ${width(coloured.width)} mixed, coloured;
% else:
    wire sampled_valid, sampled_ready, coloured_valid, coloured_ready;
    wire ${width(coloured.width)} sampled, coloured;
% endif

    texpipe_texels texel_stage (
        .clk(tex_clk),
        .rst(tex_rst),
        .table_write(table_write),
        .table_slot(table_slot),
        .table_index(table_index),
        .table_line(line_data),
        .table_errors(table_errors),
        .in_valid(texels_valid),
        .in_texels(texels),
        .in_sample(texels_sample),
        .in_error(texels_error),
        .out_valid(sampled_valid),
        .out_pixel(sampled)
    );
% if cfg.trilinear:

    ${unpack(filtered, "sampled", "sampled", ["fraction"])}

    texpipe_mixer mixer (
        .clk(tex_clk),
        .rst(tex_rst),
        .in_valid(sampled_valid),
        .in_beat(sampled),
        .out_valid(mixed_valid),
        .out_pixel(mixed)
    );
% endif

    // Each pixel that is read has its place in this FIFO, so that nothing has to stop on the way to it.
    reg  [5:0] reserved;
% if cfg.trilinear:
    wire reserves = !read_beat[${beat.offset("sample") + sample.offset("more")}]; // of two beats the second does
% endif

    // A pixel whose colour table is still to come waits for it.
    wire ${width(sample.width)} next_sample = read_beat[${beat.offset("sample") + sample.width - 1}:${beat.offset("sample")}];
    ${unpack(sample, "next_sample", "next", ["format", "slot"])}
    wire table_wait = next_format[1] & table_coming & next_slot == table_slot;

    assign read_ready = !reserved[5] & !table_wait;

    always @(posedge tex_clk) begin
        if (tex_rst)
            reserved <= 6'd0;
        else
            reserved <= reserved + {5'd0, read_valid & read_ready${" & reserves" if cfg.trilinear else ""}} - {5'd0, coloured_valid & coloured_ready};
    end

    fifo #(
        .WIDTH(${coloured.width}),
        .DEPTH(32),
        .COUNT_BITS(6)
    ) pixel_fifo (
        .clk(tex_clk),
        .rst(tex_rst),
        .in_valid(${pixels}_valid),
        .in_ready(${pixels}_ready),
        .in_data(${pixels}),
        .out_valid(coloured_valid),
        .out_ready(coloured_ready),
        .out_data(coloured)
    );

    texpipe_collect collect (
        .clk(tex_clk),
        .rst(tex_rst),
        .in_valid(coloured_valid),
        .in_ready(coloured_ready),
        .in_pixel(coloured),
        .out_valid(result_valid),
        .out_ready(result_ready),
        .out_data(result)
    );

    // Memory: a table's lines go first, all of them; which lines are a table's is remembered in their order.
    wire kinds_ready, kind_valid;

    fifo #(
        .WIDTH(1),
        .DEPTH(${cfg.lines.depth}),
        .COUNT_BITS(${cfg.lines.depth.bit_length()})
    ) kinds (
        .clk(tex_clk),
        .rst(tex_rst),
        .in_valid((table_address_valid | miss_valid) & address_ready),
        .in_ready(kinds_ready),
        .in_data(table_address_valid),
        .out_valid(kind_valid),
        .out_ready(line_valid & (table_line | line_ready)),
        .out_data(table_line)
    );

    assign table_write = line_valid & table_line;

    texpipe_line_reader reader (
        .clk(tex_clk),
        .rst(tex_rst),
        .axi_rst(m_axi_rst),
        .address_valid(table_address_valid | miss_valid),
        .address_ready(address_ready),
        .address(table_address_valid ? table_address : miss_line),
        .line_valid(line_valid),
        .line_ready(table_line | line_ready),
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
    reg  prim_taken_before;

    always @(posedge tex_clk)
        prim_taken_before <= prim_taken & !tex_rst;

    assign probe_data  = ${pack(probe, values=handshakes)};
    assign probe_valid = probe_data != ${probe.width}'d0;
% else:
    wire unused_probe = prim_taken;
% endif
    assign perf_valid  = 1'b1;

    ${unpack(evt, "evt_data", fields=None if not cfg.observe else counted)}
    ${unpack(res, "result", "sampled_quad", ["valid"])}

    texpipe_counters counters (
        .clk(tex_clk),
        .rst(tex_rst),
        .quads(result_valid & result_ready),
        .errors(line_valid & (table_line | line_ready) & line_error),
        .tables(table_begins),
        .prim_wait_cycles(prim_waits),
        .quad_wait_cycles(starved),
        .ask_wait_cycles(asking),
        .ahead_wait_cycles(blocked),
        .memory_wait_cycles(memory_wait),
        .table_wait_cycles(read_valid & table_wait),
        .result_wait_cycles(result_valid & !result_ready),
% if cfg.trilinear:
        .mixed(sampled_valid & sampled_fraction != 8'd0),
% endif
        .pixels(sampled_quad_valid),
        .looked_up(${flags("valid")}),
        .hit(${flags("hit")}),
        .evicted(${flags("evict")}),
        .perf_data(perf_data)
    );

    wire unused = &{1'b0, ${pixels}_ready, kinds_ready, kind_valid, next_sample, next_format${"" if cfg.observe else ", " + ", ".join(ignored)}};

endmodule
