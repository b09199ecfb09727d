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

    // Why stage 1 is not left: the first of these causes. If it could be entered: whether a request waits for its warp
    wire stays1       = s1_valid & !move1;
    wire group_waits  = stays1 & joins1;
    wire victim_waits = stays1 & misses1 & here;
    wire entry_waits  = stays1 & misses1 & !here & none;
    wire write_waits  = stays1 & misses1 & !here & !none & stale & !room;
    wire stage_waits  = stays1 & !(group_waits | victim_waits | entry_waits | write_waits);
    wire new_access   = d_valid ? d_access & !d_begun : req_valid & (req_op == LOAD | req_op == STORE);
    wire warp_waits   = new_access & busy[next_warp] & can_issue & !starting;
<%
    steps = {
        "loads": "done & res_op == LOAD", "stores": "done & res_op == STORE", "hits": helpers.sum_of("hit_lanes"),
        "misses": "open & access1", "uncached": "1'b0", "evictions": "open & victim_tag[0]",
        "writes": "answered & !refused & !starting", "errors": helpers.sum_of("err_lanes"),
        "prefetches": "open & !access1", "memory_wait_cycles": "any_miss", "result_wait_cycles": "res_valid & !res_ready",
        "group_wait_cycles": "group_waits", "victim_wait_cycles": "victim_waits", "entry_wait_cycles": "entry_waits",
        "write_wait_cycles": "write_waits", "stage_wait_cycles": "stage_waits", "warp_wait_cycles": "warp_waits",
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
