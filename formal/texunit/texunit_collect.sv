// SPDX-License-Identifier: Apache-2.0
// texunit_collect: what quads_collected.sv says, in the cycle after a quad's last pixel.
bind texunit_collect quads_collected properties (
    .take(in_valid), .last(in_last), .none(in_none), .failing(in_error & !in_none), .number(in_number),
    .texel_in(in_texel), .gives(out_valid), .*
);
