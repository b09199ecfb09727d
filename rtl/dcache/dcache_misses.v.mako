% if cfg.mshrs:
// Lines under way (MSHRs): they are asked for, come in any order, and serve the groups that wait for them.
//
// Interface: a look-up shows whether the line at a place is under way (here, entry), full, or served already
// (closed). open takes a free entry for that place, with the group as the first that waits; add: it adds a group.
// A group is served when all beats have come, in the order of joining; lines in the order in which they came.
// A line is not asked for while held says that it is still being written.
// Timing: opened in cycle k, the address is offered from k + 2 on; a beat is shown in the cycle in which it comes,
// the first group in the cycle after the last one.
<%
    cache, axi, M, T = cfg.cache, cfg.axi, cfg.mshrs, cfg.targets
    S, W, L, data = cache.set_bits, cache.way_bits, cache.line_bits, axi.data_bits
    m, beats = axi.prefix, cfg.beat_bits
    E = max(1, (M - 1).bit_length())   # of an entry's number
    P = max(1, (T - 1).bit_length())   # of a group's place
    C = T.bit_length()                 # of a count of groups
    depth = max(2, 1 << (M - 1).bit_length())
    K = depth.bit_length()
    O = M.bit_length()
    G = cfg.warp_bits + 8              # of a group
    read_signals = [signal for signal in axi.signals if signal.name[len(m) + 1] in "ar" and not signal.name.startswith(f"{m}_aw") and signal.name != f"{m}_rst"]
    def number_of(onehot):
        masks = [sum(1 << n for n in range(M) if n >> bit & 1) for bit in range(E)]
        return "{" + ", ".join(f"|({onehot} & {M}'h{mask:x})" for mask in reversed(masks)) + "}"
