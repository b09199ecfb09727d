// Texture cache: read-through, set associative, one line of 16 bytes per query; a repeat of the last line is quick.
//
// Interface: a query is taken while ready and answered once, in order, later ones wait. Timing from query to answer:
// the line of the query before 1 cycle; a hit 8 (4 for the tags, 4 for the data); a miss 9 more than memory takes
// from the address handshake to the last beat. A line that came with an error response is passed on and not kept.
// After reset, and when invalidated, all sets are swept: as many cycles as there are sets.
<%
    line, tag, s, w, ways = cfg.cache.line_bits, cfg.cache.tag_bits, cfg.cache.set_bits, cfg.cache.way_bits, cfg.cache.ways
    evt = helpers.stream(cfg, "evt")
%>\
module texunit_cache (
    input  wire clk, // clock
    input  wire rst, // synchronous
    input  wire forget,              // drop the line of the last query; only when no query is here
    input  wire invalidate,          // drop all lines; only when no query is here
    output wire busy,                // sweeping
    // queries
    input  wire query_valid, // a line is asked for
    output wire query_ready, // it is taken
    input  wire ${width(line)} query_line, // its line address
    // answers
    output reg  answer_valid, // the answer
    output reg  [127:0] answer_line, // the line
    output reg  answer_error, // it came with an AXI error
    // lines from memory
    output wire address_valid, // memory is asked for a line
    input  wire address_ready, // it is taken
    output wire ${width(line)} address, // its line address
    input  wire line_valid, // the line has come
    input  wire [127:0] line_data, // the line
    input  wire line_error, // it came with an AXI error
    // observers
    output wire ${width(evt.width)} evt_data, // ${", ".join(f.name for f in evt.fields)}
    output wire waiting              // for memory
);

    localparam READY = 2'd0, LOOKUP = 2'd1, MISS = 2'd2, SWEEP = 2'd3;

    reg [1:0] state;
    reg [6:0] step;                  // of a look-up: one bit for each cycle
    reg ${width(s)} sweep;
    reg       asked;                 // memory has been asked

    // The last line, and whether it may answer again
    reg ${width(line)} last_line;
    reg       last_valid;

    wire take   = query_valid & query_ready;
    wire repeats = last_valid & query_line == last_line;

    assign query_ready = state == READY;
    assign busy        = state == SWEEP;
    assign waiting     = state == MISS;

    wire ${width(s)} set = last_line${width(s)};
    wire hit;
    wire ${width(w)} way;
    wire came = state == MISS & asked & line_valid;

    wire answer_next = (take & repeats) | (state == LOOKUP & step[6]) | came;
    wire error_next  = came & line_error;

    always @(posedge clk) begin
        if (rst | invalidate)
            state <= SWEEP;
        else case (state)
            SWEEP:
                if (&sweep)
                    state <= READY;
            READY:
                if (take & !repeats)
                    state <= LOOKUP;
            LOOKUP:
                if (step[4] & !hit)
                    state <= MISS;
                else if (step[6])
                    state <= READY;
            default:
                if (came)
                    state <= READY;
        endcase
    end

    always @(posedge clk) begin
        if (rst)
            step <= 7'd0;
        else
            step <= {step[5:0], take & !repeats};
    end

    always @(posedge clk) begin
        if (rst | !busy)
            sweep <= ${s}'d0;
        else
            sweep <= sweep + 1'b1;
    end

    always @(posedge clk) begin
        if (state != MISS)
            asked <= 1'b0;
        else if (address_valid & address_ready)
            asked <= 1'b1;
    end

    always @(posedge clk) begin
        if (rst | forget | invalidate)
            last_valid <= 1'b0;
        else if (answer_next)
            last_valid <= !error_next;
    end

    always @(posedge clk) begin
        if (take)
            last_line <= query_line;
    end

    // Replacement: the half of the ways used longer ago, in it one that changes every cycle
    reg ${width(max(1, w - 1))} phase;
    wire older;                      // the half used longer ago

    always @(posedge clk) begin
        if (rst)
            phase <= ${max(1, w - 1)}'d0;
        else
            phase <= phase + 1'b1;
    end

    // Cycles 1 and 2: tags are read. Cycle 3: compared. Cycle 4: hit, way and victim are known.
    wire sweeping = state == SWEEP;
    wire keep     = came & !line_error;
    wire ${width(ways)} valids, same;
    reg  ${width(ways)} pick;        // the way that hit, or the victim
    reg        decided_hit;
