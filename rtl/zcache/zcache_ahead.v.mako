% if cfg.prefetching:
<%
    queue = cfg.prefetch.mode == "queue"
    drop_busy = cfg.prefetch.when_busy == "drop"
    N, B, K = cfg.shading.tiles, cfg.token_bits, cfg.shading.tiles.bit_length()
    T, S, D, Q = cfg.tile_bits, cfg.cache.set_bits, cfg.prefetch.distance, cfg.prefetch.queue
    F, QC = max(1, (Q - 1).bit_length()), Q.bit_length()  # of a place in the queue, of a count
    claim = cfg.claim_bits if cfg.bounds else 0
    M = B + 1                                             # of the number of a word, in the order of intake
    step = lambda name, bits, last: f"{name} == {bits}'d{last} ? {bits}'d0 : {name} + 1'b1" if last else f"{bits}'d0"
    one = lambda bit, bits: f"{{{bits - 1}'d0, {bit}}}" if bits > 1 else bit
%>\
% if queue:
// Requests to prefetch, from intake on: a queue of ${Q}; those that find it full are dropped.
% else:
// Requests to prefetch: a pointer walks the tiles in flight, ${"a distance" if cfg.adapts else D} ahead of the test at most.
% endif
//
// Interface: ask is what is looked at in this cycle; the flags beside it say what is true of it. It is decided in the
// cycle in which an outcome is there: issued (its line is reserved in this cycle), or dropped.
// Timing: no register between the flags and the outcome; a request is looked at from the cycle after its intake on.
module zcache_ahead (
    input  wire clk, // clock
    input  wire rst, // synchronous; requests are forgotten
    input  wire move, // the oldest word leaves,
    input  wire tests, // or it is a tile at the test
% if queue:
    input  wire take, // a word is taken,
    input  wire take_tested, // and makes a request,
    input  wire ${width(T)} take_number, // for the tile of this number
    input  wire ${width(S)} take_set, // and set
% if claim:
    input  wire ${width(claim)} take_claim, // with this claim
% endif
    output wire full, // there is no place for it
    output wire waits, // a request is here
% else:
    input  wire ${width(K)} waiting, // words that have not left
% if cfg.adapts:
    input  wire ${width(K)} distance, // to look at words ahead of the test
    output wire beyond, // the oldest was looked at before
    output wire reaches, // all but one, at most, of those within the distance were
% endif
    output wire ${width(B)} look, // the place of the word that is looked at
    input  wire look_tested, // it makes a request,
    input  wire ${width(T)} look_number, // for the tile of this number
    input  wire ${width(S)} look_set, // and set
% if claim:
    input  wire ${width(claim)} look_claim, // with this claim
% endif
% endif
    // the request
    output wire ask_valid, // one is looked at
    output wire ${width(T)} ask_number, // number of its tile
    output wire ${width(S)} ask_set, // its set
% if claim:
    output wire ${width(claim)} ask_claim, // its claim
    input  wire hopeless, // it cannot pass
% endif
    input  wire present, // its line is in the cache, or on its way
    input  wire writing, // it is in the write buffer
    input  wire closed, // its set is in use by the test
    input  wire fill_free, // a fill is free
    input  wire victim, // there is a way for it
    input  wire ready, // all else is there: its line can be reserved
    // what becomes of it
    output wire reserve, // its line is reserved
    output wire decided, // it is answered for
    output wire [2:0] outcome // how
);

    localparam [2:0] ISSUED = 3'd0, PRESENT = 3'd1, WRITING = 3'd2, UNTOUCHED = 3'd3, BUSY = 3'd4, STALE = 3'd5${", HOPELESS = 3'd6" if claim else ""};

    wire stale;                            // its tile is at the test, or was

    assign outcome =
        stale      ? STALE :
        present    ? PRESENT :
        writing    ? WRITING :
% if claim:
        hopeless   ? HOPELESS :
% endif
        !fill_free ? BUSY :
        !victim    ? UNTOUCHED : ISSUED;

    assign reserve = ask_valid & outcome == ISSUED & !closed & ready;
    assign decided = ask_valid & (
        stale | present | writing |${" hopeless |" if claim else ""} reserve |
% if drop_busy:
        (!closed & (!fill_free | !victim)));
% else:
        (!closed & fill_free & !victim));
% endif
% if queue:

    // Words are numbered as they are taken. A request is dropped as soon as its tile is at the test: none is older
    // than the word that left last, so that the difference tells which it is
    reg  ${width(M)} next_word, head_word;
    wire ${width(M)} ask_word;
    wire ${width(M)} distance = ask_word - head_word; // negative: it has left

    assign stale = distance[${M - 1}] | (tests & distance == ${M}'d0);

    reg  ${width(F)} head, tail;
    reg  ${width(QC)} count;               // requests
    wire put = take_tested & count != ${QC}'d${Q};

    assign ask_valid = count != ${QC}'d0;
    assign waits     = ask_valid;
    assign full      = take_tested & count == ${QC}'d${Q};

    always @(posedge clk) begin
        if (rst) begin
            next_word <= ${M}'d0;
            head_word <= ${M}'d0;
            head      <= ${F}'d0;
            tail      <= ${F}'d0;
            count     <= ${QC}'d0;
        end else begin
            if (take)
                next_word <= next_word + 1'b1;
            if (move)
                head_word <= head_word + 1'b1;
            if (put)
                tail <= ${step("tail", F, Q - 1)};
            if (decided)
                head <= ${step("head", F, Q - 1)};
            count <= count + ${one("put", QC)} - ${one("decided", QC)};
        end
    end

    ram_async #(
        .WIDTH(${M + T + S + claim}),
        .DEPTH(${Q}),
        .INDEX_BITS(${F})
    ) requests (
        .clk(clk),
        .write(put),
        .write_index(tail),
        .write_data({${"take_claim, " if claim else ""}next_word, take_number, take_set}),
        .read_index(head),
        .read_data({${"ask_claim, " if claim else ""}ask_word, ask_number, ask_set})
    );
% else:

    // The word looked at is in flight and has not left: in the cycle in which it is at the test, it is passed
    reg  ${width(B)} place;
    reg  ${width(K)} lead;                 // words ahead of it that have not left
    wire looked = lead != waiting${" & lead < distance" if cfg.adapts else f" & lead < {K}'d{D}" if D < N else ""};
    wire passed = looked & (!look_tested | decided);

% if cfg.adapts:
    assign beyond     = lead != ${K}'d0;
    assign reaches    = {1'b0, lead} + 1'b1 >= {1'b0, distance};
% endif
    assign look       = place;
    assign ask_number = look_number;
    assign ask_set    = look_set;
% if claim:
    assign ask_claim  = look_claim;
% endif
    assign ask_valid  = looked & look_tested;
    assign stale      = tests & lead == ${K}'d0;

    always @(posedge clk) begin
        if (rst) begin
            place <= ${B}'d0;
            lead  <= ${K}'d0;
        end else begin
            if (passed)
                place <= ${step("place", B, N - 1)};
            lead <= lead + ${one("passed", K)} - ${one("move", K)};
        end
    end
% endif

endmodule
% endif
