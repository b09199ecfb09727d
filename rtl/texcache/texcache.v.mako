// texcache: read-only L1 texture cache between a unified shader (USP) and memory.
//
// One request is one bilinear footprint (2 x 2 texels); results leave in request order.
//   look-up -> address -> | tag compare + LRU -> [tag FIFO, data FIFO] -> | output
// ${cfg.capacity_bytes} bytes: ${cfg.banks} single-port cache(s) of ${cfg.cache.sets} sets x ${cfg.cache.ways} way(s), lines of ${cfg.line_texels} texels.
// Timing: from request to result handshake, a hit takes 1 cycle and 1 per beat of look-ups, the FIFOs 4 more and
// the wait for memory. One footprint per cycle while all hit in one beat each.
<%
    streams = cfg.all_streams
    req, lut, evt = streams["req"], streams["lut"], streams["evt"]
    t, beat = cfg.texel_bits, helpers.beat(cfg)
    b, s, w, line = max(1, cfg.bank_bits), cfg.cache.set_bits, max(1, cfg.cache.way_bits), cfg.cache.line_bytes * 8
    def all_slots(name):
        return "{" + ", ".join(f"evt_{name}{i}" for i in reversed(range(cfg.slots))) + "} & {4{evt_valid}}"
    counted = [f"{name}{i}" for name in ("valid", "hit", "evict") for i in range(cfg.slots)]
    ignored = [f"evt_{field.name}" for field in evt.fields if field.name not in counted]
%>\
module texcache (
    input  wire clk, // clock
    input  wire rst,                       // synchronous, active high; reads that are open are waited for and dropped
    // look-up table writes: ${", ".join(f.name for f in lut.fields)}
    input  wire lut_valid, // an entry is offered
    output wire lut_ready,                 // always 1 but in reset
    input  wire ${width(lut.width)} lut_data, // the entry
    // invalidate all lines; taken when nothing is in the pipeline, requests wait meanwhile
    input  wire inv_valid, // invalidate
    output wire inv_ready, // it is done
    // requests: ${", ".join(f.name for f in req.fields)}
    input  wire req_valid, // a footprint is offered
    output wire req_ready, // it is taken; in a reset it is lost
    input  wire ${width(req.width)} req_data, // the footprint
    // results: ${", ".join(f.name for f in streams["res"].fields)}
    output wire res_valid, // a result is offered
    input  wire res_ready, // it is taken
    output wire ${width(streams["res"].width)} res_data, // the result
    // the paper's names for back-pressure: one-cycle pulses, no request is taken between them
    output wire usp_stop, // no requests from here
    output wire usp_begin, // go on
    output wire busy,                      // something is in the pipeline
% if cfg.observe:
    // observation: look-ups of a beat, per slot ${", ".join(f.name[:-1] for f in evt.fields[:7])}; then last
    output wire evt_valid, // a beat was decided in the cycle before
    output wire ${width(evt.width)} evt_data, // its look-ups
% endif
    // performance counters: ${", ".join(f.name for f in streams["perf"].fields[:6])},
    //   ${", ".join(f.name for f in streams["perf"].fields[6:])}
    output wire ${width(streams["perf"].width)} perf_data, // the counters
    // AXI4 read master: one INCR burst of ${cfg.beats_per_line} beats per line, id 0
${ports(cfg.axi.signals, last=True)}
);

% if not cfg.observe:
    // What observers would see
    wire evt_valid;
    wire ${width(evt.width)} evt_data;
% endif
    ${unpack(lut, "lut_data")}
    ${unpack(req, "req_data")}

    // A reset alone leaves memory as it is.
    wire reset = rst | m_axi_rst;

    // Requests enter unless stopped, or an invalidation waits for the pipeline to empty.
    wire stopped, compare_ready, compare_busy, fifo_busy, output_busy;
    wire accept = !stopped & !inv_valid;
    assign req_ready = accept & compare_ready;
    assign busy      = compare_busy | fifo_busy | output_busy;
    assign inv_ready = !busy;
    assign lut_ready = !reset;

    wire ${width(cfg.cache.line_bits)} base;

    texcache_lookup lookup (
        .clk(clk),
        .write(lut_valid & lut_ready),
        .write_index({lut_tex, lut_level}),
        .write_base(lut_base),
        .index({req_tex, req_level}),
        .base(base)
    );

    wire ${width(4 * t)} address;
% if cfg.parity:
    wire [3:0] side;
% else:
    wire small_level;
% endif
    wire [3:0] need;

    texcache_address address_circuit (
        .base(base),
        .level(req_level),
        .mode_u(req_mode_u),
        .mode_v(req_mode_v),
        .u(req_u),
        .v(req_v),
        .address(address),
% if cfg.parity:
        .side(side),
% else:
        .small_level(small_level),
% endif
        .need(need)
    );

    wire miss_valid, miss_ready, beat_valid, beat_ready, beat_hit;
    wire ${width(cfg.cache.line_bits)} miss_line;
    wire ${width(beat.width)} beat;
