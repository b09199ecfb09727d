// How many bits are set: the step of a counter.
//
// Timing: in the same cycle.
module lpas_count #(
    parameter COUNT = 4,                 // bits
    parameter SUM_BITS = 3               // bits that hold the values 0 to COUNT
) (
    input  wire [COUNT-1:0]    set, // bits to count
    output reg  [SUM_BITS-1:0] sum // how many are 1
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (COUNT < 1 || COUNT >= 1 << SUM_BITS) begin : gen_illegal
            lpas_count_needs_COUNT_below_2_to_the_SUM_BITS illegal ();
        end
    endgenerate

    integer number;

    always @* begin
        sum = {SUM_BITS{1'b0}};
        for (number = 0; number < COUNT; number = number + 1)
            sum = sum + {{SUM_BITS-1{1'b0}}, set[number]};
    end

endmodule
