## Of a cache in which a miss stops all: how stages move, and the lane that comes into the first.
<%
    cache, back = cfg.cache, cfg.write_back
    A = cache.address_bits
%>\
    // Where a lane goes in this cycle
    wire free = !s3_valid | res_ready;     // the third stage can be loaded; if not, all stages stand still
    wire waits;                            // the second stage waits for something,
    wire ends;                             // which ends in this cycle
    wire flow   = free & (!waits | ends);
    wire leave2 = flow & s2_valid;
    wire move1  = flow & s1_valid & !s2_slow;
    wire reread = leave2 & s2_slow;        // what the first stage read is from before: once more
    wire store1 = s1_op == STORE;
    wire walks1 = s1_op == INVALIDATE | s1_op == POLICY${"" if back else " | s1_op == FLUSH"};
% if back:
    wire scans1 = s1_op == CLEAN | s1_op == FLUSH;
    wire alone1 = walks1 | scans1;         // nothing comes in behind it
% else:
    wire alone1 = walks1;
% endif

    reg  starting;                         // after a reset, until all sets are clear and memory has ended its burst

    wire go    = free & !s2_slow & !starting;
    wire more  = rest != 8'd0;
    wire issue = accept | (more & go);

    assign req_ready = go & !more & !(s1_valid & alone1);

    // The lane to come: the lowest
    wire [7:0] asked = {8{req_op == LOAD | req_op == STORE}} & req_mask;
    wire [7:0] lanes = more ? rest : asked;
    wire [7:0] others = lanes & (lanes - 1'b1);
    wire [7:0] lowest = lanes & ~others;
    wire [2:0] lane = ${helpers.number_of("lowest", 8)};
    wire ${width(8 * A)} addrs = more ? rest_addrs : req_addrs;
    wire ${width(256)} store_words = more ? rest_words : req_words;
    wire ${width(32)} store_strobes = more ? rest_strobes : req_strobes;
    wire ${width(A)} address = addrs[lane*${A} +: ${A}];

    always @(posedge clk) begin
        if (reset)
            rest <= 8'd0;
        else if (issue)
            rest <= others;
        if (accept) begin
            rest_op      <= req_op;
            rest_warp    <= req_warp;
            rest_addrs   <= req_addrs;
            rest_words   <= req_words;
            rest_strobes <= req_strobes;
        end
    end

    always @(posedge clk) begin
        if (issue) begin
            s1_access  <= lanes != 8'd0;
            s1_first   <= !more;
            s1_last    <= others == 8'd0;
            s1_lane    <= lane;
            s1_op      <= more ? rest_op : req_op;
            s1_warp    <= more ? rest_warp : req_warp;
            s1_address <= address;
            s1_word    <= store_words[{lane, 5'd0} +: 32];
            s1_strobe  <= store_strobes[{lane, 2'd0} +: 4];
        end
    end