% for i in range(ways):

    wire ${width(tag + 1)} read${i};
    reg  ${width(tag + 1)} tag${i};
    reg        same${i}, valid${i};

    ram_1p #(
        .WIDTH(${tag + 1}),
        .DEPTH(${cfg.cache.sets}),
        .INDEX_BITS(${s})
    ) tag_ram${i} (
        .clk(clk),
        .read(step[0]),
        .write(sweeping | (keep & pick[${i}])),
        .index(sweeping ? sweep : set),
        .write_data({!sweeping, last_line[${line - 1}:${s}]}),
        .read_data(read${i})
    );

    always @(posedge clk) begin
        if (step[1])
            tag${i} <= read${i};
        if (step[2]) begin
            same${i}  <= tag${i} == {1'b1, last_line[${line - 1}:${s}]};
            valid${i} <= tag${i}[${tag}];
        end
    end

    assign same[${i}]   = same${i};
    assign valids[${i}] = valid${i};
% endfor

    ram_1p #(
        .WIDTH(1),
        .DEPTH(${cfg.cache.sets}),
        .INDEX_BITS(${s})
    ) lru_ram (
        .clk(clk),
        .read(step[0]),
        .write(sweeping | (step[4] & hit)),
        .index(sweeping ? sweep : set),
        .write_data(!sweeping & !way[${w - 1}]),
        .read_data(older)
    );

    wire ${width(ways)} free   = ~valids & (valids + 1'b1); // the lowest invalid way
    wire ${width(ways)} chosen = ${f"{ways}'d1 << " + ("{older, phase}" if w > 1 else "older")};

    always @(posedge clk) begin
        if (step[3]) begin
            decided_hit <= |same;
            pick        <= |same ? same : &valids ? chosen : free;
        end
    end

    assign hit = decided_hit;
% for bit in range(w):
    assign way[${bit}] = |{${", ".join(f"pick[{i}]" for i in range(ways) if i >> bit & 1)}};
% endfor

    // Cycles 5 to 8: a hit's data. A miss asks memory in cycle 5.
    wire [127:0] data_read;
    reg  [127:0] data_held;

    ram_1p #(
        .WIDTH(128),
        .DEPTH(${cfg.cache.sets * ways}),
        .INDEX_BITS(${s + w})
    ) data_ram (
        .clk(clk),
        .read(step[4]),
        .write(keep),
        .index({set, way}),
        .write_data(line_data),
        .read_data(data_read)
    );

    assign address_valid = state == MISS & !asked;
    assign address       = last_line;

    always @(posedge clk) begin
        if (step[5])
            data_held <= data_read;
    end

    always @(posedge clk) begin
        if (rst)
            answer_valid <= 1'b0;
        else
            answer_valid <= answer_next;
    end

    always @(posedge clk) begin
        if (came)
            answer_line <= line_data;
        else if (step[6])
            answer_line <= data_held;
    end

    // What observers see with the answer
    reg        answer_repeat, answer_hit, answer_evict;
    reg ${width(tag)} answer_victim;
    reg ${width(w)} answer_way;

    wire evicts = keep & (pick & valids) != ${ways}'d0;
    wire ${width(tag)} victim =
        ${" |\n        ".join("({%d{pick[%d]}} & tag%d[%d:0])" % (tag, i, i, tag - 1) for i in range(ways))};

    always @(posedge clk) begin
        if (answer_next) begin
            answer_error  <= error_next;
            answer_repeat <= take & repeats;
            answer_hit    <= state == LOOKUP;
            answer_evict  <= evicts;
            answer_victim <= evicts ? victim : ${tag}'d0;
            answer_way    <= take | error_next ? ${w}'d0 : way;
        end
    end

    assign evt_data = {answer_error, answer_victim, answer_evict, answer_way, answer_hit, answer_repeat, last_line};

endmodule
