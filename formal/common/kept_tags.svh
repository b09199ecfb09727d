// SPDX-License-Identifier: Apache-2.0
// Tags of a set, which the solver chooses, and two of its ways: to be included in properties of a cache whose port
// `tags` has all tags that were read.

    // Constants: nothing but themselves drives them
    reg [`CFG_CACHE_SET_BITS-1:0] index;
    reg [`CFG_CACHE_WAY_BITS-1:0] a, b;
    reg started = 1'b0;

    always @(posedge clk) begin
        index   <= index;
        a       <= a;
        b       <= b;
        started <= 1'b1;
        two_ways: assume (a != b);
    end

    // As they lie in the RAM, and as they were read
    wire [`CFG_CACHE_TAG_BITS:0] kept [0:`CFG_CACHE_WAYS-1];
    wire [`CFG_CACHE_TAG_BITS:0] read [0:`CFG_CACHE_WAYS-1];
    genvar n;
    generate
        for (n = 0; n < `CFG_CACHE_WAYS; n = n + 1) begin : gen_tags
            assign kept[n] = `MODULE.gen_way[n].tag_ram.words[index];
            assign read[n] = tags[n*(`CFG_CACHE_TAG_BITS+1) +: `CFG_CACHE_TAG_BITS+1];
        end
    endgenerate
