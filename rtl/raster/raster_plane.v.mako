// The plane of a primitive's depth: two gradients by division, and the depth at the first pixel.
//
// The depth is A's and each gradient times the way from A, gathered digit by digit as the dividers give them:
// after each, what was gathered so far moves up, and the ways times the digits are added (Horner), modulo 2 ** ${helpers.DEPTH_BITS}.
//
// Interface: dividends are loaded, then comes a step for each digit, without pause; the rest stays as it is meanwhile.
// Timing: all results are there in the cycle after the last step, until the next load.
<%
    depth, area, size, digit = helpers.DEPTH_BITS, helpers.AREA_BITS, helpers.QUOTIENT_BITS, helpers.digit_bits(cfg)
    difference = helpers.DIFFERENCE_BITS
%>\
module raster_plane (
    input  wire clk, // clock
    input  wire load_x, // the first dividend is taken
    input  wire signed ${width(size)} dividend_x, // it
    input  wire load_y, // the second one is taken, not before the first
    input  wire signed ${width(size)} dividend_y, // it
    input  wire step, // the next digits
    input  wire ${width(area)} divisor, // of both
    input  wire signed ${width(difference)} ox, // the way from A that goes with the first gradient
    input  wire signed ${width(difference)} oy, // with the second
    input  wire ${width(32)} z, // A's depth
    input  wire still, // there are no gradients
    output wire ${width(depth)} gradient_x, // the first quotient
    output wire ${width(depth)} gradient_y, // the second
    output wire ${width(area)} rest_y, // its remainder
    output wire signed ${width(depth)} first_depth // with 24 fraction bits
);

    wire ${width(digit)} digit_x, digit_y;
    wire ${width(area)} rest_x;
% for axis in "xy":

    raster_divider divider_${axis} (
        .clk(clk),
        .load(load_${axis}),
        .dividend(dividend_${axis}),
        .step(step),
        .divisor(divisor),
        .digit(digit_${axis}),
        .quotient(gradient_${axis}),
        .remainder(rest_${axis})
    );
% endfor

    ## What begun keeps out of the sum is shifted out before the last step: it is there for what is unknown at power-up
    reg  ${width(depth - digit)} sum;
    reg  begun;                        // a digit of each is there that was not added yet
    wire ${width(depth)} ox_wide = {{${depth - difference}{ox[${difference - 1}]}}, ox};
    wire ${width(depth)} oy_wide = {{${depth - difference}{oy[${difference - 1}]}}, oy};
    wire ${width(depth)} next_sum = {sum, ${digit}'d0}
% for n in reversed(range(digit)):
        + ({${depth}{digit_x[${n}]}} & ${f"{{ox_wide[{depth - 1 - n}:0], {n}'d0}}" if n else "ox_wide"})
        + ({${depth}{digit_y[${n}]}} & ${f"{{oy_wide[{depth - 1 - n}:0], {n}'d0}}" if n else "oy_wide"})${"" if n else ";"}
% endfor

    always @(posedge clk) begin
        if (load_y) begin
            begun <= 1'b0;
        end else if (step) begin
            sum   <= begun ? next_sum[${depth - digit - 1}:0] : ${depth - digit}'d0;
            begun <= 1'b1;
        end
    end

    assign first_depth = (still ? ${depth}'d0 : next_sum) + {4'd0, z, 24'd0};

    wire unused = &{1'b0, rest_x};

endmodule
