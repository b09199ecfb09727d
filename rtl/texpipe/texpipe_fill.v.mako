// FIFO control circuit: beats that miss, and all behind them, wait in the tag FIFO until their lines have come.
//
// A beat that hits while nothing is waiting, not even a result, goes straight to be read. Any other passes the tag
// FIFO, its output register (head), the fill stage, which takes the beat's lines from the data FIFO one per cycle and
// writes them into their banks, and the read stage. Timing: straight through, a beat is read at the edge it leaves the
// tag compare circuit; through the FIFO four cycles later, and as long as its lines keep it waiting; one in a cycle.
// Order is kept throughout, so a line is in its bank before a later beat reads it, and a replaced line is read by all
// beats that still need it before it is overwritten: the last of these may be the beat in the read stage, which
// cannot read the line being replaced, since that line would have been used last of its set.
<%
    beat, count = helpers.beat(cfg), helpers.BANKS
    s, w, banks = cfg.cache.set_bits, cfg.cache.way_bits, range(helpers.BANKS)
    places = [f"{name}{b}" for b in banks for name in ("set", "way")]
    def chosen(name, size):
        return (" |" + chr(10) + "        ").join(f"({{{size}{{stage_bank[{b}]}}}} & stage_{name}{b})" for b in banks)
%>\
module texpipe_fill (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // beats from the tag compare circuit
    input  wire beat_valid, // a beat is offered
    output wire beat_ready, // it is taken
    input  wire ${width(beat.width)} beat, // fields as in texpipe_lookup
    input  wire beat_hit, // every line of it is here
    // data FIFO: lines in the order they were asked for
    input  wire line_valid, // a line has come
    output wire line_ready, // it is taken
    input  wire [127:0] line_data, // the line
    input  wire line_error, // it came with an AXI error
    // lines to write into the banks
    output wire ${width(count)} fill, // the bank
    output wire ${width(s + w)} fill_index, // {set, way}
    output wire [128:0] fill_data, // {error, line}
    // beats to read from the banks
    output wire read_valid, // a beat is offered
    input  wire read_ready, // it is taken
    output wire ${width(beat.width)} read_beat, // the beat
    output wire memory_wait // the head waits for its line
);

    // Tag FIFO
    wire tag_in_ready, tag_out_valid, head_ready, busy;
    wire ${width(beat.width)} tag_out;

    // A beat that goes straight through finds the FIFO empty: any beat is taken if there is a place.
    wire bypass = beat_hit & !busy & read_ready;
    assign beat_ready = tag_in_ready;

    fifo #(
        .WIDTH(${beat.width}),
        .DEPTH(${cfg.ahead.depth}),
        .COUNT_BITS(${cfg.ahead.depth.bit_length()})
    ) tag_fifo (
        .clk(clk),
        .rst(rst),
        .in_valid(beat_valid & !bypass),
        .in_ready(tag_in_ready),
        .in_data(beat),
        .out_valid(tag_out_valid),
        .out_ready(head_ready),
        .out_data(tag_out)
    );

    // Head: the beat whose lines are awaited
    reg  head_valid;
    reg  ${width(beat.width)} head;
    reg  ${width(count)} filled;     // banks whose lines are passed on
    ${unpack(beat, "head", "head", ["fill"])}
    wire ${width(count)} unfilled = head_fill & ~filled;
    wire ${width(count)} first    = unfilled & (~unfilled + 1'b1);
    wire head_needs  = head_valid & unfilled != ${count}'d0;
    wire head_final  = unfilled == first; // with this step the beat is complete
    wire stage_ready;
    wire head_step   = head_valid & stage_ready & (unfilled == ${count}'d0 | line_valid);
    wire head_leaves = head_step & head_final;

    assign head_ready  = !head_valid | head_leaves;
    assign line_ready  = head_needs & stage_ready;
    assign memory_wait = head_needs & !line_valid;

    always @(posedge clk) begin
        if (rst)
            head_valid <= 1'b0;
        else if (head_ready)
            head_valid <= tag_out_valid;
    end

    always @(posedge clk) begin
        if (head_ready) begin
            head   <= tag_out;
            filled <= ${count}'d0;
        end else if (head_step) begin
            filled <= filled | first;
        end
    end

    // Fill stage: writes a line, passes the beat on
    reg  stage_fill;                 // a line to write
    reg  stage_valid;                // the beat goes on to the read stage
    reg  ${width(beat.width)} stage;
    reg  ${width(count)} stage_bank; // of the line
    reg  [128:0] stage_line;
    reg  read_held;                  // the read stage holds a beat
    reg  ${width(beat.width)} read_stage;

    ${unpack(beat, "stage", "stage", places)}
    wire stage_moves = !stage_valid | !read_held | read_ready;

    assign stage_ready = !(stage_fill | stage_valid) | stage_moves;
    assign fill        = {${count}{stage_fill & stage_moves}} & stage_bank;
    assign fill_data   = stage_line;
    wire ${width(s)} fill_set =
        ${chosen("set", s)};
    wire ${width(w)} fill_way =
        ${chosen("way", w)};
    assign fill_index  = {fill_set, fill_way};

    always @(posedge clk) begin
        if (rst) begin
            stage_fill  <= 1'b0;
            stage_valid <= 1'b0;
        end else if (stage_ready) begin
            stage_fill  <= head_step & unfilled != ${count}'d0;
            stage_valid <= head_leaves;
        end
    end

    always @(posedge clk) begin
        if (head_step) begin
            stage      <= head;
            stage_bank <= first;
            stage_line <= {line_error, line_data};
        end
    end

    // Read stage
    always @(posedge clk) begin
        if (rst)
            read_held <= 1'b0;
        else if (!read_held | read_ready)
            read_held <= stage_valid & stage_moves;
    end

    always @(posedge clk) begin
        if (stage_valid & stage_moves)
            read_stage <= stage;
    end

    assign read_valid = read_held | (bypass & beat_valid);
    assign read_beat  = read_held ? read_stage : beat;
    assign busy       = tag_out_valid | head_valid | stage_fill | stage_valid | read_held;

endmodule
