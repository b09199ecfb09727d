// trilinear: texture cache for samples of two mip levels, one per clock: even levels in one half, odd ones in another.
//
//   req -+-> even half (texcache) -+-> res       halves run apart; the FIFO of open samples joins their results
//        +-> odd half  (texcache) -+
//        +-> open samples ---------+             AXI4: reads of both halves in turn, ids 0 and 1
// ${cfg.capacity_bytes} bytes: each half ${cfg.half.banks} single-port caches of ${cfg.half.cache.sets} sets x ${cfg.half.cache.ways} way(s), lines of ${cfg.half.line_texels} texels.
// Timing: a sample whose lines are there takes 3 cycles, one begins each cycle; else it waits for the slower half.
<%
    streams, axi, half = cfg.all_streams, cfg.axi, cfg.half
    req, res, perf = streams["req"], streams["res"], streams["perf"]
    inner = half.all_streams
    halves, level, ids = ("even", "odd"), half.level_bits, cfg.id_bits
    depth = cfg.open_samples
    both = lambda name: "{" + ", ".join(f"{h}_{name}" for h in reversed(halves)) + "}"
    texels = lambda name: ", ".join(f"{name}_texel{n}" for n in reversed(range(4)))
%>\
module trilinear (
    input  wire clk, // clock
    input  wire rst, // synchronous; lines are forgotten, open reads are waited for and dropped
% for stream in cfg.streams.values():
    // ${stream.doc}
${ports(stream_signals(stream))}
% endfor
    // memory: one INCR burst of ${cfg.beats} beats per line, id 0 of the even half, 1 of the odd one
${ports(axi.signals, last=True)}
);

    localparam [1:0] BILINEAR = 2'd0, TRILINEAR = 2'd1, INVALIDATE = 2'd2, TABLE = 2'd3;

    wire reset = rst | m_axi_rst;

    ${unpack(req, "req_data")}

    // What a request needs: the half of its level, and of two levels the other one. The last level has no next one.
    wire pair    = req_op == TRILINEAR & req_level != ${level}'d${cfg.last_level};
    wire samples = req_op == BILINEAR | req_op == TRILINEAR;
    wire finer   = req_level[0];           // half of the finer level
    wire ${width(level)} coarser_level = req_level + ${level}'d1;
    wire [1:0] needs = {samples & (pair | finer), samples & (pair | !finer)};

    // It is taken when both halves could take a footprint, no invalidation is under way, and what was asked for before
    // a reset has gone to memory: so an address is of a request since the reset if there was one.
    reg  clearing;                         // lines are to be forgotten when all samples before have been answered
    wire open_ready, even_req_ready, odd_req_ready, even_lut_ready, odd_lut_ready;
    reg  [1:0] stale;                      // addresses of before a reset that still wait
    assign req_ready = even_req_ready & odd_req_ready & open_ready & !clearing & stale == 2'd0 & !reset;
    wire take = req_valid & req_ready;

    // Open requests, in order
    wire open_valid, open_clears, open_finer, open_done;
    wire [1:0] open_needs;
    wire ${width(ids)} open_id;

    fifo #(
        .WIDTH(${ids + 4}),
        .DEPTH(${depth}),
        .COUNT_BITS(${depth.bit_length()})
    ) open_requests (
        .clk(clk),
        .rst(reset),
        .in_valid(take),
        .in_ready(open_ready),
        .in_data({req_id, req_op == INVALIDATE, finer, needs}),
        .out_valid(open_valid),
        .out_ready(open_done),
        .out_data({open_id, open_clears, open_finer, open_needs})
    );

    // An invalidation: the oldest request, and both halves are at rest. Its result may wait while the next comes.
    reg  cleared;                          // that of the oldest request is done
    wire even_busy, odd_busy, even_inv_ready, odd_inv_ready;
    wire clear = clearing & open_valid & open_clears & !cleared & even_inv_ready & odd_inv_ready;

    always @(posedge clk) begin
        if (reset) begin
            clearing <= 1'b0;
            cleared  <= 1'b0;
        end else begin
            if (take & req_op == INVALIDATE)
                clearing <= 1'b1;
            else if (clear)
                clearing <= 1'b0;
            cleared <= clear | (cleared & !open_done);
        end
    end

    // The halves
    wire [1:0] res_valids, res_taken;
