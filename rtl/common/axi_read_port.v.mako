// An AXI4 read port for ${axi.ids} reader${"s, first come, first served; of those that come at once the lowest number" if axi.ids > 1 else ""}.
//
// Interface: AR and R of reader n with n behind their names, r_data, r_resp and r_last are for all. A reader's
// number is the id of its bursts, so that memory may answer different readers in any order. R never waits.
// Reset is the memory's alone: through any other, readers go on asking for what they have asked.
// Timing: AR passes in the same cycle. A reader that asks is served after at most all others once.
<%
    n, address, data = axi.ids, axi.address_bits, axi.data_bits
    readers = range(n)
    bits = max(1, (n - 1).bit_length())
    early = context.get("early", False)  # the only reader says how long its bursts are: they are parts of lines
%>\
module ${module} (
    input  wire clk, // clock
% for i in readers:
    // reader ${i}
    input  wire ar${i}_valid, // a burst is asked for
    output wire ar${i}_ready, // it is taken
    input  wire ${width(address)} ar${i}_addr, // its byte address
% if early:
    input  wire [7:0] ar${i}_len, // its beats less one
% endif
    output wire r${i}_valid, // a beat for this reader
% endfor
    // data for the reader that has r<n>_valid
    output wire ${width(data)} r_data, // the beat
    output wire [1:0] r_resp, // its AXI response
    output wire r_last, // last of its burst
    // AXI4 read channels
${ports(axi.signals, last=True)}
);

    assign r_data = ${axi.prefix}_rdata;
    assign r_resp = ${axi.prefix}_rresp;
    assign r_last = ${axi.prefix}_rlast;

    assign ${axi.prefix}_rready = 1'b1;
% if n == 1:

    assign ${axi.prefix}_arvalid = ar0_valid;
    assign ar0_ready     = ${axi.prefix}_arready;
    assign ${axi.prefix}_araddr  = ar0_addr;
    assign ${axi.prefix}_arid    = ${axi.id_bits}'d0;
    assign r0_valid      = ${axi.prefix}_rvalid;
    wire unused = &{1'b0, clk, ${axi.prefix}_rst, ${axi.prefix}_rid};
% else:

    wire ${width(n)} asking = {${", ".join(f"ar{i}_valid" for i in reversed(readers))}};
    wire ${width(n)} grant;
    wire ${width(n)} served = grant & {${n}{${axi.prefix}_arready}};

    // Who waits already, and before whom: before<i>[j] says that j asked earlier than i (or in the same cycle with
    // a lower number). A reader that was served goes to the end of the queue.
    reg ${width(n)} waiting;

    always @(posedge clk) begin
        if (${axi.prefix}_rst)
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
    assign ar${i}_ready = grant[${i}] & ${axi.prefix}_arready;
    assign r${i}_valid  = ${axi.prefix}_rvalid & ${axi.prefix}_rid == ${axi.id_bits}'d${i};
% endfor

    wire ${width(bits)} number =
        ${" |\n        ".join("({%d{grant[%d]}} & %d'd%d)" % (bits, i, bits, i) for i in readers)};

    assign ${axi.prefix}_arvalid = asking != ${n}'d0;
    assign ${axi.prefix}_araddr  =
        ${" |\n        ".join("({%d{grant[%d]}} & ar%d_addr)" % (address, i, i) for i in readers)};
    assign ${axi.prefix}_arid    = ${"{" + f"{axi.id_bits - bits}'d0, number" + "}"};
% endif

    assign ${axi.prefix}_arlen   = ${"ar0_len" if early else f"8'd{axi.beats(cache.line_bytes) - 1}"};
    assign ${axi.prefix}_arsize  = 3'd${(data // 8).bit_length() - 1};
    assign ${axi.prefix}_arburst = 2'b01;   // INCR
    assign ${axi.prefix}_arlock  = 1'b0;
    assign ${axi.prefix}_arcache = 4'b0011; // normal, not cacheable, bufferable
    assign ${axi.prefix}_arprot  = 3'b000;
    assign ${axi.prefix}_arqos   = 4'd0;

endmodule
