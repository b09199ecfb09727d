// SPDX-License-Identifier: Apache-2.0
// The eight functions of the depth test, as docs/zcache.md has them: whether a depth passes against the stored one.
module depth_passes (
    input [2:0] func,
    input [31:0] given, stored,
    output reg passes
);
    always @* case (func)
        0: passes = 1'b0;
        1: passes = given < stored;
        2: passes = given == stored;
        3: passes = given <= stored;
        4: passes = given > stored;
        5: passes = given != stored;
        6: passes = given >= stored;
        7: passes = 1'b1;
    endcase
endmodule
