## Of a cache that serves hits under misses: the third stage, errors, and what a group of lanes gets.
<%
    cache = cfg.cache
    A, S, W, L = cache.address_bits, cache.set_bits, cache.way_bits, cache.line_bits
    offset, P, lanes = cache.offset_bits, cache.offset_bits - 2, range(8)
%>\
    // Stage 3
    always @(posedge clk) begin
        if (reset)
            s3_valid <= 1'b0;
        else
            s3_valid <= s2_valid & free2;
        s3_victim   <= s2_victim;
        s3_slot     <= s2_slot;
        s3_mask     <= s2_mask;
        s3_err      <= s2_err;
        s3_wrote    <= s2_wrote;
        s3_row      <= s2_row;
        s3_tag      <= s2_tag;
        s3_poisoned <= s2_poisoned;
        s3_places   <= s2_places;
    end
% if not cache.set_bits and cache.ways == 1:
    wire unused_row = &{1'b0, s3_row};     // the only one
% endif

    // Errors
    wire ends3 = s3_valid & !s3_victim;
    wire none3 = s3_mask == 8'd0;          // an operation, or a request without lanes
    assign told = finished & issue & d_op == STATUS;
    wire read_fails = ends3 & !none3 & s3_poisoned;
    wire write_fails = answered & refused & !starting;

    assign again = write_fails & acted & scans;

    always @(posedge clk) begin
        if (reset)
            error <= 1'b0;
        else
            error <= read_fails | write_fails | (error & !told);
        if (!error)
            error_line <= read_fails ? ${helpers.with_set(cfg, helpers.place_set(cfg, "s3_row"), "s3_tag")} : answered_line;
    end

    // What an operation answers goes through the stages, without lanes
    reg  ${width(L)} told_line;

    always @(posedge clk) begin
        if (told)
            told_line <= error_line;
    end

    wire [7:0] end_err = none3 ? {7'd0, s3_err} : s3_mask & {8{s3_poisoned}};
    wire [255:0] end_words;
    wire [31:0] op_word = ${f"{{{32 - A}'d0, told_line, {offset}'d0}}" if A < 32 else f"{{told_line, {offset}'d0}}"};
% for n in lanes:
    wire [31:0] word${n} = s3_line[{s3_places[${P * n + P - 1}:${P * n}], 5'd0} +: 32];
% endfor

    assign end_words = {${", ".join(f"word{n}" for n in reversed(lanes[1:]))}, none3 ? op_word : word0};