%>\
module dcache_misses (
    input  wire clk, // clock
    input  wire rst, // synchronous; lines are forgotten, their beats dropped
    // look-up
    input  wire ${width(cache.index_bits)} look_set, // a place: its set,
    input  wire ${width(W)} look_way, // its way
    output wire here, // its line is under way
    output wire closed, // and its groups are being served
    output wire full, // no group can join it
    output wire none, // all entries are in use
    // groups that wait
    input  wire open, // a line is asked for, for the place that is looked up
    input  wire open_empty, // no group waits for it yet: the one that is given does not count
    input  wire ${width(L)} open_line, // its address
    input  wire add, // a group joins the line that is here
    input  wire ${width(cfg.warp_bits)} look_slot, // the group: its request,
    input  wire [7:0] look_mask, // its lanes
    // groups whose line has come
    output wire serve_valid, // one is here
    input  wire serve_ready, // it is taken
    output wire ${width(cfg.warp_bits)} serve_slot, // its request
    output wire [7:0] serve_mask, // its lanes
    output wire ${width(helpers.place_bits(cfg))} serve_row, // set and way of the line
    output wire ${width(cache.tag_bits)} serve_tag, // its tag
    // lines that come
    output wire fill, // a beat is here
    output wire ${width(helpers.place_bits(cfg))} fill_row, // set and way of its line
    output wire ${width(beats)} fill_beat, // its place there
    output wire fill_ends, // it is the last
    output wire fill_failed, // it, or one before it, has failed
    // lines that are still being written
    output wire ${width(L)} ask_line, // the next line to ask for
    input  wire ask_held, // it is being written
    // state
    output wire any, // an entry is in use
    output wire busy, // memory has not answered all that it was asked
    // memory
    input  wire ${m}_rst, // with rst: memory forgets open bursts, too
${ports(read_signals, last=True)}
);

    // Entries
    reg  ${width(M)} used;
    reg  ${width(M)} ready;                // all beats have come
    reg  ${width(M)} failed;               // of those that have come one has failed
    reg  ${width(M * L)} lines;
    reg  ${width(M * W)} ways;
    reg  ${width(M * C)} counts;           // groups that have joined
    reg  ${width(M * beats)} places;       // beats that have come

    wire ${width(M)} free = ~used & (used + 1'b1);   // the lowest
    wire ${width(E)} new_entry = ${number_of("free")};
    wire ${width(M)} equal;
    wire ${width(E)} entry = ${number_of("equal")};
    wire ${width(E)} came = ${m}_rid${f"[{E - 1}:0]" if axi.id_bits > E else ""};
    wire ${width(E)} current;              // the entry that is served
    wire serve_ends;

    assign here   = equal != ${M}'d0;
    assign closed = |(equal & ready);
    assign full   = counts[entry*${C} +: ${C}] == ${C}'d${T};
    assign none   = &used;
    assign any    = used != ${M}'d0;

    genvar n;
    generate
        for (n = 0; n < ${M}; n = n + 1) begin : gen_entry
            localparam ${width(E)} NUMBER = n;
            wire mine = open & free[n];
            wire beat = fill & came == NUMBER;

            assign equal[n] = used[n] & ${f"lines[n*{L} +: {S}] == look_set & " if S else ""}ways[n*${W} +: ${W}] == look_way;

            always @(posedge clk) begin
                if (rst)
                    used[n] <= 1'b0;
                else
                    used[n] <= mine | (used[n] & !(serve_ends & current == NUMBER));
                if (mine) begin
                    ready[n]                      <= 1'b0;
                    failed[n]                     <= 1'b0;
                    lines[n*${L} +: ${L}]         <= open_line;
                    ways[n*${W} +: ${W}]          <= look_way;
                    counts[n*${C} +: ${C}]        <= {${f"{C - 1}'d0, " if C > 1 else ""}!open_empty};
                    places[n*${beats} +: ${beats}] <= ${beats}'d0;
                end else begin
                    ready[n]                      <= ready[n] | (beat & fill_ends);
                    failed[n]                     <= failed[n] | (beat & ${m}_rresp[1]);
                    counts[n*${C} +: ${C}]        <= counts[n*${C} +: ${C}] + {${f"{C - 1}'d0, " if C > 1 else ""}add & equal[n]};
                    places[n*${beats} +: ${beats}] <= places[n*${beats} +: ${beats}] + {${f"{beats - 1}'d0, " if beats > 1 else ""}beat};
                end
            end
        end
    endgenerate

    // Beats. Those of lines from before a reset belong to no entry
    assign fill        = ${m}_rvalid & used[came];
    assign fill_row    = ${helpers.place(cfg, f"lines[came*{L} +: {S}]", f"ways[came*{W} +: {W}]")};
    assign fill_beat   = places[came*${beats} +: ${beats}];
    assign fill_ends   = ${m}_rlast;
    assign fill_failed = failed[came] | ${m}_rresp[1];
    assign ${m}_rready = 1'b1;             // each line has its place

    // Groups: of each entry, in the order of joining
    wire ${width(C)} joined = counts[entry*${C} +: ${C}];
    wire ${width(E + P)} group_place = open ? {new_entry, ${P}'d0} : {entry, joined[${P - 1}:0]};
    reg  ${width(P)} served;               // groups of the current entry that have been served
    wire ${width(C)} all = counts[current*${C} +: ${C}];
    wire ${width(C)} last = all - 1'b1;
    wire come_valid;
    wire nobody = all == ${C}'d0;          // no group waits
    wire serve  = serve_valid & serve_ready;

    assign serve_valid = come_valid & !nobody;
    assign serve_ends  = come_valid & (nobody | (serve_ready & served == last[${P - 1}:0]));
    assign serve_tag   = lines[current*${L}+${S} +: ${cache.tag_bits}];
    assign serve_row  = ${helpers.place(cfg, f"lines[current*{L} +: {S}]", f"ways[current*{W} +: {W}]")};

    ram_async #(
        .WIDTH(${G}),
        .DEPTH(${1 << E + P}),
        .INDEX_BITS(${E + P})
    ) groups (
        .clk(clk),
        .write(open | add),
        .write_index(group_place),
        .write_data({look_slot, look_mask}),
        .read_index({current, served}),
        .read_data({serve_slot, serve_mask})
    );

    always @(posedge clk) begin
        if (rst)
            served <= ${P}'d0;
        else if (serve)
            served <= serve_ends ? ${P}'d0 : served + 1'b1;
    end

    wire come_ready, ask_ready;            // always: there are places for all entries

    fifo #(
        .WIDTH(${E}),
        .DEPTH(${depth}),
        .COUNT_BITS(${K})
    ) come_fifo (
        .clk(clk),
        .rst(rst),
        .in_valid(fill & fill_ends),
        .in_ready(come_ready),
        .in_data(came),
        .out_valid(come_valid),
        .out_ready(serve_ends),
        .out_data(current)
    );

    // Addresses, in the order of opening
    wire ask_valid;
    wire ${width(E)} ask_entry;
    reg  ar_valid;
    reg  ${width(E)} ar_entry;
    reg  ${width(L)} ar_line;
    wire ask = ask_valid & !ask_held & (!ar_valid | ${m}_arready);

    assign ask_line = lines[ask_entry*${L} +: ${L}];

    fifo #(
        .WIDTH(${E}),
        .DEPTH(${depth}),
        .COUNT_BITS(${K})
    ) ask_fifo (
        .clk(clk),
        .rst(rst),
        .in_valid(open),
        .in_ready(ask_ready),
        .in_data(new_entry),
        .out_valid(ask_valid),
        .out_ready(ask),
        .out_data(ask_entry)
    );

    reg  ${width(O)} open_bursts;          // asked for, and not ended

    always @(posedge clk) begin
        if (${m}_rst) begin
            ar_valid    <= 1'b0;
            open_bursts <= ${O}'d0;
        end else begin
            ar_valid    <= (ask & !rst) | (ar_valid & !${m}_arready);
            open_bursts <= open_bursts + {${f"{O - 1}'d0, " if O > 1 else ""}ask & !rst} - {${f"{O - 1}'d0, " if O > 1 else ""}${m}_rvalid & ${m}_rlast};
        end
        if (ask) begin
            ar_entry <= ask_entry;
            ar_line  <= ask_line;
        end
    end

    assign busy = open_bursts != ${O}'d0;
    assign ${m}_arvalid = ar_valid;
    assign ${m}_araddr  = {ar_line, ${cache.offset_bits}'d0};
    assign ${m}_arlen   = 8'd${cfg.beats - 1};
    assign ${m}_arid    = ${f"{{{axi.id_bits - E}'d0, ar_entry}}" if axi.id_bits > E else "ar_entry"};
    assign ${m}_arsize  = 3'd${axi.strobe_bits.bit_length() - 1};
    assign ${m}_arburst = 2'd1;            // INCR
    assign ${m}_arlock  = 1'b0;
    assign ${m}_arcache = 4'b0011;         // normal, not cacheable, bufferable
    assign ${m}_arprot  = 3'd0;
    assign ${m}_arqos   = 4'd0;
    wire unused = &{1'b0, ${"look_set, " if not S else ""}come_ready, ask_ready, ${m}_rdata, ${m}_rid, ${m}_rresp[0], joined, last};

endmodule
% endif
