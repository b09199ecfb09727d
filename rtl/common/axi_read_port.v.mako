// An AXI4 read port for ${cfg.axi.ids} reader${"s, first come, first served; of those that come at once the lowest number" if cfg.axi.ids > 1 else ""}.
//
// Interface: AR and R of reader n with n behind their names, r_data, r_resp and r_last are for all. A reader's number is
// the id of its bursts, so that memory may answer different readers in any order. R never waits.
// Timing: AR passes in the same cycle. A reader that asks is served after at most all others once.
<%
    n, address, data = cfg.axi.ids, cfg.cache.address_bits, cfg.axi.data_bits
    readers = range(n)
    bits = max(1, (n - 1).bit_length())
%>\
module axi_read_port (
    input  wire clk,
    input  wire rst,
% for i in readers:
    // reader ${i}
    input  wire ar${i}_valid,
    output wire ar${i}_ready,
    input  wire ${width(address)} ar${i}_addr,
    output wire r${i}_valid,
% endfor
    // AXI4 read channels
    output wire [3:0]   m_axi_arid,
    output wire ${width(address)} m_axi_araddr,
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
    input  wire         m_axi_rvalid,
    output wire         m_axi_rready
);

    assign m_axi_rready = 1'b1;
% if n == 1:

    assign m_axi_arvalid = ar0_valid;
    assign ar0_ready     = m_axi_arready;
    assign m_axi_araddr  = ar0_addr;
    assign m_axi_arid    = 4'd0;
    assign r0_valid      = m_axi_rvalid;
    wire unused = &{1'b0, clk, rst, m_axi_rid};
% else:

    wire ${width(n)} asking = {${", ".join(f"ar{i}_valid" for i in reversed(readers))}};
    wire ${width(n)} grant;
    wire ${width(n)} served = grant & {${n}{m_axi_arready}};

    // Who waits already, and before whom: before<i>[j] says that j asked earlier than i (or in the same cycle with
    // a lower number). A reader that was served goes to the end of the queue.
    reg ${width(n)} waiting;

    always @(posedge clk) begin
        if (rst)
            waiting <= ${n}'d0;
        else
            waiting <= asking & ~served;
    end
% for i in readers:

    reg  ${width(n)} before${i};
    wire ${width(n)} ahead${i} = waiting[${i}] ? before${i} : waiting | ${n}'d${(1 << i) - 1};

    always @(posedge clk) begin
        before${i} <= ahead${i} & asking & ~served;
    end

    assign grant[${i}]  = asking[${i}] & (ahead${i} & asking & ~${n}'d${1 << i}) == ${n}'d0;
    assign ar${i}_ready = grant[${i}] & m_axi_arready;
    assign r${i}_valid  = m_axi_rvalid & m_axi_rid == 4'd${i};
% endfor

    wire ${width(bits)} number =
        ${" |\n        ".join("({%d{grant[%d]}} & %d'd%d)" % (bits, i, bits, i) for i in readers)};

    assign m_axi_arvalid = asking != ${n}'d0;
    assign m_axi_araddr  =
        ${" |\n        ".join("({%d{grant[%d]}} & ar%d_addr)" % (address, i, i) for i in readers)};
    assign m_axi_arid    = ${"{" + f"{4 - bits}'d0, number" + "}"};
% endif

    assign m_axi_arlen   = 8'd${cfg.beats_per_line - 1};
    assign m_axi_arsize  = 3'd${(data // 8).bit_length() - 1};
    assign m_axi_arburst = 2'b01;   // INCR
    assign m_axi_arlock  = 1'b0;
    assign m_axi_arcache = 4'b0011; // normal, not cacheable, bufferable
    assign m_axi_arprot  = 3'b000;
    assign m_axi_arqos   = 4'd0;

endmodule
