# SPDX-License-Identifier: Apache-2.0
"""A PE of ``lpas``: one instruction per cycle; an access stops it until the cycle after its acknowledge.

What a PE does between two accesses hangs on nothing outside, so it goes there at once (:func:`advance`): the
golden model and the RTL are then asked in the very cycle.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.kernels import kernel
from workloads.lpas import isa

Code = NDArray[Any]  # INSTRUCTION [n]

#: what a PE is at: its next instruction, an access that is to be offered in cycle ``at``, one that is there,
#: the end; or what it cannot do: no instruction, an address that is none, the outside of another PE, too long
RUNS, ASKS, WAITS, ENDED, NOWHERE, NO_WORD, NO_OUTSIDE, TOO_LONG, REFUSED = range(9)
#: ``at``: cycle of the next instruction or access; ``op``, ``word``, ``value``: of the access; ``retired``:
#: instructions that have ended
PE = np.dtype(
    [
        *(("pc", "i8"), ("carry", "i8"), ("status", "i8"), ("at", "i8")),
        *(("op", "i8"), ("word", "i8"), ("value", "i8"), ("retired", "i8"), ("r", "i8", (isa.REGISTERS,))),
    ]
)
#: an access: cycles in which it was first there and acknowledged, and what it loaded or stored
ACCESS = np.dtype(
    [
        *(("pe", "u1"), ("op", "u1"), ("word", "i8"), ("value", "u2"), ("first", "i8"), ("done", "i8")),
        *(("err", "u1"), ("pc", "i4")),
    ]
)


def reset(count: int) -> NDArray[Any]:
    """PEs [count] before their first instruction."""
    pes = np.zeros(count, PE)
    pes["r"][:, isa.NUMBER], pes["r"][:, isa.COUNT] = np.arange(count), count
    return pes


@kernel
def advance(code: Code, pe: Any, last: bool, words: int, limit: int) -> None:
    """Goes on to the next access, to the end or to cycle ``limit``.

    ``last``: it reaches the outside; ``words``: of memory.
    """
    while pe.status == RUNS:
        if pe.at >= limit:
            pe.status = TOO_LONG
        elif not 0 <= pe.pc < len(code):
            pe.status = NOWHERE
        elif code[pe.pc].op <= isa.LAST_ACCESS:
            access(code[pe.pc], pe, last, words)
        elif code[pe.pc].op == isa.HALT:
            pe.status = ENDED
            pe.retired += 1
        else:
            execute(code[pe.pc], pe)
            pe.retired += 1
            pe.at += 1


@kernel
def access(instruction: Any, pe: Any, last: bool, words: int) -> None:
    """What the PE asks for."""
    pe.op = instruction.op
    pe.word = (instruction.value + (pe.r[instruction.a] if instruction.a != isa.NONE else 0)) & isa.MASK
    pe.value = 0
    if instruction.op != isa.FLUSH and instruction.op != isa.LD and instruction.op != isa.LDM:
        pe.value = pe.r[instruction.b] if instruction.b != isa.NONE else instruction.d
    if instruction.op == isa.FLUSH:
        pe.word = 0
    pe.status = ASKS
    if pe.word >= words:
        pe.status = NO_WORD
    if instruction.op >= isa.LDM and not last:
        pe.status = NO_OUTSIDE


@kernel
def complete(code: Code, pe: Any, value: int, failed: int, now: int) -> None:
    """The access was acknowledged in cycle ``now``; ``value`` is what a load gives."""
    instruction = code[pe.pc]
    if failed:
        pe.status = REFUSED
        return
    if instruction.op == isa.LD or instruction.op == isa.LDM:
        pe.r[instruction.d] = value
    pe.pc += 1
    pe.retired += 1
    pe.at = now + 1
    pe.status = RUNS


@kernel
def execute(instruction: Any, pe: Any) -> None:
    """An instruction that is no access."""
    if instruction.op >= isa.BEQ:
        pe.pc = instruction.target if instruction.op == isa.JMP or taken(instruction, pe) else pe.pc + 1
        return
    pe.r[instruction.d] = instruction.value if instruction.op == isa.LI else computed(instruction, pe)
    pe.pc += 1


@kernel
def taken(instruction: Any, pe: Any) -> bool:
    """Whether a branch is."""
    a = pe.r[instruction.a]
    b = pe.r[instruction.b] if instruction.b != isa.NONE else instruction.value
    if instruction.op == isa.BLT:
        return bool(a < b)
    return bool((a == b) == (instruction.op != isa.BNE))


@kernel
def computed(instruction: Any, pe: Any) -> int:
    """The result of an operation on a and b."""
    a = pe.r[instruction.a]
    b = pe.r[instruction.b] if instruction.b != isa.NONE else instruction.value
    result = 0
    if instruction.op == isa.ADD or instruction.op == isa.ADC:
        result = a + b + (pe.carry if instruction.op == isa.ADC else 0)
        pe.carry = result >> 16
    elif instruction.op == isa.SUB:
        result = a - b
    elif instruction.op == isa.AND:
        result = a & b
    elif instruction.op == isa.OR:
        result = a | b
    elif instruction.op == isa.SHL:
        result = a << b if b < 16 else 0
    elif instruction.op == isa.SHR:
        result = a >> b if b < 16 else 0
    elif instruction.op == isa.MUL:
        result = a * b
    elif instruction.op == isa.MULH:
        result = (a * b) >> 16
    return int(result & isa.MASK)


assert (isa.STM, isa.FLUSH) == (3, 4), "accesses have the numbers of the port's operations"
