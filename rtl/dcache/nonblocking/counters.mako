## Of a cache that serves hits under misses: events and counters.
<%
    evt, perf = (cfg.all_streams[name] for name in ("evt", "perf"))
%>\
% if cfg.observe:

    // What became of a request is reported once, in the cycle after its result was taken
    reg  event_valid;
    reg  ${width(evt.width)} event_data;

    always @(posedge clk) begin
        event_valid <= done & !reset;
        if (done)
            event_data <= event_word;
    end

    assign evt_valid = event_valid;
    assign evt_data  = event_data;
% else:
    wire unused_event = &{1'b0, event_word};
% endif

    // Counters
    wire [7:0] hit_lanes = s1_mask & ~(s1_lowest & {8{!found}}) & {8{look}};
    wire [7:0] err_lanes = res_err & {8{done & res_op != STATUS}};
<%
    steps = {
        "loads": "done & res_op == LOAD", "stores": "done & res_op == STORE", "hits": helpers.sum_of("hit_lanes"),
        "misses": "open & access1", "uncached": "1'b0", "evictions": "open & victim_tag[0]",
        "writes": "answered & !refused & !starting", "errors": helpers.sum_of("err_lanes"),
        "prefetches": "open & !access1", "memory_wait_cycles": "any_miss", "result_wait_cycles": "res_valid & !res_ready",
    }
%>\
% for field in perf.fields:

% if field.name in ("hits", "errors"):
    counter #(
        .STEP_BITS(4)
    ) count_${field.name} (
% else:
    counter count_${field.name} (
% endif
        .clk(clk),
        .rst(reset),
        .step(${steps[field.name]}),
        .count(perf_data[${perf.offset(field.name) + 31}:${perf.offset(field.name)}])
    );
% endfor
