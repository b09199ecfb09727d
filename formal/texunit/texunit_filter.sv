// SPDX-License-Identifier: Apache-2.0
// texunit_unit, from the fetch stage to the result FIFO, around the filter: what belongs to a pixel stays
// beside it, so that there is one result for each quad, in order, with pixels, texels and errors of its own,
// nearest or bilinear. Only the collection is real; the quad and the pixel looked at are chosen by the
// solver.
//
// Assumed: the fetch stage hands on pixels as coordinate_order and fetch_order say; the filter gives what it
// gets after eight cycles, here the first texel; one primitive, its colour table free of errors; no more
// quads in flight than the result FIFO has places (proof gate), of which the smallest has 4.
`include "geometry.svh"
module texunit_filter_properties (
    input tex_clk, tex_rst, fetched_valid, fetched_last, fetched_none, fetched_error, prim_bilinear,
    input result_valid, table_error,
    input [1:0] fetched_number,
    input [127:0] fetched_texels,
    input [31:0] filtered,
    input [132:0] result
);
    localparam PLACES = 4;

    reg started = 1'b0, bilinear;            // constants: nothing but themselves drives them
    reg [1:0] pixel;
    reg [2:0] chosen;
    reg [2:0] quads = 0, results = 0;        // they may wrap around
    reg begun = 0, failed = 0;               // a quad has begun; a pixel of the chosen one came with an error
    reg [3:0] came = 0, wanted = 0;          // pixels of the quad that comes, and of the chosen one
    reg [31:0] texel = 0;                    // of the chosen pixel, 0 if it does not come
    reg [7:0][31:0] filtering;
    wire [2:0] in_flight = quads - results;
    wire [3:0] one = fetched_none ? 4'd0 : 4'd1 << fetched_number;
    wire first = fetched_valid & !begun;

    always @(posedge tex_clk) begin
        started   <= 1'b1;
        bilinear  <= bilinear;
        pixel     <= pixel;
        chosen    <= chosen;
        filtering <= {filtering[6:0], fetched_texels[31:0]};
        quads     <= tex_rst ? 0 : quads + (fetched_valid & fetched_last);
        results   <= tex_rst ? 0 : results + result_valid;
        begun     <= !tex_rst & (fetched_valid ? !fetched_last : begun);
        if (fetched_valid)
            came <= begun ? came | one : one;
        if (fetched_valid & quads == chosen) begin
            wanted <= begun ? wanted | one : one;
            failed <= (begun & failed) | (fetched_error & !fetched_none);
            if (one[pixel])
                texel <= fetched_texels[31:0];
            else if (!begun)
                texel <= 32'd0;
        end
    end

    always @(posedge tex_clk) begin
        one_reset_at_first: assume (tex_rst == !started);
        one_primitive: assume (prim_bilinear == bilinear & !table_error);
        ascending: assume (!fetched_valid | (fetched_none ? !begun & fetched_last : !begun | one > came));
        no_more_than_places: assume (!first | in_flight < PLACES);
        filter_takes_eight_cycles: assume (filtered == filtering[7]);
        if (started) begin
            a_result_to_a_quad: assert (!result_valid | in_flight != 0);
            if (result_valid & results == chosen) begin
                pixels_of_its_own: assert (result[131:128] == wanted);
                texel_in_its_place: assert (result[32*pixel +: 32] == texel);
                error_of_its_own: assert (result[132] == failed);
            end
        end
    end

    // Traces to see
    always @(posedge tex_clk) begin
        if (started) begin
            two_of_four: cover (result_valid & bilinear & wanted == 4'b1010 & results == chosen);
            bilinear_error: cover (result_valid & bilinear & result[132] & results == 3'd1);
            without_pixels: cover (result_valid & bilinear & result[131:128] == 0 & results == 3'd1);
            all_in_the_filter: cover (bilinear & in_flight == PLACES);
        end
    end
endmodule

bind texunit_unit texunit_filter_properties properties (.*);
