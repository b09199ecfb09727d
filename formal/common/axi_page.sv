// SPDX-License-Identifier: Apache-2.0
// AXI's rule of 4 KB, on address, length and size as they are emitted: no burst has bytes of two pages.
//
// A burst of len + 1 beats of 2^size bytes begins with the beat that holds the byte at addr.

module axi_page #(parameter ADDRESS = 12) (
    input clk, valid,
    input [ADDRESS-1:0] addr,
    input [7:0] len,
    input [2:0] size
);
    wire [15:0] in_page = {4'd0, addr[11:0]};
    wire [15:0] first = in_page >> size << size, bytes = (16'd1 + len) << size;

    always @(posedge clk)
        if (valid)
            within_a_page: assert (first + bytes <= 16'd4096);
endmodule
