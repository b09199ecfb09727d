// Replacement state of every set under a policy that is chosen at run time.
//
//   0 round robin   a counter: the victim, one more after each fill of it
//   1 "LFU"         a rank for each way, the victim has 0; a way that is used gets the highest, those above one less
//   2 LRU           the same, the victim has the highest; a way that is used gets 0, those below it one more
//   3 pseudo-LRU    a bit for each pair of ways, each group of four ways, and two groups each: see below
//
// Any number of ways up to 16. The bits of pseudo-LRU are those of the next power of two; a side without ways is never
// chosen. Ranks go up to the number of ways less one. With one way there is nothing to choose.
//
// Interface: clear begins a set anew, and must for every set after power-up and whenever the policy changes. Of the
// ways that are filled, invalid ones come first with INVALID_FIRST alone; else the policy does not look at them.
// Timing: victim in the same cycle as set; an update shows from the next cycle on, so that updates of one set in
// cycles that follow one another all count. It is written a cycle later, so that no comparison of tags lies before it:
// a clear in that cycle loses it, and must be one of all sets.
module replacement #(
    parameter WAYS = 16,                  // ways of a set: 1 to 16
    parameter WAY_BITS = 4,               // bits of a way: log2 of WAYS, rounded up, but at least 1
    parameter SETS = 4,                   // sets
    parameter SET_BITS = 2,               // bits of a set's index
    parameter INVALID_FIRST = 0           // 1: an invalid way is filled before a valid one is replaced
) (
    input  wire                clk, // clock
    input  wire [1:0]          policy,    // see above
    input  wire [SET_BITS-1:0] set,       // set looked up
    input  wire [WAYS-1:0]     valid,     // its ways that hold a line
    input  wire                clear,     // the set begins anew
    input  wire                update,    // way is used; ignored while clear is high
    input  wire                filled,    // it is filled
    input  wire [WAY_BITS-1:0] way,       // way that hits or is filled
    output wire [WAY_BITS-1:0] victim     // way to fill
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (WAYS < 1 || WAYS > 1 << WAY_BITS || (WAY_BITS != 1 && 2 * WAYS <= 1 << WAY_BITS) || WAY_BITS < 1 ||
            WAY_BITS > 4 || SETS < 1 || SETS > 1 << SET_BITS) begin : gen_illegal
            replacement_needs_1_to_16_WAYS_the_least_WAY_BITS_for_them_and_SET_BITS_for_SETS_sets illegal ();
        end
    endgenerate

    localparam [1:0] ROUND_ROBIN = 2'd0, LFU = 2'd1, PSEUDO_LRU = 2'd3;
    localparam PLACES     = 1 << WAY_BITS;                        // of ways
    localparam PAIRS      = PLACES / 2;
    localparam GROUPS     = PLACES / 4;
    localparam PAIR_BITS  = WAY_BITS < 2 ? 1 : WAY_BITS - 1;      // of a pair's number
    localparam [PAIRS-1:0] WHOLE = (1 << WAYS / 2) - 1;           // pairs of two ways
    localparam ORDER      = PAIRS + GROUPS;                       // first bit about two groups
    localparam BITS       = ORDER + GROUPS * (GROUPS - 1) / 2;    // of pseudo-LRU
    localparam RANKS      = WAYS < 2 ? 2 : WAYS;
    localparam STATE_BITS = RANKS * WAY_BITS;
    localparam HIGHEST    = RANKS - 1;                            // rank
    localparam [WAY_BITS-1:0] LAST = HIGHEST[WAY_BITS-1:0];

    // An update that is not written yet
    reg                   pending;
    reg  [SET_BITS-1:0]   pending_set;
    reg  [WAY_BITS-1:0]   pending_way;
    reg                   pending_filled;
    reg  [STATE_BITS-1:0] pending_state;  // of its set, before it
    reg  [WAY_BITS-1:0]   used_age;       // of its way, before it: see below

    wire [STATE_BITS-1:0] written_state;
    wire [STATE_BITS-1:0] first_state;    // a set's state when it begins
    wire [STATE_BITS-1:0] next_state;     // and after pending_way is used
    wire [STATE_BITS-1:0] state = pending & pending_set == set ? next_state : written_state;
    wire                  turned = policy == LFU;
    wire [STATE_BITS-1:0] ages = state ^ {STATE_BITS{turned}};

    always @(posedge clk) begin
        pending <= update & !clear;
        if (update) begin
            pending_set    <= set;
            pending_way    <= way;
            pending_filled <= filled;
            pending_state  <= state;
            used_age       <= ages[way*WAY_BITS +: WAY_BITS];
        end
    end

    ram_async #(
        .WIDTH(STATE_BITS),
        .DEPTH(SETS),
        .INDEX_BITS(SET_BITS)
    ) states (
        .clk(clk),
        .write(clear | pending),
        .write_index(clear ? set : pending_set),
        .write_data(clear ? first_state : next_state),
        .read_index(set),
        .read_data(written_state)
    );

    // Round robin
    wire [WAY_BITS-1:0] counter = pending_state[WAY_BITS-1:0];
    wire                moves_on = pending_filled & pending_way == counter;
    wire                wraps = WAYS != PLACES & counter == LAST;
    wire [WAY_BITS-1:0] next_counter = !moves_on ? counter : wraps ? {WAY_BITS{1'b0}} : counter + 1'b1;

    // Ranks. Those of "LFU" are those of LRU, from the other end: their complements are ages, from newest on.
    wire [WAY_BITS-1:0]   newest_age = {WAY_BITS{turned}} & ~LAST;
    wire [WAY_BITS-1:0]   oldest_age = {WAY_BITS{turned}} | LAST;
    wire [STATE_BITS-1:0] pending_ages = pending_state ^ {STATE_BITS{turned}};
    wire [STATE_BITS-1:0] next_ages;
    wire [STATE_BITS-1:0] first_ranks;
    wire [STATE_BITS-1:0] candidates;                              // the oldest of the ways up to each

    genvar w;
    generate
        for (w = 0; w < RANKS; w = w + 1) begin : gen_way
            localparam [WAY_BITS-1:0] NUMBER = w;
            wire [WAY_BITS-1:0] age = ages[w*WAY_BITS +: WAY_BITS];
            wire [WAY_BITS-1:0] pending_age = pending_ages[w*WAY_BITS +: WAY_BITS];
            wire [WAY_BITS-1:0] candidate = age == oldest_age ? NUMBER : {WAY_BITS{1'b0}};
            assign first_ranks[w*WAY_BITS +: WAY_BITS] = LAST - NUMBER;
            assign next_ages[w*WAY_BITS +: WAY_BITS] =
                pending_way == NUMBER  ? newest_age :
                pending_age < used_age ? pending_age + 1'b1 : pending_age;
            if (w == 0) begin : gen_first
                assign candidates[WAY_BITS-1:0] = candidate;
            end else begin : gen_next
                assign candidates[w*WAY_BITS +: WAY_BITS] = candidates[(w-1)*WAY_BITS +: WAY_BITS] | candidate;
            end
        end
    endgenerate

    wire [WAY_BITS-1:0] oldest = candidates[(RANKS-1)*WAY_BITS +: WAY_BITS];

    // Pseudo-LRU. A bit about two sides is 0 if the first of them is older: of a pair the even way, of a group its
    // back half (ways 2 and 3), of two groups the lower one, in the order 1-2, 1-3, 1-4, 2-3, 2-4, 3-4.
    wire [PAIRS-1:0]     pair_bits = state[PAIRS-1:0];
    wire [PAIRS-1:0]     pending_pairs = pending_state[PAIRS-1:0];
    wire [BITS-1:0]      next_bits;
    wire [PAIR_BITS-1:0] oldest_pair;
    wire [WAY_BITS-1:0]  pseudo_oldest;

    genvar p, g, h;
    generate
        for (p = 0; p < PAIRS; p = p + 1) begin : gen_pair
            if (PAIRS == 1) begin : gen_only
                assign next_bits[0] = !pending_way;
            end else begin : gen_one
                localparam [PAIR_BITS-1:0] PAIR = p;
                assign next_bits[p] = pending_way[WAY_BITS-1:1] == PAIR ? !pending_way[0] : pending_pairs[p];
            end
        end
        if (PAIRS == 1) begin : gen_one_pair
            assign oldest_pair   = 1'b0;
            assign pseudo_oldest = pair_bits[oldest_pair];
        end else begin : gen_pairs
            assign pseudo_oldest = {oldest_pair, pair_bits[oldest_pair] & WHOLE[oldest_pair]};
        end
        if (GROUPS == 1) begin : gen_one_group
            assign next_bits[PAIRS] = pending_way[1];
            assign oldest_pair = !state[PAIRS];
        end else if (GROUPS > 1) begin : gen_groups
            localparam [GROUPS-1:0] HALVES = (1 << (WAYS + 1) / 4) - 1;    // groups with a back half
            wire [GROUPS-1:0] half_bits = state[ORDER-1:PAIRS];
            wire [GROUPS-1:0] pending_halves = pending_state[ORDER-1:PAIRS];
            wire [WAY_BITS-3:0] group = pending_way[WAY_BITS-1:2];
            wire [WAY_BITS-3:0] oldest_group;
            wire [BITS-ORDER-1:0] order = state[BITS-1:ORDER];
            wire [BITS-ORDER-1:0] pending_order = pending_state[BITS-1:ORDER];
            for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
                localparam [WAY_BITS-3:0] FIRST = g;
                assign next_bits[PAIRS + g] = group == FIRST ? pending_way[1] : pending_halves[g];
                for (h = 0; h < GROUPS; h = h + 1) begin : gen_order
                    if (h > g) begin : gen_ordered
                        localparam [WAY_BITS-3:0] SECOND = h;
                        localparam PLACE = g * (2 * GROUPS - g - 1) / 2 + h - g - 1;
                        assign next_bits[ORDER + PLACE] = group == FIRST | (group != SECOND & pending_order[PLACE]);
                    end
                end
            end
            if (GROUPS == 2) begin : gen_final
                assign oldest_group = order[0];
            end else begin : gen_bracket
                // A bracket decides whatever the bits are: the older of 1 and 2 against that of 3 and 4
                wire       left   = order[0];
                wire       right  = order[5] & WAYS > 12;
                wire [3:0] finals = order[4:1];
                wire       upper  = finals[{left, right}];
                assign oldest_group = {upper, upper ? right : left};
            end
            assign oldest_pair = {oldest_group, !half_bits[oldest_group] & HALVES[oldest_group]};
        end
    endgenerate

    // What the policy says
    wire [WAY_BITS-1:0] chosen =
        WAYS == 1             ? {WAY_BITS{1'b0}} :
        policy == ROUND_ROBIN ? state[WAY_BITS-1:0] :
        policy == PSEUDO_LRU  ? pseudo_oldest : oldest;

    assign next_state =
        policy == ROUND_ROBIN ? {{STATE_BITS-WAY_BITS{1'b0}}, next_counter} :
        policy == PSEUDO_LRU  ? {{STATE_BITS-BITS{1'b0}}, next_bits} : next_ages ^ {STATE_BITS{turned}};
    assign first_state = policy == ROUND_ROBIN | policy == PSEUDO_LRU ? {STATE_BITS{1'b0}} : first_ranks;

    generate
        if (INVALID_FIRST != 0) begin : gen_invalid_first
            wire [WAYS*WAY_BITS-1:0] lowest;    // the lowest invalid way from each on
            for (w = 0; w < WAYS; w = w + 1) begin : gen_lowest
                localparam [WAY_BITS-1:0] NUMBER = w;
                if (w == WAYS - 1) begin : gen_last
                    assign lowest[w*WAY_BITS +: WAY_BITS] = NUMBER;
                end else begin : gen_before
                    assign lowest[w*WAY_BITS +: WAY_BITS] =
                        valid[w] ? lowest[(w+1)*WAY_BITS +: WAY_BITS] : NUMBER;
                end
            end
            assign victim = &valid ? chosen : lowest[WAY_BITS-1:0];
        end else begin : gen_any
            assign victim = chosen;
            wire unused = &{1'b0, valid};
        end
    endgenerate

endmodule
