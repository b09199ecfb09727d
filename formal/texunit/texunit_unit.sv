// SPDX-License-Identifier: Apache-2.0
// texunit_unit, from the words of the address stage to the result FIFO, as fetch and collection are wired: as
// many results as quads, in order, with pixels, texels and errors of their own. The stages before (proofs
// lod_order, coordinate_order, address_order), the cache (proof cache), the FIFOs between the clocks, set-up,
// filter, table and counters are left to the solver, within what is assumed here; so are the quad and the
// pixel looked at.
//
// Assumed: one primitive, set up, of RGBA8, nearest; words of texels as coordinate_order and address_order
// say; the cache answers in order, each query once, any time after; no more quads in flight than the result
// FIFO has places (proof gate), of which the smallest has 4. Texels lie at addresses below 64, and say where
// they lie.
`include "geometry.svh"
module texunit_unit_properties (
    input tex_clk, tex_rst, texels_valid, texels_ready, result_valid, prim_bilinear,
    input query_valid, query_ready, answer_valid, answer_error,
    input [1:0] prim_format,
    input [4*`CFG_CACHE_ADDRESS_BITS+19:0] texels,
    input [132:0] result,
    input [`CFG_CACHE_LINE_BITS-1:0] query_line,
    input [127:0] answer_line
);
    localparam A = `CFG_CACHE_ADDRESS_BITS, L = `CFG_CACHE_LINE_BITS, SMALL = 6, PLACES = 4;

    wire [A-1:0] address = texels[A-1:0];
    wire [1:0] number = texels[4*A+16 +: 2];
    wire last = texels[4*A+18], none = texels[4*A+19];
    wire goes = texels_valid & texels_ready;

    // Quads and results are numbered; of one, which the solver chooses, pixels, a place and errors are kept
    reg started = 1'b0;
    reg [1:0] pixel;                         // constants: nothing but themselves drives them
    reg [2:0] chosen;
    reg [2:0] quads = 0, results = 0;
    reg begun = 0;                          // a quad has begun
    reg [3:0] came = 0, wanted = 0;          // pixels of the quad that comes, and of the chosen one
    reg [SMALL-1:0] place;                   // of the chosen texel
    wire [2:0] in_flight = quads - results;
    wire [3:0] one = none ? 4'd0 : 4'd1 << number;

    always @(posedge tex_clk) begin
        started  <= 1'b1;
        pixel    <= pixel;
        chosen   <= chosen;
        quads    <= tex_rst ? 0 : quads + (goes & last);
        results  <= tex_rst ? 0 : results + result_valid;
        begun   <= !tex_rst & (goes ? !last : begun);
        if (goes)
            came <= begun ? came | one : one;
        if (goes & quads == chosen) begin
            wanted <= begun ? wanted | one : one;
            if (one[pixel])
                place <= address[SMALL-1:0];
        end
    end

    // The cache: lines that are asked for, and errors of the chosen quad
    reg open = 0, failed = 0;
    reg [2:0] asking;                        // the quad that asks
    reg [L-1:0] line;
    reg [127:0] data;
    wire asks = query_valid & query_ready;

    // Some bits of each byte say where a texel lies
    function automatic [31:0] texel(input [SMALL-1:0] at);
        texel = {at[5], 7'd0, at[4], 7'd0, at[3], 14'd0, at[2]};
    endfunction

    always @* begin
        for (int i = 0; i < 4; i++)
            data[32*i +: 32] = texel({line[SMALL-5:0], i[1:0], 2'd0});
    end

    always @(posedge tex_clk) begin
        open <= !tex_rst & (asks | (open & !answer_valid));
        if (asks)
            line <= query_line;
        if (goes)
            asking <= quads;
        if (goes & quads == chosen & !begun)
            failed <= 1'b0;
        else if (answer_valid & asking == chosen)
            failed <= failed | answer_error;
    end

    always @(posedge tex_clk) begin
        one_reset_at_first: assume (tex_rst == !started);
        one_primitive: assume (!prim_bilinear & prim_format == 2'd0);
        if (texels_valid) begin
            ascending: assume (none ? !begun & last : !begun | one > came);
            whole_texels: assume (address[1:0] == 0);
            small_addresses: assume (address < 1 << SMALL);
        end
        no_more_than_places: assume (!texels_valid | begun | in_flight < PLACES);
        answers_a_query: assume (!answer_valid | open);
        answers_its_line: assume (!answer_valid | answer_line == data);
        if (started) begin
            one_query_at_a_time: assert (!(asks & open & !answer_valid));
            a_result_to_a_quad: assert (!result_valid | quads != results);
            if (result_valid & results == chosen) begin
                pixels_of_its_own: assert (result[131:128] == wanted);
                texel_in_its_place: assert (result[32*pixel +: 32] == (wanted[pixel] ? texel(place) : 32'd0));
                error_of_its_own: assert (result[132] == failed);
            end
        end
    end

    // Traces to see
    always @(posedge tex_clk) begin
        if (started) begin
            two_of_four: cover (result_valid & result[131:128] == 4'b1010);
            without_pixels: cover (result_valid & result[131:128] == 0 & results == 3'd1);
            error: cover (result_valid & result[132] & result[131:128] == 4'b0011);
            three_results: cover (results == 3'd3 & texel(place) != 0);
        end
    end
endmodule

bind texunit_unit texunit_unit_properties properties (.*);
