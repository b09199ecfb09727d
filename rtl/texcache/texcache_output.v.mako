// Output circuit: the data RAMs of the single-port caches, and the texels of a footprint gathered from its beats.
//
// Timing: a beat taken at an edge is read right after it; with the last beat the result is offered in that very
// cycle. Fills write through the same port; the FIFO control circuit keeps them apart from reads.
<%
    o, s = cfg.place_bits, cfg.cache.set_bits
    b, w = max(1, cfg.bank_bits), max(1, cfg.cache.way_bits)
    banks, slots, line = cfg.banks, range(cfg.slots), cfg.cache.line_bytes * 8
    beat, res = helpers.beat(cfg), cfg.streams["res"]
    def slot(field, bits, i, bundle="read_beat"):
        low = beat.offset(field) + i * bits
        return f"{bundle}[{low + bits - 1}:{low}]"
%>\
module texcache_output (
    input  wire clk, // clock
    input  wire rst,                 // synchronous
    // lines to write into the caches
    input  wire fill_valid, // write a line in this cycle
    input  wire ${width(b)} fill_bank, // single-port cache
    input  wire ${width(s + w)} fill_index,   // {set, way}
    input  wire ${width(line + 1)} fill_data,  // {error, line}
    // beats to read from the caches
    input  wire read_valid, // a beat is offered
    output wire read_ready, // it is taken
    input  wire ${width(beat.width)} read_beat, // the beat; fields as in texcache_tag_compare
    // results
    output wire res_valid, // a result is offered
    input  wire res_ready, // it is taken
    output wire ${width(res.width)} res_data,  // ${", ".join(f.name for f in res.fields)}
    output wire busy                 // a beat is here
);

    wire go = read_valid & read_ready;

    // The beat being read
    reg valid;
    reg last;
    reg [3:0] served;
    reg ${width(4 * b)} bank;
    reg ${width(4 * o)} offset;
    reg ${width(cfg.id_bits)} id;

    assign res_valid  = valid & last;
    assign read_ready = !res_valid | res_ready;
    assign busy       = valid;

    always @(posedge clk) begin
        if (rst)
            valid <= 1'b0;
        else if (read_ready)
            valid <= read_valid;
    end

    always @(posedge clk) begin
        if (go) begin
            last   <= read_beat[${beat.offset("last")}];
            served <= ${slot("served", 4, 0)};
            bank   <= ${slot("bank", 4 * b, 0)};
            offset <= ${slot("offset", 4 * o, 0)};
            id     <= ${slot("id", cfg.id_bits, 0)};
        end
    end

    // Data RAMs: in each cycle a cache is written or read, never both.
    wire ${width(banks * (line + 1))} lines;
    wire [3:0] slots = ${slot("valid", 4, 0)};
    wire unused = &{1'b0, ${slot("fill", 4, 0)}}; // done with
% for n in range(banks):

    wire fill${n} = fill_valid & fill_bank == ${b}'d${n};
    wire [3:0] use${n} = slots & {${", ".join(f"{slot('bank', b, i)} == {b}'d{n}" for i in reversed(slots))}};
    wire ${width(s + w)} read_index${n} =
        ${" |\n        ".join("({%d{use%d[%d]}} & {%s, %s})" % (s + w, n, i, slot("set", s, i), slot("way", w, i)) for i in slots)};

    ram_1p #(
        .WIDTH(${line + 1}),
        .DEPTH(${1 << s + w}),
        .INDEX_BITS(${s + w})
    ) cache_ram${n} (
        .clk(clk),
        .read(go & |use${n}),
        .write(fill${n}),
        .index(fill${n} ? fill_index : read_index${n}),
        .write_data(fill_data),
        .read_data(lines[${(n + 1) * (line + 1) - 1}:${n * (line + 1)}])
    );
% endfor

    // Texels in look-up order: from the beat being read if it serves them, else as gathered before
    reg [127:0] gathered;
    reg         gathered_error;
    wire [127:0] texels;
    wire [3:0]  errors;
% for i in slots:

    wire error${i};
    wire ${width(line)} line${i};
    assign {error${i}, line${i}} = lines[bank[${(i + 1) * b - 1}:${i * b}]*${line + 1} +: ${line + 1}];
    assign texels[${32 * i + 31}:${32 * i}] =
        served[${i}] ? line${i}[{offset[${(i + 1) * o - 1}:${i * o}], 5'd0} +: 32] : gathered[${32 * i + 31}:${32 * i}];
    assign errors[${i}] = served[${i}] & error${i};
% endfor
    wire error = gathered_error | errors != 4'd0;

    always @(posedge clk) begin
        if (valid)
            gathered <= texels;
    end

    always @(posedge clk) begin
        if (rst)
            gathered_error <= 1'b0;
        else if (valid & !last)
            gathered_error <= error;
        else if (res_valid & res_ready)
            gathered_error <= 1'b0;
    end

    // Texel order: row by row
    assign res_data = {id, error${"".join(f", texels[{32 * s + 31}:{32 * s}]" for s in (helpers.TEXEL_OF_SLOT[i] for i in (3, 2, 1, 0)))}};

endmodule
