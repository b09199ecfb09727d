// Tag compare circuit of banks by parity, with LRU replacement: decides hit, way and victim of a footprint's look-ups.
//
// The look-ups of a footprint go to different single-port caches, so they are one beat. Tags change when the beat is
// decided, long before a missing line arrives: a later look-up of that line is a hit, so that no line is ever asked
// for twice.
// Timing: a footprint taken at an edge is decided in the cycle after it, or in the one in which the beat before it
// leaves. A register follows: the beat is offered from the next cycle on. Its misses go out one per cycle, the last of
// them as the beat leaves.
<%
    t, o, s, S = cfg.texel_bits, cfg.place_bits, cfg.cache.index_bits, cfg.cache.set_bits
    b, w, tag, line = cfg.bank_bits, max(1, cfg.cache.way_bits), cfg.cache.tag_bits, cfg.cache.line_bits
    banks, slots = range(cfg.banks), range(cfg.slots)
    beat, evt = helpers.beat(cfg), cfg.all_streams["evt"]
    per_slot = {"bank": b, "set": s, "offset": o, "line": line} # registers of the beat
    in_beat = {field.name: field.name for field in beat.fields} | {"valid": "used", "fill": "missed"}
    in_event = {"last": "1'b1"}
    for i in slots:
        in_event |= {f"valid{i}": f"used[{i}]", f"hit{i}": f"used[{i}] & !missed[{i}]"}
        in_event |= {f"evict{i}": f"used[{i}] & evicts[bank{i}]"}
        for name, bits in (("bank", b), ("set", s), ("way", w), ("victim", tag)):
            in_event[f"{name}{i}"] = f"{name}{i} & {{{bits}{{used[{i}]}}}}"
    # three groups of bits of the line address above its lowest one
    groups = [(low, min(s, line - 1 - low)) for low in range(0, 3 * s, s) if low < line - 1]
    folded = sum(groups[-1])
    set_of = lambda name, i: f"set_of({name}[{i * t + o + folded}:{i * t + o + 1}])" if S else "1'd0"
    line_of = lambda name, i: f"{name}[{(i + 1) * t - 1}:{i * t + o}]"
    chosen = lambda n, bits, of: " | ".join(f"({{{bits}{{in_uses{n}[{i}]}}}} & {of(i)})" for i in slots)
%>\
module texcache_parity_compare (
    input  wire clk, // clock
    input  wire rst,                 // synchronous
    input  wire invalidate,          // forget all lines
    // footprints from the address circuit
    input  wire in_valid, // a footprint is offered
    output wire in_ready, // it is taken
    input  wire ${width(4 * t)} in_address, // texel addresses in look-up order
    input  wire [3:0] in_side,       // half of the single-port caches, by texel
    input  wire [3:0] in_need,       // look-ups needed
    input  wire ${width(cfg.id_bits)} in_id, // returned with the result
    // lines to read from memory
    output wire miss_valid, // a line is asked for
    input  wire miss_ready, // it is taken
    output wire ${width(line)} miss_line, // its line address
    // beats of look-ups
    output wire beat_valid, // a beat is offered
    input  wire beat_ready,          // must not depend on beat_valid
    output wire ${width(beat.width)} beat,    // ${", ".join(f.name for f in beat.fields)}
    output wire beat_hit,            // a beat is offered of which every look-up hits
    output wire busy,                // a footprint is here
    // what happened, for observers
    output reg  evt_valid, // a beat was decided in the cycle before
    output wire ${width(evt.width)} evt_data // its look-ups, as the port evt shows them
);

    localparam WAY_BITS = ${w};
    localparam TAG_BITS = ${tag};

% if S:
    // The set of a line within its single-port cache, by its address above the lowest bit
    function ${width(s)} set_of(input ${width(folded)} of);
        set_of = ${" ^ ".join(f"{{{s - bits}'d0, of[{low + bits - 1}:{low}]}}" if bits < s else f"of[{low + bits - 1}:{low}]" for low, bits in groups)};
    endfunction

% endif
    // The footprint that is being compared, routed to its single-port caches as it is taken
    reg        held;                 // it is here
    reg ${width(4 * t)} address;
    reg  [3:0] side;
    reg  [3:0] need;
    reg  ${width(cfg.id_bits)}  held_id;
% for i in slots:
    wire ${width(b)} held_bank${i} = {side[${i}], address[${i * t + o}]};
% endfor

    // Its beat, once it is decided
    reg        decided;              // it is here
    reg  [3:0] used;                 // its look-ups
    reg  [3:0] missed;               // of them, those that missed
    reg  [3:0] sent;                 // of these, those whose line was asked for
    reg  ${width(cfg.id_bits)}  id;
