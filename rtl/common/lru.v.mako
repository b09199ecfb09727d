// True least-recently-used order of the ways of every set.
//
// Each way has a rank, 0 for the most recently used; the victim is the way with the highest. A use gives its
// way rank 0 and moves the ways that were more recent up by one.
// A set without a valid way counts as fresh: its victims come in the order way 0, 1, 2, ... So the ranks need no
// reset and stay in a RAM, and invalid ways, being the oldest, are always filled first.
// Timing: victim in the same cycle as set; an update shows from the next cycle on.
<%
    ways, way_bits = cfg.cache.ways, max(1, cfg.cache.way_bits)
%>\
module lru (
    input  wire clk,
    input  wire ${width(cfg.cache.set_bits)} set,     // set looked up
    input  wire fresh,           // no way of the set is valid
    input  wire update,          // the look-up counts as a use of way
    input  wire ${width(way_bits)} way,     // way that hit or was filled
    output wire ${width(way_bits)} victim   // way to replace
);
% if ways == 1:

    // Direct mapped: there is nothing to choose, and no order to keep.
    assign victim = 1'b0;

    wire unused = &{1'b0, clk, set, fresh, update, way};

% else:

    localparam WAYS = ${ways};
    localparam WAY_BITS = ${way_bits};

    wire [WAYS*WAY_BITS-1:0] stored;
    wire [WAYS*WAY_BITS-1:0] initial_ranks = {${", ".join(f"{way_bits}'d{ways - 1 - way}" for way in reversed(range(ways)))}};
    wire [WAYS*WAY_BITS-1:0] ranks = fresh ? initial_ranks : stored;
    wire [WAY_BITS-1:0]      used_rank = ranks[way*WAY_BITS +: WAY_BITS];
    wire [WAYS*WAY_BITS-1:0] next_ranks;
    wire [WAYS-1:0]          is_oldest;

    genvar g;
    generate
        for (g = 0; g < WAYS; g = g + 1) begin : gen_way
            wire [WAY_BITS-1:0] rank = ranks[g*WAY_BITS +: WAY_BITS];
            assign is_oldest[g] = &rank;
            assign next_ranks[g*WAY_BITS +: WAY_BITS] =
                way == g        ? {WAY_BITS{1'b0}} :
                rank < used_rank ? rank + 1'b1 : rank;
        end
    endgenerate

% for bit in range(way_bits):
    assign victim[${bit}] = ${" | ".join(f"is_oldest[{way}]" for way in range(ways) if way >> bit & 1)};
% endfor
    wire unused = &{1'b0, is_oldest[0]}; // victim 0 is what remains

    ram_async #(
        .WIDTH(WAYS * WAY_BITS),
        .DEPTH(${cfg.cache.sets}),
        .INDEX_BITS(${cfg.cache.set_bits})
    ) rank_ram (
        .clk(clk),
        .write(update),
        .write_index(set),
        .write_data(next_ranks),
        .read_index(set),
        .read_data(stored)
    );
% endif

endmodule
