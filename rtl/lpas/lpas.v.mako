// lpas: ${cfg.pes} PEs over ${cfg.pes} caches behind a switch, ${cfg.switch}${f", areas by {cfg.areas}" if cfg.switch == "lpas" else ""}${f", bounded by {cfg.bound}" if cfg.bound != "none" else ""}.
//
//   req -> select, one per PE -> switch -> caches -> network interface -> memory
//   res <- acknowledges, words <------------+        ^-- outside: LDM, STM, FLUSH of the last PE
// Caches: ${cfg.cache.sets} lines of ${cfg.cache.line_bytes // 2} words of 16 bits each; a word's home is in its address.
// Timing: a store that nobody contends and that hits is acknowledged in its first cycle, a load in the second.
<%
    pes, pe_bits, axi = cfg.pes, cfg.array.pe_bits, cfg.axi
    tag, index, slot, word = cfg.tag_bits, cfg.cache.set_bits, cfg.slot_bits, cfg.word_address_bits
    evt, perf = cfg.all_streams["evt"], cfg.all_streams["perf"]
    last = pes - 1
    sum_bits = pe_bits + 1
    age = cfg.bound == "age"
    about = 1 + tag + index + slot + 16  # what a cache is told of a request
    beat_bits = slot - (cfg.beat_words.bit_length() - 1)

    def each(pattern):
        return "{" + ", ".join(pattern.format(pe) for pe in reversed(range(pes))) + "}"
%>\
module lpas (
    input  wire clk, // clock
    input  wire rst, // synchronous; all lines and requests are forgotten, AXI bursts under way are completed
% for stream in cfg.streams.values():
    // ${stream.doc}
${ports(stream_signals(stream))}
% endfor
    // memory: one burst at a time, the id is the number of the cache, or that behind the last
${ports(axi.signals, last=True)}
);

    localparam PES = ${pes};

    wire reset = rst | m_axi_rst;

    // The requests of all PEs, PE 0 lowest, with what became of them
    wire [PES-1:0] active;               // asks
    wire [PES-1:0] store;                // a store, or STM
    wire [PES*${word}-1:0] word;
    wire [PES*16-1:0] value;
    wire [PES-1:0] outside;              // not for a cache
    wire [PES-1:0] grant;
    wire [PES-1:0] served;
    wire [PES-1:0] served_load;
    wire [PES-1:0] served_err;
    wire [PES-1:0] acknowledged;
    wire [PES-1:0] failed;
% if age:
    wire [PES-1:0] urgent;
% endif

    // The caches, cache 0 lowest, and for each of them the PEs
    wire [PES-1:0] can_grant;
    wire [PES-1:0] hit;
    wire [PES-1:0] loads;                // what is served is a load
    wire [PES-1:0] load_err;             // memory has failed it
    wire [PES-1:0] flushing;
    wire [PES*PES-1:0] wants;
    wire [PES*PES-1:0] grants;
    wire [PES*PES-1:0] serves;
    wire [PES*16-1:0] words;

    wire take, ended, ended_err, flush, refused;
    wire [15:0] outside_value;
% for pe in range(pes):
<%
    req, res = cfg.all_streams[f"req{pe}"], cfg.all_streams[f"res{pe}"]
    op = req.offset("op")
%>\

    // PE ${pe}
    wire ${width(req.width)} request${pe};
    wire ${width(16)} res${pe}_value;
    wire res${pe}_err;

    assign word[${pe * word + word - 1}:${pe * word}] = request${pe}[${req.offset("word") + word - 1}:${req.offset("word")}];
    assign value[${pe * 16 + 15}:${pe * 16}] = request${pe}[${req.offset("value") + 15}:${req.offset("value")}];
    assign store[${pe}] = request${pe}[${op}];
    assign outside[${pe}] = ${f"|request{pe}[{op + 2}:{op + 1}]" if pe == last else "1'b0"};
    assign res${pe}_data = ${pack(res)};
    assign res${pe}_valid = acknowledged[${pe}];
    assign failed[${pe}] = res${pe}_err;

    lpas_select #(.WIDTH(${req.width})) select${pe} (
        .clk(clk),
        .rst(reset),
        .req_valid(req${pe}_valid),
        .req_ready(req${pe}_ready),
        .req_data(req${pe}_data),
        .res_valid(acknowledged[${pe}]),
        .res_value(res${pe}_value),
        .res_err(res${pe}_err),
        .active(active[${pe}]),
        .request(request${pe}),
        .home(request${pe}[${req.offset("word") + slot + pe_bits - 1}:${req.offset("word") + slot}]),
        .grant(grant[${pe}]),
    % if age:
        .urgent(urgent[${pe}]),
    % endif
        .served(served[${pe}]),
        .served_load(served_load[${pe}]),
        .served_err(served_err[${pe}]),
        .words(words),
        .ended(${"ended" if pe == last else "1'b0"}),
        .ended_err(${"ended_err" if pe == last else "1'b0"}),
        .ended_value(${"outside_value" if pe == last else "16'd0"})
    );
