// SPDX-License-Identifier: Apache-2.0
// texcache_address with banks by parity: the look-ups of a footprint go to different single-port caches, and each
// texel lies in a line that is looked up, in the cache in which it is. For every footprint: any table entry, level,
// wrap modes and coordinates.
`include "geometry.svh"
module texcache_address_properties (
    input [`CFG_LEVEL_BITS-1:0] level,
    input [4*`CFG_TEXEL_BITS-1:0] address,
    input [3:0] side, need
);
    localparam T = `CFG_TEXEL_BITS, O = `CFG_PLACE_BITS;

    wire [3:0][T-1:0] texel = address;       // in look-up order: left, left, right, right; rows 0, 1, 0, 1
    reg [3:0] found;                         // its line is looked up
    reg apart, same;

    always @* begin
        found = 4'd0;
        apart = 1'b1;
        same = 1'b1;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) begin
                if (need[j] & texel[i][T-1:O] == texel[j][T-1:O]) begin
                    found[i] = 1'b1;
                    if (side[i] != side[j])
                        same = 1'b0;
                end
                if (i != j & need[i] & need[j] & {side[i], texel[i][O]} == {side[j], texel[j][O]})
                    apart = 1'b0;
            end
        if (level < `CFG_LEVELS) begin
            one_beat: assert (apart);
            every_texel_is_looked_up: assert (found == 4'b1111);
            a_line_in_one_bank: assert (same);
        end
    end
endmodule

bind texcache_address texcache_address_properties properties (.*);