% for n, name in enumerate(halves):

    wire ${name}_mine = ${"finer" if n else "!finer"}; // the finer level is this half's
    wire ${width(inner["req"].width)} ${name}_req = ${pack(inner["req"], values={
        "u": f"{name}_mine ? req_u0 : req_u1", "v": f"{name}_mine ? req_v0 : req_v1",
        "mode_u": "req_mode_u", "mode_v": "req_mode_v", "level": f"{name}_mine ? req_level : coarser_level",
        "tex": "req_tex", "id": "1'b0"})};
    wire ${width(inner["res"].width)} ${name}_res;
    wire ${name}_stop, ${name}_begin;
    ${unpack(inner["res"], f"{name}_res", name=name)}
    ${wires(half.axi.signals[1:], f"{name}_")}

    trilinear_half ${name}_half (
        .clk(clk),
        .rst(rst),
        .lut_valid(take & req_op == TABLE & ${name}_mine),
        .lut_ready(${name}_lut_ready),
        .lut_data(${pack(inner["lut"], values={"tex": "req_tex", "level": "req_level", "base": "req_line"}, indent=8)}),
        .inv_valid(clear),
        .inv_ready(${name}_inv_ready),
        .req_valid(take & needs[${n}]),
        .req_ready(${name}_req_ready),
        .req_data(${name}_req),
        .res_valid(res_valids[${n}]),
        .res_ready(res_taken[${n}]),
        .res_data(${name}_res),
        .usp_stop(${name}_stop),
        .usp_begin(${name}_begin),
        .busy(${name}_busy),
% if cfg.observe:
        .evt_valid(${name}_evt_valid),
        .evt_data(${name}_evt_data),
% endif
        .perf_data(${name}_perf_data),
        .m_axi_rst(m_axi_rst),
${connect(half.axi.signals[1:], before=f"{name}_", last=True)}
    );
% endfor

    // Results: of the halves that the oldest request needs, both at once
    assign res_valid = open_valid & (open_needs & ~res_valids) == 2'd0 & (!open_clears | cleared);
    assign open_done = res_valid & res_ready;
    assign res_taken = open_needs & {2{open_done}};

    wire [127:0] even_texels = {${texels("even")}};
    wire [127:0] odd_texels  = {${texels("odd")}};
    wire [127:0] here = open_finer ? odd_texels : even_texels;
    wire [127:0] next = open_finer ? even_texels : odd_texels;
    wire sampled = open_needs != 2'd0, paired = open_needs == 2'd3;
    wire failed  = |(open_needs & {odd_err, even_err});

    assign res_data = {open_id, failed, next & {128{paired}}, here & {128{sampled}}};

    // Memory: addresses in turn, what comes back by its id
    wire [1:0] asking = ${both("m_axi_arvalid")};
    wire [1:0] reader;

    axi_turn #(.MASTERS(2)) turn (
        .clk(clk),
        .rst(m_axi_rst),
        .asking(asking),
        .taken(m_axi_arvalid & m_axi_arready),
        .choice(reader)
    );

    wire [1:0] asked = reader & {2{m_axi_arvalid & m_axi_arready}};

    always @(posedge clk) begin
        if (m_axi_rst)
            stale <= 2'd0;
        else
            stale <= (rst ? asking : stale) & ~asked;
    end

    assign m_axi_arvalid = |asking;
    assign m_axi_arid    = ${f"{{{axi.id_bits - 1}'d0, reader[1]}}" if axi.id_bits > 1 else "reader[1]"};
% for field in axi.channels["ar"].fields[1:]:
    assign m_axi_ar${field.name} = reader[1] ? odd_m_axi_ar${field.name} : even_m_axi_ar${field.name};
% endfor

    wire reply = ${"m_axi_rid[0]" if axi.id_bits > 1 else "m_axi_rid"}; // whose beat this is
    assign m_axi_rready = reply ? odd_m_axi_rready : even_m_axi_rready;
% for n, name in enumerate(halves):
    assign ${name}_m_axi_arready = m_axi_arready & reader[${n}];
    assign ${name}_m_axi_rvalid  = m_axi_rvalid & ${"reply" if n else "!reply"};
% for field in axi.channels["r"].fields:
    assign ${name}_m_axi_r${field.name} = ${f"{half.axi.id_bits}'d0" if field.name == "id" else f"m_axi_r{field.name}"};
% endfor
% endfor
<%
    steps = {
        "samples": "open_done & sampled", "pairs": "open_done & paired", "result_wait_cycles": "res_valid & !res_ready"
    }
%>\
% for field in perf.fields:

    counter count_${field.name} (
        .clk(clk),
        .rst(reset),
        .step(${steps[field.name]}),
        .count(perf_data[${perf.offset(field.name) + 31}:${perf.offset(field.name)}])
    );
% endfor

    wire unused = &{1'b0, m_axi_rid, even_id, odd_id, even_stop, odd_stop, even_begin, odd_begin, even_busy, odd_busy,
        even_lut_ready, odd_lut_ready, even_m_axi_arid, odd_m_axi_arid};

endmodule
