<%
    cache, T = cfg.cache, cfg.tile_bits
    ways, W = cache.ways, cache.way_bits
    def number_of(onehot):
        masks = [sum(1 << n for n in range(ways) if n >> bit & 1) for bit in range(W)]
        return "{" + ", ".join(f"|({onehot} & {ways}'h{mask:x})" for mask in reversed(masks)) + "}"
    def below(node):
        """The ways below a node, as a mask."""
        level = node.bit_length() - 1
        size = ways >> level
        first = (node - (1 << level)) * size
        return ((1 << size) - 1) << first
    def descend(node):
        """The number of the way that the tree points at, of those that may go."""
        if node >= ways:
            return ""
        bits = W - node.bit_length()
        if not bits:
            return f"up[{node}]"
        return f"{{up[{node}], up[{node}] ? {descend(2 * node + 1)} : {descend(2 * node)}}}"
%>\
// A set: whether it has a line, and which way a new one would take.
//
// The victim is the lowest empty way; else pseudo-LRU's choice of those that may go: node 1 is the root of the tree,
// 2 i and 2 i + 1 are below node i, 0 points at the lower half; a half of which no way may go is left for the other.
// Timing: combinational.
module zcache_choice${" #(" if cfg.ott else " ("}
% if cfg.ott:
    parameter FRESH_MAY_GO = 1             // lines that nobody has used go if there are no others
) (
% endif
    input  wire ${width(T)} number, // of the tile
    input  wire ${width(ways)} used, // ways of the set that are not empty
    input  wire ${width(ways)} filling, // that wait for memory
    input  wire ${width(ways)} touched, // whose line was used
    input  wire ${width(ways)} dirty, // whose line memory does not have
    input  wire ${width(ways - 1)} plru, // the tree, root lowest
    input  wire ${width(ways * T)} numbers, // of their tiles
    // the line
    output wire found, // it is there, or on its way
    output wire come, // it is there
    output wire unused, // nobody has used it
    output wire ${width(W)} way, // where
    // a way for it
    output wire victim, // there is one
    output wire ${width(W)} victim_way, // which
    output wire victim_valid, // a line is there,
    output wire victim_unused, // that nobody has used,
    output wire victim_dirty, // that is to be written
    output wire ${width(T)} victim_number // of this tile
);

    wire ${width(ways)} equal;
    wire ${width(ways)} empty = ~used & (used + 1'b1); // the lowest
    wire ${width(ways)} ready = used & ~filling;
% if cfg.ott:
    wire ${width(ways)} old   = ready & touched;
    wire ${width(ways)} may   = old == ${ways}'d0 & FRESH_MAY_GO != 0 ? ready : old;
% else:
    wire ${width(ways)} may   = ready;
% endif
    wire [${ways - 1}:1] up;                  // by node: to the higher half

% for node in range(1, ways):
    assign up[${node}] = (may & ${ways}'h${f"{below(2 * node + 1):x}"}) != ${ways}'d0 & (plru[${node - 1}] | (may & ${ways}'h${f"{below(2 * node):x}"}) == ${ways}'d0);
% endfor

    genvar n;
    generate
        for (n = 0; n < ${ways}; n = n + 1) begin : gen_way
            assign equal[n] = used[n] & numbers[n*${T} +: ${T}] == number;
        end
    endgenerate

    assign found  = equal != ${ways}'d0;
    assign come   = (equal & ~filling) != ${ways}'d0;
    assign unused = (equal & touched) == ${ways}'d0;
    assign way    = ${number_of("equal")};

    assign victim        = empty != ${ways}'d0 | may != ${ways}'d0;
    assign victim_valid  = empty == ${ways}'d0;
    assign victim_way    = victim_valid ? ${descend(1)} : ${number_of("empty")};
    assign victim_unused = !touched[victim_way];
    assign victim_dirty  = victim_valid & dirty[victim_way];
    assign victim_number = numbers[victim_way*${T} +: ${T}];

endmodule
