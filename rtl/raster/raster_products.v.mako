// Two products, and by how much the first is larger: two multipliers, which set-up uses again and again.
//
// Timing: products are registered; their difference and whether it is 0 are there in the cycle after a step, and stay
// until the next one.
<%
    left, right = 33, helpers.DIFFERENCE_BITS
%>\
module raster_products (
    input  wire clk, // clock
    input  wire step, // new operands
    input  wire signed ${width(left)} left0, // of the first product
    input  wire signed ${width(right)} right0, // the other one
    input  wire signed ${width(left)} left1, // of the second
    input  wire signed ${width(right)} right1, // the other one
    output wire signed ${width(left + right)} balance, // the first less the second
    output wire balanced // they are equal
);

    reg signed ${width(left + right)} product0, product1;

    always @(posedge clk) begin
        if (step) begin
            product0 <= left0 * right0;
            product1 <= left1 * right1;
        end
    end

    assign balance  = product0 - product1;
    assign balanced = product0 == product1;

endmodule
