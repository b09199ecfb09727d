// SPDX-License-Identifier: Apache-2.0
// dcache_write_buffer: each line that is put is written once, whole and in order, under its own address, unless a reset
// comes before it was begun; until memory has answered, it is told to be here. A line is begun as soon as the channels
// of address and data are free. The solver chooses a place.
// Assumed: a line is put when there is a place; memory answers what it has got, in order.
`include "geometry.svh"

module dcache_write_buffer_properties (
    input clk, rst, put, answered, busy, ask_held, begins, aw_valid, w_valid, tail, next, head, current,
    input m_axi_rst, m_axi_awvalid, m_axi_awready, m_axi_wvalid, m_axi_wready, m_axi_wlast, m_axi_bvalid, m_axi_bready,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] m_axi_awaddr,
    input [`CFG_AXI_DATA_BITS-1:0] m_axi_wdata,
    input [`CFG_CACHE_LINE_BITS-1:0] put_line, ask_line, answered_line,
    input [`CFG_CACHE_WAY_BITS-1:0] put_way, answered_way,
    input [8*`CFG_CACHE_LINE_BYTES-1:0] put_data,
    input [`CFG_BEAT_BITS-1:0] beat,
    input [1:0] count, waiting, begun, used
);
    localparam LINE = `CFG_CACHE_LINE_BITS, DATA = `CFG_AXI_DATA_BITS, ADDRESS = `CFG_CACHE_ADDRESS_BITS;

    reg e;                                         // a place: nothing but itself drives it
    reg started = 1'b0;
    reg stale;                                     // from before a reset
    reg [LINE-1:0] line;                           // what was put there
    reg [`CFG_CACHE_WAY_BITS-1:0] way;
    reg [8*`CFG_CACHE_LINE_BYTES-1:0] data;
    reg [1:0] addresses, lines;                    // that memory has got, and not answered
    wire takes_address = aw_valid & m_axi_awready;
    wire takes_last    = w_valid & m_axi_wready & m_axi_wlast;

    always @(posedge clk) begin
        e       <= e;
        started <= 1'b1;
        stale   <= rst | (stale & busy);
        if (put & tail == e)
            {line, way, data} <= {put_line, put_way, put_data};
        addresses <= m_axi_rst ? 2'd0 : addresses + takes_address - m_axi_bvalid;
        lines     <= m_axi_rst ? 2'd0 : lines + takes_last - m_axi_bvalid;
    end

    always @(posedge clk) begin
        begins_in_reset: assume (started | (rst & m_axi_rst));
        memory_with_all: assume (!m_axi_rst | rst);
        there_is_a_place: assume (!put | (count < `CFG_WRITE_BUFFER & !stale & !rst));
        what_it_has_got: assume (!m_axi_bvalid | (addresses != 0 & lines != 0));
    end

    wire waits = waiting != 0 & (next == e | waiting == 2);
    wire open  = begun != 0 & (head == e | begun == 2);

    always @(posedge clk) if (started) begin
        its_address: assert (!(aw_valid & current == e) | m_axi_awaddr[ADDRESS-1 -: LINE] == line);
        its_data: assert (!(w_valid & current == e) | m_axi_wdata == data[beat*DATA +: DATA]);
        its_answer: assert (!(answered & !stale & head == e) | {answered_line, answered_way} == {line, way});
        is_here: assert (!(used[e] & ask_line == line) | ask_held);
        kept_until_written: assert (!(put & tail == e) | !(waits | open));
        used_until_answered: assert (stale | used[e] == (waits | open));
        written_once: assert (begun == addresses + aw_valid & begun == lines + w_valid);
        begun_if_it_can_be: assert (waiting == 0 | rst | (aw_valid & !m_axi_awready) |
            (w_valid & !(m_axi_wready & m_axi_wlast)) | begins);
        offered_to_memory: assert (m_axi_awvalid == aw_valid & m_axi_wvalid == w_valid & m_axi_bready);
        // what holds in between
        ring: assert (next == head + begun[0]);
        ring_of_those_that_wait: assert (stale | tail == next + waiting[0]);
        no_more_than_places: assert ({1'b0, waiting} + begun <= `CFG_WRITE_BUFFER);
        stale_is_forgotten: assert (!stale | (waiting == 0 & used == 0 & tail == next));
        current_is_open: assert (!(aw_valid | w_valid) | (begun != 0 & current == !next));
        as_put: assert (!(waits | open) | (dcache_write_buffer.lines[e*LINE +: LINE] == line &
            dcache_write_buffer.ways[e*`CFG_CACHE_WAY_BITS +: `CFG_CACHE_WAY_BITS] == way));
        as_put_too: assert (!(waits | open) | dcache_write_buffer.contents.words[e] == data);
        first_beat: assert (!w_valid | beat < `CFG_BEATS);
    end

    always @(posedge clk) if (started & !rst) begin
        both_open: cover (begun == 2 & lines == 2 & addresses == 2);
        one_behind: cover (begun == 1 & waiting == 1 & beat != 0);
    end
endmodule

bind dcache_write_buffer dcache_write_buffer_properties properties (.*);