% for name, bits in per_slot.items():
    reg  ${width(bits)} ${", ".join(f"{name}{i}" for i in slots)};
% endfor
    reg  ${width(cfg.banks)} evicts; // by single-port cache: a valid line was replaced
    reg  [${cfg.banks}*WAY_BITS-1:0] ways;
    reg  [${cfg.banks}*TAG_BITS-1:0] victims;

    wire take   = in_valid & in_ready;
    wire leaves = beat_valid & beat_ready;
    wire decide = held & (!decided | leaves);

    // One look-up per single-port cache
% for i in slots:
    wire ${width(b)} in_bank${i} = {in_side[${i}], in_address[${i * t + o}]};
    wire ${width(s)} in_set${i} = ${set_of("in_address", i)};
% endfor
    wire ${width(cfg.banks)} bank_hit;
    wire ${width(cfg.banks)} bank_evict;
    wire [${cfg.banks}*WAY_BITS-1:0] bank_way;
    wire [${cfg.banks}*TAG_BITS-1:0] bank_victim;
% for n in banks:

    wire [3:0] in_uses${n} = in_need & {${", ".join(f"in_bank{i} == {b}'d{n}" for i in reversed(slots))}};
    reg        looked_up${n};
    reg  ${width(s)} bank_set${n};
    reg  ${width(tag)} bank_tag${n};

    always @(posedge clk) begin
        if (take) begin
            looked_up${n} <= |in_uses${n};
            bank_set${n}  <= ${chosen(n, s, lambda i: f"in_set{i}")};
            bank_tag${n}  <= ${chosen(n, tag, lambda i: f"in_address[{(i + 1) * t - 1}:{i * t + o + S}]")};
        end
    end

    texcache_tag_bank cache${n} (
        .clk(clk),
        .rst(rst),
        .invalidate(invalidate),
        .set(bank_set${n}),
        .tag(bank_tag${n}),
        .update(decide & looked_up${n}),
        .hit(bank_hit[${n}]),
        .way(bank_way[${n}*WAY_BITS +: WAY_BITS]),
        .evict(bank_evict[${n}]),
        .victim_tag(bank_victim[${n}*TAG_BITS +: TAG_BITS])
    );
% endfor

    assign in_ready = !held | decide;
    assign busy     = held | decided;

    always @(posedge clk) begin
        if (rst) begin
            held    <= 1'b0;
            decided <= 1'b0;
        end else begin
            held    <= take | (held & !decide);
            decided <= decide | (decided & !leaves);
        end
    end

    always @(posedge clk) begin
        if (take) begin
            address <= in_address;
            side    <= in_side;
            need    <= in_need;
            held_id <= in_id;
        end
    end

    always @(posedge clk) begin
        if (decide) begin
            used    <= need;
            missed  <= need & ~{${", ".join(f"bank_hit[held_bank{i}]" for i in reversed(slots))}};
            id      <= held_id;
            evicts  <= bank_evict;
            ways    <= bank_way;
            victims <= bank_victim;
% for i in slots:
            bank${i}   <= held_bank${i};
            set${i}    <= ${set_of("address", i)};
            offset${i} <= address[${i * t + o - 1}:${i * t}];
            line${i}   <= ${line_of("address", i)};
% endfor
        end
    end

    // Back from single-port caches to look-ups
% for i in slots:
    wire ${width(w)} way${i} = ways[bank${i}*WAY_BITS +: WAY_BITS];
    wire ${width(tag)} victim${i} = victims[bank${i}*TAG_BITS +: TAG_BITS];
% endfor

    assign beat     = ${pack(beat, values=in_beat)};
    assign beat_hit = decided & missed == 4'd0;

    // Misses go out in slot order, one per cycle, and only when the beat has a place to go.
    wire [3:0] unsent = missed & ~sent;
    wire [3:0] first  = unsent & ~{unsent[2] | unsent[1] | unsent[0], unsent[1] | unsent[0], unsent[0], 1'b0};
    wire       one_left = unsent == first; // at most one is left

    assign miss_valid = decided & unsent != 4'd0 & beat_ready;
    assign miss_line  = ${" | ".join(f"({{{line}{{first[{i}]}}}} & line{i})" for i in slots)};
    assign beat_valid = decided & one_left & (unsent == 4'd0 | miss_ready);

    always @(posedge clk) begin
        if (decide)
            sent <= 4'd0;
        else if (miss_valid & miss_ready)
            sent <= sent | first;
    end

    // The event
    always @(posedge clk) begin
        if (rst)
            evt_valid <= 1'b0;
        else
            evt_valid <= decide;
    end

    assign evt_data = ${pack(evt, values=in_event)};

endmodule
