// What the lines are: their tiles' numbers, whether they are filling, touched or dirty, and pseudo-LRU.
//
// Interface: test_* is what the test looks up, or a barrier; ahead_* what a prefetch does. A row is set and way. Of
// the events that change a row, those of one cycle are never about the same line, but for touch, hit and fill_ends.
// Timing: what is looked up is shown in the same cycle; an event shows from the next one on.
<%
    cache, T = cfg.cache, cfg.tile_bits
    ways, W, S = cache.ways, cache.way_bits, cache.set_bits
    rows, P = cache.sets * ways, ways - 1
    askers = ["test", "ahead"] if cfg.prefetching else ["test"]
    def away(way, tree):
        """The tree, turned away from a way."""
        nodes = []
        for node in range(ways - 1, 0, -1):
            level = node.bit_length() - 1
            turned = f"!{way}[{W - 1 - level}]"
            prefix = node - (1 << level)
            on_path = f"{way}[{W - 1}:{W - level}] == {level}'d{prefix}" if level else ""
            nodes.append(f"{on_path} ? {turned} : {tree}[{node - 1}]" if level else turned)
        return "{" + ", ".join(nodes) + "}"
%>\
module zcache_lines (
    input  wire clk, // clock
    input  wire rst, // synchronous; all lines are forgotten
% for asker in askers:
    // look-up by ${"the test, or a barrier" if asker == "test" else "a prefetch"}
    input  wire ${width(S)} ${asker}_set, // the tile's set
    input  wire ${width(T)} ${asker}_number, // its number
    output wire ${asker}_found, // its line is there, or on its way
% if asker == "test":
    output wire test_come, // it is there
    output wire test_unused, // nobody has used it
    output wire ${width(W)} test_way, // where
% if cfg.marks:
    output wire test_blank, // it is as a clear left it, and not in the RAM
% endif
% endif
    output wire ${asker}_victim, // there is a way for it
    output wire ${width(W)} ${asker}_victim_way, // which
    output wire ${asker}_victim_valid, // a line is there,
    output wire ${asker}_victim_unused, // that nobody has used,
    output wire ${asker}_victim_dirty, // that is to be written
    output wire ${width(T)} ${asker}_victim_number, // of this tile
% endfor
    // rows, for a barrier
    input  wire ${width(S + W)} scan_row, // one; its set is looked up by the test's port
    output wire scan_dirty, // memory does not have its line
    output wire ${width(T)} scan_number, // its tile
    // events
    input  wire touch, // the test's line is used, or waited for,
    input  wire hit, // or has moved on with its tile
    input  wire reserve, // a line is asked for:
    input  wire ${width(S + W)} reserve_row, // its row,
    input  wire ${width(T)} reserve_number, // its tile
    input  wire reserve_touched, // the test has asked
% if cfg.marks:
    input  wire reserve_blank, // it is there, as a clear left it
% endif
    input  wire fill_ends, // a line has come
    input  wire fill_failed, // or failed
    input  wire ${width(S + W)} fill_row, // where
    input  wire store, // a depth is stored
    input  wire ${width(S + W)} store_row, // where
    input  wire clean, // the row of a barrier goes to memory
    input  wire empty // all lines are forgotten
);

    // By row, the ways of a set side by side. Registers, as several rows change in a cycle
    reg  ${width(rows)} used;              // not empty
    reg  ${width(rows)} filling;           // asked for, not come
    reg  ${width(rows)} touched;           // used, or to be once it has come
    reg  ${width(rows)} dirty;             // memory does not have it
% if cfg.marks:
    reg  ${width(rows)} blank;             // the RAM does not have it
% endif
    reg  ${width(cache.sets * P)} plru;    // by set

% for asker in askers:
    wire ${width(ways * T)} ${asker}_numbers; // of the ways that ${"the test" if asker == "test" else "a prefetch"} looks at
% endfor
    wire ${width(S + W)} test_row = {test_set, test_way};

    always @(posedge clk) begin
        if (reserve) begin
            used[reserve_row]    <= 1'b1;
            filling[reserve_row] <= ${"!reserve_blank" if cfg.marks else "1'b1"};
            touched[reserve_row] <= reserve_touched;
            dirty[reserve_row]   <= 1'b0;
