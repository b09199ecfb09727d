// The shared RAM of the lanes: ${cfg.data_ram.capacity_bytes} bytes, words in turn in 8 banks.
//
// Interface: a request is started while ready, with those lanes that are here. Each start is answered once, in order:
// the words of a load, 0 elsewhere. At most 4 are on their way.
// Timing: in a pass each bank serves one of its words, to all lanes that want it. The first is in the cycle of the
// start, one follows each cycle; the answer is offered two cycles after the last. After a reset
// ${cfg.data_ram.rows} cycles clear the RAM.
<%
    B, row_bits = 3, cfg.data_ram.row_bits
    P = B + row_bits  # of a word's place
%>\
module mmu_data_ram (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // requests
    input  wire start, // a request begins
    output wire ready, // it may
    input  wire store, // it is a store
    input  wire [7:0] mask, // lanes that are here
    input  wire ${width(8 * P)} places, // word of the RAM, of each lane
    input  wire [255:0] words, // word to store, of each lane
    input  wire [31:0] strobes, // its bytes to store
    // answers
    output wire out_valid, // an answer is offered
    input  wire out_ready, // it is taken
    output wire [255:0] out_words, // word of each lane
    // counters
    output wire pass, // the RAM is read or written,
    output wire again // not for the first time for this request
);

    // Clearing: a row each cycle
    reg clearing;
    reg ${width(row_bits)} clear_row;

    always @(posedge clk) begin
        if (rst)
            {clearing, clear_row} <= {1'b1, ${row_bits}'d0};
        else begin
            clearing  <= clearing & !(&clear_row);
            clear_row <= clear_row + 1'b1;
        end
    end

    // The lanes of this pass: of the request that starts, or what passes before have left
    reg [7:0] rest;
    reg kept_store;
    reg ${width(8 * P)} kept_places;
    reg [255:0] kept_words;
    reg [31:0] kept_strobes;
    wire more = rest != 8'd0;
    wire [7:0] lanes = more ? rest : mask & {8{start}};
    wire writes = more ? kept_store : store;
    wire ${width(8 * P)} lane_places = more ? kept_places : places;
    wire [255:0] lane_words = more ? kept_words : words;
    wire [31:0] lane_strobes = more ? kept_strobes : strobes;
    wire [63:0] bank_served; // of each bank: lanes that it serves
    wire [7:0] served;
    wire [7:0] left = lanes & ~served;

    assign ready = !clearing & !more;
    assign pass  = lanes != 8'd0;
    assign again = more;

    always @(posedge clk) begin
        if (rst)
            rest <= 8'd0;
        else
            rest <= left;
        if (start) begin
            kept_store   <= store;
            kept_places  <= places;
            kept_words   <= words;
            kept_strobes <= strobes;
        end
    end

    // The banks, each of four RAMs of bytes
    wire [255:0] read_words;

    genvar b, l, n;
    generate
        for (b = 0; b < 8; b = b + 1) begin : gen_bank
            localparam [2:0] NUMBER = b;
            wire [7:0] wanted;
            wire [7:0] lowest = wanted & (~wanted + 1'b1);
            reg  ${width(row_bits)} row; // of the lowest lane
            reg  [3:0] strobe;   // the highest lane wins, byte by byte
            reg  [31:0] word;
            integer i, j;

            for (l = 0; l < 8; l = l + 1) begin : gen_lane
                assign wanted[l] = lanes[l] & lane_places[l*${P} +: ${B}] == NUMBER;
                assign bank_served[b*8 + l] = wanted[l] & lane_places[l*${P}+${B} +: ${row_bits}] == row;
            end

            always @* begin
                row = ${row_bits}'d0;
                for (i = 0; i < 8; i = i + 1)
                    row = row | ({${row_bits}{lowest[i]}} & lane_places[i*${P}+${B} +: ${row_bits}]);
            end

            always @* begin
                strobe = 4'd0;
                word   = 32'd0;
                for (i = 0; i < 8; i = i + 1)
                    for (j = 0; j < 4; j = j + 1)
                        if (bank_served[b*8 + i] & lane_strobes[i*4 + j]) begin
                            strobe[j]       = 1'b1;
                            word[j*8 +: 8] = lane_words[i*32 + j*8 +: 8];
                        end
            end

            for (n = 0; n < 4; n = n + 1) begin : gen_byte
                ram_1p #(
                    .WIDTH(8),
                    .DEPTH(${cfg.data_ram.rows}),
                    .INDEX_BITS(${row_bits})
                ) bytes (
                    .clk(clk),
                    .read(wanted != 8'd0 & !writes),
                    .write(clearing | (writes & strobe[n])),
                    .index(clearing ? clear_row : row),
                    .write_data(clearing ? 8'd0 : word[n*8 +: 8]),
                    .read_data(read_words[b*32 + n*8 +: 8])
                );
            end
        end
    endgenerate

    assign served = ${" | ".join(f"bank_served[{8 * bank + 7}:{8 * bank}]" for bank in range(8))};

    // What was read goes to its lanes in the next cycle, and with the last pass of its request on
    reg  [7:0] came;         // lanes whose word was read
    reg  finished;           // it was the last pass
    reg  [255:0] gathered;   // by passes before
    wire [255:0] answer;
    wire ends = (start | more) & left == 8'd0;

    always @(posedge clk) begin
        if (rst)
            finished <= 1'b0;
        else
            finished <= ends;
        came     <= served & {8{!writes}};
        gathered <= start ? 256'd0 : answer;
    end

    generate
        for (l = 0; l < 8; l = l + 1) begin : gen_answer
            wire [2:0] bank = kept_places[l*${P} +: ${B}];
            assign answer[l*32 +: 32] = came[l] ? read_words[{bank, 5'd0} +: 32] : gathered[l*32 +: 32];
        end
    endgenerate

    wire unused_ready; // there is a place: no more than 4 are on their way

    fifo #(
        .WIDTH(256),
        .DEPTH(4),
        .COUNT_BITS(3)
    ) answers (
        .clk(clk),
        .rst(rst),
        .in_valid(finished),
        .in_ready(unused_ready),
        .in_data(answer),
        .out_valid(out_valid),
        .out_ready(out_ready),
        .out_data(out_words)
    );

endmodule
