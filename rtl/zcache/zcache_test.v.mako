// T1, the test: depths of a tile against those of its line, what passes into the line, and the result.
//
// Interface: load brings a word, whose long part (text) and line are here in the cycle after it, its first; a
// result is offered from then on until it is taken.
// Timing: a word each cycle. What is stored is stored in the first cycle (store); the line need not stay.
<%
    X, W = cfg.coordinate_bits, cfg.cache.way_bits
    R = cfg.cache.set_bits + W
    long_bits = 2 * X + 3 + 1 + 2 + 512
    func, write, format, depths = 2 * X, 2 * X + 3, 2 * X + 4, 2 * X + 6
    res, evt = (cfg.all_streams[name] for name in ("res", "evt"))
%>\
module zcache_test (
    input  wire clk, // clock
    input  wire rst, // synchronous; the word is forgotten
    // a word comes
    input  wire load, // in the next cycle it is here
    input  wire [1:0] load_op, // what it is
    input  wire load_access, // a tile with pixels to test,
    input  wire load_failed, // whose line memory could not give,
    input  wire load_err, // or a barrier for which memory could not write
    input  wire [15:0] load_live, // pixels that are covered and not discarded
    input  wire [1:0] load_kind, // how its line was found
    input  wire load_first, // it was prefetched, and not used before
% if cfg.marks:
    input  wire load_blank, // all its words are those of the last clear:
    input  wire [31:0] blank_value, // this
% endif
% if cfg.bounds:
    input  wire load_rejected, // it could not pass by its bounds
% endif
    input  wire ${width(R)} load_row, // set and way of it
    input  wire ${width(long_bits)} text, // x, y, func, write, format, depths
    input  wire [511:0] line, // the line, in the first cycle
    output wire free, // a word can come
    output wire empty, // none is here
    // the first cycle
    output wire busy, // it is that of a tile with pixels to test,
    output wire ${width(R)} row, // with this line
    output wire store, // into which depths are stored
    output wire [3:0] store_beats, // rows of the tile that change
    output wire [511:0] store_line, // the line then
    // the result
    output wire done, // it is taken
% if cfg.bounds:
    output wire learn, // bounds can be learnt, in the first cycle,
    output wire [511:0] learn_line, // of this line, with what is stored
% endif
    output wire ${width(evt.width)} event_word, // what became of the word
    output wire [15:0] passed, // pixels that passed
    output wire failed, // memory failed
${ports(stream_signals(res), last=True)}
);

    localparam [1:0] D24X8 = 2'd0, D16 = 2'd2;

    reg         valid, first;
    reg  [1:0]  op;
    reg         access;
    reg         err, no_line;
    reg  [15:0] live;
    reg  [1:0]  kind;
    reg         was_first;
% if cfg.marks:
    reg         blank;
% endif
% if cfg.bounds:
    reg         rejected;
% endif
    reg  ${width(R)} place;
    reg  [15:0] kept;                      // what passed in the first cycle
    reg         stored;                    // a depth was stored in it

    wire [15:0] equal, less;               // by pixel: the new depth is equal, less
    wire [2:0]  func   = text[${func + 2}:${func}];
    wire        write  = text[${write}];
    wire [1:0]  format = text[${format + 1}:${format}];
    wire [31:0] aside  = format == D24X8 ? 32'hff000000 : format == D16 ? 32'hffff0000 : 32'd0; // no depth

    wire        compares = access & !no_line;
    wire [15:0] passes   = ({16{func[0]}} & less) | ({16{func[1]}} & equal) | ({16{func[2]}} & ~less & ~equal);

    assign passed = !first ? kept : live & (access ? passes & {16{!no_line}} : 16'hffff);
    assign store  = first & compares & write & passed != 16'd0;
    assign done   = valid & res_ready;
    assign free   = !valid | res_ready;
    assign empty  = !valid;
    assign busy   = first & access;
% if cfg.bounds:
    assign learn  = first & compares;
% endif
    assign row    = place;
    assign failed = err;

    always @(posedge clk) begin
        if (rst) begin
            valid <= 1'b0;
            first <= 1'b0;
        end else begin
            valid <= load | (valid & !res_ready);
            first <= load;
        end
        if (load) begin
            op        <= load_op;
            access    <= load_access;
            no_line   <= load_failed;
            err       <= load_failed | load_err;
            live      <= load_live;
            kind      <= load_kind;
            was_first <= load_first;
% if cfg.marks:
            blank     <= load_blank;
% endif
% if cfg.bounds:
            rejected  <= load_rejected;
% endif
            place     <= load_row;
        end
        if (first) begin
            kept   <= passed;
            stored <= store;
        end
    end

    genvar p, b;
    generate
        for (p = 0; p < 16; p = p + 1) begin : gen_pixel
            wire [31:0] old = ${"blank ? blank_value : " if cfg.marks else ""}line[p*32 +: 32];
            wire [31:0] depth = text[${depths}+p*32 +: 32] & ~aside;

            assign equal[p] = depth == (old & ~aside);
            assign less[p]  = depth < (old & ~aside);
            assign store_line[p*32 +: 32] = passed[p] ? (old & aside) | depth : old;
% if cfg.bounds:
            assign learn_line[p*32 +: 32] = write ? store_line[p*32 +: 32] : old;
% endif
        end

        for (b = 0; b < 4; b = b + 1) begin : gen_beat
            assign store_beats[b] = store & ${"(blank | passed[b*4 +: 4] != 4'd0)" if cfg.marks else "passed[b*4 +: 4] != 4'd0"};
        end
    endgenerate

    wire ${width(X)} res_x = text[${X - 1}:0];
    wire ${width(X)} res_y = text[${2 * X - 1}:${X}];
    wire [15:0] res_passed = passed;
    wire        res_err    = err;

    assign res_valid = valid;
    assign res_data  = ${pack(res)};

    assign event_word = ${pack(evt, values={
        "op": "op", "kind": "kind", "way": f"place[{W - 1}:0] & {{{W}{{compares}}}}", "first": "was_first",
        "dirty": "first ? store : stored"} | ({"rejected": "rejected"} if cfg.bounds else {}))};

endmodule
