// Who asks memory: one of two readers, in turn.
//
// Interface: the reader that is chosen offers its address until that is taken; one that asks goes on asking.
// Timing: chosen in the same cycle. A reader that asks waits for one burst of the other at most.
module mmu_read_arbiter (
    input  wire clk, // clock
    input  wire rst, // synchronous, together with memory
    input  wire [1:0] asking, // a reader offers an address
    input  wire taken, // memory takes one
    output wire number // which is offered to it
);

    reg held;   // an address was offered and not taken: it stays
    reg choice; // whose
    reg last;   // whose was taken last

    assign number = held ? choice : (&asking) ? !last : asking[1];

    always @(posedge clk) begin
        if (rst)
            {held, last} <= 2'b01;
        else begin
            held <= (|asking) & !taken;
            if (taken)
                last <= number;
        end
        choice <= number;
    end

endmodule
