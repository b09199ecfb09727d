% if cfg.marks:
<%
    from configs.zcache.schema import GROUP
    T, N = cfg.tile_bits, cfg.fast_clear
    G = N // GROUP                            # groups of tiles
    M, g = (N - 1).bit_length(), (G - 1).bit_length()
    askers = helpers.askers(cfg)
%>\
// Marks: a bit for each of the first ${N} tiles of the surface, 1 if a clear has been that memory does not have yet.
//
// Interface: a group of ${GROUP} tiles is marked at once; a tile is unmarked when its line is put into the write buffer.
// Timing: looked up in the same cycle; a change shows from the next one on.
module zcache_marks (
    input  wire clk, // clock
    input  wire marking, // there was a clear: marks count
    input  wire ${width(T + 1)} tiles, // tiles of the surface
% for asker in askers:
    input  wire ${width(T)} ${asker}_number, // a tile looked at by ${"the test, or a barrier" if asker == "test" else "a prefetch"}
    output wire ${asker}_marked, // it is marked
% endfor
    input  wire mark, // a group is marked
    input  wire ${width(g)} mark_group, // which
    input  wire unmark, // a tile is unmarked
    input  wire ${width(T)} unmark_number // which
);

% for asker in askers:
    wire ${width(GROUP)} ${asker}_bits;
% endfor
    wire unmarks = unmark${f" & unmark_number[{T - 1}:{M}] == {T - M}'d0" if T > M else ""};

<%include file="zcache_groups.mako" args="tiles=N, bits='bits', all='mark', group='mark_group', one='unmarks', number='unmark_number', value='mark'"/>\
% for asker in askers:

    assign ${asker}_marked = marking & {1'b0, ${asker}_number} < tiles${f" & {asker}_number[{T - 1}:{M}] == {T - M}'d0" if T > M else ""}
        & ${asker}_bits[${asker}_number[3:0]];
% endfor

endmodule
% endif
