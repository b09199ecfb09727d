// Serial divider: floor(dividend / divisor), ${helpers.digit_bits(cfg)} bit${"s" if cfg.radix > 2 else ""} of the quotient in a cycle, the highest first.
//
// A negative dividend n goes in as ~n = -n - 1, and the quotient's bits come out inverted: floor(n / d) = ~floor(~n
// / d), so that no number is ever negated.
//
// Interface: "load" takes a dividend, each "step" gives a digit; multiples of the divisor are kept from the first step
// to the last.
// Timing: the digit is there in the cycle after its step; quotient and remainder after ${helpers.QUOTIENT_BITS // helpers.digit_bits(cfg)} steps.
<%
    size, rest, digit = helpers.QUOTIENT_BITS, helpers.AREA_BITS, helpers.digit_bits(cfg)
    next = rest + digit  # bits of what a step divides

    def found(bit, first, end):
        """A bit of the largest multiple that it holds, of those from ``first`` on."""
        middle = (first + end) // 2
        if end - first == 2 << bit:
            return f"holds[{middle}]"
        return f"(holds[{middle}] ? {found(bit, middle, end)} : {found(bit, first, middle)})"

    def largest(first, end):
        """What is left less the largest multiple that it holds, of those from ``first`` on."""
        middle = (first + end) // 2
        return f"(holds[{middle}] ? {largest(middle, end)} : {largest(first, middle)})" if middle > first else f"left{first}[{rest - 1}:0]"
%>\
module raster_divider (
    input  wire clk, // clock
    input  wire load, // a dividend is taken
    input  wire signed ${width(size)} dividend, // two's complement
    input  wire step, // the next digit
    input  wire ${width(next * (cfg.radix - 1))} multiples, // of the divisor, which is greater than 0: 1 to ${cfg.radix - 1} times
    output wire ${width(digit)} digit, // of the quotient, the newest
    output wire ${width(helpers.DEPTH_BITS)} quotient, // modulo 2 ** ${helpers.DEPTH_BITS}
    output wire ${width(rest)} remainder // dividend - quotient * divisor
);

    reg negative;
    reg ${width(size)} bits;            // of ~dividend or dividend, yet to come, then those of the quotient
    reg ${width(rest)} over;            // what is left of it
    wire ${width(next)} left0 = {over, bits[${size - 1}:${size - digit}]};

    // Less each multiple; the digit is that of the largest one that it holds
    wire ${width(cfg.radix)} holds;
    assign holds[0] = 1'b1;
% for n in range(1, cfg.radix):
    wire ${width(next)} left${n};
    assign {holds[${n}], left${n}} = {1'b1, left0} - {1'b0, multiples[${next * n - 1}:${next * (n - 1)}]};
% endfor

    wire ${width(digit)} found;
% for bit in reversed(range(digit)):
    assign found[${bit}] = ${found(bit, 0, cfg.radix)};
% endfor

    always @(posedge clk) begin
        if (load) begin
            negative <= dividend[${size - 1}];
            bits     <= dividend ^ {${size}{dividend[${size - 1}]}};
            over     <= ${rest}'d0;
        end else if (step) begin
            bits <= {bits[${size - digit - 1}:0], found ^ {${digit}{negative}}};
            over <= ${largest(0, cfg.radix)};
        end
    end

    assign digit     = bits[${digit - 1}:0];
    assign quotient  = bits[${helpers.DEPTH_BITS - 1}:0];
    assign remainder = negative ? multiples[${rest - 1}:0] - 1'b1 - over : over;

    wire unused = &{1'b0, holds[0], ${", ".join(f"left{n}[{next - 1}:{rest}]" for n in range(cfg.radix))}};

endmodule
