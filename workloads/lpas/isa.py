# SPDX-License-Identifier: Apache-2.0
"""Instructions of a PE of ``lpas``: 16 registers of 16 bits, a carry; words of 16 bits in memory.

The source names LD, ST, LDM, STM and ADD; the others are what its application needs.
"""

from typing import Any, NamedTuple

import numpy as np

REGISTERS = 16
NUMBER, COUNT = 15, 14  # registers that begin with the PE's number, and that of all PEs; others with 0
MASK = (1 << 16) - 1

#: an operand ``b`` that is NONE is the constant ``value``; ``target`` of branches: number of an instruction
INSTRUCTION = np.dtype(
    [("op", "i8"), ("d", "i8"), ("a", "i8"), ("b", "i8"), ("value", "i8"), ("target", "i8")]
)
NONE = -1


class Form(NamedTuple):
    """Operands of an instruction, a letter each, and what it does.

    ``d``, ``a``: registers, written and read; ``b``: register or constant; ``c``: constant; ``m``: address
    ``[a + c]``, ``[a]`` or ``[c]``; ``t``: label.
    """

    operands: str
    meaning: str


FORMS = {
    "LD": Form("dm", "d = word at the address"),
    "ST": Form("bm", "word at the address = b"),
    "LDM": Form("dm", "the same past the caches; of the last PE"),
    "STM": Form("bm", "the same past the caches; of the last PE"),
    "FLUSH": Form("", "writes back and forgets all lines; of the last PE"),
    "ADD": Form("dab", "d = a + b, sets the carry"),
    "ADC": Form("dab", "d = a + b + carry, sets the carry"),
    "SUB": Form("dab", "d = a - b"),
    "AND": Form("dab", "d = a and b, bit by bit"),
    "OR": Form("dab", "d = a or b, bit by bit"),
    "SHL": Form("dab", "d = a shifted left by b; 0 from 16 on"),
    "SHR": Form("dab", "d = a shifted right by b, zeros come in; 0 from 16 on"),
    "MUL": Form("dab", "d = low half of a * b"),
    "MULH": Form("dab", "d = high half of a * b, unsigned"),
    "LI": Form("dc", "d = c"),
    "BEQ": Form("abt", "to t if a = b"),
    "BNE": Form("abt", "to t if a and b differ"),
    "BLT": Form("abt", "to t if a < b, unsigned"),
    "JMP": Form("t", "to t"),
    "HALT": Form("", "the PE ends"),
}
NAMES = tuple(FORMS)
(
    LD, ST, LDM, STM, FLUSH, ADD, ADC, SUB, AND, OR, SHL, SHR, MUL, MULH, LI, BEQ, BNE, BLT, JMP, HALT
) = range(len(NAMES))  # fmt: skip
LAST_ACCESS = FLUSH  # up to this one: what the port is asked, with its ``op`` as number


def instruction(op: int, d: int = 0, a: int = NONE, b: int = NONE, value: int = 0, target: int = 0) -> Any:
    """An instruction as a row of INSTRUCTION."""
    return op, d, a, b, value & MASK, target
