// One of the caches: ${cfg.cache.sets} lines of ${cfg.cache.line_bytes // 2} words, direct mapped, write-back, write-allocate.
//
// Interface: while can_grant is high it may be given one request each cycle. Timing: it says in the same cycle whether
// the line is there, and then serves it: a store is written at the edge, the word of a load is shown right after it.
// If not, it asks the network interface for the line and serves the request in the cycle after that has come.
<%
    cache, axi, pes = cfg.cache, cfg.axi, cfg.pes
    words = cfg.beat_words
    bank_bits, beat_bits = words.bit_length() - 1, cfg.slot_bits - (words.bit_length() - 1)
    row_bits = cache.set_bits + beat_bits
    tag, index, slot = cfg.tag_bits, cache.set_bits, cfg.slot_bits
%>\
module lpas_cache (
    input  wire clk, // clock
    input  wire rst, // synchronous; all lines are forgotten
    // requests
    output wire can_grant, // a request may come
    input  wire ${width(pes)} grant, // of this PE, if any
    input  wire store, // it is a store, no load
    input  wire ${width(tag)} tag, // of its line
    input  wire ${width(index)} index, // place of its line
    input  wire ${width(slot)} slot, // place of its word in the line
    input  wire ${width(16)} value, // what to store
    output wire hit, // its line is there
    output wire ${width(pes)} served, // the request of this PE is served
    output wire served_load, // it is a load
    output wire served_err, // memory has failed it
    output wire ${width(16)} word, // in the cycle after: the word of a load
    // flush
    input  wire flush, // begin one
    output wire flushing, // it has not ended
    // network interface
    output wire asks, // there is a job
    output wire job_misses, // it is a line to read, not a flush's line to write
    output wire ${width(tag)} job_tag, // of the line to read
    output wire ${width(tag)} line_tag, // of the line that is there
    output wire ${width(index)} job_index, // place of both
    output wire line_valid, // a line is there
    output wire line_dirty, // it has to be written first
    input  wire fetch, // show a beat of it
    input  wire ${width(index)} fetch_index, // place of its line
    input  wire ${width(beat_bits)} fetch_beat, // its number
    output wire ${width(axi.data_bits)} line_data, // in the cycle after, until the next fetch
    input  wire written, // it has been written
    input  wire come, // a beat of the line to read is here
    input  wire ${width(beat_bits)} beat, // its number
    input  wire ${width(axi.data_bits)} read_data, // it
    input  wire ended, // the job has ended
    input  wire failed // memory has failed it
);

    localparam [1:0] READY = 2'd0;       // requests may come
    localparam [1:0] MISS  = 2'd1;       // a line is asked for
    localparam [1:0] SERVE = 2'd2;       // the request that missed is served
    localparam [1:0] SCAN  = 2'd3;       // a flush goes through the lines

    reg  [1:0] state;
    reg  pending;                        // a flush
    reg  was_failed;                     // memory has failed the request that missed
    reg  ${width(index)} walk;           // the line that a flush has come to

    // The request that missed
    reg  ${width(pes)} owner;
    reg  own_store;
    reg  ${width(tag)} own_tag;
    reg  ${width(index)} own_index;
    reg  ${width(slot)} own_slot;
    reg  ${width(16)} own_value;

    reg  ${width(cache.sets)} valid;
    reg  ${width(cache.sets)} dirty;

    wire ready   = state == READY;
    wire serving = state == SERVE;
    wire granted = ready & (|grant);
    wire ${width(index)} here = ready ? index : state == SCAN ? walk : own_index;
    wire there     = valid[here];
    wire is_dirty  = dirty[here];
    wire last_line = &walk;
    wire ends      = granted & hit;      // the request that comes is served at once
    wire steps     = state == SCAN & (!is_dirty | (ended & failed));

    assign can_grant = ready & !pending;
    assign hit       = there & line_tag == tag;
    assign flushing  = pending;

    always @(posedge clk) begin
        if (rst) begin
            state   <= READY;
            pending <= 1'b0;
        end else begin
            pending <= flush | (pending & !(steps & last_line));
            case (state)
                READY:
                    if (pending)
                        state <= SCAN;
                    else if (granted & !hit)
                        state <= MISS;
                MISS:
                    if (ended)
                        state <= SERVE;
                SERVE:
                    state <= READY;
                default: // SCAN
                    if (steps & last_line)
                        state <= READY;
            endcase
        end
    end

    always @(posedge clk) begin
        if (ready) begin
            owner     <= grant;
            own_store <= store;
            own_tag   <= tag;
            own_index <= index;
            own_slot  <= slot;
            own_value <= value;
            walk      <= ${index}'d0;
        end else if (steps)
            walk <= walk + 1'b1;
        if (ended)
            was_failed <= failed;
    end

    // What is served, now: a request that comes and hits, or the one that missed
    wire acts   = ends | (serving & !was_failed);
    wire stores = serving ? own_store : store;
    wire ${width(slot)} at  = serving ? own_slot : slot;
    wire ${width(16)} given = serving ? own_value : value;
    wire read_now  = acts & !stores;
    wire write_now = acts & stores;

    assign served      = ({${pes}{ends}} & grant) | ({${pes}{serving}} & owner);
    assign served_load = !stores;
    assign served_err  = serving & was_failed;

    // Lines are valid from their last beat on
    wire installs = state == MISS & ended & come;

    always @(posedge clk) begin
        if (rst)
            valid <= ${cache.sets}'d0;
        else if (installs)
            valid[here] <= !failed;
        else if (state == SCAN & !is_dirty)
            valid[here] <= 1'b0;
    end

    always @(posedge clk) begin
        if (rst)
            dirty <= ${cache.sets}'d0;
        else if (write_now)
            dirty[here] <= 1'b1;
        else if (written)
            dirty[here] <= 1'b0;
    end

    ram_async #(
        .WIDTH(${tag}),
        .DEPTH(${cache.sets}),
        .INDEX_BITS(${index})
    ) tags (
        .clk(clk),
        .write(installs),
        .write_index(here),
        .write_data(own_tag),
        .read_index(here),
        .read_data(line_tag)
    );

    assign asks       = state == MISS | (state == SCAN & is_dirty);
    assign job_misses = state == MISS;
    assign job_tag    = own_tag;
    assign job_index  = here;
    assign line_valid = there;
    assign line_dirty = is_dirty;

    // Words: a RAM for each place in a beat
    reg  ${width(bank_bits)} bank;       // of the word that is shown
    wire ${width(beat_bits)} place = come ? beat : fetch ? fetch_beat : at[${slot - 1}:${bank_bits}];
    wire ${width(row_bits)} row = {fetch ? fetch_index : here, place};

    always @(posedge clk) begin
        if (read_now)
            bank <= at[${bank_bits - 1}:0];
    end

    generate
        genvar number;
        for (number = 0; number < ${words}; number = number + 1) begin : gen_bank
            wire mine = at[${bank_bits - 1}:0] == number;

            ram_1p #(
                .WIDTH(16),
                .DEPTH(${cache.sets << beat_bits}),
                .INDEX_BITS(${row_bits})
            ) ram (
                .clk(clk),
                .read(read_now | fetch),
                .write(come | (write_now & mine)),
                .index(row),
                .write_data(come ? read_data[16*number +: 16] : given),
                .read_data(line_data[16*number +: 16])
            );
        end
    endgenerate

    assign word = line_data[{bank, 4'd0} +: 16];

endmodule
