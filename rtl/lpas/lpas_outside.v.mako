// What the last PE asks past the caches: LDM and STM, single words of memory, and FLUSH of all caches.
//
// Interface: a request is taken in its first cycle; LDM and STM ask the network interface from the
// next one on. Timing: ended is high in the cycle in which it ends; the word of an LDM is shown in the
// next one.
module lpas_outside (
    input  wire clk, // clock
    input  wire rst, // synchronous; the request is forgotten
    // the PE
    input  wire active, // a request is here
    input  wire [2:0] op, // 2 LDM, 3 STM, 4 and above FLUSH; others are not taken
    output wire take, // it is taken
    output wire ended, // it ends
    output wire ended_err, // memory has failed it
    output reg  [15:0] value, // of an LDM, the word, in the cycle after it ended; else 0
    // caches
    output wire flush, // a flush begins
    input  wire flushing, // a cache has not ended it
    input  wire refused, // memory refuses a line of it
    // network interface
    output wire asks, // there is a job
    output reg  store, // it is an STM
    input  wire done, // the job has ended
    input  wire failed, // memory has failed it
    input  wire [15:0] word // the word that was read
);

    reg waits;                           // LDM or STM is under way
    reg flushes;                         // FLUSH is under way
    reg lost;                            // memory has refused a line of it

    wire flushed = flushes & !flushing;

    assign take      = active & (op[2] | op[1]);
    assign flush     = take & op[2];
    assign asks      = waits;
    assign ended     = done | flushed;
    assign ended_err = done ? failed : lost;

    always @(posedge clk) begin
        if (rst)
            {waits, flushes} <= 2'd0;
        else begin
            waits   <= (take & !op[2]) | (waits & !done);
            flushes <= flush | (flushes & !flushed);
        end
    end

    always @(posedge clk) begin
        if (take) begin
            store <= op[0];
            lost  <= 1'b0;
        end else if (refused)
            lost <= 1'b1;
        value <= {16{done & !store & !failed}} & word;
    end

endmodule
