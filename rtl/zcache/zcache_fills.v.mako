// Fills: lines on their way from memory, up to ${cfg.fills}, each by one burst under its own id.
//
// Interface: start takes the lowest free fill while free is high, and AR while ask_free is. A beat is shown in the cycle
// in which it comes, if r_free is high; with the last one the line is there, or has failed.
// Reset: what memory was asked for is owed until it has come; beats are dropped meanwhile (drop). AR stays offered.
// Timing: started in cycle k, the address is offered from k + 1 on; a fill that ends in k is free in k + 1.
<%
    cache, axi, F = cfg.cache, cfg.axi, cfg.fills
    R, L, m = cache.set_bits + cache.way_bits, cache.line_bits, axi.prefix
    E = max(1, (F - 1).bit_length())
    read_signals = [signal for signal in axi.signals[1:] if signal.name.startswith((f"{m}_ar", f"{m}_r"))]
    def number_of(onehot):
        masks = [sum(1 << n for n in range(F) if n >> bit & 1) for bit in range(E)]
        return "{" + ", ".join(f"|({onehot} & {F}'h{mask:x})" for mask in reversed(masks)) + "}"
%>\
module zcache_fills (
    input  wire clk, // clock
    input  wire rst, // synchronous; AR stays
    // lines to ask for
    output wire free, // a fill is free
    output wire ask_free, // AR is free
    input  wire start, // a line is asked for
    input  wire ${width(L)} start_line, // its address
    input  wire ${width(R)} start_row, // set and way that it goes to
    // beats
    input  wire r_free, // a beat can be taken
    input  wire drop, // beats are of lines that are forgotten
    output wire fill, // a beat is here
    output wire ${width(R)} fill_row, // where its line goes to
    output wire [1:0] fill_beat, // its place there
    output wire fill_ends, // it is the last
    output wire fill_failed, // it, or one before it, has failed
    output wire owed, // memory has not answered all
    // memory
    input  wire ${m}_rst, // with rst: memory forgets open bursts, too
${ports(read_signals, last=True)}
);

    reg  ${width(F)} busy;
    reg  ${width(F)} failed;               // one of the beats that have come
    reg  ${width(F * R)} rows;
    reg  ${width(F * 2)} places;           // beats that have come

    reg  ar_valid;
    reg  ${width(E)} ar_fill;
    reg  ${width(L)} ar_line;

    wire ${width(F)} lowest = ~busy & (busy + 1'b1); // of those that are free
% if F > 1:
    wire ${width(E)} number = ${number_of("lowest")};
    wire ${width(E)} came = ${m}_rid${f"[{E - 1}:0]" if axi.id_bits > E else ""};
% else:
    wire number = 1'b0;
    wire came = 1'b0;
% endif
    wire takes = ${m}_rvalid & ${m}_rready;

    assign free     = !(&busy);
    assign owed     = busy != ${F}'d0;
    assign ask_free = !ar_valid | ${m}_arready;

    genvar n;
    generate
        for (n = 0; n < ${F}; n = n + 1) begin : gen_fill
            localparam ${width(E)} NUMBER = n;
            wire mine = start & lowest[n];
            wire beat = takes & came == NUMBER;

            always @(posedge clk) begin
                if (${m}_rst)
                    busy[n] <= 1'b0;
                else
                    busy[n] <= (mine & !rst) | (busy[n] & !(beat & ${m}_rlast));
                if (mine) begin
                    failed[n]        <= 1'b0;
                    rows[n*${R} +: ${R}] <= start_row;
                    places[n*2 +: 2] <= 2'd0;
                end else if (beat) begin
                    failed[n]        <= failed[n] | ${m}_rresp[1];
                    places[n*2 +: 2] <= places[n*2 +: 2] + 1'b1;
                end
            end
        end
    endgenerate

    assign fill        = takes & !drop;
    assign fill_row    = rows[came*${R} +: ${R}];
    assign fill_beat   = places[came*2 +: 2];
    assign fill_ends   = fill & ${m}_rlast;
    assign fill_failed = failed[came] | ${m}_rresp[1];
    assign ${m}_rready = r_free;

    always @(posedge clk) begin
        if (${m}_rst)
            ar_valid <= 1'b0;
        else
            ar_valid <= (start & !rst) | (ar_valid & !${m}_arready);
        if (start) begin
            ar_fill <= number;
            ar_line <= start_line;
        end
    end

    assign ${m}_arvalid = ar_valid;
    assign ${m}_araddr  = {ar_line, ${cache.offset_bits}'d0};
    assign ${m}_arlen   = 8'd3;
    assign ${m}_arid    = ${f"{{{axi.id_bits - E}'d0, ar_fill}}" if axi.id_bits > E else "ar_fill"};
    assign ${m}_arsize  = 3'd${axi.strobe_bits.bit_length() - 1};
    assign ${m}_arburst = 2'd1;            // INCR
    assign ${m}_arlock  = 1'b0;
    assign ${m}_arcache = 4'b0011;         // normal, not cacheable, bufferable
    assign ${m}_arprot  = 3'd0;
    assign ${m}_arqos   = 4'd0;
    wire unused = &{1'b0, ${m}_rid, ${m}_rdata, ${m}_rresp[0]};

endmodule