% if cfg.marks:
            blank[reserve_row]   <= reserve_blank;
% endif
        end
        if (fill_ends) begin
            used[fill_row]    <= !fill_failed;
            filling[fill_row] <= 1'b0;
        end
        if (touch)
            touched[test_row] <= 1'b1;
        if (store)
            dirty[store_row] <= 1'b1;
% if cfg.marks:
        if (store)
            blank[store_row] <= 1'b0;
% endif
        if (clean)
            dirty[scan_row] <= 1'b0;
        if (rst | empty) begin
            used  <= ${rows}'d0;
            dirty <= ${rows}'d0;
        end
    end

% if cfg.marks:
    assign test_blank = blank[test_row] & !(store & store_row == test_row);

% endif
    // Pseudo-LRU: the fill first, if both are of one set
    wire come = fill_ends & !fill_failed;
    wire ${width(S)} fill_set = fill_row[${S + W - 1}:${W}];
    wire ${width(W)} fill_way = fill_row[${W - 1}:0];
    wire ${width(P)} fill_tree = plru[fill_set*${P} +: ${P}];
    wire ${width(P)} fill_next = ${away("fill_way", "fill_tree")};
    wire ${width(P)} test_tree = plru[test_set*${P} +: ${P}];
    wire ${width(P)} hit_tree = come & fill_set == test_set ? fill_next : test_tree;
    wire ${width(P)} hit_next = ${away("test_way", "hit_tree")};
    wire unused_roots = &{1'b0, fill_tree[0], hit_tree[0]}; // the root is turned by every way

    always @(posedge clk) begin
        if (rst)
            plru <= ${cache.sets * P}'d0;
        else begin
            if (come)
                plru[fill_set*${P} +: ${P}] <= fill_next;
            if (hit)
                plru[test_set*${P} +: ${P}] <= hit_next;
        end
    end

    // Numbers: a copy for each that looks them up
    genvar n;
    generate
        for (n = 0; n < ${ways}; n = n + 1) begin : gen_way
            localparam ${width(W)} NUMBER = n;
            wire mine = reserve & reserve_row[${W - 1}:0] == NUMBER;
% for asker in askers:

            ram_async #(
                .WIDTH(${T}),
                .DEPTH(${cache.sets}),
                .INDEX_BITS(${S})
            ) ${asker}_ram (
                .clk(clk),
                .write(mine),
                .write_index(reserve_row[${S + W - 1}:${W}]),
                .write_data(reserve_number),
                .read_index(${asker}_set),
                .read_data(${asker}_numbers[n*${T} +: ${T}])
            );
% endfor
        end
    endgenerate

    assign scan_dirty  = dirty[scan_row];
    assign scan_number = test_numbers[scan_row[${W - 1}:0]*${T} +: ${T}];
% for asker in askers:
<% ahead = asker == "ahead" %>\
% if ahead:
    wire ahead_come, ahead_unused;
    wire ${width(W)} ahead_way;
    wire unused_ahead = &{1'b0, ahead_come, ahead_unused, ahead_way};
% endif

% if cfg.ott:
    zcache_choice #(
        .FRESH_MAY_GO(${int(not ahead or cfg.prefetch.when_untouched == "evict")})
    ) ${asker}_choice (
% else:
    zcache_choice ${asker}_choice (
% endif
        .number(${asker}_number),
        .used(used[${asker}_set*${ways} +: ${ways}]),
        .filling(filling[${asker}_set*${ways} +: ${ways}]),
        .touched(touched[${asker}_set*${ways} +: ${ways}]),
        .dirty(dirty[${asker}_set*${ways} +: ${ways}]),
        .plru(plru[${asker}_set*${P} +: ${P}]),
        .numbers(${asker}_numbers),
        .found(${asker}_found),
        .come(${asker}_come),
        .unused(${asker}_unused),
        .way(${asker}_way),
        .victim(${asker}_victim),
        .victim_way(${asker}_victim_way),
        .victim_valid(${asker}_victim_valid),
        .victim_unused(${asker}_victim_unused),
        .victim_dirty(${asker}_victim_dirty),
        .victim_number(${asker}_victim_number)
    );
% endfor

endmodule
