/* SPDX-License-Identifier: Apache-2.0 */
/* Division of doubles by IEEE 754, rounded to nearest even. That of compiler-rt makes subnormal quotients 0. */
#include <stdint.h>

#define SIGN (1ull << 63)
#define IMPLICIT (1ull << 52)
#define INFINITE (0x7ffull << 52)
#define NAN_BITS (0x7ff8ull << 48)

typedef union {
    double value;
    uint64_t bits;
} number;

/* The significand of a number above 0, bit 52 set; its biased exponent, below 1 for subnormals. */
static uint64_t unpack(uint64_t bits, int *exponent)
{
    uint64_t significand = bits & (IMPLICIT - 1);
    *exponent = bits >> 52;
    if (*exponent)
        return significand | IMPLICIT;
    for (*exponent = 1; !(significand & IMPLICIT); --*exponent)
        significand <<= 1;
    return significand;
}

static uint64_t quotient(uint64_t a, uint64_t b)
{
    int exponent, other;
    uint64_t rest = unpack(a, &exponent), divisor = unpack(b, &other), q = 0;
    exponent += 1023 - other;
    if (rest < divisor) {
        rest <<= 1;
        exponent--;
    }
    for (int bit = 0; bit < 55; bit++, rest <<= 1) {
        q <<= 1;
        if (rest >= divisor) {
            rest -= divisor;
            q |= 1;
        }
    }
    q = q << 1 | (rest != 0); /* 53 bits and three to round by, the last of them for all below */
    if (exponent >= 0x7ff)
        return INFINITE;
    if (exponent < 1) {
        int shift = 1 - exponent < 60 ? 1 - exponent : 60;
        q = q >> shift | ((q & ((1ull << shift) - 1)) != 0);
        exponent = 1; /* of bit 52, which is 0 now */
    }
    uint64_t rounded = q >> 3;
    rounded += (q & 7) + (rounded & 1) > 4;
    return ((uint64_t)(exponent - 1) << 52) + rounded;
}

double __divdf3(double a, double b)
{
    number x = {a}, y = {b}, result;
    uint64_t sign = (x.bits ^ y.bits) & SIGN;
    x.bits &= ~SIGN;
    y.bits &= ~SIGN;
    if (x.bits > INFINITE || y.bits > INFINITE || (x.bits == y.bits && (!x.bits || x.bits == INFINITE)))
        result.bits = NAN_BITS;
    else if (x.bits == INFINITE || !y.bits)
        result.bits = sign | INFINITE;
    else if (!x.bits || y.bits == INFINITE)
        result.bits = sign;
    else
        result.bits = sign | quotient(x.bits, y.bits);
    return result.value;
}
