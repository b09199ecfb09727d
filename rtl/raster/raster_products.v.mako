// Two products, and by how much the first is larger: two multipliers, which set-up uses again and again.
//
// Interface: operands of a step are those of the cycle.
// Timing: the difference is there two steps later and stays until the next step. A register lies between the products
// of parts, which fit an FPGA's multipliers of 18 x 18 bits, and their sum.
<%
    left, right, part = 33, helpers.DIFFERENCE_BITS, 17
    low, across, high = 2 * part, 2 * part + 2, left + right - 2 * part  # two of the middle ones are added to two
%>\
module raster_products (
    input  wire clk, // clock
    input  wire step, // new operands
    input  wire signed ${width(left)} left0, // of the first product
    input  wire signed ${width(right)} right0, // the other one
    input  wire signed ${width(left)} left1, // of the second
    input  wire signed ${width(right)} right1, // the other one
    output reg  signed ${width(left + right)} balance // the first less the second
);
% for n in range(2):

    wire signed ${width(part + 1)} left_low${n}  = {1'b0, left${n}[${part - 1}:0]};
    wire signed ${width(left - part)} left_high${n} = left${n}[${left - 1}:${part}];
    wire signed ${width(part + 1)} right_low${n}  = {1'b0, right${n}[${part - 1}:0]};
    wire signed ${width(right - part)} right_high${n} = right${n}[${right - 1}:${part}];
    reg ${width(low)} low${n};
    reg signed ${width(across)} across${n}, aslant${n};
    reg signed ${width(high)} high${n};

    always @(posedge clk) begin
        if (step) begin
            low${n}    <= left_low${n} * right_low${n};
            across${n} <= left_high${n} * right_low${n};
            aslant${n} <= left_low${n} * right_high${n};
            high${n}   <= left_high${n} * right_high${n};
        end
    end
% endfor

    wire signed ${width(across)} middle = across0 + aslant0 - across1 - aslant1;

    always @(posedge clk) begin
        if (step)
            balance <= {high0, low0} - {high1, low1} + {{${left + right - across - part}{middle[${across - 1}]}}, middle, ${part}'d0};
    end

endmodule
