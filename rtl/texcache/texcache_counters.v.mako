// Performance counters: 32 bits each, since reset, wrapping around.
//
// Timing: a counter shows an event two cycles later; off the critical path.
<%
    fields = cfg.streams["perf"].fields
    several = {"lookups": "looked_up", "hits": "hit", "misses": "missed", "evictions": "evicted"}
%>\
module texcache_counters (
    input  wire clk, // clock
    input  wire rst,                 // synchronous; clears
    input  wire [3:0] looked_up,     // slots looked up, as the event port shows them
    input  wire [3:0] hit, // of them: the line was here
    input  wire [3:0] evicted, // of them: a valid line was replaced
% for field in fields:
% if field.name not in several:
    input  wire ${field.name},       // ${field.doc}
% endif
% endfor
    output wire ${width(cfg.streams["perf"].width)} perf_data // the counters
);

    wire [3:0] missed = looked_up & ~hit;

    function [2:0] ones(input [3:0] bits);
        ones = {2'd0, bits[0]} + {2'd0, bits[1]} + {2'd0, bits[2]} + {2'd0, bits[3]};
    endfunction
% for field in fields:

    counter${" #(.STEP_BITS(3))" if field.name in several else ""} count_${field.name} (
        .clk(clk),
        .rst(rst),
        .step(${f"ones({several[field.name]})" if field.name in several else field.name}),
        .count(perf_data[${cfg.streams["perf"].offset(field.name) + 31}:${cfg.streams["perf"].offset(field.name)}])
    );
% endfor

endmodule
