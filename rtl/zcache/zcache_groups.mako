## A bit for each of the first tiles of the surface, in RAMs of one bit each, so that a group of tiles is written at once.
## bits: the name of a group's bits, behind that of who looks; all, one: a group, or a tile, is written, with value; group,
## number: which.
<%page args="tiles, bits, all, group, one, number, value"/>\
<%
    from configs.zcache.schema import GROUP
    askers, top = helpers.askers(cfg), (tiles - 1).bit_length() - 1
    groups = tiles // GROUP
    index = (groups - 1).bit_length()
%>\
    genvar n;
    generate
        for (n = 0; n < ${GROUP}; n = n + 1) begin : gen_tile
            localparam [3:0] PLACE = n;
% for asker in askers:

            ram_async #(
                .WIDTH(1),
                .DEPTH(${groups}),
                .INDEX_BITS(${index})
            ) ${asker}_ram (
                .clk(clk),
                .write(${all} | (${one} & ${number}[3:0] == PLACE)),
                .write_index(${all} ? ${group} : ${number}[${top}:4]),
                .write_data(${value}),
                .read_index(${asker}_number[${top}:4]),
                .read_data(${asker}_${bits}[n])
            );
% endfor
        end
    endgenerate
