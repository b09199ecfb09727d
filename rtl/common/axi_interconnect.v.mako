// AXI4 interconnect: several masters behind one port to memory.
//
// Interface: masters side by side in vectors, master 0 lowest; <channel> holds all fields of a channel but for id,
// valid, ready and, of W, last. Below the port ids have the master's number in front, by which answers find back.
// Addresses go in turn (axi_turn), data of writes in the order of their addresses, a burst after the other; answers
// that come out of order do so here, too. An id of no master is taken and dropped.
// Reset is the memory's alone: through any other, masters complete what they have begun.
// Timing: all channels pass in the same cycle, but data of a write wait until the cycle after its address was offered
// below. They do not wait for it to be taken: a memory may want the data first.
module axi_interconnect #(
    parameter MASTERS      = 2,           // at least 2
    parameter NUMBER_BITS  = 1,           // bits of a master's number
    parameter ID_BITS      = 4,           // of a master's id
    parameter ADDRESS_BITS = 32,          // of AR, and of AW
    parameter WRITE_BITS   = 32,          // of W
    parameter ANSWER_BITS  = 2,           // of B
    parameter READ_BITS    = 32,          // of R
    parameter BURSTS_BITS  = 3            // 2 ** (BURSTS_BITS - 1) writes whose data are not complete
) (
    input  wire                            clk, // clock
    input  wire                            rst, // synchronous, together with memory
    // masters
    input  wire [MASTERS-1:0]              s_arvalid, // an address to read is offered
    output wire [MASTERS-1:0]              s_arready, // it is taken
    input  wire [MASTERS*ID_BITS-1:0]      s_arid, // its id
    input  wire [MASTERS*ADDRESS_BITS-1:0] s_ar, // the rest
    output wire [MASTERS-1:0]              s_rvalid, // a beat comes
    input  wire [MASTERS-1:0]              s_rready, // it is taken
    output wire [ID_BITS-1:0]              s_rid, // its id, for all
    output wire [READ_BITS-1:0]            s_r, // the beat, for all
    input  wire [MASTERS-1:0]              s_awvalid, // an address to write is offered
    output wire [MASTERS-1:0]              s_awready, // it is taken
    input  wire [MASTERS*ID_BITS-1:0]      s_awid, // its id
    input  wire [MASTERS*ADDRESS_BITS-1:0] s_aw, // the rest
    input  wire [MASTERS-1:0]              s_wvalid, // a beat is offered
    output wire [MASTERS-1:0]              s_wready, // it is taken
    input  wire [MASTERS-1:0]              s_wlast, // it is the last of its burst
    input  wire [MASTERS*WRITE_BITS-1:0]   s_w, // the beat
    output wire [MASTERS-1:0]              s_bvalid, // an answer comes
    input  wire [MASTERS-1:0]              s_bready, // it is taken
    output wire [ID_BITS-1:0]              s_bid, // its id, for all
    output wire [ANSWER_BITS-1:0]          s_b, // the answer, for all
    // memory
    output wire                            m_arvalid, // an address to read is offered
    input  wire                            m_arready, // it is taken
    output wire [NUMBER_BITS+ID_BITS-1:0]  m_arid, // its id, the master's number in front
    output reg  [ADDRESS_BITS-1:0]         m_ar, // the rest
    input  wire                            m_rvalid, // a beat comes
    output wire                            m_rready, // it is taken
    input  wire [NUMBER_BITS+ID_BITS-1:0]  m_rid, // its id
    input  wire [READ_BITS-1:0]            m_r, // the beat
    output wire                            m_awvalid, // an address to write is offered
    input  wire                            m_awready, // it is taken
    output wire [NUMBER_BITS+ID_BITS-1:0]  m_awid, // its id
    output reg  [ADDRESS_BITS-1:0]         m_aw, // the rest
    output wire                            m_wvalid, // a beat is offered
    input  wire                            m_wready, // it is taken
    output wire                            m_wlast, // it is the last of its burst
    output reg  [WRITE_BITS-1:0]           m_w, // the beat
    input  wire                            m_bvalid, // an answer comes
    output wire                            m_bready, // it is taken
    input  wire [NUMBER_BITS+ID_BITS-1:0]  m_bid, // its id
    input  wire [ANSWER_BITS-1:0]          m_b // the answer
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (MASTERS < 2 || MASTERS > 1 << NUMBER_BITS || MASTERS <= 1 << (NUMBER_BITS - 1)) begin : gen_illegal
            axi_interconnect_needs_MASTERS_2_or_more_and_their_NUMBER_BITS illegal ();
        end
    endgenerate

    integer master;

    // Read addresses
    wire [MASTERS-1:0] reader;
    reg  [NUMBER_BITS-1:0] reader_number;
    reg  [ID_BITS-1:0] reader_id;

    assign m_arvalid = |s_arvalid;
    assign m_arid    = {reader_number, reader_id};
    assign s_arready = reader & {MASTERS{m_arready}};

    axi_turn #(.MASTERS(MASTERS)) read_turn (
        .clk(clk),
        .rst(rst),
        .asking(s_arvalid),
        .taken(m_arvalid & m_arready),
        .choice(reader)
    );

    always @(*) begin
        reader_number = {NUMBER_BITS{1'b0}};
        reader_id     = {ID_BITS{1'b0}};
        m_ar          = {ADDRESS_BITS{1'b0}};
        for (master = 0; master < MASTERS; master = master + 1)
            if (reader[master]) begin
                reader_number = master[NUMBER_BITS-1:0];
                reader_id     = s_arid[master*ID_BITS +: ID_BITS];
                m_ar          = s_ar[master*ADDRESS_BITS +: ADDRESS_BITS];
            end
    end

    // Write addresses, as long as there is a place to note whose data come
    wire place;
    reg  noted;                           // it is, of the address that is offered
    wire [MASTERS-1:0] writers = s_awvalid & {MASTERS{place | noted}};
    wire [MASTERS-1:0] writer;
    reg  [NUMBER_BITS-1:0] writer_number;
    reg  [ID_BITS-1:0] writer_id;
    wire aw_taken = m_awvalid & m_awready;

    assign m_awvalid = |writers;
    assign m_awid    = {writer_number, writer_id};
    assign s_awready = writer & {MASTERS{m_awready}};

    axi_turn #(.MASTERS(MASTERS)) write_turn (
        .clk(clk),
        .rst(rst),
        .asking(writers),
        .taken(aw_taken),
        .choice(writer)
    );

    always @(*) begin
        writer_number = {NUMBER_BITS{1'b0}};
        writer_id     = {ID_BITS{1'b0}};
        m_aw          = {ADDRESS_BITS{1'b0}};
        for (master = 0; master < MASTERS; master = master + 1)
            if (writer[master]) begin
                writer_number = master[NUMBER_BITS-1:0];
                writer_id     = s_awid[master*ID_BITS +: ID_BITS];
                m_aw          = s_aw[master*ADDRESS_BITS +: ADDRESS_BITS];
            end
    end

    always @(posedge clk) begin
        noted <= m_awvalid & !m_awready & !rst;
    end

    // Data of writes
    wire due;                             // some are to come,
    wire [NUMBER_BITS-1:0] due_number;    // next those of this master
    wire [MASTERS-1:0] writes;            // who that is

    fifo #(
        .WIDTH(NUMBER_BITS),
        .DEPTH(1 << (BURSTS_BITS - 1)),
        .COUNT_BITS(BURSTS_BITS)
    ) order (
        .clk(clk),
        .rst(rst),
        .in_valid(m_awvalid & !noted),
        .in_ready(place),
        .in_data(writer_number),
        .out_valid(due),
        .out_ready(m_wvalid & m_wready & m_wlast),
        .out_data(due_number)
    );

    assign m_wvalid = |(writes & s_wvalid);
    assign m_wlast  = |(writes & s_wlast);
    assign s_wready = writes & {MASTERS{m_wready}};

    always @(*) begin
        m_w = {WRITE_BITS{1'b0}};
        for (master = 0; master < MASTERS; master = master + 1)
            if (writes[master])
                m_w = s_w[master*WRITE_BITS +: WRITE_BITS];
    end

    // Answers. Ready does not hang on an id that is not there
    wire [NUMBER_BITS-1:0] r_number = m_rid[NUMBER_BITS+ID_BITS-1:ID_BITS];
    wire [NUMBER_BITS-1:0] b_number = m_bid[NUMBER_BITS+ID_BITS-1:ID_BITS];
    wire [MASTERS-1:0] r_to, b_to;        // whose they are

    assign s_rid    = m_rid[ID_BITS-1:0];
    assign s_r      = m_r;
    assign s_rvalid = r_to & {MASTERS{m_rvalid}};
    assign m_rready = !m_rvalid | (|(r_to & s_rready)) | !(|r_to);
    assign s_bid    = m_bid[ID_BITS-1:0];
    assign s_b      = m_b;
    assign s_bvalid = b_to & {MASTERS{m_bvalid}};
    assign m_bready = !m_bvalid | (|(b_to & s_bready)) | !(|b_to);

    genvar n;
    generate
        for (n = 0; n < MASTERS; n = n + 1) begin : gen_master
            localparam [31:0] NUMBER = n;

            assign writes[n] = due & due_number == NUMBER[NUMBER_BITS-1:0];
            assign r_to[n]   = r_number == NUMBER[NUMBER_BITS-1:0];
            assign b_to[n]   = b_number == NUMBER[NUMBER_BITS-1:0];
        end
    endgenerate

endmodule
