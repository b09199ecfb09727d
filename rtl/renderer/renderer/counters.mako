## What is counted.
<%
    m, ids, perf = cfg.axi.prefix, cfg.axi.inner_id_bits, cfg.streams["perf"]
    steps = {
        "tiles": f"done & {'pix_tile' if cfg.early else 'held'}", "quads": "handed",
        "coordinates_wait_cycles": "coordinates_wait", "unit_wait_cycles": "unit_wait",
        "sample_wait_cycles": "sample_wait",
        "test_wait_cycles": "res_valid & !res_ready" if cfg.early else "shade_valid & !shade_ready",
        "result_wait_cycles": "pix_valid & !pix_ready",
        "texture_beats": f"reads & !{m}_rid[{ids}]", "depth_beats": f"reads & {m}_rid[{ids}]",
        "written_beats": f"{m}_wvalid & {m}_wready",
        "address_wait_cycles": f"texunit_{m}_arvalid & zcache_{m}_arvalid",
    }
%>\
    wire reads = ${m}_rvalid & ${m}_rready;
% for field in perf.fields:

    counter count_${field.name} (
        .clk(clk),
        .rst(reset),
        .step(${steps[field.name]}),
        .count(perf_data[${perf.offset(field.name) + 31}:${perf.offset(field.name)}])
    );
% endfor
