// Reads whole lines over AXI4: one INCR burst per line, all with the same id, so that lines return in order.
//
// Requests queue in one register; lines gather in the data FIFO. A request is taken only if the FIFO has room for
// every line that is still on its way, so the R channel never waits and the FIFO never overflows.
// Timing: an address taken at an edge is on the AR channel right after it; a line is offered right after the
// edge at which its last beat arrives.
<%
    line, data = cfg.line_bytes * 8, cfg.axi_data_bits
    beats, count_bits = cfg.beats_per_line, cfg.fifo_depth.bit_length()
    line_shift = cfg.line_bytes.bit_length() - 1
%>\
module axi_line_reader (
    input  wire         clk,
    input  wire         rst,             // synchronous; bursts on their way must be forgotten by the memory too
    // addresses of the lines to read
    input  wire         address_valid,
    output wire         address_ready,
    input  wire ${width(cfg.line_bits)}  address,         // line address
    // lines, in the order of their addresses
    output wire         line_valid,
    input  wire         line_ready,
    output wire ${width(line)} line_data,
    output wire         line_error,      // a beat came with an error response
    // AXI4 read channels
    output wire [3:0]   m_axi_arid,
    output wire ${width(cfg.address_bits)}  m_axi_araddr,
    output wire [7:0]   m_axi_arlen,
    output wire [2:0]   m_axi_arsize,
    output wire [1:0]   m_axi_arburst,
    output wire         m_axi_arlock,
    output wire [3:0]   m_axi_arcache,
    output wire [2:0]   m_axi_arprot,
    output wire [3:0]   m_axi_arqos,
    output wire         m_axi_arvalid,
    input  wire         m_axi_arready,
    input  wire [3:0]   m_axi_rid,
    input  wire ${width(data)}  m_axi_rdata,
    input  wire [1:0]   m_axi_rresp,
    input  wire         m_axi_rlast,
    input  wire         m_axi_rvalid,
    output wire         m_axi_rready
);

    // Lines asked for and not yet taken: each has its place in the data FIFO.
    reg  ${width(count_bits)} reserved;
    wire take = address_valid & address_ready;
    wire give = line_valid & line_ready;

    always @(posedge clk) begin
        if (rst)
            reserved <= ${count_bits}'d0;
        else if (take & !give)
            reserved <= reserved + 1'b1;
        else if (give & !take)
            reserved <= reserved - 1'b1;
    end

    // AR channel: one register
    reg ar_valid;
    reg ${width(cfg.line_bits)} ar_line;

    assign address_ready = (!ar_valid | m_axi_arready) & !reserved[${count_bits - 1}];

    always @(posedge clk) begin
        if (rst)
            ar_valid <= 1'b0;
        else if (take)
            ar_valid <= 1'b1;
        else if (m_axi_arready)
            ar_valid <= 1'b0;
    end

    always @(posedge clk) begin
        if (take)
            ar_line <= address;
    end

    assign m_axi_arvalid = ar_valid;
    assign m_axi_araddr  = {ar_line, ${line_shift}'d0};
    assign m_axi_arid    = 4'd0;
    assign m_axi_arlen   = 8'd${beats - 1};
    assign m_axi_arsize  = 3'd${(data // 8).bit_length() - 1};
    assign m_axi_arburst = 2'b01;   // INCR
    assign m_axi_arlock  = 1'b0;
    assign m_axi_arcache = 4'b0011; // normal, not cacheable, bufferable
    assign m_axi_arprot  = 3'b000;
    assign m_axi_arqos   = 4'd0;

    // R channel
    wire fill_ready;

    assign m_axi_rready = 1'b1;
    wire beat_error = m_axi_rresp[1];
% if beats == 1:

    wire         whole_valid = m_axi_rvalid;
    wire ${width(line)} whole_data  = m_axi_rdata;
    wire         whole_error = beat_error;
    wire unused = &{1'b0, m_axi_rid, m_axi_rresp[0], m_axi_rlast, fill_ready};
% else:

    // The beats before the last wait here; the last one goes to the FIFO together with them.
    reg ${width(line - data)} gathered;
    reg         gathered_error;

    always @(posedge clk) begin
        if (m_axi_rvalid)
            gathered <= ${f"{{m_axi_rdata, gathered[{line - data - 1}:{data}]}}" if beats > 2 else "m_axi_rdata"};
    end

    always @(posedge clk) begin
        if (rst)
            gathered_error <= 1'b0;
        else if (m_axi_rvalid)
            gathered_error <= !m_axi_rlast & (gathered_error | beat_error);
    end

    wire         whole_valid = m_axi_rvalid & m_axi_rlast;
    wire ${width(line)} whole_data  = {m_axi_rdata, gathered};
    wire         whole_error = gathered_error | beat_error;
    wire unused = &{1'b0, m_axi_rid, m_axi_rresp[0], fill_ready};
% endif

    fifo #(
        .WIDTH(${line + 1}),
        .DEPTH(${cfg.fifo_depth}),
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
