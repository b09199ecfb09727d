// Round robin: the first requester at or after the pointer wins, cyclically.
//
// Interface: grant follows request in the same cycle, one bit of it at most; with move the pointer
// goes to the position behind the winner. Timing: the pointer changes at the edge, and is at position
// 0 after reset.
module round_robin #(
    parameter SIZE = 4                   // positions
) (
    input  wire            clk, // clock
    input  wire            rst, // synchronous; the pointer goes to position 0
    input  wire [SIZE-1:0] request, // those who ask
    input  wire            move, // the grant is used
    output wire [SIZE-1:0] grant // the one who wins
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (SIZE < 2) begin : gen_illegal
            round_robin_needs_SIZE_2_or_more illegal ();
        end
    endgenerate

    reg  [SIZE-1:0] later;               // positions at or after the pointer; none: as if it were 0
    wire [SIZE-1:0] upper = request & later;
    wire [SIZE-1:0] from  = |upper ? upper : request;
    wire [SIZE-1:0] above;               // positions behind the winner

    assign above[0] = 1'b0;
    generate
        genvar place;
        for (place = 1; place < SIZE; place = place + 1) begin : gen_above
            assign above[place] = above[place-1] | from[place-1];
        end
    endgenerate
    assign grant = from & ~above;

    always @(posedge clk) begin
        if (rst)
            later <= {SIZE{1'b1}};
        else if (move)
            later <= above;
    end

endmodule