% if not cfg.parity:
    wire all_hit;
    ${unpack(beat, "beat", "beat", ["last"])}
% endif

    texcache_${"parity" if cfg.parity else "tag"}_compare tag_compare (
        .clk(clk),
        .rst(reset),
        .invalidate(inv_valid & inv_ready),
        .in_valid(req_valid & accept),
        .in_ready(compare_ready),
        .in_address(address),
% if cfg.parity:
        .in_side(side),
% else:
        .in_small_level(small_level),
% endif
        .in_need(need),
        .in_id(req_id),
        .miss_valid(miss_valid),
        .miss_ready(miss_ready),
        .miss_line(miss_line),
        .beat_valid(beat_valid),
        .beat_ready(beat_ready),
        .beat(beat),
        .beat_hit(beat_hit),
        .busy(compare_busy),
        .evt_valid(evt_valid),
% if not cfg.parity:
        .all_hit(all_hit),
% endif
        .evt_data(evt_data)
    );

    wire line_valid, line_ready, line_error;
    wire ${width(line)} line_data;

    wire ar_valid, ar_ready, r_valid, r_last;
    wire [1:0] r_resp;
    wire ${width(cfg.axi.data_bits)} r_data;
    wire ${width(cfg.cache.address_bits)} ar_addr;

    texcache_line_reader reader (
        .clk(clk),
        .rst(reset),
        .axi_rst(m_axi_rst),
        .address_valid(miss_valid),
        .address_ready(miss_ready),
        .address(miss_line),
        .line_valid(line_valid),
        .line_ready(line_ready),
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

    texcache_axi_read_port port (
        .clk(clk),
        .ar0_valid(ar_valid),
        .ar0_ready(ar_ready),
        .ar0_addr(ar_addr),
        .r0_valid(r_valid),
        .r_data(r_data),
        .r_resp(r_resp),
        .r_last(r_last),
${connect(cfg.axi.signals, last=True)}
    );

    wire fill_valid, read_valid, read_ready, memory_wait;
    wire ${width(b)} fill_bank;
    wire ${width(helpers.row_bits(cfg))} fill_index;
    wire ${width(line + 1)} fill_data;
    wire ${width(beat.width)} read_beat;

    texcache_fifo_control fifo_control (
        .clk(clk),
        .rst(reset),
        .beat_valid(beat_valid),
        .beat_ready(beat_ready),
        .beat(beat),
        .beat_hit(beat_hit),
        .upstream_busy(compare_busy),
        .line_valid(line_valid),
        .line_ready(line_ready),
        .line_data(line_data),
        .line_error(line_error),
        .fill_valid(fill_valid),
        .fill_bank(fill_bank),
        .fill_index(fill_index),
        .fill_data(fill_data),
        .read_valid(read_valid),
        .read_ready(read_ready),
        .read_beat(read_beat),
        .stopped(stopped),
        .usp_stop(usp_stop),
        .usp_begin(usp_begin),
        .busy(fifo_busy),
        .memory_wait(memory_wait)
    );

    texcache_output output_circuit (
        .clk(clk),
        .rst(reset),
        .fill_valid(fill_valid),
        .fill_bank(fill_bank),
        .fill_index(fill_index),
        .fill_data(fill_data),
        .read_valid(read_valid),
        .read_ready(read_ready),
        .read_beat(read_beat),
        .res_valid(res_valid),
        .res_ready(res_ready),
        .res_data(res_data),
        .busy(output_busy)
    );

    ${unpack(evt, "evt_data", fields=None if not cfg.observe else counted)}
% if not cfg.observe:
    wire unused = &{1'b0, ${", ".join(ignored)}};
% endif

    texcache_counters counters (
        .clk(clk),
        .rst(reset),
        .looked_up(${all_slots("valid")}),
        .hit(${all_slots("hit")}),
        .evicted(${all_slots("evict")}),
        .footprints(res_valid & res_ready),
        .footprint_hits(beat_ready & ${"beat_hit" if cfg.parity else "beat_valid & beat_last & all_hit"}),
        .errors(line_valid & line_ready & line_error),
        .conflict_cycles(${"1'b0" if cfg.parity else "beat_valid & beat_ready & !beat_last"}),
        .stop_cycles(req_valid & stopped),
        .request_wait_cycles(req_valid & !stopped & !req_ready),
        .memory_wait_cycles(memory_wait),
        .result_wait_cycles(res_valid & !res_ready),
        .perf_data(perf_data)
    );

endmodule
