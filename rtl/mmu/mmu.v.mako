// mmu: memory unit of a SIMT processor: instruction cache, data cache, shared RAM, one AXI4 port.
//
//   icache_req -> gate -> icache ------------> icache_res      gates: requests of the control port go between
//   dcache_req -> gate -> dcache, data_ram --> dcache_res      those from outside when a cache is empty
//                  AXI4: AR of both caches in turn, of icache with id 0; AW, W, B of the data cache
// Timing: that of the caches (docs/icache.md, docs/dcache.md); lanes in the window of the shared RAM pass at once, but
// for those that want other words of the same bank. docs/mmu.md has the rest.
<%
    streams, ram, axi, A = cfg.all_streams, cfg.data_ram, cfg.axi, cfg.axi.address_bits
    inner_req = {name: inner.all_streams["req"] for name, inner in cfg.inner.items()}
    fetch, data = streams["icache_req"], streams["dcache_req"]
    fetched, loaded, perf = streams["icache_res"], streams["dcache_res"], streams["perf"]
    window, base = ram.window_bits, ram.base >> ram.window_bits
    lanes = range(8)
    over = lambda items: "{" + ", ".join(items) + "}"
    overtake = cfg.dcache.mshrs > 0  # results of different warps do
    V, ids = cfg.dcache.warp_bits, axi.id_bits
%>\
module mmu (
    input  wire clk, // clock
    input  wire rst, // synchronous; lines, shared RAM and control transfers are forgotten, AXI bursts completed
% for stream in cfg.streams.values():
    // ${stream.doc}
${ports(stream_signals(stream))}
% endfor
    // control: AXI4-Lite
${ports(cfg.control.signals)}
    // memory: reads with id 0 of icache, ${"an odd one for each line under way" if overtake else "1"} of dcache, which writes with id 1
${ports(axi.signals, last=True)}
);

    localparam [2:0] LOAD = 3'd0, STORE = 3'd1;

    wire reset = rst | m_axi_rst;

    // Control
    wire data_want, data_mine, data_done, data_was_done;
    wire fetch_want, fetch_mine, fetch_done, fetch_was_done;
    wire [2:0] data_op;
    wire [2:0] fetch_op;
    wire ${width(cfg.icache.block_bits)} fetch_block;
    wire ${width(A)} value;

    // Instructions
    ${unpack(fetch, "icache_req_data")}
    wire ${width(fetch.width)} icache_in_data = ${pack(fetch, values={
        "op": "fetch_mine ? fetch_op : icache_req_op", "block": "fetch_mine ? fetch_block : icache_req_block",
        "pc": "fetch_mine ? value : icache_req_pc"})};
    wire icache_in_valid, icache_in_ready, icache_out_valid, icache_out_ready;
    wire ${width(fetched.width)} icache_out_data;
    ${unpack(fetched, "icache_out_data", name="icache_out", fields=("inst", "err"))}
    ${wires(cfg.icache.axi.signals[1:], "icache_")}
% if cfg.observe:
    wire icache_seen;
    assign icache_evt_valid = icache_seen & !fetch_was_done;
% else:
    wire unused_fetch = fetch_was_done;
% endif
    assign icache_res_data = icache_out_data;

    mmu_gate fetch_gate (
        .clk(clk),
        .rst(reset),
        .want(fetch_want),
        .mine(fetch_mine),
        .done(fetch_done),
        .was_done(fetch_was_done),
        .req_valid(icache_req_valid),
        .req_ready(icache_req_ready),
        .res_valid(icache_res_valid),
        .res_ready(icache_res_ready),
        .in_valid(icache_in_valid),
        .in_ready(icache_in_ready),
        .out_valid(icache_out_valid),
        .out_ready(icache_out_ready)
    );

    mmu_icache icache (
        .clk(clk),
        .rst(rst),
        .req_valid(icache_in_valid),
        .req_ready(icache_in_ready),
        .req_data(icache_in_data),
        .res_valid(icache_out_valid),
        .res_ready(icache_out_ready),
        .res_data(icache_out_data),
% if cfg.observe:
        .evt_valid(icache_seen),
        .evt_data(icache_evt_data),
% endif
        .perf_data(icache_perf_data),
        .m_axi_rst(m_axi_rst),
${connect(cfg.icache.axi.signals[1:], before="icache_", last=True)}
    );

    // Data: lanes in the window of the shared RAM are taken from the cache's request, their words put into its result
    ${unpack(data, "dcache_req_data")}
    wire accesses = !data_mine & (dcache_req_op == LOAD | dcache_req_op == STORE);
    wire [7:0] in_window = {
        ${(",\n" + 8 * " ").join(f"dcache_req_addr{lane}[{A - 1}:{window}] == {A - window}'h{base:x}" for lane in reversed(lanes))}
    };
    wire [7:0] shared = dcache_req_mask & in_window & {8{accesses}};
