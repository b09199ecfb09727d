## Of a cache in which a miss stops all: results, events, counters.
<%
    cache, back = cfg.cache, cfg.write_back
    A, W, L = cache.address_bits, cache.way_bits, cache.line_bits
    evt, perf = (cfg.all_streams[name] for name in ("evt", "perf"))
%>\
    // Third stage
    wire s2_load = s2_access & s2_op == LOAD;
    wire told    = s2_op == STATUS & error;
    wire wrong   = (s2_slow & failed_now) | told;
    wire [31:0] loaded = s2_slow ? missed_word : ${"s2_words[{s2_way, 5'd0} +: 32]" if cache.ways > 1 else "s2_words"};
    wire [31:0] word   = ({32{s2_load & !wrong}} & loaded) | ({32{told}} & ${f"{{{32 - A}'d0, error_address}}" if A < 32 else "error_address"});
    wire [7:0]  lane2  = 8'd1 << s2_lane;
    wire [7:0]  keep   = {8{!s2_first}};   // what lanes of the same request have left

    always @(posedge clk) begin
        if (leave2) begin
            s3_warp  <= s2_warp;
            s3_words <= ({256{!s2_first}} & s3_words) | ({224'd0, word} << {s2_lane, 5'd0});
            s3_err   <= (keep & s3_err) | (lane2 & {8{wrong}});
        end
    end

    assign res_valid = s3_valid;
    assign res_data  = {s3_warp, s3_err, s3_words};

    // What became of a request is reported once, in the cycle after its result was taken
    wire missed2  = s2_access & !s2_hit & !s2_uncached;
% if back:
    reg  kept, written;                    // memory refused the victim; it was written
    wire kept_now    = kept | (refused & s2_fills);
    wire written_now = written | wrote;
    wire evicted2    = s2_evict & !kept_now;
    wire placed2     = s2_hit | missed2;   // it has a way

    always @(posedge clk)
        {kept, written} <= {kept_now, written_now} & {2{!move1}};
% else:
    reg  written;
    wire written_now = written | wrote;
    wire evicted2    = s2_evict;
    wire placed2     = s2_hit | (missed2 & s2_op == LOAD);

    always @(posedge clk)
        written <= written_now & !move1;
% endif

    reg  [2:0] s3_op;
    reg  [7:0] s3_hit, s3_evict, s3_write;
    reg  ${width(8 * W)} s3_ways;
    reg  ${width(8 * L)} s3_victims;

    always @(posedge clk) begin
        if (leave2) begin
            s3_op      <= s2_op;
            s3_hit     <= (keep & s3_hit) | (lane2 & {8{s2_hit}});
            s3_evict   <= (keep & s3_evict) | (lane2 & {8{evicted2}});
            s3_write   <= (keep & s3_write) | (lane2 & {8{s2_slow & written_now}});
            s3_ways    <= ({${8 * W}{!s2_first}} & s3_ways) | ({${7 * W}'d0, {${W}{placed2}} & s2_way} << (s2_lane * ${W}));
            s3_victims <= ({${8 * L}{!s2_first}} & s3_victims) |
                          ({${7 * L}'d0, {${L}{evicted2}} & ${helpers.with_set(cfg, "set2", "s2_victim")}} << (s2_lane * ${L}));
        end
    end
% if cfg.observe:

    reg event_valid;
    reg ${width(evt.width)} event_data;

    always @(posedge clk) begin
        event_valid <= done & !reset;
        if (done)
            event_data <= {s3_victims, s3_ways, s3_write, s3_evict, s3_hit, s3_op};
    end

    assign evt_valid = event_valid;
    assign evt_data  = event_data;
% else:
    wire unused_event = &{1'b0, s3_victims, s3_ways, s3_write, s3_evict, s3_hit};
% endif
<%
    steps = {
        "loads": "done & s3_op == LOAD", "stores": "done & s3_op == STORE", "hits": "leave2 & s2_hit",
        "misses": "leave2 & missed2", "uncached": "leave2 & s2_uncached", "evictions": "leave2 & evicted2",
        "writes": "wrote", "errors": "leave2 & wrong & !told", "memory_wait_cycles": "writing | filling",
        "result_wait_cycles": "res_valid & !res_ready",
    }
%>\
% for field in perf.fields:

    counter count_${field.name} (
        .clk(clk),
        .rst(reset),
        .step(${steps[field.name]}),
        .count(perf_data[${perf.offset(field.name) + 31}:${perf.offset(field.name)}])
    );
% endfor
