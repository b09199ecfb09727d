// One burst at a time over an AXI4 read/write port: a line is read, or its first WRITE_LEN + 1 beats are written.
//
// Interface: a command is taken while ready; done is high for one cycle at its end, with error and, after a read,
// the line. A command that was taken runs to its end whatever happens to the rest of the design: that is why a reset
// of the cache leaves no half-written line in memory and no answer on its way, and why this module has no part in it.
// Timing: taken in cycle k, the address (and the first data) is offered from k + 1 on; done follows the last
// handshake of R, or that of B, by one cycle, and the next command can be taken then.
module axi_line #(
    parameter ADDRESS_BITS = 32,      // bits of a byte address
    parameter DATA_BITS = 64,         // bits of a beat
    parameter BEATS = 4,              // beats of a line, 1 to 256
    parameter WRITE_LEN = 3           // beats of a write, less one
) (
    input  wire                          clk,
    input  wire                          rst,      // synchronous, with the memory's: forgets what is under way
    input  wire                          valid,    // a command is here
    output wire                          ready,    // it is taken
    input  wire                          write,    // it is a write
    input  wire [ADDRESS_BITS-1:0]       address,  // of the first byte, a multiple of a beat
    input  wire [BEATS*DATA_BITS-1:0]    data,     // to write, first beat lowest
    input  wire [DATA_BITS/8-1:0]        strobe,   // bytes to write, the same in every beat
    output reg                           done,     // the command has ended
    output reg                           error,    // a beat, or the write, was answered with an error
    output reg  [BEATS*DATA_BITS-1:0]    line,     // what was read
    // AXI4, without the signals that never change
    output reg                           awvalid,
    input  wire                          awready,
    output wire [ADDRESS_BITS-1:0]       awaddr,
    output reg                           wvalid,
    input  wire                          wready,
    output wire [DATA_BITS-1:0]          wdata,
    output wire [DATA_BITS/8-1:0]        wstrb,
    output wire                          wlast,
    input  wire                          bvalid,
    input  wire [1:0]                    bresp,
    output reg                           arvalid,
    input  wire                          arready,
    output wire [ADDRESS_BITS-1:0]       araddr,
    input  wire                          rvalid,
    input  wire [DATA_BITS-1:0]          rdata,
    input  wire [1:0]                    rresp,
    input  wire                          rlast
);

    localparam LINE_BITS = BEATS * DATA_BITS;

    reg                     busy;         // a command is under way
    reg  [ADDRESS_BITS-1:0] place;
    reg  [DATA_BITS/8-1:0]  bytes;
    reg  [7:0]              left;         // data beats to write after this one

    wire last_read = rvalid & rlast;
    wire take      = valid & ready;
    wire w_moves   = wvalid & wready;
    wire [LINE_BITS+DATA_BITS-1:0] beside = {rdata, line}; // the next beat above the line: both move down by one

    assign ready  = !busy;
    assign awaddr = place;
    assign araddr = place;
    assign wdata  = line[DATA_BITS-1:0];
    assign wstrb  = bytes;
    assign wlast  = left == 8'd0;

    wire unused = &{1'b0, bresp[0], rresp[0], beside[DATA_BITS-1:0]};

    always @(posedge clk) begin
        if (rst)
            {busy, done, awvalid, wvalid, arvalid} <= 5'd0;
        else begin
            busy    <= take | (busy & !last_read & !bvalid);
            done    <= busy & (last_read | bvalid);
            awvalid <= take ? write : awvalid & !awready;
            wvalid  <= take ? write : wvalid & !(wready & wlast);
            arvalid <= take ? !write : arvalid & !arready;
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
            if (w_moves | rvalid)
                line <= beside[LINE_BITS+DATA_BITS-1:DATA_BITS];
            if (rvalid)
                error <= error | rresp[1];
            if (bvalid)
                error <= bresp[1];
        end
    end

endmodule
