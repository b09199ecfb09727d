// SPDX-License-Identifier: Apache-2.0
// A top beside the design on Icarus: the engine changes `wake` when Python has to act.
module cacheforge_wake;
    reg wake = 0;
endmodule
