// Tag compare circuit, with LRU replacement: decides hit, way and victim of a footprint's look-ups, beat by beat.
//
// A beat takes the next look-ups as long as they go to different single-port caches; it stops at the first that
// would share one. Tags change when the beat leaves, long before a missing line arrives: a later look-up of that
// line is a hit, so that no line is ever asked for twice.
// Timing: a footprint taken at an edge gives its first beat in the cycle after it, then one beat per cycle. The
// misses of a beat go out one per cycle, the last of them as the beat leaves.
<%
    t, o, s, S = cfg.texel_bits, cfg.place_bits, cfg.cache.index_bits, cfg.cache.set_bits
    b, w, tag = max(1, cfg.bank_bits), max(1, cfg.cache.way_bits), cfg.cache.tag_bits
    banks, slots = cfg.banks, range(cfg.slots)
    beat, evt = helpers.beat(cfg), cfg.all_streams["evt"]
    in_beat = {"valid": "now", "fill": "miss", "id": "id", "served": "served", "last": "last"}
    in_event = {"last": "last"}
    for i in slots:
        in_beat |= {f"{name}{i}": f"{name}{i}" for name in ("bank", "way", *(["set"] if S else []))}
        in_beat[f"offset{i}"] = f"address{i}[{o - 1}:0]"
        in_event |= {f"valid{i}": f"now[{i}]", f"hit{i}": f"hit{i} & now[{i}]", f"evict{i}": f"evict{i} & now[{i}]"}
        for name, bits in (("bank", b), ("set", s), ("way", w), ("victim", tag)):
            in_event[f"{name}{i}"] = f"{name}{i} & {{{bits}{{now[{i}]}}}}"
%>\
module texcache_tag_compare (
    input  wire clk, // clock
    input  wire rst,                 // synchronous
    input  wire invalidate,          // forget all lines
    // footprints from the address circuit
    input  wire in_valid, // a footprint is offered
    output wire in_ready, // it is taken
    input  wire ${width(4 * t)} in_address, // texel addresses in look-up order
    input  wire in_small_level,            // the level lives in the last bank only
    input  wire [3:0] in_need,       // look-ups needed
    input  wire ${width(cfg.id_bits)} in_id, // returned with the result
    // lines to read from memory
    output wire miss_valid, // a line is asked for
    input  wire miss_ready, // it is taken
    output wire ${width(cfg.cache.line_bits)} miss_line, // its line address
    // beats of look-ups
    output wire beat_valid, // a beat is offered
    input  wire beat_ready,          // must not depend on beat_valid
    output wire ${width(beat.width)} beat,    // ${", ".join(f.name for f in beat.fields)}
    output wire beat_hit,            // a beat is offered of which every look-up hits
    output wire busy,                // a footprint is here
    // what happened, for observers
    output reg  evt_valid, // a beat was decided in the cycle before
    output reg  ${width(evt.width)} evt_data, // its look-ups, as the port evt shows them
    output wire all_hit              // with the last beat: every look-up of the footprint hit
);

    localparam WAY_BITS = ${w};
    localparam TAG_BITS = ${tag};

    reg        held;                 // a footprint is here
    reg ${width(4 * t)} address;
    reg        small_level;
    reg  [3:0] need;
    reg  ${width(cfg.id_bits)}  id;
    reg  [3:0] done;                 // look-ups that earlier beats have made
    reg  [3:0] sent;                 // misses of this beat already sent
    reg        missed;               // an earlier beat missed

    // Where each look-up goes
% for i in slots:
    wire ${width(t)} address${i} = address[${(i + 1) * t - 1}:${i * t}];
% if not S:
    wire ${width(s)} set${i} = 1'd0;       // the only one
% else:
    wire ${width(s)} set${i} = address${i}[${o + s - 1}:${o}];
% endif
    wire ${width(tag)} tag${i} = address${i}[${t - 1}:${o + S}];
% if banks == 1:
    wire [0:0] bank${i} = 1'b0;
% else:
    wire ${width(b)} bank${i} = small_level ? ${b}'d${banks - 1} : address${i}[${o + S + b - 1}:${o + S}];
