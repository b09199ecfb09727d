// Tag compare circuit, with LRU replacement: decides hit, way and victim of all lines of a pixel at once.
//
// The lines of a pixel are in different banks. Tags change when the pixel leaves, long before a missing line
// arrives: a later look-up of that line is a hit, so that no line is ever asked for twice.
// Timing: lines taken at an edge give the beat in the cycle after it; a pixel in each cycle. The misses of a beat go
// into a FIFO of ${helpers.ASKING} pixels as it leaves, and out of it one per cycle from the next one on, the lowest bank first:
// so pixels behind it need not wait for the port, nor for a second miss.
<%
    asked, beat, evt, sample = helpers.lookups(cfg), helpers.beat(cfg), helpers.stream(cfg, "evt"), helpers.sample(cfg)
    s, w, tag, line = cfg.cache.set_bits, cfg.cache.way_bits, cfg.cache.tag_bits, cfg.cache.line_bits
    count, pixels = helpers.BANKS, helpers.ASKING
    banks = range(count)
    in_event = {}
    for b in banks:
        in_event |= {f"valid{b}": f"valid[{b}]", f"hit{b}": f"hit{b} & valid[{b}]", f"evict{b}": f"evict{b} & valid[{b}]"}
        for name, bits in (("way", w), ("line", line)):
            in_event[f"{name}{b}"] = f"{name}{b} & {{{bits}{{valid[{b}]}}}}"
        in_event[f"victim{b}"] = f"victim{b} & {{{line}{{valid[{b}] & evict{b}}}}}"
%>\
module texpipe_lookup (
    input  wire clk, // clock
    input  wire rst, // synchronous
    input  wire invalidate, // forget all lines; only when no pixel is here
    // lines of pixels
    input  wire in_valid, // a pixel is offered
    output wire in_ready, // it is taken
    input  wire ${width(asked.width)} in_lines, // by bank: is one asked for, and which
    input  wire ${width(sample.width)} in_sample, // what goes with the pixel
    // lines to read from memory
    output wire miss_valid, // a line is asked for
    input  wire miss_ready, // it is taken
    output wire ${width(line)} miss_line, // its line address
    // beats
    output wire beat_valid, // a beat is offered
    input  wire beat_ready, // must not depend on beat_valid
    output wire ${width(beat.width)} beat, // ${", ".join(f.name for f in beat.fields if not f.name[-1].isdigit() or f.name.endswith("0"))}
    output wire beat_hit, // every line of it is here; known before beat_valid
    // for observers and counters
    output reg  evt_valid, // a beat was decided in the cycle before
    output reg  ${width(evt.width)} evt_data, // its look-ups, as the port evt shows them
    output wire asking, // it stays because its lines cannot be asked for yet
    output wire blocked // it stays because there is no place for it
);

    ${unpack(asked, "in_lines", "in")}

    reg        held;                 // a pixel is here
    reg  ${width(count)} valid;      // banks that it asks
    reg  ${width(sample.width)} sample;
    wire ${width(count)} hits;
    wire go = beat_valid & beat_ready;
    wire take = in_valid & in_ready;
% for b in banks:

    reg  ${width(line)} line${b};
    reg  ${width(s)} set${b};        // folded
    wire ${width(tag)} tag${b} = ${helpers.tag_of(cfg, f"line{b}")};
    wire ${width(tag)} victim_tag${b};
    wire ${width(w)} way${b};
    wire hit${b}, evict${b};
    wire ${width(line)} victim${b} = ${helpers.line_of(cfg, f"victim_tag{b}", f"set{b}")};

    texpipe_tag_bank tags${b} (
        .clk(clk),
        .rst(rst),
        .invalidate(invalidate),
        .set(set${b}),
        .tag(tag${b}),
        .update(go & valid[${b}]),
        .hit(hit${b}),
        .way(way${b}),
        .evict(evict${b}),
        .victim_tag(victim_tag${b})
    );

    assign hits[${b}]   = hit${b};

    always @(posedge clk) begin
        if (take) begin
            line${b} <= in_line${b};
            set${b}  <= ${helpers.set_of(cfg, f"in_line{b}")};
        end
    end
% endfor

    wire ${width(count)} miss = valid & ~hits;
    wire asks_ready;
    assign beat_hit   = miss == ${count}'d0;
    assign beat_valid = held & (beat_hit | asks_ready);
    assign beat       = ${pack(beat, values={"valid": "valid", "fill": "miss", "sample": "sample"} | {f"{name}{b}": f"{name}{b}" for b in banks for name in ("set", "way")})};
    assign asking     = held & beat_ready & !beat_valid;
    assign blocked    = held & !beat_ready;
    assign in_ready   = !held | go;

    always @(posedge clk) begin
        if (rst)
            held <= 1'b0;
        else if (take)
            held <= 1'b1;
        else if (go)
            held <= 1'b0;
    end

    always @(posedge clk) begin
        if (take) begin
            valid  <= {${", ".join(f"in_valid{b}" for b in reversed(banks))}};
            sample <= in_sample;
        end
    end

    // Lines to read, of pixels that have left
    wire asks_valid, last_sent;
    wire ${width(count * (line + 1))} asks;
    reg  ${width(count)} sent;       // of the first of these pixels
    wire ${width(count)} unsent = asks[${count - 1}:0] & ~sent;
    wire ${width(count)} first  = unsent & (~unsent + 1'b1);

    assign last_sent  = asks_valid & unsent == first & miss_ready;
    assign miss_valid = asks_valid;
    assign miss_line  =
        ${(" |" + chr(10) + "        ").join(f"({{{line}{{first[{b}]}}}} & asks[{count + (b + 1) * line - 1}:{count + b * line}])" for b in banks)};

    fifo #(
        .WIDTH(${count * (line + 1)}),
        .DEPTH(${pixels}),
        .COUNT_BITS(${pixels.bit_length()})
    ) ask_fifo (
        .clk(clk),
        .rst(rst),
        .in_valid(go & !beat_hit),
        .in_ready(asks_ready),
        .in_data({${", ".join(f"line{b}" for b in reversed(banks))}, miss}),
        .out_valid(asks_valid),
        .out_ready(last_sent),
        .out_data(asks)
    );

    always @(posedge clk) begin
        if (rst | last_sent)
            sent <= ${count}'d0;
        else if (asks_valid & miss_ready)
            sent <= sent | first;
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
