// Performance counters: 32 bits each, since reset, wrapping around.
//
// Timing: a counter shows an event two cycles later; off the critical path.
<%
    perf, evt = helpers.stream(cfg, "perf"), helpers.stream(cfg, "evt")
    count, banks = helpers.BANKS, range(helpers.BANKS)
    several = {"pixels": "pixels_done", "lookups": "looked_up", "hits": "hit", "misses": "looked_up & ~hit", "evictions": "evicted"}
    single = [field for field in perf.fields if field.name not in several]
%>\
module texpipe_counters (
    input  wire clk, // clock
    input  wire rst, // synchronous; clears
% for field in single:
    input  wire ${field.name}, // ${field.doc}
% endfor
    input  wire [3:0] pixels, // valid pixels of a quad, with quads
    input  wire ${width(count)} looked_up, // banks looked up, as observers see them
    input  wire ${width(count)} hit, // of them: the line was here
    input  wire ${width(count)} evicted, // of them: a valid line was replaced
    output wire ${width(perf.width)} perf_data // the counters
);

    wire ${width(count)} pixels_done = {${count - 4}'d0, pixels & {4{quads}}};

    function [3:0] ones(input ${width(count)} bits);
        ones = ${" + ".join(f"{{3'd0, bits[{b}]}}" for b in banks)};
    endfunction
% for field in perf.fields:

    counter${" #(.STEP_BITS(4))" if field.name in several else ""} count_${field.name} (
        .clk(clk),
        .rst(rst),
        .step(${f"ones({several[field.name]})" if field.name in several else field.name}),
        .count(perf_data[${perf.offset(field.name) + 31}:${perf.offset(field.name)}])
    );
% endfor

endmodule
