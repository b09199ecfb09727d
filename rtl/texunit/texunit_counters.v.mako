// Performance counters: 32 bits each, since reset, wrapping around.
//
// Timing: a counter shows an event two cycles later; off the critical path.
<%
    perf = helpers.stream(cfg, "perf")
    single = [field for field in perf.fields if field.name != "pixels"]
%>\
module texunit_counters (
    input  wire clk, // clock
    input  wire rst,                 // synchronous; clears
% for field in single:
    input  wire ${field.name},       // ${field.doc}
% endfor
    input  wire [3:0] pixels,        // valid pixels of a quad, with quads
    output wire ${width(perf.width)} perf_data // the counters
);

    wire [2:0] pixels_done = quads ? {2'd0, pixels[0]} + {2'd0, pixels[1]} + {2'd0, pixels[2]} + {2'd0, pixels[3]} : 3'd0;
% for field in perf.fields:

    counter${" #(.STEP_BITS(3))" if field.name == "pixels" else ""} count_${field.name} (
        .clk(clk),
        .rst(rst),
        .step(${"pixels_done" if field.name == "pixels" else field.name}),
        .count(perf_data[${perf.offset(field.name) + 31}:${perf.offset(field.name)}])
    );
% endfor

endmodule
