// SPDX-License-Identifier: Apache-2.0
// texpipe_collect: what quads_collected.sv says; no pixel is taken over a result that waits.
bind texpipe_collect quads_collected properties (
    .take(in_valid & in_ready), .last(in_pixel[34]), .none(in_pixel[35]), .failing(in_pixel[36]),
    .number(in_pixel[33:32]), .texel_in(in_pixel[31:0]), .gives(out_valid & out_ready), .*
);
