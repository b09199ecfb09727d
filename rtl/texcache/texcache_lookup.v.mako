// Look-up circuit: a table from texture id and mip level to the level's base address.
//
// Timing: base in the same cycle as tex and level; a write shows from the next cycle on. The table has no reset:
// an entry must be written before it is used.
<%
    index = cfg.streams["lut"].fields[0].width + cfg.level_bits
%>\
module texcache_lookup (
    input  wire clk, // clock
    input  wire write,               // writes one entry
    input  wire ${width(index)} write_index,   // {tex, level}
    input  wire ${width(cfg.cache.line_bits)} write_base,    // line address of the level
    input  wire ${width(index)} index,         // {tex, level} of the request
    output wire ${width(cfg.cache.line_bits)} base           // line address of its level
);

    ram_async #(
        .WIDTH(${cfg.cache.line_bits}),
        .DEPTH(${1 << index}),
        .INDEX_BITS(${index})
    ) table_ram (
        .clk(clk),
        .write(write),
        .write_index(write_index),
        .write_data(write_base),
        .read_index(index),
        .read_data(base)
    );

endmodule
