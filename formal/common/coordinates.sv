// SPDX-License-Identifier: Apache-2.0
// What a coordinate of a texture (s16.16) comes to on a mip, as the proofs of texunit_coordinate and texpipe_coordinate
// say it.
package coordinates;
    // On a side of 2 ** log2 texels; 16 fraction bits
    function automatic signed [43:0] scaled(input signed [31:0] coordinate, input [3:0] log2);
        scaled = {{12{coordinate[31]}}, coordinate} <<< log2;
    endfunction

    // Wrapped, the nearest texel is what the whole part says, but for what is above the mip's side
    function automatic [27:0] wrapped(input [31:0] coordinate, input [3:0] log2);
        reg [43:0] fine;
        begin
            fine = scaled(coordinate, log2);
            wrapped = fine[43:16] & ~(28'hfffffff << log2);
        end
    endfunction
endpackage
