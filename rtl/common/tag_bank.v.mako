// Tags of one single-port cache: tag_ramN holds way N of every set, so that all ways compare in one cycle.
//
// Timing: hit, way and victim in the same cycle as set and tag; an update shows from the next cycle on.
<%
    ways, way_bits, tag = cache.ways, max(1, cache.way_bits), cache.tag_bits
    sets, set_bits = cache.sets, cache.index_bits
%>\
module ${module} (
    input  wire clk, // clock
    input  wire rst,             // synchronous; invalidates
    input  wire invalidate,      // forget all lines
    input  wire ${width(set_bits)} set, // of the look-up
    input  wire ${width(tag)} tag, // of the look-up
    input  wire update,          // the look-up takes effect: use the way that hit, or replace the victim
    output wire hit, // the line is here
    output wire ${width(way_bits)} way,   // way that hit, else the victim
    output wire evict,           // a miss would replace a valid line
    output wire ${width(tag)} victim_tag  // tag of that line, 0 if none
);

    wire ${width(ways)} valid;        // of the ways of this set
    wire ${width(ways)} match;
    wire ${width(way_bits)} victim;
% for w in range(ways):
    wire ${width(tag)} tag${w};        // of way ${w} of this set
% endfor

    assign hit = |match;
% if ways == 1:
    assign way = 1'b0;
    assign evict = !hit & valid[0];
    assign victim_tag = evict ? tag0 : ${tag}'d0;
% else:
    wire ${width(way_bits)} hit_way;
% for bit in range(way_bits):
    assign hit_way[${bit}] = ${" | ".join(f"match[{w}]" for w in range(ways) if w >> bit & 1)};
% endfor
    assign way = hit ? hit_way : victim;
    assign evict = !hit & valid[victim];

    localparam TAG_BITS = ${tag};
    wire [${ways}*TAG_BITS-1:0] tags = {${", ".join(f"tag{w}" for w in reversed(range(ways)))}};
    assign victim_tag = evict ? tags[victim*TAG_BITS +: TAG_BITS] : {TAG_BITS{1'b0}};
% endif
% for w in range(ways):

    wire replace${w} = update & !hit & victim == ${way_bits}'d${w};
    reg ${width(sets)} valid${w};

    always @(posedge clk) begin
        if (rst | invalidate)
            valid${w} <= ${sets}'d0;
        else if (replace${w})
            valid${w}[set] <= 1'b1;
    end

    ram_async #(
        .WIDTH(${tag}),
        .DEPTH(${sets}),
        .INDEX_BITS(${set_bits})
    ) tag_ram${w} (
        .clk(clk),
        .write(replace${w}),
        .write_index(set),
        .write_data(tag),
        .read_index(set),
        .read_data(tag${w})
    );

    assign valid[${w}] = valid${w}[set];
    assign match[${w}] = valid[${w}] & tag${w} == tag;
% endfor

    lru #(
        .WAYS(${ways}),
        .WAY_BITS(${way_bits}),
        .SETS(${sets}),
        .SET_BITS(${set_bits})
    ) replacement (
        .clk(clk),
        .set(set),
        .fresh(valid == ${ways}'d0),
        .update(update),
        .way(way),
        .victim(victim)
    );

endmodule