% if overtake:
    reg  ${width(cfg.warps)} open;     // warps with a request under way: their next one waits
    wire let_in = !open[dcache_req_warp];
    wire ${width(V)} in_warp = data_mine ? ${V}'d0 : dcache_req_warp;
    wire door_ready;
% endif
    wire ${width(data.width)} dcache_in_data = ${pack(data, values={
        "op": "data_mine ? data_op : dcache_req_op", "mask": "dcache_req_mask & ~shared",
        "addr0": "data_mine ? value : dcache_req_addr0", **({"warp": "in_warp"} if overtake else {})})};
    wire data_valid, data_ready;           // a request for both, and its result:
    wire both_valid, both_ready;           // offered by both
    wire dcache_ready, dcache_out_valid;
    wire ram_ready, ram_out_valid;
    wire ${width(loaded.width)} dcache_out_data;
    wire [255:0] ram_words;
% if overtake:
    wire [255:0] answer_words;
    reg  ${width(cfg.warps)} ram_done; // warps whose words of the shared RAM are here
% endif
    ${unpack(loaded, "dcache_out_data", name="dcache_out")}
    ${wires(cfg.dcache.axi.signals[1:], "dcache_")}
% if cfg.observe:
    wire dcache_seen;
    assign dcache_evt_valid = dcache_seen & !data_was_done;
% else:
    wire unused_data = data_was_done;
% endif

    assign data_ready = dcache_ready & ram_ready;
% if overtake:
    assign both_valid = dcache_out_valid & ram_done[dcache_out_warp];
    assign dcache_req_ready = door_ready & let_in;
% else:
    assign both_valid = dcache_out_valid & ram_out_valid;
% endif
    assign dcache_res_data = ${pack(loaded, name="dcache_out", values={f"data{n}": f"dcache_out_data{n} | ram_words[{32 * n + 31}:{32 * n}]" for n in lanes})};

    mmu_gate data_gate (
        .clk(clk),
        .rst(reset),
        .want(data_want),
        .mine(data_mine),
        .done(data_done),
        .was_done(data_was_done),
        .req_valid(dcache_req_valid${" & let_in" if overtake else ""}),
        .req_ready(${"door_ready" if overtake else "dcache_req_ready"}),
        .res_valid(dcache_res_valid),
        .res_ready(dcache_res_ready),
        .in_valid(data_valid),
        .in_ready(data_ready),
        .out_valid(both_valid),
        .out_ready(both_ready)
    );

    mmu_dcache dcache (
        .clk(clk),
        .rst(rst),
        .req_valid(data_valid & ram_ready),
        .req_ready(dcache_ready),
        .req_data(dcache_in_data),
        .res_valid(dcache_out_valid),
        .res_ready(both_ready & ${"ram_done[dcache_out_warp]" if overtake else "ram_out_valid"}),
        .res_data(dcache_out_data),
% if cfg.observe:
        .evt_valid(dcache_seen),
        .evt_data(dcache_evt_data),
% endif
        .perf_data(dcache_perf_data),
        .m_axi_rst(m_axi_rst),
${connect(cfg.dcache.axi.signals[1:], before="dcache_", last=True)}
    );

    wire start = data_valid & data_ready;
    wire pass, again;

    mmu_data_ram data_ram (
        .clk(clk),
        .rst(reset),
        .start(start),
        .ready(ram_ready),
        .store(dcache_req_op == STORE),
        .mask(shared),
        .places(${over(f"dcache_req_addr{lane}[{window - 1}:2]" for lane in reversed(lanes))}),
        .words(${over(f"dcache_req_data{lane}" for lane in reversed(lanes))}),
        .strobes(${over(f"dcache_req_strobe{lane}" for lane in reversed(lanes))}),
        .out_valid(ram_out_valid),
        .out_ready(${"1'b1" if overtake else "both_ready & dcache_out_valid"}),
        .out_words(${"answer_words" if overtake else "ram_words"}),
        .pass(pass),
        .again(again)
    );

