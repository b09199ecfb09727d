# SPDX-License-Identifier: Apache-2.0
"""Single-precision arithmetic of RV32F without fused multiply-add, on the bits of registers.

Results are rounded to nearest even, as numpy does; what is no number becomes the canonical NaN. Conversions
to integers know all five rounding modes. Exception flags are not kept.
"""

import numpy as np

from models.kernels import kernel
from workloads.simt.integer import ILLEGAL
from workloads.simt.isa import WORD, signed

NAN = 0x7FC00000
SIGN = 0x80000000
INFINITY = 0x7F800000
DYNAMIC = 7  # a rounding mode: that of frm, which is always to nearest even


@kernel
def number(bits: int) -> np.float32:
    """What ``bits`` stand for."""
    return np.uint32(bits).view(np.float32)


@kernel
def bits_of(value: np.float32) -> int:
    """The bits of ``value``; one NaN for all."""
    if value != value:
        return NAN
    return int(np.float32(value).view(np.uint32))


@kernel
def is_nan(a: int) -> bool:
    """Whether these bits are no number."""
    return (a & ~SIGN) > INFINITY


@kernel
def arithmetic(funct7: int, rounding: int, a: int, b: int) -> int:
    """fadd, fsub, fmul, fdiv, fsqrt."""
    if rounding not in (0, DYNAMIC):
        return ILLEGAL
    left, right = number(a), number(b)
    if funct7 == 0x00:
        return bits_of(np.float32(left + right))
    if funct7 == 0x04:
        return bits_of(np.float32(left - right))
    if funct7 == 0x08:
        return bits_of(np.float32(left * right))
    if funct7 == 0x0C:
        return bits_of(np.float32(np.divide(left, right)))
    return bits_of(np.float32(np.sqrt(left)))


@kernel
def signs(funct3: int, a: int, b: int) -> int:
    """fsgnj, fsgnjn, fsgnjx."""
    if funct3 > 2:
        return ILLEGAL
    sign = b if funct3 == 0 else (~b if funct3 == 1 else a ^ b)
    return (a & ~SIGN) | (sign & SIGN)


@kernel
def extreme(funct3: int, a: int, b: int) -> int:
    """fmin, fmax: a number wins over NaN, and -0 is less than 0."""
    if funct3 > 1:
        return ILLEGAL
    if is_nan(a):
        return NAN if is_nan(b) else b
    if is_nan(b):
        return a
    less = (a & SIGN) > (b & SIGN) if number(a) == number(b) else number(a) < number(b)
    return a if less == (funct3 == 0) else b


@kernel
def compare(funct3: int, a: int, b: int) -> int:
    """fle, flt, feq: 0 where one is no number."""
    left, right = number(a), number(b)
    if funct3 == 0:
        return int(left <= right)
    if funct3 == 1:
        return int(left < right)
    return int(left == right) if funct3 == 2 else ILLEGAL


@kernel
def classify(a: int) -> int:
    """fclass: one of ten bits."""
    magnitude = a & ~SIGN
    negative = a >= SIGN
    if magnitude > INFINITY:
        return 1 << (9 if magnitude & 0x400000 else 8)
    kind = 3  # distance from the middle of the scale: zero, subnormal, normal, infinite
    if magnitude == 0:
        kind = 0
    elif magnitude < 0x800000:
        kind = 1
    elif magnitude < INFINITY:
        kind = 2
    return 1 << (3 - kind if negative else 4 + kind)


@kernel
def to_integer(unsigned: int, rounding: int, a: int) -> int:
    """fcvt.w.s, fcvt.wu.s: what does not fit becomes the nearest that does, NaN the largest."""
    low, high = (0, WORD) if unsigned else (-(1 << 31), (1 << 31) - 1)
    if rounding > 4 and rounding != DYNAMIC:
        return ILLEGAL
    if is_nan(a):
        return high
    value = np.float64(number(a))
    if rounding in (0, DYNAMIC):
        value = np.rint(value)
    elif rounding == 1:
        value = np.trunc(value)
    elif rounding == 2:
        value = np.floor(value)
    elif rounding == 3:
        value = np.ceil(value)
    else:
        value = np.copysign(np.floor(abs(value) + 0.5), value)
    return int(min(max(value, np.float64(low)), np.float64(high))) & WORD


@kernel
def from_integer(unsigned: int, rounding: int, a: int) -> int:
    """fcvt.s.w, fcvt.s.wu."""
    if rounding not in (0, DYNAMIC):
        return ILLEGAL
    return bits_of(np.float32(a if unsigned else signed(a, 32)))
