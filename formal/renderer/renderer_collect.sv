// SPDX-License-Identifier: Apache-2.0
// renderer_collect: a tile is shaded when each of its covered quads has had a result, each once; what leaves the test
// beside it are these samples, and what its alpha discards. Tested early, its quads are those of which a pixel passed,
// and nothing is discarded; what is beside it then is its own. One quad and one of its pixels are followed, those of numbers
// that the solver chooses. Assumed of the FIFO: a tile stays until it leaves.
`include "geometry.svh"

module renderer_collect_properties #(parameter UNITS = 1, RESULT = 133) (
    input clk, rst, here, shade_valid, shade_ready, shaded, done, held, failed, errs,
    input [15:0] here_mask, here_prim, mask, prim,
`ifdef CFG_TEST_EARLY
    input [`CFG_BESIDE_BITS-1:0] here_beside, beside,
`else
    input [15:0] shade_data,
    input [UNITS-1:0] tex_taken,
    input [7:0] tex_kill,
`endif
    input [3:0] come, comes, needed,
    input [UNITS-1:0] res_valid, res_ready,
    input [UNITS*RESULT-1:0] res_data,
    input [511:0] texels
);
    reg started = 1'b0;
    reg [1:0] quad, pixel;                   // constants: nothing but themselves drives them
    reg [31:0] sample;                       // the pixel's
    reg error;
`ifndef CFG_TEST_EARLY
    reg [7:0] kill;                          // the alpha that the quad's unit was told last
    reg below;
`endif
    reg [2:0] results;                       // of this tile
    reg [2:0] taken, all;
    reg [UNITS*32-1:0] words;                // of each unit, the sample of that pixel
    reg [UNITS-1:0] errors;
    integer n;
    wire [1:0] unit = quad % UNITS;
    wire [3:0] place = {quad[1], pixel[1], quad[0], pixel[0]};

    always @(*) begin
        taken  = 3'd0;
        all    = 3'd0;
        words  = 0;
        errors = 0;
        for (n = 0; n < UNITS; n = n + 1) begin
            taken = taken + (res_valid[n] & res_ready[n]);
            words[n*32 +: 32] = res_data[n*RESULT + 32 * pixel +: 32];
            errors[n] = res_valid[n] & res_ready[n] & res_data[n*RESULT + 132];
        end
        for (n = 0; n < 4; n = n + 1)
            all = all + |{here_mask[(n / 2) * 8 + (n % 2) * 2 + 4 +: 2], here_mask[(n / 2) * 8 + (n % 2) * 2 +: 2]};
    end

    // Tied to the design's own registers: what is to be shown for any number of tiles
    wire [127:0] own_samples = quad[1] ? (quad[0] ? renderer_collect.sample3 : renderer_collect.sample2) :
        quad[0] ? renderer_collect.sample1 : renderer_collect.sample0;
`ifndef CFG_TEST_EARLY
    wire [7:0] own_kill = unit[0] ? renderer_collect.kill1 : renderer_collect.kill0;
    wire [3:0] own_below = quad[1] ? (quad[0] ? renderer_collect.below3 : renderer_collect.below2) :
        quad[0] ? renderer_collect.below1 : renderer_collect.below0;
`endif

    wire mine = comes[quad];
    wire [31:0] word = words[unit*32 +: 32];

    always @(posedge clk) begin
        started <= 1'b1;
        quad    <= quad;
        pixel   <= pixel;
        if (mine)
            sample <= word;
        error   <= !(rst | shaded) & (error | errors != 0);
        results <= rst | shaded ? 3'd0 : results + taken;
        begins_in_reset: assume (started | rst);
        if (started & !$past(rst))
            tile_stays: assume (!$past(here & !shaded) | (here & $stable({here_mask, here_prim})));
`ifdef CFG_TEST_EARLY
        if (started & !$past(rst))
            the_rest_stays: assume (!$past(here & !shaded) | $stable(here_beside));
`endif
    end
`ifndef CFG_TEST_EARLY

    // What the alpha discards
    always @(posedge clk) begin
        if (tex_taken[unit])
            kill <= tex_kill;
        if (mine)
            below <= word[31:24] < kill;
        if (!started)
            the_same_before: assume (kill == own_kill);
    end

    always @(posedge clk) if (started)
        own_state: assert (kill == own_kill);

    always @(posedge clk) if (started & !rst) begin
        own_alpha: assert (!come[quad] | own_below[pixel] == below);
        discards: assert (!shade_valid | shade_data[place] == (here_mask[place] & below));
    end
`endif

    always @(posedge clk) if (started & !rst) begin
        as_many_results: assert (results == come[0] + come[1] + come[2] + come[3]);
        covered_alone: assert ((come & ~(needed & {4{here}})) == 0);
        taken_when_due: assert (!(here & needed[quad] & !come[quad]) | res_ready[unit]);
        for_a_tile: assert (taken == 0 | here);
        shaded_with_all: assert (!shade_valid | (here & results == all));
        shaded_at_once: assert (shade_valid | !here | results < all);
        own_sample: assert (!come[quad] | own_samples[32 * pixel +: 32] == sample);
        errors_kept: assert (error == errs);
        if (!$past(rst) & $past(shaded)) begin
            beside_the_test: assert (held & mask == $past(here_mask) & prim == $past(here_prim));
`ifdef CFG_TEST_EARLY
            beside_the_samples: assert (beside == $past(here_beside));
`endif
            the_tiles_samples: assert (!$past(here_mask[place]) | texels[32 * place +: 32] == $past(sample));
            none_uncovered: assert ($past(needed[quad]) | texels[32 * place +: 32] == 32'd0);
            the_tiles_errors: assert (failed == $past(error));
        end else if (!$past(rst)) begin
            stays_until_done: assert (held == $past(held & !done));
            samples_stay: assert ($stable(texels) & $stable(mask) & $stable(failed));
`ifdef CFG_TEST_EARLY
            the_rest_stays_beside: assert ($stable(beside) & $stable(prim));
`endif
        end
    end
endmodule

bind renderer_collect renderer_collect_properties #(.UNITS($bits(res_valid))) properties (.*);
