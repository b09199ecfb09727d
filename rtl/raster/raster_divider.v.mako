// Serial divider: floor(dividend / divisor), ${helpers.digit_bits(cfg)} bit${"s" if cfg.radix > 2 else ""} of the quotient in a cycle, the highest first.
//
// A negative dividend n goes in as ~n = -n - 1, and the quotient's bits come out inverted: floor(n / d) = ~floor(~n
// / d), so that no number is ever negated.
//
// Interface: "load" takes a dividend, each "step" gives a digit; the divisor is kept from the first step to the last.
// Timing: the digit is there in the cycle after its step; quotient and remainder after ${helpers.QUOTIENT_BITS // helpers.digit_bits(cfg)} steps.
<%
    size, rest, digit = helpers.QUOTIENT_BITS, helpers.AREA_BITS, helpers.digit_bits(cfg)
%>\
module raster_divider (
    input  wire clk, // clock
    input  wire load, // a dividend is taken
    input  wire signed ${width(size)} dividend, // two's complement
    input  wire step, // the next digit
    input  wire ${width(rest)} divisor, // greater than 0
    output wire ${width(digit)} digit, // of the quotient, the newest
    output wire ${width(helpers.DEPTH_BITS)} quotient, // modulo 2 ** ${helpers.DEPTH_BITS}
    output wire ${width(rest)} remainder // dividend - quotient * divisor
);

    reg negative;
    reg ${width(size)} bits;            // of the dividend, yet to come, then those of the quotient
    reg ${width(rest)} rest0;           // what is left of ~dividend or dividend
% for n in range(1, digit + 1):

    wire ${width(rest + 1)} next${n} = {rest${n - 1}, bits[${size - n}] ^ negative};
    wire more${n} = next${n} >= {1'b0, divisor};
    wire ${width(rest + 1)} less${n} = next${n} - {1'b0, divisor};
    wire ${width(rest)} rest${n} = more${n} ? less${n}[${rest - 1}:0] : next${n}[${rest - 1}:0];
% endfor

    wire ${width(digit)} found = {${", ".join(f"more{n}" for n in range(1, digit + 1))}} ^ {${digit}{negative}};

    always @(posedge clk) begin
        if (load) begin
            negative <= dividend[${size - 1}];
            bits     <= dividend;
            rest0    <= ${rest}'d0;
        end else if (step) begin
            bits  <= {bits[${size - digit - 1}:0], found};
            rest0 <= rest${digit};
        end
    end

    assign digit     = bits[${digit - 1}:0];
    assign quotient  = bits[${helpers.DEPTH_BITS - 1}:0];
    assign remainder = negative ? divisor - 1'b1 - rest0 : rest0;

    wire unused = &{1'b0, ${", ".join(f"less{n}[{rest}]" for n in range(1, digit + 1))}};

endmodule
