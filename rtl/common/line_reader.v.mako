// Reads whole lines over an AXI4 read port: one burst per line, all with the same id, so that lines return in order.
//
// Interface: ar_* and r_* go to axi_read_port, which adds what is the same for every burst.
// Requests queue in one register; lines gather in the data FIFO. A request is taken only if the FIFO has room for
// every line that is still on its way, so the R channel never waits and the FIFO never overflows.
// Reset: memory does not hear of rst and answers what it was asked. An address on the AR channel stays there until it
// is taken, and the lines of all addresses from before rst are dropped as they come, their places kept until then; new
// addresses are taken meanwhile as far as places are left. axi_rst is for when memory forgets, too.
// Timing: an address taken at an edge is on the AR channel right after it; a line is offered right after the
// edge at which its last beat arrives.
<%
    line, data = cache.line_bytes * 8, axi.data_bits
    beats, count_bits = axi.beats(cache.line_bytes), axi.outstanding.bit_length()
%>\
module ${module} (
    input  wire         clk, // clock
    input  wire         rst,             // synchronous; lines asked for before are dropped
    input  wire         axi_rst,         // synchronous, only with rst: memory forgets open bursts; needed at power-up
    // addresses of the lines to read
    input  wire         address_valid, // a line is asked for
    output wire         address_ready, // it is taken
    input  wire ${width(cache.line_bits)}  address,         // line address
    // lines, in the order of their addresses
    output wire         line_valid, // a line has come
    input  wire         line_ready, // it is taken
    output wire ${width(line)} line_data, // the line
    output wire         line_error,      // a beat came with an error response
    // AXI4 read channels
    output wire         ar_valid, // a burst is asked for
    input  wire         ar_ready, // it is taken
    output wire ${width(axi.address_bits)}  ar_addr, // its byte address
    input  wire         r_valid, // a beat of this reader
    input  wire ${width(data)}  r_data, // the beat
    input  wire [1:0]   r_resp, // its AXI response
    input  wire         r_last // last of its burst
);

    // Lines asked for and not yet taken: each has its place in the data FIFO. Of them, open are those whose last beat
    // has yet to come, and stale the first of these, asked for before a reset.
    reg  ${width(count_bits)} reserved;
    reg  ${width(count_bits)} open;
    reg  ${width(count_bits)} stale;
    wire take  = address_valid & address_ready & !rst;
    wire give  = line_valid & line_ready;
    wire ends  = r_valid & r_last;
    wire fresh = stale == ${count_bits}'d0;
    wire drop  = ends & !fresh;          // the data FIFO is empty then: never together with give
    wire ${width(count_bits)} open_next = open + {${count_bits - 1}'d0, take} - {${count_bits - 1}'d0, ends};

    always @(posedge clk) begin
        if (axi_rst) begin
            reserved <= ${count_bits}'d0;
            open     <= ${count_bits}'d0;
            stale    <= ${count_bits}'d0;
        end else begin
            open <= open_next;
            if (rst) begin
                reserved <= open_next;
                stale    <= open_next;
            end else begin
                reserved <= reserved + {${count_bits - 1}'d0, take} - {${count_bits - 1}'d0, give | drop};
                stale    <= stale - {${count_bits - 1}'d0, drop};
            end
        end
    end

    // AR channel: one register
    reg waiting;
    reg ${width(cache.line_bits)} line;

    assign address_ready = (!waiting | ar_ready) & !reserved[${count_bits - 1}];

    always @(posedge clk) begin
        if (axi_rst)
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

    wire         whole_valid = r_valid & fresh;
    wire ${width(line)} whole_data  = r_data;
    wire         whole_error = beat_error;
    wire unused = &{1'b0, r_resp[0], fill_ready};
% else:

    // The beats before the last wait here; the last one goes to the FIFO together with them.
    reg ${width(line - data)} gathered;
    reg         gathered_error;

    always @(posedge clk) begin
        if (r_valid)
            gathered <= ${f"{{r_data, gathered[{line - data - 1}:{data}]}}" if beats > 2 else "r_data"};
    end

    always @(posedge clk) begin
        if (axi_rst)
            gathered_error <= 1'b0;
        else if (r_valid)
            gathered_error <= !r_last & (gathered_error | beat_error);
    end

    wire         whole_valid = ends & fresh;
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
