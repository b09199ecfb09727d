// Whose address goes next on a shared AXI4 address channel: masters that ask, in turn.
//
// Interface: choice has a bit for the master whose address is offered, none if nobody asks. A master that asks goes
// on asking until it is taken; once offered, its address stays. Timing: chosen in the same cycle; a master waits for
// one address of each other one at most.
module axi_turn #(
    parameter MASTERS = 2                 // at least 2
) (
    input  wire               clk, // clock
    input  wire               rst, // synchronous, together with memory
    input  wire [MASTERS-1:0] asking, // masters that offer an address
    input  wire               taken, // memory takes the one that is offered
    output wire [MASTERS-1:0] choice // whose it is
);

    reg  [MASTERS-1:0] kept;              // whose address was offered and not taken
    wire [MASTERS-1:0] pool = (|kept) ? kept : asking;

    round_robin #(.SIZE(MASTERS)) turns (
        .clk(clk),
        .rst(rst),
        .request(pool),
        .move(taken),
        .grant(choice)
    );

    always @(posedge clk) begin
        if (rst | taken)
            kept <= {MASTERS{1'b0}};
        else
            kept <= choice;
    end

endmodule
