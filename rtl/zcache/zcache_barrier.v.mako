// Barriers: a flush writes all dirty lines; a clear these, then all lines of the surface anew; base moves the surface.
//
// Interface: a barrier is here (valid) until it moves on (done). It begins once all before it has ended (quiet), and
// walks through the rows: a dirty one is put into the write buffer (put) when there is a place (room).
// Timing: a row each cycle, a line of a clear each cycle, as far as there is room; docs/zcache.md has the cycles
// between.
<%
    X, T, L = cfg.coordinate_bits, cfg.tile_bits, cfg.cache.line_bits
    R = cfg.cache.set_bits + cfg.cache.way_bits
    from configs.zcache.schema import GROUP
%>\
module zcache_barrier (
    input  wire clk, // clock
    input  wire rst, // synchronous; the surface is that of power-up
    input  wire valid, // a barrier is here
    input  wire [1:0] op, // which
    input  wire [95:0] arguments, // depths 0 to 2 of it, from the cycle after begins on
    input  wire quiet, // all before it has ended
    output wire begins, // it begins
    output wire done, // it has ended
    output wire empty, // and empties the cache
    // rows
    output wire scans, // a row is looked at
    output wire ${width(R)} row, // which
    input  wire dirty, // it is dirty
    output wire clean, // it is put into the write buffer
    // lines of a clear
    output wire clear, // one is put into the write buffer
    output wire ${width(T + 1)} tile, // the number of its tile
    output wire [31:0] value, // what all its words are
% if cfg.marks:
    // marks
    output wire sweeps, // tile is looked at
    input  wire marked, // it is marked
    output wire mark, // a group of tiles is marked, from tile on
    output reg  marking, // there was a clear: marks count
% endif
% if cfg.bounds:
    // bounds
    output wire forget, // those of a group of tiles are forgotten, from tile on
    input  wire refused, // memory has failed a write
    output reg  bounding, // there was a clear: bounds count
% endif
% if cfg.walked:
    output reg  [31:0] blank_value, // what it gave tiles
    output reg  ${width(T + 1)} tiles, // tiles of the surface
% endif
    // write buffer
    input  wire room, // it has a place
    input  wire written, // it is empty
    // the surface
    output reg  ${width(L)} base, // line address of tile 0
    output reg  ${width(X + 1)} pitch // tiles of a row
);

    localparam [1:0] CLEAR = 2'd2, BASE = 2'd3;

    localparam [2:0] REST  = 3'd0;         // there is none, or it waits
    localparam [2:0] SCAN  = 3'd1;         // rows are looked at
    localparam [2:0] DRAIN = 3'd2;         // all have gone: memory is still to answer
    localparam [2:0] FILL  = 3'd3;         // lines of a clear go
    localparam [2:0] DONE  = 3'd4;
% if cfg.marks:
    localparam [2:0] SWEEP = 3'd5;         // lines of marked tiles go
% endif
% if cfg.walked:
    localparam [2:0] MARK  = 3'd6;         // tiles are marked, or their bounds forgotten
% endif

    reg  [2:0] state;
    reg  ${width(R)} scan;
    reg  ${width(T + 1)} next;             // tile to clear
% if not cfg.walked:
    reg  ${width(T + 1)} tiles;            // tiles of the surface
% endif
    reg        cleared;
    wire ${width(T + 1)} last = tiles - 1'b1;
    wire pass = state == SCAN & (!dirty | room);
% if cfg.walked:
    wire ${width(T + 2)} beyond = {1'b0, next} + ${T + 2}'d${GROUP};
    wire walked = beyond >= {1'b0, tiles} | beyond == ${T + 2}'d${cfg.walked};
% endif
% if cfg.marks:
    wire swept = state == SWEEP & (!marked | room);
    wire sweep_ends = swept & (next == last | next == ${T + 1}'d${cfg.fast_clear - 1});
% endif

    assign begins = valid & quiet & state == REST;
    assign scans  = state == SCAN;
    assign row    = scan;
    assign clean  = state == SCAN & dirty & room;
    assign tile   = next;
% if cfg.marks:
    assign clear  = (state == FILL | (state == SWEEP & marked)) & room;
    assign value  = op == CLEAR ? arguments[31:0] : blank_value;
    assign sweeps = state == SWEEP;
    assign mark   = state == MARK;
% else:
    assign clear  = state == FILL & room;
    assign value  = arguments[31:0];
% endif
% if cfg.bounds:
    assign forget = state == MARK;
% endif
    assign done   = state == DONE;
    assign empty  = done & (op == CLEAR | op == BASE);

    always @(posedge clk) begin
        if (rst)
            state <= REST;
        else
            case (state)
                REST:
                    if (begins)
                        state <= SCAN;
                SCAN:
                    if (pass & (&scan))
                        state <= ${"marking & op != CLEAR ? SWEEP : DRAIN" if cfg.marks else "DRAIN"};
                DRAIN:
                    if (written)
                        state <= op == CLEAR & !cleared & tiles != ${T + 1}'d0 ? ${"MARK" if cfg.walked else "FILL"} : DONE;
% if cfg.marks:
                SWEEP:
                    if (sweep_ends)
                        state <= DRAIN;
% endif
% if cfg.walked:
                MARK:
                    if (walked)
                        state <= ${f"tiles > {T + 1}'d{cfg.fast_clear} ? FILL : DRAIN" if cfg.marks else "FILL"};
% endif
                FILL:
                    if (room & next == last)
                        state <= DRAIN;
                default: // DONE
                    state <= REST;
            endcase
    end

    always @(posedge clk) begin
        if (state == REST)
            scan <= ${R}'d0;
        else if (pass)
            scan <= scan + 1'b1;
        if (state == REST)
            next <= ${T + 1}'d0;
% if cfg.walked:
        else if (state == MARK)
            next <= ${f"beyond[{T}:0]" if cfg.marks else f"walked ? {T + 1}'d0 : beyond[{T}:0]"};
% endif
        else if (${"swept | clear" if cfg.marks else "clear"})
            next <= next + 1'b1;
        cleared <= ${"state == FILL | state == MARK" if cfg.walked else "state == FILL"} | (cleared & state != REST);
    end
% if cfg.marks:

    always @(posedge clk)
        marking <= !rst & (state == MARK | (marking & !sweep_ends));
% endif
% if cfg.bounds:

    // A base moves the surface; a write that has failed leaves in memory what the test does not know
    always @(posedge clk)
        bounding <= !rst & !refused & (state == MARK | (bounding & !(done & op == BASE)));
% endif
% if cfg.walked:

    always @(posedge clk)
        if (state == MARK)
            blank_value <= arguments[31:0];
% endif

    always @(posedge clk) begin
        if (rst) begin
            base  <= ${L}'d0;
            pitch <= ${X + 1}'d1;
            tiles <= ${T + 1}'d1;
        end else if (done & op == BASE) begin
            base  <= arguments[31:6];
            pitch <= arguments[${32 + X}:32];
            tiles <= arguments[${64 + T}:64];
        end
    end

    wire unused = &{1'b0, arguments};

endmodule