% endfor

    // Who wants which cache; what became of each request
    wire [PES*${about}-1:0] about;       // a request as its cache is told of it
    wire [PES-1:0] conflicts;            // others were granted
    wire [PES-1:0] blocked;              // the cache cannot grant

    generate
        genvar pe, cache;
        for (pe = 0; pe < PES; pe = pe + 1) begin : gen_pe
            wire ${width(word)} address = word[pe*${word} +: ${word}];
            wire ${width(pe_bits)} home = address[${slot + pe_bits - 1}:${slot}];
            wire [PES-1:0] granted_by;
            wire [PES-1:0] served_by;

            for (cache = 0; cache < PES; cache = cache + 1) begin : gen_cache
                assign wants[cache*PES + pe] = active[pe] & !outside[pe] & home == cache & can_grant[cache];
                assign granted_by[cache] = grants[cache*PES + pe];
                assign served_by[cache] = serves[cache*PES + pe];
            end
            assign about[pe*${about} +: ${about}] = {
                store[pe], address[${word - 1}:${slot + pe_bits}], address[${slot - 1}:0], value[pe*16 +: 16]
            };
            assign grant[pe] = |granted_by | (take & pe == ${last});
            assign served[pe]      = |served_by;
            assign served_load[pe] = |(served_by & loads);
            assign served_err[pe]  = |(served_by & load_err);
            assign conflicts[pe] = active[pe] & !outside[pe] & can_grant[home] & !grant[pe];
            assign blocked[pe]   = active[pe] & !outside[pe] & !can_grant[home];
        end
    endgenerate
% if cfg.two_stage:
<%
    groups, link_bits = len(cfg.link_groups), sum(map(len, cfg.link_pes))
%>\

    wire ${width(link_bits)} links;      // of each link the PE that it has chosen
    wire [PES*${groups}-1:0] chosen;     // of each cache the group of PEs whose link it takes
% endif

    lpas_switch switch (
        .clk(clk),
        .rst(reset),
% if age:
        .urgent(urgent),
% endif
        .wants(wants),
% if cfg.two_stage:
        .links(links),
        .chosen(chosen),
% endif
        .grants(grants)
    );
% if cfg.two_stage:
<% lowest = 0 %>\

    // Requests: what each link carries, what each cache takes of the links that lead to it
    % for link, members in enumerate(cfg.link_pes):
    wire ${width(about)} link${link};

    lpas_mux #(.COUNT(${len(members)}), .WIDTH(${about})) over${link} (
        .choice(links[${lowest + len(members) - 1}:${lowest}]),
        .words({${", ".join(f"about[{pe * about + about - 1}:{pe * about}]" for pe in reversed(members))}}),
        .word(link${link})
    );

<% lowest += len(members) %>\
    % endfor
    wire [PES*${about}-1:0] taken;
    % for cache in range(pes):

    lpas_mux #(.COUNT(${groups}), .WIDTH(${about})) take${cache} (
        .choice(chosen[${cache * groups + groups - 1}:${cache * groups}]),
        .words({${", ".join(f"link{cfg.links[inside[0]][cache]}" for inside in reversed(cfg.link_groups))}}),
        .word(taken[${cache * about + about - 1}:${cache * about}])
    );
    % endfor
% endif

    // Caches, and what passes between them and the network interface
    wire [PES-1:0] asks, job_misses, line_valids, line_dirties, fetch, written, come, job_ended;
    wire [PES*${tag}-1:0] job_tags;
    wire [PES*${tag}-1:0] line_tags;
    wire [PES*${index}-1:0] job_indices;
    wire [PES*${axi.data_bits}-1:0] line_data;
    wire ${width(index)} fetch_index;
    wire ${width(beat_bits)} fetch_beat, beat;
    wire ${width(axi.data_bits)} read_data;
    wire job_failed;
    wire [PES-1:0] granted;              // caches that granted
    wire [PES-1:0] near;                 // to a PE of their row

    generate
        genvar number;
        for (number = 0; number < PES; number = number + 1) begin : gen_cache
% if cfg.two_stage:
            wire ${width(about)} asked = taken[number*${about} +: ${about}];
% else:
            wire ${width(about)} asked;
% endif

            assign granted[number] = |grants[number*PES +: PES];
            assign near[number]    = |grants[number*PES + number / ${cfg.array.columns} * ${cfg.array.columns} +: ${cfg.array.columns}];

% if not cfg.two_stage:
            lpas_mux #(.COUNT(PES), .WIDTH(${about})) request_granted (
                .choice(grants[number*PES +: PES]),
                .words(about),
                .word(asked)
            );

