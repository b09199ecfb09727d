// Write buffer: replaced lines on their way to memory, in order, each by one burst with id 0.
//
// Interface: a line is put while count is below ${places}. held: the line that is asked for is here, or put in this
// cycle; of each look-up a bit. An answer is shown in the cycle in which it comes${", with the line's address and way" if context.get("way", 0) else ""}.
// Reset: what was not begun is forgotten; a burst that was begun is completed, its answer dropped by the cache.
// Timing: put in cycle k, address and data are offered from k + 2 on, a beat each cycle.
<%
    N = places
    W = context.get("way", 0)              # bits of a way, if answers say whose they are
    L, data, beats, m = cache.line_bits, axi.data_bits, axi.beats(cache.line_bytes), axi.prefix
    bits = max(1, (beats - 1).bit_length())
    B = max(1, (N - 1).bit_length())
    C = N.bit_length()
    step = lambda name: f"{name} == {B}'d{N - 1} ? {B}'d0 : {name} + 1'b1" if N > 1 else "1'd0"
    one = lambda bit: f"{{{C - 1}'d0, {bit}}}" if C > 1 else bit
    write_signals = [signal for signal in axi.signals if signal.name.startswith((f"{m}_aw", f"{m}_w", f"{m}_b"))]
%>\
module ${module} #(
    parameter ASKS = 1                     // look-ups
) (
    input  wire clk, // clock
    input  wire rst, // synchronous; lines that are not begun are forgotten
    // lines to write
    input  wire put, // one is here
    input  wire ${width(L)} put_line, // its address
% if W:
    input  wire ${width(W)} put_way, // its way
% endif
    input  wire ${width(8 * cache.line_bytes)} put_data, // its bytes
    output wire ${width(C)} count, // lines here
    // look-up
    input  wire [ASKS*${L}-1:0] ask_line, // addresses of lines
    output wire [ASKS-1:0] ask_held, // they are here
    // answers
    output wire answered, // a line was written
    output wire refused, // or memory failed
% if W:
    output wire ${width(L)} answered_line, // its address
    output wire ${width(W)} answered_way, // its way
% endif
    output wire busy, // memory has not answered all that was begun
    // memory
    input  wire ${m}_rst, // with rst: memory forgets open bursts, too
${ports(write_signals, last=True)}
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (ASKS < 1) begin : gen_illegal
            ${module}_needs_ASKS_1_or_more illegal ();
        end
    endgenerate

    reg  ${width(N)} used;
    reg  ${width(N * L)} lines;
% if W:
    reg  ${width(N * W)} ways;
% endif
    reg  ${width(B)} tail, next, head;     // the place to put to, the line to begin with next, the one to be answered
    reg  ${width(C)} waiting, begun;       // lines that are not begun; those that are and have no answer

    reg  aw_valid, w_valid;
    reg  ${width(B)} current;              // the line that is written
    reg  ${width(bits)} beat;
    wire begins = waiting != ${C}'d0 & (!aw_valid | ${m}_awready) & (!w_valid | (${m}_wready & ${m}_wlast)) & !rst;

    assign count    = waiting + begun;
    assign answered = ${m}_bvalid;
    assign refused  = ${m}_bresp[1];
    assign busy     = begun != ${C}'d0;
% if W:
    assign answered_line = lines[head*${L} +: ${L}];
    assign answered_way  = ways[head*${W} +: ${W}];
% endif

    always @(posedge clk) begin
        if (rst)
            waiting <= ${C}'d0;
        else
            waiting <= waiting + ${one("put")} - ${one("begins")};
        if (${m}_rst)
            begun <= ${C}'d0;
        else
            begun <= begun + ${one("begins")} - ${one("answered")};
    end

    always @(posedge clk) begin
        if (${m}_rst)
            {tail, next, head} <= ${3 * B}'d0;
        else begin
            if (rst)
                tail <= next;
            else if (put)
                tail <= ${step("tail")};
            if (begins)
                next <= ${step("next")};
            if (answered)
                head <= ${step("head")};
        end
    end

    genvar n, a;
    generate
        for (a = 0; a < ASKS; a = a + 1) begin : gen_ask
            wire ${width(L)} asked = ask_line[a*${L} +: ${L}];
            wire ${width(N)} equal;

            for (n = 0; n < ${N}; n = n + 1) begin : gen_equal
                assign equal[n] = lines[n*${L} +: ${L}] == asked;
            end
            assign ask_held[a] = (equal & used) != ${N}'d0 | (put & put_line == asked);
        end

        for (n = 0; n < ${N}; n = n + 1) begin : gen_line
            localparam ${width(B)} NUMBER = n;
            wire mine = put & tail == NUMBER;

            always @(posedge clk) begin
                if (rst)
                    used[n] <= 1'b0;
                else
                    used[n] <= mine | (used[n] & !(answered & head == NUMBER));
                if (mine) begin
                    lines[n*${L} +: ${L}] <= put_line;
% if W:
                    ways[n*${W} +: ${W}] <= put_way;
% endif
                end
            end
        end
    endgenerate

    wire ${width(8 * cache.line_bytes)} line;

    ram_async #(
        .WIDTH(${8 * cache.line_bytes}),
        .DEPTH(${N}),
        .INDEX_BITS(${B})
    ) contents (
        .clk(clk),
        .write(put),
        .write_index(tail),
        .write_data(put_data),
        .read_index(current),
        .read_data(line)
    );

    always @(posedge clk) begin
        if (${m}_rst)
            {aw_valid, w_valid} <= 2'd0;
        else begin
            aw_valid <= begins | (aw_valid & !${m}_awready);
            w_valid  <= begins | (w_valid & !(${m}_wready & ${m}_wlast));
        end
        if (begins) begin
            current <= next;
            beat    <= ${bits}'d0;
        end else if (w_valid & ${m}_wready)
            beat <= beat + 1'b1;
    end

    assign ${m}_awvalid = aw_valid;
    assign ${m}_awaddr  = {lines[current*${L} +: ${L}], ${cache.offset_bits}'d0};
    assign ${m}_awlen   = 8'd${beats - 1};
    assign ${m}_awid    = ${axi.id_bits}'d0;
    assign ${m}_awsize  = 3'd${axi.strobe_bits.bit_length() - 1};
    assign ${m}_awburst = 2'd1;            // INCR
    assign ${m}_awlock  = 1'b0;
    assign ${m}_awcache = 4'b0011;         // normal, not cacheable, bufferable
    assign ${m}_awprot  = 3'd0;
    assign ${m}_awqos   = 4'd0;
    assign ${m}_wvalid  = w_valid;
    assign ${m}_wdata   = line[beat*${data} +: ${data}];
    assign ${m}_wstrb   = {${axi.strobe_bits}{1'b1}};
    assign ${m}_wlast   = &beat;
    assign ${m}_bready  = 1'b1;
    wire unused = &{1'b0, ${m}_bid, ${m}_bresp[0]};

endmodule
