// The plane of a primitive's depth: two gradients by division, and the depth at the first pixel.
//
// The depth is A's and each gradient times the way from A, gathered digit by digit as the dividers give them: the ways
// times the digits go into a register; what was gathered so far moves up, and they are added (Horner), modulo 2 ** ${helpers.DEPTH_BITS}.
//
// Interface: dividends are loaded, then comes a step for each digit, without pause; the rest stays as it is meanwhile,
// the divisor from three cycles before, for its multiples are registers.
// Timing: gradients are there in the cycle after the last step, the depth one later, until the next load.
<%
    depth, area, size, digit = helpers.DEPTH_BITS, helpers.AREA_BITS, helpers.QUOTIENT_BITS, helpers.digit_bits(cfg)
    difference = helpers.DIFFERENCE_BITS
    way = difference + digit + 1
    wide = area + digit
    half = lambda n: 1 << n.bit_length() - 1
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
    wire ${width(wide)} times1 = {${digit}'d0, divisor};
% for n in range(2, cfg.radix):
% if n % 2:
    reg  ${width(wide)} times${n};

    always @(posedge clk) begin
        times${n} <= times${half(n)} + times${n - half(n)};
    end
% else:
    wire ${width(wide)} times${n} = {times${n // 2}[${wide - 2}:0], 1'b0};
% endif
% endfor
% for axis in "xy":

    raster_divider divider_${axis} (
        .clk(clk),
        .load(load_${axis}),
        .dividend(dividend_${axis}),
        .step(step),
        .multiples({${", ".join(f"times{n}" for n in reversed(range(1, cfg.radix)))}}),
        .digit(digit_${axis}),
        .quotient(gradient_${axis}),
        .remainder(rest_${axis})
    );
% endfor

    wire signed ${width(way)} ox_wide = {{${way - difference}{ox[${difference - 1}]}}, ox};
    wire signed ${width(way)} oy_wide = {{${way - difference}{oy[${difference - 1}]}}, oy};
    ## What begun keeps out of the sum is shifted out before the last step: it is there for what is unknown at power-up
    reg  signed ${width(way)} way;
    reg  ${width(depth - digit)} sum;
    reg  came, begun;                  // digits have come; the ones before are in "way"
    wire ${width(depth)} next_sum = {sum, ${digit}'d0} + {{${depth - way}{way[${way - 1}]}}, way};

    always @(posedge clk) begin
        came <= step;
        way  <= ${" + ".join(f"({{{way}{{digit_{axis}[{n}]}}}} & {f'{{o{axis}_wide[{way - 1 - n}:0], {n}' + chr(39) + 'd0}' if n else f'o{axis}_wide'})" for axis in "xy" for n in range(digit))};
        if (load_y) begin
            begun <= 1'b0;
        end else if (came) begin
            sum   <= begun ? next_sum[${depth - digit - 1}:0] : ${depth - digit}'d0;
            begun <= 1'b1;
        end
    end

    assign first_depth = (still ? ${depth}'d0 : next_sum) + {4'd0, z, 24'd0};

    wire unused = &{1'b0, rest_x};

endmodule
