// SPDX-License-Identifier: Apache-2.0
// zcache_tokens: a tile's claim is true of what is compared later. The solver chooses a pixel; if it is covered, its
// code is between the lowest and the highest of the claim, for each tile in flight and for the one that is shown.
`include "geometry.svh"

module zcache_claims (
    input clk, rst, take, move, fetch, done, head_valid,
    input [15:0] head_mask,
    input [2*`CFG_HIERARCHICAL_BITS+4:0] head_claim,
    input [2*`CFG_COORDINATE_BITS+517:0] text
);
    localparam N = `CFG_SHADING_TILES, X = `CFG_COORDINATE_BITS, T = `CFG_TILE_BITS, S = `CFG_CACHE_SET_BITS;
    localparam B = `CFG_HIERARCHICAL_BITS, C = 2 * B + 5, SHORT = 19 + T + S;

    reg [3:0] pixel;                         // a constant: nothing but itself drives it
    reg started = 1'b0;
    wire [2:0] queued = zcache_tokens.queued, flight = zcache_tokens.flight;
    wire [1:0] head = zcache_tokens.head, tail = zcache_tokens.tail;

    always @(posedge clk) begin
        pixel   <= pixel;
        started <= 1'b1;
        if (!started)
            first_a_reset: assume (rst);
        leaves_if_there: assume (!move | head_valid);
        done_if_left: assume (!done | flight > queued);
    end

    function true_of(input [C-1:0] claim, input [15:0] mask, input [2*X+517:0] word);
        reg [31:0] depth;
        reg [B-1:0] code;
        begin
            depth = word[2*X + 6 + pixel*32 +: 32];
            code = claim[4:3] == 0 ? depth[23 -: B] : claim[4:3] == 2 ? depth[15 -: B] : depth[31 -: B];
            true_of = claim[2:0] == word[2*X +: 3] & claim[4:3] == word[2*X+4 +: 2] &
                      (!mask[pixel] | (claim[5 +: B] <= code & code <= claim[5+B +: B]));
        end
    endfunction

    wire [N-1:0] honest;
    genvar n;
    generate
        for (n = 0; n < N; n = n + 1) begin : gen_token
            wire [SHORT+C-1:0] word = zcache_tokens.heads.words[n];
            wire [2:0] after = n >= head ? n - head : n + N - head; // words ahead of it
            assign honest[n] = after >= queued |
                true_of(word[SHORT +: C], word[T+S +: 16], zcache_tokens.texts.words[n]);
        end
    endgenerate

    reg was_fetched = 1'b0;
    reg [C-1:0] was_claim;
    reg [15:0]  was_mask;

    always @(posedge clk) begin
        was_fetched <= fetch & head_valid & !rst;
        was_claim   <= head_claim;
        was_mask    <= head_mask;
    end

    always @(posedge clk) if (started) begin
        claims_are_true: assert (&honest);
        shown_as_claimed: assert (!was_fetched | true_of(was_claim, was_mask, text));
        pointers: assert (head < N & tail < N & queued <= flight & flight <= N & tail == (head + queued) % N);
    end
endmodule

bind zcache_tokens zcache_claims properties (.*);
