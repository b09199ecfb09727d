// One burst at a time over an AXI4 port, id 0: a line is read, or its first WRITE_LEN + 1 beats are written.
//
// Interface: a command is taken while ready; done is high for one cycle at its end, with error and, after a read,
// the line. A command that was taken runs to its end whatever happens to the rest of the design: that is why a reset
// of the cache leaves no half-written line in memory and no answer on its way, and why this module has no part in it.
// Timing: taken in cycle k, the address (and the first data) is offered from k + 1 on; done follows the last
// handshake of R, or that of B, by one cycle, and the next command can be taken then.
<%
    beats, data, m = axi.beats(cache.line_bytes), axi.data_bits, axi.prefix
    line = beats * data
%>\
module ${module} #(
    parameter WRITE_LEN = ${beats - 1}    // beats of a write, less one
) (
    input  wire clk, // clock
    // commands
    input  wire valid, // a command is here
    output wire ready, // it is taken
    input  wire write, // it is a write
    input  wire ${width(axi.address_bits)} address, // of the first byte, a multiple of a beat
    input  wire ${width(line)} data, // to write, first beat lowest
    input  wire ${width(axi.strobe_bits)} strobe, // bytes to write, the same in every beat
    output reg  done, // the command has ended
    output reg  error, // a beat, or the write, was answered with an error
    output reg  ${width(line)} line, // what was read
    // memory
${ports(axi.signals, last=True)}
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (WRITE_LEN < 0 || WRITE_LEN > ${beats - 1}) begin : gen_illegal
            axi_line_needs_WRITE_LEN_below_the_beats_of_a_line illegal ();
        end
    endgenerate

    reg        busy;                     // a command is under way
    reg        ar_valid, aw_valid, w_valid;
    reg  ${width(axi.address_bits)} place;
    reg  ${width(axi.strobe_bits)} bytes;
    reg  [7:0] left;                     // data beats to write after this one

    wire last_read = ${m}_rvalid & ${m}_rlast;
    wire take      = valid & ready;
    wire w_moves   = w_valid & ${m}_wready;
    wire ${width(line + data)} beside = {${m}_rdata, line}; // the next beat above the line: both move down by one

    assign ready = !busy;

    always @(posedge clk) begin
        if (${m}_rst)
            {busy, done, ar_valid, aw_valid, w_valid} <= 5'd0;
        else begin
            busy     <= take | (busy & !last_read & !${m}_bvalid);
            done     <= busy & (last_read | ${m}_bvalid);
            ar_valid <= take ? !write : ar_valid & !${m}_arready;
            aw_valid <= take ? write : aw_valid & !${m}_awready;
            w_valid  <= take ? write : w_valid & !(${m}_wready & ${m}_wlast);
        end
    end

    always @(posedge clk) begin
        if (take) begin
            place <= address;
            bytes <= strobe;
            left  <= WRITE_LEN[7:0];
            line  <= data;
            error <= 1'b0;
        end else begin
            if (w_moves)
                left <= left - 1'b1;
            if (w_moves | ${m}_rvalid)
                line <= beside[${line + data - 1}:${data}];
            if (${m}_rvalid)
                error <= error | ${m}_rresp[1];
            if (${m}_bvalid)
                error <= ${m}_bresp[1];
        end
    end

    assign ${m}_arlen = 8'd${beats - 1};
    assign ${m}_awlen = WRITE_LEN[7:0];
% for channel in ("ar", "aw"):
    assign ${m}_${channel}valid = ${channel}_valid;
    assign ${m}_${channel}addr  = place;
    assign ${m}_${channel}id    = ${axi.id_bits}'d0;
    assign ${m}_${channel}size  = 3'd${axi.strobe_bits.bit_length() - 1};
    assign ${m}_${channel}burst = 2'd1;    // INCR
    assign ${m}_${channel}lock  = 1'b0;
    assign ${m}_${channel}cache = 4'b0011; // normal, not cacheable, bufferable
    assign ${m}_${channel}prot  = 3'd0;
    assign ${m}_${channel}qos   = 4'd0;
% endfor
    assign ${m}_wvalid = w_valid;
    assign ${m}_wdata  = line[${data - 1}:0];
    assign ${m}_wstrb  = bytes;
    assign ${m}_wlast  = left == 8'd0;
    assign ${m}_rready = 1'b1;            // there is a place for every beat that was asked for
    assign ${m}_bready = 1'b1;
    wire unused = &{1'b0, ${m}_bid, ${m}_rid, ${m}_bresp[0], ${m}_rresp[0], beside[${data - 1}:0]};

endmodule
