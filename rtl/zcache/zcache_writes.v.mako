// Lines that go to memory: those read for it, and those of a clear, by way of the write buffer.
//
// Interface: a line goes while there is room. victim: it is read in this cycle; clear: it is one of a clear. held: the
// line that is looked up is in the write buffer, or being put there.
// Timing: what goes in cycle k is being put in k + 1.
<%
    cache, axi, N = cfg.cache, cfg.axi, cfg.write_buffer
    T, L, C, m = cfg.tile_bits, cache.line_bits, N.bit_length(), axi.prefix
    askers = ["test", "ahead"] if cfg.prefetching else ["test"]
    write_signals = [signal for signal in axi.signals if signal.name.startswith((f"{m}_aw", f"{m}_w", f"{m}_b"))]
    packed = lambda name: "{" + ", ".join(f"{asker}_{name}" for asker in reversed(askers)) + "}"
%>\
module zcache_writes (
    input  wire clk, // clock
    input  wire rst, // synchronous; lines not begun are forgotten
    input  wire ${width(L)} base, // line address of tile 0
    // lines
    input  wire victim, // one is read for memory
    input  wire ${width(T)} victim_number, // its tile
    input  wire clear, // one of a clear goes
    input  wire ${width(T + 1)} clear_tile, // its tile
    input  wire [31:0] clear_value, // what its words are
    input  wire [511:0] line, // what was read in the cycle before
    output wire room, // there is a place
    output wire written, // none is here
% for asker in askers:
    // look-up by ${"the test" if asker == "test" else "a prefetch"}
    input  wire ${width(L)} ${asker}_line, // address of a line
    output wire ${asker}_held, // it is here
% endfor
    // answers
    output wire answered, // a line was written
    output wire refused, // or memory failed
    output wire owed, // memory has not answered all that was begun
    // memory
    input  wire ${m}_rst, // with rst: memory forgets open bursts, too
${ports(write_signals, last=True)}
);

    reg  put, put_clear;
    reg  ${width(L)} put_line;
    wire ${width(C)} held;
    wire ${width(C + 1)} coming = {1'b0, held} + {${C}'d0, put};
    wire ${width(T + 1)} tile = clear ? clear_tile : {1'b0, victim_number};

    assign room    = coming < ${C + 1}'d${N};
    assign written = coming == ${C + 1}'d0;

    always @(posedge clk) begin
        put       <= (victim | clear) & !rst;
        put_clear <= clear;
        put_line  <= base + {${L - T - 1}'d0, tile};
    end

    zcache_write_buffer #(
        .ASKS(${len(askers)})
    ) write_buffer (
        .clk(clk),
        .rst(rst),
        .put(put),
        .put_line(put_line),
        .put_data(put_clear ? {16{clear_value}} : line),
        .count(held),
        .ask_line(${packed("line")}),
        .ask_held(${packed("held")}),
        .answered(answered),
        .refused(refused),
        .busy(owed),
        .m_axi_rst(${m}_rst),
${connect(write_signals, last=True)}
    );

endmodule