% endif
            lpas_cache one (
                .clk(clk),
                .rst(reset),
                .can_grant(can_grant[number]),
                .grant(grants[number*PES +: PES]),
                .store(asked[${about - 1}]),
                .tag(asked[${about - 2}:${about - 1 - tag}]),
                .index(asked[${16 + slot + index - 1}:${16 + slot}]),
                .slot(asked[${16 + slot - 1}:16]),
                .value(asked[15:0]),
                .hit(hit[number]),
                .served(serves[number*PES +: PES]),
                .served_load(loads[number]),
                .served_err(load_err[number]),
                .word(words[number*16 +: 16]),
                .flush(flush),
                .flushing(flushing[number]),
                .asks(asks[number]),
                .job_misses(job_misses[number]),
                .job_tag(job_tags[number*${tag} +: ${tag}]),
                .line_tag(line_tags[number*${tag} +: ${tag}]),
                .job_index(job_indices[number*${index} +: ${index}]),
                .line_valid(line_valids[number]),
                .line_dirty(line_dirties[number]),
                .fetch(fetch[number]),
                .fetch_index(fetch_index),
                .fetch_beat(fetch_beat),
                .line_data(line_data[number*${axi.data_bits} +: ${axi.data_bits}]),
                .written(written[number]),
                .come(come[number]),
                .beat(beat),
                .read_data(read_data),
                .ended(job_ended[number]),
                .failed(job_failed)
            );
        end
    endgenerate

    // The outside
    wire outside_asks, outside_store, outside_ended;
    wire [15:0] outside_word;

    lpas_outside last_pe (
        .clk(clk),
        .rst(reset),
        .active(active[${last}]),
        .op(request${last}[${cfg.all_streams[f"req{last}"].offset("op") + 2}:${cfg.all_streams[f"req{last}"].offset("op")}]),
        .take(take),
        .ended(ended),
        .ended_err(ended_err),
        .value(outside_value),
        .flush(flush),
        .flushing(|flushing),
        .refused(refused),
        .asks(outside_asks),
        .store(outside_store),
        .done(outside_ended),
        .failed(job_failed),
        .word(outside_word)
    );

    wire evicts, writes, busy;

    lpas_network network (
        .clk(clk),
        .rst(reset),
        .asks(asks),
        .misses(job_misses),
        .job_tags(job_tags),
        .line_tags(line_tags),
        .job_indices(job_indices),
        .line_valids(line_valids),
        .line_dirties(line_dirties),
        .line_data(line_data),
        .fetch(fetch),
        .fetch_index(fetch_index),
        .fetch_beat(fetch_beat),
        .written(written),
        .come(come),
        .beat(beat),
        .read_data(read_data),
        .ended(job_ended),
        .failed(job_failed),
        .outside_asks(outside_asks),
        .outside_store(outside_store),
        .outside_address(word[${pes * word - 1}:${last * word}]),
        .outside_value(value[${pes * 16 - 1}:${last * 16}]),
        .outside_ended(outside_ended),
        .outside_word(outside_word),
        .refused(refused),
        .evicts(evicts),
        .writes(writes),
        .busy(busy),
${connect(axi.signals, last=True)}
    );

    // The grants of a cycle are reported in the cycle after
    wire [PES*${pe_bits}-1:0] granted_pe; // of each cache the number of the PE, 0 if none
    reg event_valid;
    reg ${width(evt.width)} event_data;

    generate
        for (number = 0; number < PES; number = number + 1) begin : gen_event
            wire [PES-1:0] mine = grants[number*PES +: PES];

            for (cache = 0; cache < ${pe_bits}; cache = cache + 1) begin : gen_bit
                wire [PES-1:0] has;

                for (pe = 0; pe < PES; pe = pe + 1) begin : gen_has
                    assign has[pe] = mine[pe] & ((pe >> cache) % 2 == 1);
                end
                assign granted_pe[number*${pe_bits} + cache] = |has;
            end
        end
    endgenerate

    always @(posedge clk) begin
        event_valid <= (|granted) & !reset;
        if (|granted)
            event_data <= ${pack(evt, indent=12, values={
                f"{name}{cache}": text
                for cache in range(pes)
                for name, text in (
                    ("grant", f"granted[{cache}]"),
                    ("pe", f"granted_pe[{cache * pe_bits + pe_bits - 1}:{cache * pe_bits}]"),
                    ("hit", f"granted[{cache}] & hit[{cache}]"))})};
    end
% if cfg.observe:

    assign evt_valid = event_valid;
    assign evt_data  = event_data;
% else:

    wire unused_event = &{1'b0, event_valid, event_data};
% endif

    // Events of a cycle, counted over PEs or caches
<%
    sums = {
        "loads": "served & served_load", "stores": "served & ~served_load", "hits": "granted & hit",
        "misses": "granted & ~hit", "local": "near", "errors": "acknowledged & failed",
        "conflict_cycles": "conflicts", "blocked_cycles": "blocked",
    }
    bits = {"evictions": "evicts", "write_backs": "writes", "outside": "outside_ended", "memory_cycles": "busy"}
%>\
% for field in perf.fields:
    % if field.name in sums:
    wire ${width(sum_bits)} ${field.name}_now;

    lpas_count #(.COUNT(PES), .SUM_BITS(${sum_bits})) sum_${field.name} (
        .set(${sums[field.name]}),
        .sum(${field.name}_now)
    );

    % endif
    counter${f" #(.STEP_BITS({sum_bits}))" if field.name in sums else ""} count_${field.name} (
        .clk(clk),
        .rst(reset),
        .step(${f"{field.name}_now" if field.name in sums else bits[field.name]}),
        .count(perf_data[${perf.offset(field.name) + 31}:${perf.offset(field.name)}])
    );

% endfor

endmodule