% if overtake:
    // Words of the shared RAM wait for the cache's result, by warp
    wire ${width(V)} answer_warp;
    wire answer_ready, answer_known;       // always: the order of what is on its way in the shared RAM

    fifo #(
        .WIDTH(${V}),
        .DEPTH(4),
        .COUNT_BITS(3)
    ) answer_order (
        .clk(clk),
        .rst(reset),
        .in_valid(start),
        .in_ready(answer_ready),
        .in_data(in_warp),
        .out_valid(answer_known),
        .out_ready(ram_out_valid),
        .out_data(answer_warp)
    );

    ram_async #(
        .WIDTH(256),
        .DEPTH(${cfg.warps}),
        .INDEX_BITS(${V})
    ) answer_ram (
        .clk(clk),
        .write(ram_out_valid),
        .write_index(answer_warp),
        .write_data(answer_words),
        .read_index(dcache_out_warp),
        .read_data(ram_words)
    );

    wire ${width(cfg.warps)} taken    = ${cfg.warps}'d1 << dcache_out_warp;
    wire ${width(cfg.warps)} begun    = ${cfg.warps}'d1 << in_warp;
    wire ${width(cfg.warps)} answered = ${cfg.warps}'d1 << answer_warp;
    wire leave = both_valid & both_ready;

    always @(posedge clk) begin
        if (reset) begin
            open     <= ${cfg.warps}'d0;
            ram_done <= ${cfg.warps}'d0;
        end else begin
            open     <= (open | (begun & {${cfg.warps}{start}})) & ~(taken & {${cfg.warps}{leave}});
            ram_done <= (ram_done | (answered & {${cfg.warps}{ram_out_valid}})) & ~(taken & {${cfg.warps}{leave}});
        end
    end

% endif
    mmu_control control (
        .clk(clk),
        .rst(reset),
        .data_want(data_want),
        .data_op(data_op),
        .data_done(data_done),
        .data_err(dcache_out_err[0]),
        .data_address(dcache_out_data0[31:2]),
        .fetch_want(fetch_want),
        .fetch_op(fetch_op),
        .fetch_block(fetch_block),
        .fetch_done(fetch_done),
        .fetch_err(icache_out_err),
        .fetch_address(icache_out_inst[31:2]),
        .value(value),
        .icache_perf_data(icache_perf_data),
        .dcache_perf_data(dcache_perf_data),
        .perf_data(perf_data),
${connect(cfg.control.signals, last=True)}
    );

    // Memory: read addresses in turn, what comes back by its id; only the data cache writes
    wire [1:0] asking = {dcache_m_axi_arvalid, icache_m_axi_arvalid};
    wire reader;

    mmu_read_arbiter arbiter (
        .clk(clk),
        .rst(m_axi_rst),
        .asking(asking),
        .taken(m_axi_arvalid & m_axi_arready),
        .number(reader)
    );

    assign m_axi_arvalid = |asking;
    assign icache_m_axi_arready = m_axi_arready & !reader;
    assign dcache_m_axi_arready = m_axi_arready & reader;
% if overtake:
    assign m_axi_arid = ${f"reader ? {{dcache_m_axi_arid[{ids - 2}:0], 1'b1}} : {ids}'d0" if ids > 1 else "reader"};
% else:
    assign m_axi_arid = ${f"{{{axi.id_bits - 1}'d0, reader}}" if axi.id_bits > 1 else "reader"};
% endif
% for field in axi.channels["ar"].fields[1:]:
    assign m_axi_ar${field.name} = reader ? dcache_m_axi_ar${field.name} : icache_m_axi_ar${field.name};
% endfor

    wire reply = ${"m_axi_rid[0]" if ids > 1 else "m_axi_rid"}; // whose beat this is
    assign m_axi_rready = reply ? dcache_m_axi_rready : icache_m_axi_rready;
    assign icache_m_axi_rvalid = m_axi_rvalid & !reply;
    assign dcache_m_axi_rvalid = m_axi_rvalid & reply;
% for name in cfg.inner:
% for field in axi.channels["r"].fields:
<%
    value = f"m_axi_r{field.name}"
    if field.name == "id":
        number = f"{{1'b0, m_axi_rid[{ids - 1}:1]}}" if ids > 1 else "1'b0"
        value = number if overtake and name == "dcache" else f"{ids}'d0"
%>\
    assign ${name}_m_axi_r${field.name} = ${value};
% endfor
% endfor

    assign m_axi_awid = ${axi.id_bits}'d1;
% for channel in ("aw", "w"):
% for field in axi.channels[channel].fields:
% if field.name != "id":
    assign m_axi_${channel}${field.name} = dcache_m_axi_${channel}${field.name};
% endif
% endfor
    assign m_axi_${channel}valid = dcache_m_axi_${channel}valid;
    assign dcache_m_axi_${channel}ready = m_axi_${channel}ready;
% endfor
    assign dcache_m_axi_bid    = ${axi.id_bits}'d0;
    assign dcache_m_axi_bresp  = m_axi_bresp;
    assign dcache_m_axi_bvalid = m_axi_bvalid;
    assign m_axi_bready        = dcache_m_axi_bready;
<%
    steps = {
        "shared": "start & shared != 8'd0", "passes": "pass", "conflicts": "again",
        "commands": "data_done | fetch_done", "read_wait_cycles": "&asking",
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

    wire unused = &{1'b0, icache_out_inst[1:0], m_axi_rid, m_axi_bid, icache_m_axi_arid, dcache_m_axi_arid, dcache_m_axi_awid${", answer_ready, answer_known" if overtake else ""}};

endmodule
