// Reads whole lines over an AXI4 read port: one burst per line, all with the same id, so that lines return in order.
//
// Interface: ar_* and r_* go to axi_read_port, which adds what is the same for every burst.
// Requests queue in one register; lines gather in the data FIFO. A request is taken only if the FIFO has room for
// every line that is still on its way, so the R channel never waits and the FIFO never overflows.
// Timing: an address taken at an edge is on the AR channel right after it; a line is offered right after the
// edge at which its last beat arrives.
<%
    line, data = cache.line_bytes * 8, axi.data_bits
    beats, count_bits = axi.beats(cache.line_bytes), axi.outstanding.bit_length()
%>\
module ${module} (
    input  wire         clk,
    input  wire         rst,             // synchronous; bursts on their way must be forgotten by the memory too
    // addresses of the lines to read
    input  wire         address_valid,
    output wire         address_ready,
    input  wire ${width(cache.line_bits)}  address,         // line address
    // lines, in the order of their addresses
    output wire         line_valid,
    input  wire         line_ready,
    output wire ${width(line)} line_data,
    output wire         line_error,      // a beat came with an error response
    output wire         drained,         // no line is on its way or waits
    // AXI4 read channels
    output wire         ar_valid,
    input  wire         ar_ready,
    output wire ${width(axi.address_bits)}  ar_addr,
    input  wire         r_valid,
    input  wire ${width(data)}  r_data,
    input  wire [1:0]   r_resp,
    input  wire         r_last
);

    // Lines asked for and not yet taken: each has its place in the data FIFO.
    reg  ${width(count_bits)} reserved;
    wire take = address_valid & address_ready;
    wire give = line_valid & line_ready;

    assign drained = reserved == ${count_bits}'d0;

    always @(posedge clk) begin
        if (rst)
            reserved <= ${count_bits}'d0;
        else if (take & !give)
            reserved <= reserved + 1'b1;
        else if (give & !take)
            reserved <= reserved - 1'b1;
    end

    // AR channel: one register
    reg waiting;
    reg ${width(cache.line_bits)} line;

    assign address_ready = (!waiting | ar_ready) & !reserved[${count_bits - 1}];

    always @(posedge clk) begin
        if (rst)
            waiting <= 1'b0;
        else if (take)
            waiting <= 1'b1;
        else if (ar_ready)
            waiting <= 1'b0;
    end

    always @(posedge clk) begin
        if (take)
            line <= address;
    end

    assign ar_valid = waiting;
    assign ar_addr  = {line, ${cache.offset_bits}'d0};

    // R channel
    wire fill_ready;

    wire beat_error = r_resp[1];
% if beats == 1:

    wire         whole_valid = r_valid;
    wire ${width(line)} whole_data  = r_data;
    wire         whole_error = beat_error;
    wire unused = &{1'b0, r_resp[0], r_last, fill_ready};
% else:

    // The beats before the last wait here; the last one goes to the FIFO together with them.
    reg ${width(line - data)} gathered;
    reg         gathered_error;

    always @(posedge clk) begin
        if (r_valid)
            gathered <= ${f"{{r_data, gathered[{line - data - 1}:{data}]}}" if beats > 2 else "r_data"};
    end

    always @(posedge clk) begin
        if (rst)
            gathered_error <= 1'b0;
        else if (r_valid)
            gathered_error <= !r_last & (gathered_error | beat_error);
    end

    wire         whole_valid = r_valid & r_last;
    wire ${width(line)} whole_data  = {r_data, gathered};
    wire         whole_error = gathered_error | beat_error;
    wire unused = &{1'b0, r_resp[0], fill_ready};
% endif

    fifo #(
        .WIDTH(${line + 1}),
        .DEPTH(${axi.outstanding}),
        .COUNT_BITS(${count_bits})
    ) data_fifo (
        .clk(clk),
        .rst(rst),
        .in_valid(whole_valid),
        .in_ready(fill_ready),
        .in_data({whole_error, whole_data}),
        .out_valid(line_valid),
        .out_ready(line_ready),
        .out_data({line_error, line_data})
    );

endmodule
