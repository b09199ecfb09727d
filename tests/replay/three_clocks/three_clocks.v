// SPDX-License-Identifier: Apache-2.0
// For the tests of the replay: stores on one clock, loads on another, a mask on a third, two AXI4 masters.
//
// A store writes two words by a burst of two beats, data and its complement, and is answered with the response. A
// load reads two words; loads of different ids may overtake each other. The mask is XORed into what loads return.
// +fault=N breaks one rule of AXI4, +fault=20 never takes a response.
`default_nettype none
module cacheforge_three_clocks (
    input  wire clk,
    input  wire rst,
    input  wire load_clk,
    input  wire load_rst,
    input  wire slow_clk,
    input  wire slow_rst,
    // stores and their responses (clk)
    input  wire store_valid,
    output wire store_ready,
    input  wire [57:0] store_data,         // id, strobe, value, pair
    output wire stored_valid,
    input  wire stored_ready,
    output wire [4:0] stored_data,         // id, err
    // loads and what they read (load_clk)
    input  wire load_valid,
    output wire load_ready,
    input  wire [21:0] load_data,          // id, pair
    output wire loaded_valid,
    input  wire loaded_ready,
    output wire [68:0] loaded_data,        // id, err, second, first
    // the mask (slow_clk)
    input  wire mask_valid,
    output wire mask_ready,
    input  wire [31:0] mask_data,
    output wire [31:0] perf_data,          // stores taken
    // AXI4 master of the stores (clk)
    input  wire m_axi_rst,
    output wire [3:0] m_axi_awid,
    output wire [20:0] m_axi_awaddr,
    output wire [7:0] m_axi_awlen,
    output wire [2:0] m_axi_awsize,
    output wire [1:0] m_axi_awburst,
    output wire m_axi_awlock,
    output wire [3:0] m_axi_awcache,
    output wire [2:0] m_axi_awprot,
    output wire [3:0] m_axi_awqos,
    output wire m_axi_awvalid,
    input  wire m_axi_awready,
    output wire [31:0] m_axi_wdata,
    output wire [3:0] m_axi_wstrb,
    output wire m_axi_wlast,
    output wire m_axi_wvalid,
    input  wire m_axi_wready,
    input  wire [3:0] m_axi_bid,
    input  wire [1:0] m_axi_bresp,
    input  wire m_axi_bvalid,
    output wire m_axi_bready,
    // AXI4 master of the loads (load_clk)
    output wire [3:0] n_axi_arid,
    output wire [20:0] n_axi_araddr,
    output wire [7:0] n_axi_arlen,
    output wire [2:0] n_axi_arsize,
    output wire [1:0] n_axi_arburst,
    output wire n_axi_arlock,
    output wire [3:0] n_axi_arcache,
    output wire [2:0] n_axi_arprot,
    output wire [3:0] n_axi_arqos,
    output wire n_axi_arvalid,
    input  wire n_axi_arready,
    input  wire [3:0] n_axi_rid,
    input  wire [31:0] n_axi_rdata,
    input  wire [1:0] n_axi_rresp,
    input  wire n_axi_rlast,
    input  wire n_axi_rvalid,
    output wire n_axi_rready
);
    reg [7:0] fault;
    initial if (!$value$plusargs("fault=%d", fault)) fault = 8'd0;

    // Stores: address and the two beats leave on their own, the next store waits for them.
    reg [57:0] store;
    reg address_open, data_open, second;
    reg [31:0] stores;
    assign store_ready = !address_open & !data_open;
    wire taken = store_valid & store_ready;
    always @(posedge clk)
        if (rst) begin
            address_open <= 1'b0;
            data_open    <= 1'b0;
            stores       <= 32'd0;
        end else begin
            if (taken) begin
                store        <= store_data;
                stores       <= stores + 32'd1;
                address_open <= 1'b1;
                data_open    <= 1'b1;
                second       <= 1'b0;
            end
            if (m_axi_awvalid & m_axi_awready) address_open <= 1'b0;
            if (m_axi_wvalid & m_axi_wready) begin
                second    <= 1'b1;
                data_open <= !m_axi_wlast;
            end
        end
    assign perf_data     = stores;
    assign m_axi_awid    = store[57:54];
    assign m_axi_awaddr  = {store[17:0], 3'd0} | (fault == 8'd1 ? 21'hFFC : fault == 8'd2 ? 21'h1 : 21'd0);
    assign m_axi_awlen   = 8'd1;
    assign m_axi_awsize  = fault == 8'd3 ? 3'd1 : 3'd2;
    assign m_axi_awburst = fault == 8'd4 ? 2'd2 : 2'd1;
    assign m_axi_awlock  = fault == 8'd5;
    assign m_axi_awcache = fault == 8'd6 ? 4'd0 : 4'd3;
    assign m_axi_awprot  = 3'd0;
    assign m_axi_awqos   = 4'd0;
    assign m_axi_awvalid = address_open;
    assign m_axi_wdata   = second ? ~store[49:18] : store[49:18];
    assign m_axi_wstrb   = store[53:50];
    assign m_axi_wlast   = second ^ (fault == 8'd7);
    assign m_axi_wvalid  = data_open;
    assign stored_valid  = m_axi_bvalid & fault != 8'd20;
    assign stored_data   = {m_axi_bid, m_axi_bresp != 2'd0};
    assign m_axi_bready  = stored_ready & fault != 8'd20;

    // Loads: the first word of each id waits for the second.
    reg [31:0] first [0:15];
    reg [15:0] begun, failed;
    reg [31:0] mask;
    assign load_ready    = n_axi_arready;
    assign n_axi_arvalid = load_valid;
    assign n_axi_arid    = load_data[21:18];
    assign n_axi_araddr  = {load_data[17:0], 3'd0};
    assign n_axi_arlen   = 8'd1;
    assign n_axi_arsize  = 3'd2;
    assign n_axi_arburst = 2'd1;
    assign n_axi_arlock  = 1'b0;
    assign n_axi_arcache = 4'd3;
    assign n_axi_arprot  = fault == 8'd8 ? 3'd1 : 3'd0;
    assign n_axi_arqos   = 4'd0;
    assign loaded_valid  = n_axi_rvalid & begun[n_axi_rid];
    assign loaded_data   = {
        n_axi_rid, n_axi_rresp != 2'd0 | failed[n_axi_rid] | !n_axi_rlast, n_axi_rdata ^ mask, first[n_axi_rid] ^ mask
    };
    assign n_axi_rready  = loaded_ready | !begun[n_axi_rid];
    always @(posedge load_clk)
        if (load_rst) begin
            begun <= 16'd0;
        end else if (n_axi_rvalid & n_axi_rready) begin
            begun[n_axi_rid]  <= !begun[n_axi_rid];
            failed[n_axi_rid] <= n_axi_rresp != 2'd0;
            first[n_axi_rid]  <= n_axi_rdata;
        end

    assign mask_ready = 1'b1;
    always @(posedge slow_clk)
        if (slow_rst) mask <= 32'd0;
        else if (mask_valid) mask <= mask_data;

    wire unused = &{1'b0, m_axi_rst};
endmodule
`default_nettype wire
