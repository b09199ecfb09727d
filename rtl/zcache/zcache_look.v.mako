// T0, the look-up: what the oldest tile in flight does, once it is shaded.
//
// It moves to T1 if it needs no line, its line is there, or its line's fill has failed; else it waits for its line,
// and asks for it if nobody has.
// Interface: what is known of its line comes in, what happens at the end of the cycle goes out; of its last tile the
// module keeps what the first look at its line found (kind), and whether the fill failed.
// Timing: combinational; no wait between tiles.
module zcache_look (
    input  wire clk, // clock
    input  wire rst, // synchronous; nothing is known
    // the oldest word that has not left
    input  wire tile, // it is a tile, and shaded
    input  wire test, // it is tested
    input  wire [15:0] mask, // pixels that are covered
    input  wire [15:0] kill, // those that the shader discards
    input  wire test_free, // T1 can take it
    // its line, and a way for it
    input  wire found, // it is in the cache, or on its way
    input  wire come, // it is in the cache
    input  wire unused, // nobody has used it
    input  wire held, // it is in the write buffer
    input  wire victim, // there is a way for it
    input  wire victim_dirty, // from which a line is to be written
    input  wire fails, // its fill fails in this cycle
% if cfg.marks:
    input  wire blank, // memory need not be read for it
% endif
% if cfg.bounds:
    input  wire hopeless, // it cannot pass by its bounds
% endif
    // what a fill takes
    input  wire fill_free, // a fill is free
    input  wire ask_free, // so is AR
    input  wire room, // the write buffer has a place
    input  wire set_busy, // T1 may make a line of the set dirty in this cycle
    // what happens
    output wire tests, // a tile that is tested is here
    output wire move, // the tile moves to T1,
    output wire access, // to be compared,
    output wire hit, // with its line
    output wire failed, // that memory could not give
    output wire [15:0] live, // pixels that are left
    output wire [1:0] kind, // what the first look found: 0 no access, 1 hit, 2 late, 3 miss
    output wire first, // its line was prefetched, and not used before
    output wire reserve, // it asks for its line
% if cfg.bounds:
    output wire rejected, // it moves without its line, as it cannot pass
% endif
    output wire touch, // its line becomes touched, now or when it comes
    output wire useful, // a line is found that was prefetched
% if cfg.adapts:
    output wire looks, // the first look at the line of a tile to be compared
% endif
    output wire [6:0] wait_causes, // why it waits: for a prefetch, its fill, a write; a victim, room, a read, the set
    output wire waits // it waits for its line
);

    localparam [1:0] NONE = 2'd0, HIT = 2'd1, LATE = 2'd2, MISS = 2'd3;

    reg        known;                      // the line was looked at before
    reg  [1:0] was;                        // what was found
    reg        was_unused;                 // it was on its way for a prefetch
    reg        no_line;                    // its fill has failed

    assign live   = mask & ~kill;
    assign tests  = tile & test;
% if cfg.bounds:
    assign rejected = tests & live != 16'd0 & hopeless & !come & !held;
    assign access = tests & live != 16'd0 & !rejected;
% else:
    assign access = tests & live != 16'd0;
% endif
    assign failed = access & no_line;

    wire skips  = tests & live == 16'd0;
    wire hits   = access & !no_line & come;
    wire coming = access & !no_line & found & !come;

    assign waits   = access & !no_line & !come;

    wire wants    = waits & !found & !held & !reserve;
    wire has_room = !victim_dirty | room;

    assign move    = tile & test_free & (!access | no_line | come);
    assign hit     = hits & test_free;
    assign reserve = access & !no_line & !found & !held & ${"(blank | (fill_free & ask_free))" if cfg.marks else "fill_free & ask_free"} & !set_busy & victim & (!victim_dirty | room);
    assign wait_causes = {
        wants & victim & set_busy, // T1 may yet make the victim dirty: whether it needs room is not known
        wants & victim & !set_busy & has_room,
        wants & victim & !set_busy & !has_room,
        wants & !victim,
        waits & !found & held,
        reserve | (coming & kind != LATE),
        coming & kind == LATE
    };
    assign touch   = hit | coming | (skips & test_free & found);
    assign useful  = (hit & unused) | (coming & !known);
    assign first   = (hit & unused) | was_unused;
% if cfg.adapts:
    assign looks   = access & !known;
% endif
    assign kind    = ${"known ? was : !access ? NONE" if cfg.bounds else "!access ? NONE : known ? was"} : come ? HIT : found ? LATE : MISS;

    always @(posedge clk) begin
        if (rst | move) begin
            known      <= 1'b0;
            was_unused <= 1'b0;
            no_line    <= 1'b0;
        end else begin
            known      <= known | access;
            was_unused <= was_unused | (coming & !known);
            no_line    <= no_line | (coming & fails);
        end
        was <= kind;
    end

endmodule
