// Chooses one of several words by a vector with one bit set at most; none: 0.
//
// Timing: in the same cycle.
module lpas_mux #(
    parameter COUNT = 4,                  // words
    parameter WIDTH = 8                   // bits of a word
) (
    input  wire [COUNT-1:0]       choice, // of the word
    input  wire [COUNT*WIDTH-1:0] words, // to choose from, word 0 lowest
    output reg  [WIDTH-1:0]       word // the one
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (COUNT < 1 || WIDTH < 1) begin : gen_illegal
            lpas_mux_needs_COUNT_and_WIDTH_1_or_more illegal ();
        end
    endgenerate

    integer number;

    always @* begin
        word = {WIDTH{1'b0}};
        for (number = 0; number < COUNT; number = number + 1)
            word = word | ({WIDTH{choice[number]}} & words[number*WIDTH +: WIDTH]);
    end

endmodule
