// SPDX-License-Identifier: Apache-2.0
// dcache_misses: a line that is asked for comes, and each group that joined it is served once, in order, within as many
// cycles as there are places for groups; none is looked up again. And who can go goes: a line is asked for as soon as AR
// is free and it is not being written, an entry that is free is offered, a group joins if there is a place. The solver chooses an entry and a group of it.
// Assumed: memory answers what it was asked, whole lines of any id at any time; the cache opens and adds as it says.
`include "geometry.svh"

module dcache_misses_properties (
    input clk, rst, m_axi_rst, here, closed, full, none, open, open_empty, add, serve_valid, serve_ready, serve_ends,
    input come_valid, nobody, fill, fill_ends, busy, ar_valid, ar_entry, current, served, new_entry, entry,
    input ask_held, m_axi_arvalid, m_axi_arready, m_axi_rvalid, m_axi_rready, m_axi_rlast,
    input [`CFG_AXI_ID_BITS-1:0] m_axi_arid, m_axi_rid,
    input [`CFG_CACHE_ADDRESS_BITS-1:0] m_axi_araddr,
    input [`CFG_WARP_BITS-1:0] look_slot, serve_slot,
    input [7:0] look_mask, serve_mask,
    input [`CFG_CACHE_LINE_BITS-1:0] open_line,
    input [`CFG_CACHE_SET_BITS-1:0] look_set,
    input [1:0] used, ready, equal, open_bursts,
    input [3:0] counts,
    input [2*`CFG_CACHE_LINE_BITS-1:0] lines,
    input [2*`CFG_CACHE_WAY_BITS-1:0] ways,
    input [2*`CFG_BEAT_BITS-1:0] places
);
    localparam BEATS = `CFG_BEATS, LINE = `CFG_CACHE_LINE_BITS, B = `CFG_BEAT_BITS;
    localparam SET = `CFG_CACHE_SET_BITS, WAY = `CFG_CACHE_WAY_BITS;
    localparam MOST = `CFG_MSHRS * `CFG_TARGETS;   // groups that can wait

    // Constants: nothing but themselves drives them
    reg e;                                         // an entry,
    reg p;                                         // the place of one of its groups
    reg started = 1'b0;

    always @(posedge clk) begin
        e       <= e;
        p       <= p;
        started <= 1'b1;
    end

    // What memory owes, and how far it has come
    reg [1:0] owed;
    reg [2*B-1:0] sent;
    reg stale;                                     // some of it is from ahead a reset
    wire asks = m_axi_arvalid & m_axi_arready;
    wire from = m_axi_rid[0], to = m_axi_arid[0];

    always @(posedge clk) begin
        if (m_axi_rst)
            owed <= 2'b00;
        else begin
            if (m_axi_rvalid & m_axi_rlast)
                owed[from] <= 1'b0;
            if (asks)
                owed[to] <= 1'b1;
        end
        if (asks)
            sent[to*B +: B] <= 0;
        if (m_axi_rvalid)
            sent[from*B +: B] <= sent[from*B +: B] + 1'b1;
        stale <= rst | (stale & busy);
    end

    always @(posedge clk) begin
        begins_in_reset: assume (started | (rst & m_axi_rst));
        memory_with_all: assume (!m_axi_rst | rst);
        what_was_asked: assume (!m_axi_rvalid | (owed[from] & m_axi_rid < 2));
        whole_lines: assume (!m_axi_rvalid | m_axi_rlast == (sent[from*B +: B] == BEATS - 1));
        opens: assume (!open | (!none & !here & !add & !stale & open_line[SET-1:0] == look_set));
        adds: assume (!add | (here & !closed & !full));
        not_in_reset: assume (!rst | !(open | add));
    end

    // Where an entry is: to be asked for, offered, at memory, complete
    wire [1:0] ask_count = dcache_misses.ask_fifo.count, come_count = dcache_misses.come_fifo.count;
    wire ask_head = dcache_misses.ask_fifo.head[0], come_head = dcache_misses.come_fifo.head[0];
    wire ask0 = dcache_misses.ask_fifo.words[ask_head], ask1 = dcache_misses.ask_fifo.words[!ask_head];
    wire come0 = dcache_misses.come_fifo.words[come_head], come1 = dcache_misses.come_fifo.words[!come_head];
    wire [2:0] asking = (ask_count != 0 & ask0 == e) + (ask_count == 2 & ask1 == e);
    wire [2:0] offered = ar_valid & ar_entry == e;
    wire [2:0] complete = (come_count != 0 & come0 == e) + (come_count == 2 & come1 == e);
    wire [2:0] where = asking + offered + {2'd0, owed[e]} + complete;
    wire [2:0] other = (ask_count != 0 & ask0 != e) + (ask_count == 2 & ask1 != e) + (ar_valid & ar_entry != e) +
        {2'd0, owed[!e]} + (come_count != 0 & come0 != e) + (come_count == 2 & come1 != e);

    // Groups, and how long a complete line has waited
    wire [1:0] count = counts[e*2 +: 2], count_other = counts[!e*2 +: 2];
    wire [2:0] mine = (count == 0 ? 1 : count) - (come_valid & current == e ? served : 1'b0);
    wire [2:0] ahead = come_count == 2 & come1 == e ?
        (count_other == 0 ? 1 : count_other) - (current != e ? served : 1'b0) : 0;
    reg [3:0] waited;
    reg [`CFG_WARP_BITS+7:0] group;                // the chosen one

    always @(posedge clk) begin
        waited <= rst | complete == 0 ? 4'd0 : waited + serve_ready;
        if ((open & !open_empty & new_entry == e & p == 0) | (add & entry == e & count == p))
            group <= {look_slot, look_mask};
    end

    always @(posedge clk) if (started) begin
        served_in_time: assert (waited + ahead + (complete != 0 ? mine : 0) <= MOST);
        in_order: assert (!(serve_valid & current == e & served == p) | {serve_slot, serve_mask} == group);
        all_are_served: assert (!(serve_ends & current == e) | count == (serve_valid ? served + 1 : 0));
        only_whole_lines: assert (!(fill & fill_ends) | places[from*B +: B] == BEATS - 1);
        as_it_was_opened: assert (!offered | stale | m_axi_araddr[`CFG_CACHE_ADDRESS_BITS-1 -: LINE] == lines[e*LINE +: LINE]);
        one_for_a_place: assert (used != 2'b11 | lines[0 +: SET] != lines[LINE +: SET] | ways[0 +: WAY] != ways[WAY +: WAY]);
        asked_for_if_it_can_be: assert (ask_count == 0 | ask_held | (ar_valid & !m_axi_arready) | dcache_misses.ask);
        offered_to_memory: assert (m_axi_arvalid == ar_valid & m_axi_rready);
        opens_if_one_is_free: assert (none == (used == 2'b11));
        joins_if_there_is_a_place: assert (!here | entry != e | full == (count == `CFG_TARGETS));
        // what holds in between
        in_one_place: assert (stale | where == used[e]);
        in_one_place_too: assert (stale | other == used[!e]);
        stale_is_unused: assert (!stale | (used == 0 & ask_count == 0 & come_count == 0));
        at_memory_once: assert (offered + {2'd0, owed[e]} <= 1);
        at_memory_once_too: assert ((ar_valid & ar_entry != e) + {2'd0, owed[!e]} <= 1);
        bursts: assert (open_bursts == ar_valid + {1'b0, owed[0]} + {1'b0, owed[1]});
        counted: assert ((!used[e] | count <= `CFG_TARGETS) & (!used[!e] | count_other <= `CFG_TARGETS));
        ready_is_complete: assert (!used[e] | ready[e] == (complete != 0));
        ready_is_complete_too: assert (!used[!e] | ready[!e] == ((come_count != 0 & come0 != e) | (come_count == 2 & come1 != e)));
        served_some: assert (come_valid ? served == 0 | served < counts[current*2 +: 2] : served == 0);
        beats_come: assert (!(used[e] & owed[e]) | stale | places[e*B +: B] == sent[e*B +: B]);
        beats_come_too: assert (!(used[!e] & owed[!e]) | stale | places[!e*B +: B] == sent[!e*B +: B]);
        none_yet: assert (!used[e] | asking + offered == 0 | places[e*B +: B] == 0);
        none_yet_too: assert (!used[!e] | owed[!e] | ready[!e] | places[!e*B +: B] == 0);
        kept: assert (!(used[e] & count > p) | dcache_misses.groups.words[{e, p}] == group);
        fifos: assert (ask_count <= 2 & come_count <= 2);
    end

    always @(posedge clk) if (started) begin
        both_complete: cover (come_count == 2 & counts == 4'b1010);
        served_late: cover (waited == MOST - 1);
    end
endmodule

bind dcache_misses dcache_misses_properties properties (.*);
