// Performance counters: 32 bits each, since reset, wrapping around.
//
// Timing: a counter shows an event from the next cycle on.
<%
    perf = cfg.streams["perf"]
%>\
module simple_counters (
    input  wire clk,
    input  wire rst,                 // synchronous; clears
% for field in perf.fields:
    input  wire ${field.name},       // ${field.doc}
% endfor
    output wire ${width(perf.width)} perf_data
);
% for field in perf.fields:

    reg [31:0] count_${field.name};
    assign perf_data[${perf.offset(field.name) + 31}:${perf.offset(field.name)}] = count_${field.name};

    always @(posedge clk) begin
        if (rst)
            count_${field.name} <= 32'd0;
        else
            count_${field.name} <= count_${field.name} + {31'd0, ${field.name}};
    end
% endfor

endmodule
