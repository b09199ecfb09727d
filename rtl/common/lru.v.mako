// True least-recently-used order of the ways of every set.
//
// Each way has a rank, 0 for the most recently used; the victim is the way with the highest. A use gives its
// way rank 0 and moves the ways that were more recent up by one.
// A set without a valid way counts as fresh: its victims come in the order way 0, 1, 2, ... So the ranks need no
// reset and stay in a RAM, and invalid ways, being the oldest, are always filled first.
// Timing: victim in the same cycle as set; an update shows from the next cycle on. The RAM is written in that cycle,
// so that no path leads to it from way; a look-up of the same set then takes the ranks past the RAM.
module lru #(
    parameter WAYS = 4,                   // ways of a set; a power of two
    parameter WAY_BITS = 2,               // bits of a way: log2 of WAYS, but at least 1
    parameter SETS = 16,                  // sets
    parameter SET_BITS = 4                // bits of a set's index
) (
    input  wire                clk, // clock
    input  wire [SET_BITS-1:0] set,       // set looked up
    input  wire                fresh,     // no way of the set is valid
    input  wire                update,    // the look-up counts as a use of way
    input  wire [WAY_BITS-1:0] way,       // way that hit or was filled
    output wire [WAY_BITS-1:0] victim     // way to replace
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (WAYS != 1 << (WAYS == 1 ? 0 : WAY_BITS) || WAY_BITS < 1 || SETS < 1 || SETS > 1 << SET_BITS) begin : gen_illegal
            lru_needs_WAYS_that_is_2_to_the_WAY_BITS_or_1_and_SET_BITS_for_SETS_sets illegal ();
        end
    endgenerate

    generate
        if (WAYS == 1) begin : gen_direct

            // Direct mapped: there is nothing to choose, and no order to keep.
            assign victim = {WAY_BITS{1'b0}};

            wire unused = &{1'b0, clk, set, fresh, update, way};

        end else begin : gen_order

            reg                      updated;       // in the cycle before: a use
            reg  [SET_BITS-1:0]      used_set;      // of a way of this set,
            reg  [WAY_BITS-1:0]      used_way;
            reg  [WAYS*WAY_BITS-1:0] used_ranks;    // whose ranks were these
            wire [WAY_BITS-1:0]      used_rank = used_ranks[used_way*WAY_BITS +: WAY_BITS];
            wire [WAYS*WAY_BITS-1:0] next_ranks;

            wire [WAYS*WAY_BITS-1:0] stored;
            wire [WAYS*WAY_BITS-1:0] initial_ranks; // the first way is the oldest
            wire [WAYS*WAY_BITS-1:0] ranks =
                fresh ? initial_ranks : updated & used_set == set ? next_ranks : stored;
            wire [WAYS*WAY_BITS-1:0] victims;       // or of the ways up to each that are the oldest

            genvar g;
            for (g = 0; g < WAYS; g = g + 1) begin : gen_way
                localparam [WAY_BITS-1:0] NUMBER = g;
                wire [WAY_BITS-1:0] earlier_rank = used_ranks[g*WAY_BITS +: WAY_BITS];
                wire [WAY_BITS-1:0] candidate = &ranks[g*WAY_BITS +: WAY_BITS] ? NUMBER : {WAY_BITS{1'b0}};
                assign initial_ranks[g*WAY_BITS +: WAY_BITS] = ~NUMBER;
                assign next_ranks[g*WAY_BITS +: WAY_BITS] =
                    used_way == NUMBER ? {WAY_BITS{1'b0}} :
                    earlier_rank < used_rank ? earlier_rank + 1'b1 : earlier_rank;
                if (g == 0) begin : gen_first
                    assign victims[WAY_BITS-1:0] = candidate;
                end else begin : gen_next
                    assign victims[g*WAY_BITS +: WAY_BITS] = victims[(g-1)*WAY_BITS +: WAY_BITS] | candidate;
                end
            end

            assign victim = victims[(WAYS-1)*WAY_BITS +: WAY_BITS];

            always @(posedge clk) begin
                updated <= update;
                if (update) begin
                    used_set   <= set;
                    used_way   <= way;
                    used_ranks <= ranks;
                end
            end

            ram_async #(
                .WIDTH(WAYS * WAY_BITS),
                .DEPTH(SETS),
                .INDEX_BITS(SET_BITS)
            ) rank_ram (
                .clk(clk),
                .write(updated),
                .write_index(used_set),
                .write_data(next_ranks),
                .read_index(set),
                .read_data(stored)
            );

        end
    endgenerate

endmodule
