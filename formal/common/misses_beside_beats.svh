// SPDX-License-Identifier: Apache-2.0
// Misses of beats in texcache_fifo_control, kept beside the tag FIFO and at the head: to be included in its properties,
// which have its beats as ports and DEPTH, the depth of both FIFOs.

    wire [$clog2(DEPTH):0] queued = texcache_fifo_control.tag_fifo.count;
    wire [3:0] filled = head[7:4] & ~unfilled;
    wire [DEPTH-1:0] same_misses;
    reg begun = 1'b0;
    genvar m;
    generate
        for (m = 0; m < DEPTH; m = m + 1) begin : gen_misses
            wire [$clog2(DEPTH)-1:0] index = texcache_fifo_control.tag_fifo.head + m;
            assign same_misses[m] = m >= queued |
                texcache_fifo_control.miss_fifo.words[index] == texcache_fifo_control.tag_fifo.words[index][7:4];
        end
    endgenerate

    always @(posedge clk) begin
        begun <= 1'b1;
        if (beat_hit)
            hits_on_offer: assume (beat_valid);
        if (begun) begin
            misses_beside_beats: assert (
                texcache_fifo_control.miss_fifo.head == texcache_fifo_control.tag_fifo.head &
                texcache_fifo_control.miss_fifo.tail == texcache_fifo_control.tag_fifo.tail);
            misses_of_their_beats: assert (&same_misses);
            queued_or_at_the_head: assert ((pushed | head_valid) == (queued != 0 | head_valid));
            unfilled_of_fills: assert (!head_valid | (unfilled & ~head[7:4]) == 4'd0);
        end
    end
