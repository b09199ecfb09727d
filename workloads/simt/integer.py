# SPDX-License-Identifier: Apache-2.0
"""Integer arithmetic of RV32IM. Operands and results are 32-bit words, 0 to 2**32 - 1, in 64-bit integers."""

from models.kernels import kernel
from workloads.simt.isa import WORD, signed

ILLEGAL = -1  # what an operation returns that there is none of


@kernel
def alu(funct3: int, alternative: bool, a: int, b: int) -> int:
    """OP and OP-IMM; ``alternative``: bit 30, sub for add and sra for srl."""
    if funct3 == 0:
        return ((a - b) if alternative else (a + b)) & WORD
    if funct3 == 1:
        return (a << (b & 31)) & WORD
    if funct3 == 2:
        return int(signed(a, 32) < signed(b, 32))
    if funct3 == 3:
        return int(a < b)
    if funct3 == 4:
        return a ^ b
    if funct3 == 5:
        return ((signed(a, 32) if alternative else a) >> (b & 31)) & WORD
    return (a | b) if funct3 == 6 else (a & b)


@kernel
def muldiv(funct3: int, a: int, b: int) -> int:
    """The M extension: mul, mulh, mulhsu, mulhu, div, divu, rem, remu."""
    if funct3 == 3:
        return ((a >> 16) * b + ((a & 0xFFFF) * b >> 16)) >> 16  # their product may have 64 bits
    left = a if funct3 in (5, 7) else signed(a, 32)
    right = b if funct3 in (2, 5, 7) else signed(b, 32)
    if funct3 < 4:
        product = left * right  # at most 2**31 times 2**32: never beyond 64 bits
        return (product if funct3 == 0 else product >> 32) & WORD
    if right == 0:
        return WORD if funct3 < 6 else a
    quotient = abs(left) // abs(right)
    if funct3 < 6:
        return (quotient if (left < 0) == (right < 0) else -quotient) & WORD
    remainder = abs(left) - quotient * abs(right)
    return (remainder if left >= 0 else -remainder) & WORD


@kernel
def taken(funct3: int, a: int, b: int) -> int:
    """Whether a branch is taken, 0 or 1."""
    if funct3 < 2:
        return int((a == b) == (funct3 == 0))
    if funct3 < 4:
        return ILLEGAL
    less = signed(a, 32) < signed(b, 32) if funct3 < 6 else a < b
    return int(less == (funct3 % 2 == 0))
