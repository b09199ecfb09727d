// SPDX-License-Identifier: Apache-2.0
// axi_read_port of several readers: grants one at a time, to who asks, first come first served; an address is offered
// if any reader asks, a beat goes to whom it has the number of; AXI's rules of AR.
//
// Assumed: a reader that asks goes on asking for the same address until it is served.
`include "geometry.svh"

`define READER(i) \
    if (i < N) begin \
        assign prior[i] = `MODULE.before``i; \
        assign address[i] = `MODULE.ar``i``_addr; \
        assign {asks[i], taken[i], beat[i]} = {`MODULE.ar``i``_valid, `MODULE.ar``i``_ready, `MODULE.r``i``_valid}; \
    end

module axi_read_port_properties (
    input clk, m_axi_rst, m_axi_arvalid, m_axi_arready, m_axi_rvalid,
    input [3:0] m_axi_rid,
    input [`CFG_AXI_IDS-1:0] asking, grant, served, waiting,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] m_axi_araddr,
    input [7:0] m_axi_arlen,
    input [3:0] m_axi_arid,
    input [2:0] m_axi_arsize,
    input [1:0] m_axi_arburst
);
    localparam N = `CFG_AXI_IDS;

    wire [N-1:0] prior [0:N-1];              // who goes before whom; read for those that wait
    wire [N-1:0][`CFG_CACHE_ADDRESS_BITS-1:0] address;
    wire [N-1:0] asks, taken, beat;
    generate
        `READER(0) `READER(1) `READER(2) `READER(3) `READER(4) `READER(5) `READER(6) `READER(7)
    endgenerate

    // What was there a cycle ago, and two readers: r waits, o may have been served meanwhile
    reg started = 1'b0, stalled = 1'b0;
    reg [N-1:0] kept;
    reg [N-1:0][`CFG_CACHE_ADDRESS_BITS-1:0] address_before;
    reg [`CFG_CACHE_ADDRESS_BITS-1:0] araddr_before;
    reg [3:0] arid_before;
    reg [3:0] r, o;                          // constants: nothing but themselves drives them
    reg overtaken = 1'b0;                    // o was served while r waited

    always @(posedge clk) begin
        started <= 1'b1;
        stalled <= !m_axi_rst & m_axi_arvalid & !m_axi_arready;
        kept    <= m_axi_rst ? {N{1'b0}} : asking & ~served;
        address_before <= address;
        araddr_before  <= m_axi_araddr;
        arid_before    <= m_axi_arid;
        r <= r;
        o <= o;
        overtaken <= !m_axi_rst & asking[r] & !served[r] & (overtaken | served[o]);
    end

    // Over all readers
    reg keep_asking, strict, transitive;

    always @* begin
        {keep_asking, strict, transitive} = 3'b111;
        for (int i = 0; i < N; i++) begin
            if (kept[i] & !(asking[i] & address[i] == address_before[i]))
                keep_asking = 1'b0;
            for (int j = 0; j < N; j++)
                if (i != j & waiting[i] & waiting[j]) begin
                    if (prior[i][j] == prior[j][i])
                        strict = 1'b0;
                    for (int k = 0; k < N; k++)
                        if (k != i & k != j & waiting[k] & prior[i][j] & prior[j][k] & !prior[i][k])
                            transitive = 1'b0;
                end
        end
    end

    always @(posedge clk) begin
        two_readers: assume (r < N & o < N & r != o);
        if (!started)
            first_a_reset: assume (m_axi_rst);
        if (started)
            readers_keep_asking: assume (keep_asking);
        if (started & !m_axi_rst) begin
            who_waits: assert (waiting == kept);
            order_is_strict: assert (strict);
            order_is_transitive: assert (transitive);
            one_at_most: assert ((grant & (grant - 1'b1)) == 0);
            one_if_any: assert (m_axi_arvalid == (grant != 0));
            offered_if_any_asks: assert (m_axi_arvalid == (asks != 0) & taken == (grant & {N{m_axi_arready}}));
            beat_to_its_reader: assert (beat == (m_axi_rvalid << m_axi_rid));
            only_who_asks: assert ((grant & ~asking) == 0);
            overtaken_goes_first: assert (!overtaken | !prior[r][o]);
            once_at_most: assert (!(overtaken & served[o] & asking[r]));
            if (grant[r])
                its_address_and_id: assert (m_axi_araddr == address[r] & m_axi_arid == r);
            if (stalled)
                ar_is_stable: assert (
                    m_axi_arvalid & m_axi_araddr == araddr_before & m_axi_arid == arid_before);
            whole_line: assert (
                m_axi_arburst == 2'b01 & (m_axi_arlen + 1) << m_axi_arsize == `CFG_CACHE_LINE_BYTES);
        end
    end

    // Traces to see
    always @(posedge clk) begin
        if (started & !m_axi_rst) begin
            all_ask: cover (&asking);
            last_comes_first: cover (&waiting & grant[N-1] & m_axi_arready);
            overtaken_then_served: cover (overtaken & served[r]);
        end
    end
endmodule

bind `MODULE axi_read_port_properties properties (.*);
