// One burst at a time over an AXI4 port, id 0, beat by beat: a line or a single beat, read or written.
//
// Interface: a burst is begun while none is busy; address, single, data and strobe then stay as they are
// until it has ended, but for data, which follows fetch. It runs to its end whatever happens to the rest of the
// design: a reset of the cache leaves no half-written line in memory.
// Timing: begun in cycle k, the address is offered from k + 1 on, data from k + 2 on, a beat each cycle. What is
// read is shown in the cycle in which it comes, and so is the end.
<%
    beats, data, m = axi.beats(cache.line_bytes), axi.data_bits, axi.prefix
    bits = beats.bit_length() - 1
%>\
module ${module} (
    input  wire clk, // clock
    // commands
    input  wire read, // begin a read; not both
    input  wire write, // begin a write
    input  wire single, // it has one beat, not those of a line
    input  wire ${width(axi.address_bits)} address, // of the first byte, a multiple of its length
    output wire busy, // a burst is under way
    output wire ended, // in this cycle its last beat, or the answer to a write, is here
    output wire failed, // in this cycle memory reports an error
    // data to write
    output wire fetch, // data is to be this beat from the next cycle on
    output wire ${width(bits)} fetch_beat, // its place in the line
    input  wire ${width(data)} line_data, // it, of a line
    input  wire ${width(data)} single_data, // what to write in a single beat
    input  wire ${width(data // 8)} strobe, // bytes to write of a single beat
    // data that is read
    output wire come, // a beat is here
    output wire ${width(bits)} beat, // its place in the line
    output wire ${width(data)} read_data, // it
    // memory
${ports(axi.signals, last=True)}
);

    reg  going;
    reg  ar_valid, aw_valid, w_valid;
    reg  begins;                         // the first beat to write is to be fetched
    reg  ${width(bits)} count;           // beats that have moved
    wire w_moves = w_valid & ${m}_wready;

    assign busy  = going;
    assign ended = (${m}_rvalid & ${m}_rlast) | ${m}_bvalid;

    always @(posedge clk) begin
        if (${m}_rst)
            {going, begins, ar_valid, aw_valid, w_valid} <= 5'd0;
        else begin
            going    <= read | write | (going & !ended);
            begins   <= write;
            ar_valid <= read | (ar_valid & !${m}_arready);
            aw_valid <= write | (aw_valid & !${m}_awready);
            w_valid  <= begins | (w_valid & !(${m}_wready & ${m}_wlast));
        end
    end

    always @(posedge clk) begin
        if (!going | ended)
            count <= ${bits}'d0;
        else if (w_moves | ${m}_rvalid)
            count <= count + 1'b1;
    end

    assign failed     = (${m}_rvalid & ${m}_rresp[1]) | (${m}_bvalid & ${m}_bresp[1]);
    assign fetch      = begins | w_moves;
    assign fetch_beat = begins ? ${bits}'d0 : count + 1'b1;
    assign come       = ${m}_rvalid;
    assign beat       = count;
    assign read_data  = ${m}_rdata;

% for channel in ("ar", "aw"):
    assign ${m}_${channel}valid = ${channel}_valid;
    assign ${m}_${channel}addr  = address;
    assign ${m}_${channel}len   = single ? 8'd0 : 8'd${beats - 1};
    assign ${m}_${channel}id    = ${axi.id_bits}'d0;
    assign ${m}_${channel}size  = 3'd${axi.strobe_bits.bit_length() - 1};
    assign ${m}_${channel}burst = 2'd1;    // INCR
    assign ${m}_${channel}lock  = 1'b0;
    assign ${m}_${channel}cache = 4'b0011; // normal, not cacheable, bufferable
    assign ${m}_${channel}prot  = 3'd0;
    assign ${m}_${channel}qos   = 4'd0;
% endfor
    assign ${m}_wvalid = w_valid;
    assign ${m}_wdata  = single ? single_data : line_data;
    assign ${m}_wstrb  = single ? strobe : {${data // 8}{1'b1}};
    assign ${m}_wlast  = single | (&count);
    assign ${m}_rready = 1'b1;            // there is a place for every beat that was asked for
    assign ${m}_bready = 1'b1;
    wire unused = &{1'b0, ${m}_bid, ${m}_rid, ${m}_bresp[0], ${m}_rresp[0]};

endmodule
