// Output circuit: the data RAMs of the single-port caches, and the texels of a footprint${"" if cfg.parity else " gathered from its beats"}.
//
% if cfg.parity:
// Timing: a beat taken at an edge is read right after it, and the result is offered in that very
% else:
// Timing: a beat taken at an edge is read right after it; with the last beat the result is offered in that very
% endif
% if cfg.fill_port == "own":
// cycle. Fills write through a port of their own, in any cycle.
% else:
// cycle. Fills write through the same port; the FIFO control circuit keeps them apart from reads.
% endif
<%
    o, place = cfg.place_bits, helpers.row_bits(cfg)
    row = lambda i: helpers.row(cfg, f"next_set{i}", f"next_way{i}")
    b, w = max(1, cfg.bank_bits), max(1, cfg.cache.way_bits)
    banks, slots, line = cfg.banks, range(cfg.slots), cfg.cache.line_bytes * 8
    beat, res = helpers.beat(cfg), cfg.streams["res"]
    own = cfg.fill_port == "own"
    texel_of = {f"texel{i}": f"texel{slot}" for i, slot in enumerate(helpers.TEXEL_OF_SLOT)}
%>\
module texcache_output (
    input  wire clk, // clock
    input  wire rst,                 // synchronous
    // lines to write into the caches
    input  wire fill_valid, // write a line in this cycle
    input  wire ${width(b)} fill_bank, // single-port cache
    input  wire ${width(place)} fill_index,   // {set, way}
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

    localparam LINE_BITS = ${line};           // of texels
    localparam PLACE_BITS = LINE_BITS + 1;    // with its error

    wire go = read_valid & read_ready;

    ${unpack(beat, "read_beat", "next")}
    wire unused = &{1'b0, next_fill}; // done with

    // The beat being read
    reg valid;
% if not cfg.parity:
    reg last;
    reg [3:0] served;
% endif
    reg ${width(b)} ${", ".join(f"bank{i}" for i in slots)};
    reg ${width(o)} ${", ".join(f"offset{i}" for i in slots)};
    reg ${width(cfg.id_bits)} id;

    assign res_valid  = valid${"" if cfg.parity else " & last"};
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
% if not cfg.parity:
            last   <= next_last;
            served <= next_served;
% endif
            id     <= next_id;
% for i in slots:
            bank${i}   <= next_bank${i};
            offset${i} <= next_offset${i};
% endfor
        end
    end

% if own:
    // Data RAMs: a line is written while another is read.
% else:
    // Data RAMs: in each cycle a cache is written or read, never both.
% endif
    wire [${banks}*PLACE_BITS-1:0] lines;
% for n in range(banks):

    wire fill${n} = fill_valid & fill_bank == ${b}'d${n};
    wire [3:0] use${n} = next_valid & {${", ".join(f"next_bank{i} == {b}'d{n}" for i in reversed(slots))}};
    wire ${width(place)} read_index${n} =
        ${" |\n        ".join(f"({{{place}{{use{n}[{i}]}}}} & {row(i)})" for i in slots)};

    ${"ram_1r1w" if own else "ram_1p"} #(
        .WIDTH(${line + 1}),
        .DEPTH(${1 << place}),
        .INDEX_BITS(${place})
    ) cache_ram${n} (
        .clk(clk),
        .read(go & |use${n}),
        .write(fill${n}),
% if own:
        .read_index(read_index${n}),
        .write_index(fill_index),
% else:
        .index(fill${n} ? fill_index : read_index${n}),
% endif
        .write_data(fill_data),
        .read_data(lines[${n}*PLACE_BITS +: PLACE_BITS])
    );
% endfor

% if cfg.parity:
    // Texels in look-up order; a beat has them all
% else:
    // Texels in look-up order: from the beat being read if it serves them, else as gathered before
    reg         gathered_error;
% endif
    wire [3:0]  errors;
% for i in slots:

    wire        error${i};
    wire [LINE_BITS-1:0] line${i};
    assign {error${i}, line${i}} = lines[bank${i}*PLACE_BITS +: PLACE_BITS];
% if cfg.parity:
    wire [31:0] texel${i} = line${i}[{offset${i}, 5'd0} +: 32];
    assign errors[${i}] = error${i};
% else:
    reg  [31:0] gathered${i};
    wire [31:0] texel${i} = served[${i}] ? line${i}[{offset${i}, 5'd0} +: 32] : gathered${i};
    assign errors[${i}] = served[${i}] & error${i};

    always @(posedge clk) begin
        if (valid)
            gathered${i} <= texel${i};
    end
% endif
% endfor

% if cfg.parity:
    wire error = errors != 4'd0;
% else:
    wire error = gathered_error | errors != 4'd0;

    always @(posedge clk) begin
        if (rst)
            gathered_error <= 1'b0;
        else if (valid & !last)
            gathered_error <= error;
        else if (res_valid & res_ready)
            gathered_error <= 1'b0;
    end
% endif

    // Texel order: row by row
    assign res_data = ${pack(res, values={**texel_of, "err": "error", "id": "id"})};

endmodule
