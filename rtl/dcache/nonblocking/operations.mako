## Of a cache that serves hits under misses: clean, flush, invalidate, policy, status, set by set.
<%
    cache = cfg.cache
    ways, S, W = cache.ways, cache.index_bits, cache.way_bits
%>\
    // Operations: at the door until all before has ended, then set by set
    localparam [1:0] REST  = 2'd0;
    localparam [1:0] READ  = 2'd1;         // clean and flush: the tags of a set are read,
    localparam [1:0] LOOK  = 2'd2;         // its dirty lines go to the write buffer;
    localparam [1:0] DRAIN = 2'd3;         // all have gone: memory is still to answer

    reg  [1:0] phase;
    reg  acted;                            // the operation has begun
    reg  clearing;                         // a walk through all sets: all is forgotten, or what the operation says
    reg  walked;
    reg  ${width(S)} scan;                 // the set
    reg  ${width(ways)} tried;             // its ways that have gone
    reg  op_failed;                        // memory has refused one of its lines
    reg  op_wrote;                         // one went into the write buffer
    wire put;                              // one does
    wire ${width(ways)} dirty;
    wire ${width(ways)} todo = dirty & ~tried;
    wire ${width(ways)} next_way = todo & (~todo + 1'b1);
    wire ${width(W)} next_number = ${helpers.number_of("next_way", ways)};
    wire again;                            // memory has refused a line of the operation: it is dirty as before
    wire room;
    wire scans = d_op == CLEAN | d_op == FLUSH;
    wire walks = d_op == INVALIDATE | d_op == POLICY | d_op == FLUSH;
    wire act   = d_valid & !d_access & !acted & idle & !starting;
    wire send  = looking & todo != ${ways}'d0 & room & !again;
    wire look_on = looking & todo == ${ways}'d0 & !again; // to the next set
    wire drained = phase == DRAIN & idle_memory;
    wire walk_ends = clearing & ${helpers.is_last_set(cfg, "scan")};

    assign looking  = phase == LOOK;
    assign finished = acted & phase == REST & !clearing & (walked | !walks);

    always @(posedge clk) begin
        if (reset) begin
            phase    <= REST;
            acted    <= 1'b0;
            clearing <= 1'b1;
            walked   <= 1'b0;
        end else begin
            acted <= act | (acted & !issue);
            if (act & scans)
                phase <= READ;
            else if (phase == READ)
                phase <= LOOK;
            else if (look_on)
                phase <= ${f"{helpers.is_last_set(cfg, 'scan')[1:-1]} ? DRAIN : LOOK" if cache.set_bits else "DRAIN"};
            else if (drained)
                phase <= REST;
            clearing <= (act & walks & !scans) | (drained & walks) | (clearing & !walk_ends);
            walked   <= !act & (walked | (walk_ends & !starting));
        end
        if (reset | act)
            scan <= ${S}'d0;
        else if (clearing | look_on)
            scan <= ${helpers.next_set(cfg, "scan")};
        if (act | look_on)
            tried <= ${ways}'d0;
        else if (send)
            tried <= tried | next_way;
        op_failed <= !act & (op_failed | again);
        op_wrote  <= !act & (op_wrote | put);
    end
