## Of a cache in which a miss stops all: what the second stage waits for, one burst of memory at a time.
<%
    cache, back = cfg.cache, cfg.write_back
    ways, S, W = cache.ways, cache.index_bits, cache.way_bits
%>\
    // What the second stage waits for. Memory serves one burst at a time; after a reset nothing is asked for until
    // what was asked for before has come
    reg  [2:0] phase;
    reg  failed;                           // memory has reported an error
    wire burst, burst_ends, burst_fails, come;
    wire writing    = phase == WRITE;
    wire filling    = phase == FILL;
    wire write_ends = writing & burst_ends;
    wire fill_ends  = filling & burst_ends;
    wire wrote      = write_ends & !burst_fails;
    wire refused    = write_ends & burst_fails;
    wire failed_now = failed | ((writing | filling) & burst_fails);
% if back:
    reg  s2_fills;                         // a line is to be read, after its victim was written if that is dirty
    reg  ${width(S)} scan;                 // the set that clean or flush has come to,
    reg  ${width(ways)} looked;            // the ways that were dirty there when it came to it,
    reg  ${width(ways)} tried;             // that were written, or refused,
    reg  ${width(ways)} refusals;          // and that were refused
    reg  scans;
    wire ${width(ways)} dirty;
    wire ${width(ways)} todo = looked & ~tried;
    wire ${width(ways)} next_way = todo & (~todo + 1'b1);
    wire looking = phase == LOOK;
    wire ${width(ways)} way2_bit = ${ways}'d1 << s2_way;
    wire ${width(W)} next_number = ${helpers.number_of("next_way", ways)};
    wire look_on = looking & todo == ${ways}'d0;    // to the next set
    wire look_ends = look_on & ${helpers.is_last_set(cfg, "scan")};
    wire victim_dirty = dirty[victim];
    wire single1 = move1 & uncached1;
    wire goes_on = wrote & s2_fills;
    wire start_write = (fills1 & victim_dirty) | (single1 & store1) | (looking & !look_on);
    wire start_fill  = (fills1 & !victim_dirty) | (single1 & !store1) | goes_on;

    assign ends = fill_ends | (write_ends & !goes_on & !scans) | look_ends | (walk_ends & !starting);
% else:
    wire start_write = ask1 & store1;
    wire start_fill  = ask1 & !store1;

    assign ends = fill_ends | write_ends | (walk_ends & !starting);
% endif
    assign waits = phase != REST | walking;

    always @(posedge clk) begin
        if (reset)
            phase <= REST;
        else if (start_write)
            phase <= WRITE;
        else if (start_fill)
            phase <= FILL;
% if back:
        else if (move1 & scans1)
            phase <= READ;
        else if (phase == READ | (write_ends & scans))
            phase <= LOOK;
% endif
        else if (ends)
            phase <= REST;
    end

    always @(posedge clk) begin
        if (move1)
            failed <= 1'b0;
        else
            failed <= failed_now;
    end
% if back:

    always @(posedge clk) begin
        if (phase == READ | look_on)
            looked <= dirty;
        if (move1) begin
            s2_fills <= fills1;
            scans    <= scans1;
            scan     <= ${S}'d0;
            tried    <= ${ways}'d0;
            refusals <= ${ways}'d0;
        end else if (look_on) begin
            scan     <= ${helpers.next_set(cfg, "scan")};
            tried    <= ${ways}'d0;
            refusals <= ${ways}'d0;
        end else begin
            if (looking)
                tried <= tried | next_way;
            if (refused)
                refusals <= refusals | way2_bit;
        end
    end
% endif
