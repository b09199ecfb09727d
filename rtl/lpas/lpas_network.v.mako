// The network interface: a round robin among caches and outside, one job at a time, one burst at a time on AXI4.
//
// Interface: those who have a job ask until it has ended. A cache's job is a dirty line to write, a
// line to read, or both, in this order; the outside's is a single beat. Timing: picked in cycle u, the
// job begins its first burst in u + 1, whose address is offered from u + 2 on. A burst that was begun
// runs to its end whatever happens to the rest of the design; after a reset nobody is picked before.
<%
    cache, axi, pes, pe_bits = cfg.cache, cfg.axi, cfg.pes, cfg.array.pe_bits
    tag, index, words, word = cfg.tag_bits, cache.set_bits, cfg.beat_words, cfg.word_address_bits
    bank_bits = words.bit_length() - 1
    beat_bits = cfg.slot_bits - bank_bits
    info = 2 * tag + index + 3
    fixed = ("m_axi_arid", "m_axi_awid")
    others = [signal for signal in axi.signals if signal.name not in fixed]
%>\
module lpas_network (
    input  wire clk, // clock
    input  wire rst, // synchronous; the job is forgotten
    // caches, each with a bit or a part of the vector
    input  wire ${width(pes)} asks, // they have a job
    input  wire ${width(pes)} misses, // it is a line to read, not a flush's line to write
    input  wire ${width(pes * tag)} job_tags, // of the lines to read
    input  wire ${width(pes * tag)} line_tags, // of the lines that are there
    input  wire ${width(pes * index)} job_indices, // place of both
    input  wire ${width(pes)} line_valids, // a line is there
    input  wire ${width(pes)} line_dirties, // it has to be written first
    input  wire ${width(pes * axi.data_bits)} line_data, // of the lines that are there, the beat that was fetched
    output wire ${width(pes)} fetch, // show a beat
    output wire ${width(index)} fetch_index, // place of its line
    output wire ${width(beat_bits)} fetch_beat, // its number
    output wire ${width(pes)} written, // the line has been written
    output wire ${width(pes)} come, // a beat of the line to read is here
    output wire ${width(beat_bits)} beat, // its number
    output wire ${width(axi.data_bits)} read_data, // it
    output wire ${width(pes)} ended, // the job has ended
    output wire failed, // memory has failed it
    // outside
    input  wire outside_asks, // it has a job
    input  wire outside_store, // it is a word to write
    input  wire ${width(word)} outside_address, // its word address
    input  wire ${width(16)} outside_value, // the word to write
    output wire outside_ended, // the job has ended
    output wire ${width(16)} outside_word, // the word that was read
    // events
    output wire refused, // memory refuses a line of a flush
    output wire evicts, // a valid line is replaced
    output wire writes, // a line has been written
    output wire busy, // there is a job
    // memory
${ports(axi.signals, last=True)}
);

    localparam [1:0] IDLE  = 2'd0;
    localparam [1:0] WRITE = 2'd1;
    localparam [1:0] READ  = 2'd2;

    reg  [1:0] phase;
    reg  fresh;                          // the phase begins: so does a burst

    // The job that was picked; what a burst needs stays as it is until its end, over a reset too
    reg  ${width(pes + 1)} job;          // whose it is, one bit; the outside's is the highest
    reg  ${width(pe_bits + 1)} number;   // the same as a number
    reg  miss;                           // it is a line to read
    reg  replaces;                       // a valid line is replaced
    reg  ${width(index)} place;
    reg  ${width(word)} write_word;      // word addresses: of the line, or word, to write
    reg  ${width(word)} read_word;       // and to read
    reg  writing;                        // the former is in use
    reg  ${width(16)} single_word;       // to write
    reg  lost;                           // a beat has failed

    wire going, done, error, arrives, fetches;
    wire ${width(pes + 1)} all  = {outside_asks, asks};
    wire ${width(pes + 1)} winner;
    wire idle    = phase == IDLE;
    wire picks   = idle & !going & (|all);
    wire single  = number[${pe_bits}];
    wire finish  = !idle & !fresh & done;
    wire bad     = error | (phase == READ & lost);
    wire goes_on = finish & phase == WRITE & !single & miss & !bad;

    round_robin #(.SIZE(${pes + 1})) arbiter (
        .clk(clk),
        .rst(rst),
        .request(all),
        .move(picks),
        .grant(winner)
    );

    // What the winner has to say: the parts of its cache
    wire ${width(info)} about;
    wire ${width(pes * info)} all_about;
    wire ${width(tag)} new_tag, old_tag;
    wire ${width(index)} new_place;
    wire new_miss, new_valid, new_dirty;

    generate
        genvar each;
        for (each = 0; each < ${pes}; each = each + 1) begin : gen_about
            assign all_about[each*${info} +: ${info}] = {
                misses[each], line_valids[each], line_dirties[each], job_tags[each*${tag} +: ${tag}],
                line_tags[each*${tag} +: ${tag}], job_indices[each*${index} +: ${index}]
            };
        end
    endgenerate

    lpas_mux #(.COUNT(${pes}), .WIDTH(${info})) about_winner (
        .choice(winner${width(pes)}),
        .words(all_about),
        .word(about)
    );

    assign {new_miss, new_valid, new_dirty, new_tag, old_tag, new_place} = about;

    reg  ${width(pe_bits + 1)} winner_number;
    integer k;

    always @* begin
        winner_number = ${pe_bits + 1}'d0;
        for (k = 0; k < ${pes + 1}; k = k + 1)
            if (winner[k])
                winner_number = winner_number | k[${pe_bits}:0];
    end

    wire outside_wins = winner[${pes}];
    // a line that is valid and dirty goes out first; a dirty line is valid
    wire writes_first = outside_wins ? outside_store : new_dirty;

    always @(posedge clk) begin
        if (rst) begin
            phase <= IDLE;
            fresh <= 1'b0;
        end else if (picks) begin
            phase <= writes_first ? WRITE : READ;
            fresh <= 1'b1;
        end else begin
            phase <= goes_on ? READ : finish ? IDLE : phase;
            fresh <= goes_on;
        end
    end

    always @(posedge clk) begin
        if (picks & !rst) begin
            job      <= winner;
            number   <= winner_number;
            miss     <= new_miss & !outside_wins;
            replaces <= new_miss & new_valid;
            place    <= new_place;
            writing  <= writes_first;
            write_word  <= outside_wins ? outside_address :
                {old_tag, new_place, winner_number[${pe_bits - 1}:0], ${cfg.slot_bits}'d0};
            read_word   <= outside_wins ? outside_address :
                {new_tag, new_place, winner_number[${pe_bits - 1}:0], ${cfg.slot_bits}'d0};
            single_word <= outside_value;
        end else if (goes_on)
            writing <= 1'b0;
    end

    always @(posedge clk)
        lost <= phase == READ & !fresh & bad;

    // What comes of it, for whom
    wire ${width(pes)} whose = job${width(pes)};

    assign failed        = bad;
    assign written       = {${pes}{finish & phase == WRITE & !bad}} & whose;
    assign come          = {${pes}{phase == READ & arrives}} & whose;
    assign ended         = {${pes}{finish & !goes_on}} & whose;
    assign outside_ended = finish & job[${pes}];
    assign outside_word  = read_data[{read_word[${bank_bits - 1}:0], 4'd0} +: 16];
    assign refused       = finish & phase == WRITE & bad & !single & !miss;
    assign evicts        = phase == READ & fresh & replaces & !single;
    assign writes        = |written;
    assign busy          = !idle;
    assign fetch         = {${pes}{fetches}} & whose;
    assign fetch_index   = place;

    wire ${width(axi.data_bits)} line_beat;

    lpas_mux #(.COUNT(${pes}), .WIDTH(${axi.data_bits})) data_of_job (
        .choice(whose),
        .words(line_data),
        .word(line_beat)
    );

    wire ${width(word)} burst_word = writing ? write_word : read_word;
    wire ${width(axi.id_bits)} id;
    wire unused = &{1'b0, burst_word[${bank_bits - 1}:0]};
    wire ${width(axi.id_bits)} unused_arid, unused_awid;
    wire unused_ids = &{1'b0, unused_arid, unused_awid};

% if axi.id_bits > pe_bits + 1:
    assign id = {${axi.id_bits - pe_bits - 1}'d0, number};
% else:
    assign id = number;
% endif
    assign m_axi_arid = id;
    assign m_axi_awid = id;

    lpas_axi_beats port (
        .clk(clk),
        .read(fresh & !rst & !writing),
        .write(fresh & !rst & writing),
        .single(single),
        .address({burst_word[${word - 1}:${bank_bits}], ${bank_bits + 1}'d0}),
        .busy(going),
        .ended(done),
        .failed(error),
        .fetch(fetches),
        .fetch_beat(fetch_beat),
        .line_data(line_beat),
        .single_data({${words}{single_word}}),
        .strobe({${2 * words - 2}'d0, 2'b11} << {write_word[${bank_bits - 1}:0], 1'b0}),
        .come(arrives),
        .beat(beat),
        .read_data(read_data),
${connect(others)}
        .m_axi_arid(unused_arid),
        .m_axi_awid(unused_awid)
    );

endmodule