% endif
% endfor
% if banks == 1:
    wire unused = &{1'b0, small_level};
% endif

    // The beat: pending look-ups up to the first that meets one of the same bank
    wire [3:0] pending = need & ~done;
    wire [3:0] now;
    wire [3:0] open;                 // no conflict up to this slot
    assign now[0] = pending[0];
    assign open[0] = 1'b1;
% for i in range(1, 4):
    assign open[${i}] = open[${i - 1}] & !(pending[${i}] & (${" | ".join(f"(now[{j}] & bank{j} == bank{i})" for j in range(i))}));
    assign now[${i}] = pending[${i}] & open[${i}];
% endfor
    wire last = (pending & ~now) == 4'd0;

    // One look-up per single-port cache
    wire ${width(banks)} bank_hit;
    wire ${width(banks)} bank_evict;
    wire [${banks}*WAY_BITS-1:0] bank_way;
    wire [${banks}*TAG_BITS-1:0] bank_victim;
    wire go   = beat_valid & beat_ready;
    wire take = in_valid & in_ready;
% for n in range(banks):

    wire [3:0] use${n} = now & {${", ".join(f"bank{i} == {b}'d{n}" for i in reversed(slots))}};
    wire ${width(s)} bank_set${n} = ${" | ".join(f"({{{s}{{use{n}[{i}]}}}} & set{i})" for i in slots)};

    texcache_tag_bank cache${n} (
        .clk(clk),
        .rst(rst),
        .invalidate(invalidate),
        .set(bank_set${n}),
        .tag(${" | ".join(f"({{{tag}{{use{n}[{i}]}}}} & tag{i})" for i in slots)}),
        .update(go & |use${n}),
        .hit(bank_hit[${n}]),
        .way(bank_way[${n}*WAY_BITS +: WAY_BITS]),
        .evict(bank_evict[${n}]),
        .victim_tag(bank_victim[${n}*TAG_BITS +: TAG_BITS])
    );
% endfor

    // Back from caches to slots
% for i in slots:
    wire hit${i}   = bank_hit[bank${i}];
    wire evict${i} = bank_evict[bank${i}];
    wire ${width(w)} way${i} = bank_way[bank${i}*WAY_BITS +: WAY_BITS];
    wire ${width(tag)} victim${i} = bank_victim[bank${i}*TAG_BITS +: TAG_BITS];
% endfor
    wire [3:0] miss = now & ~{hit3, hit2, hit1, hit0};
    assign beat_hit = held & miss == 4'd0;
    assign all_hit  = beat_hit & !missed;

    // Misses go out in slot order, one per cycle, and only when the beat has a place to go.
    wire [3:0] unsent = miss & ~sent;
    wire [3:0] first  = unsent & ~{unsent[2] | unsent[1] | unsent[0], unsent[1] | unsent[0], unsent[0], 1'b0};
    wire       one_left  = unsent == first; // at most one is left

    assign miss_valid = held & unsent != 4'd0 & beat_ready;
    assign miss_line  = ${" | ".join(f"({{{cfg.cache.line_bits}{{first[{i}]}}}} & address{i}[{t - 1}:{o}])" for i in slots)};
    assign beat_valid = held & one_left & (unsent == 4'd0 | miss_ready);

    // A right-hand texel without a look-up of its own lies in its left neighbour's line.
    wire [3:0] served = {need[3] ? now[3] : now[1], need[2] ? now[2] : now[0], now[1:0]};

    assign beat = ${pack(beat, values=in_beat)};

    assign busy     = held;
    assign in_ready = !held | (go & last);

    always @(posedge clk) begin
        if (rst)
            held <= 1'b0;
        else if (take)
            held <= 1'b1;
        else if (go & last)
            held <= 1'b0;
    end

    always @(posedge clk) begin
        if (take) begin
            address <= in_address;
            need    <= in_need;
            id      <= in_id;
            small_level <= in_small_level;
        end
    end

    always @(posedge clk) begin
        if (rst | take) begin
            sent   <= 4'd0;
            done   <= 4'd0;
            missed <= 1'b0;
        end else if (go) begin
            sent   <= 4'd0;
            done   <= done | now;
            missed <= missed | !beat_hit;
        end else if (miss_valid & miss_ready) begin
            sent   <= sent | first;
        end
    end

    always @(posedge clk) begin
        if (rst)
            evt_valid <= 1'b0;
        else
            evt_valid <= go;
    end

    always @(posedge clk) begin
        if (go)
            evt_data <= ${pack(evt, values=in_event, indent=12)};
    end

endmodule
