# SPDX-License-Identifier: Apache-2.0
"""Each instruction alone, on operands at the edges and at random, against a public simulator."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.workloads.simt import encoding as e
from tests.workloads.simt.single import one
from workloads.simt import isa
from workloads.simt.disassembly import disassemble
from workloads.simt.machine import Fault, Launch, Machine, Start, new_memory

EDGES = [0, 1, 2, 31, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0xFFFFFFFE, 0x12345678]
#: zeros, ones, largest, smallest, subnormal, infinite, NaNs, halves (ties), beyond integers
SINGLES = [
    0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F7FFFFF, 0x00800000, 0x00000001, 0x807FFFFF,
    0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFFC12345, 0x3F000000, 0xBF000000, 0x3FC00000,
    0x40200000, 0xC0200000,
    0x4F000000, 0xCF000000, 0x4F800000, 0x4EFFFFFF, 0xCF000001, 0x3EFFFFFF, 0x34000000, 0x40490FDB,
]  # fmt: skip
RNG = np.random.default_rng(1)


def operands(edges: Sequence[int], floats: bool) -> list[tuple[int, int]]:
    """Pairs: each edge with some others, and pairs at random."""
    drawn = RNG.integers(0, 1 << 32, (16, 2), np.uint32)
    if floats:  # of neighbouring exponents, so that sums are rounded
        drawn = (drawn & np.uint32(0x80FFFFFF)) | (
            RNG.integers(120, 124, (16, 2), np.uint32) << np.uint32(23)
        )
    pairs = [(a, edges[(i * 7 + k) % len(edges)]) for i, a in enumerate(edges) for k in range(3)]
    return pairs + [(int(a), int(b)) for a, b in drawn]


def execute(word: int, pairs: Sequence[tuple[int, int]], floats: bool) -> list[tuple[int, int, int]]:
    """x5, f5 and pc after ``word``, by pair: registers 6 and 7 before; eight pairs at a time, as lanes."""
    results = []
    for first in range(0, len(pairs), isa.LANES):
        group = pairs[first : first + isa.LANES]
        machine = Machine(new_memory(64), Launch(warps=1, threads=len(group)))
        for lane, pair in enumerate(group):
            for file in (machine.state.f, machine.state.x) if floats else (machine.state.x,):
                file[0, 6:8, lane] = pair
        machine.fetch(0)
        assert machine.execute(0, word) is None
        pc = int(machine.state.pc[0])
        x, f = machine.state.x[0, 5].tolist(), machine.state.f[0, 5].tolist()
        results += [(x[lane], f[lane], pc) for lane in range(len(group))]
    return results


def compare(word: int, pairs: Sequence[tuple[int, int]], floats: bool) -> None:
    for pair, answer in zip(pairs, execute(word, pairs, floats), strict=True):
        registers = dict(zip((6, 7), pair, strict=True))
        sim: Any = one(word, registers, registers if floats else {})
        wanted = (sim.x[5] & isa.WORD, sim.f.raw_s[5] if floats else 0, sim.pc & isa.WORD)
        assert answer == wanted, f"{disassemble(word)} of {pair[0]:#x}, {pair[1]:#x}"


@pytest.mark.parametrize("name", e.REGISTERS)
def test_integer_operations(name: str) -> None:
    compare(e.r(*e.REGISTERS[name], 5, 6, 7), operands(EDGES, floats=False), floats=False)


@pytest.mark.parametrize("immediate", [0, 1, 5, -1, 2047, -2048])
def test_operations_with_an_immediate(immediate: int) -> None:
    pairs = operands(EDGES, floats=False)
    for funct3 in (0, 2, 3, 4, 6, 7):
        compare(e.i(isa.OP_IMM, funct3, 5, 6, immediate), pairs, floats=False)
    for funct3, high in ((1, 0), (5, 0), (5, 0x400)):
        compare(e.i(isa.OP_IMM, funct3, 5, 6, high | immediate & 31), pairs, floats=False)
    compare(e.lui(5, immediate & 0xFFFFF), pairs[:1], floats=False)
    compare(e.lui(5, immediate & 0xFFFFF) ^ isa.LUI ^ isa.AUIPC, pairs[:1], floats=False)


@pytest.mark.parametrize("name", e.FLOATS)
def test_float_operations(name: str) -> None:
    funct3, funct7 = e.FLOATS[name]
    compare(e.r(isa.OP_FP, funct3, funct7, 5, 6, 7), operands(SINGLES, floats=True), floats=True)


@pytest.mark.parametrize("name", e.UNARY)
def test_conversions_roots_and_moves(name: str) -> None:
    funct3, funct7, rs2 = e.UNARY[name]
    pairs = operands(EDGES if "cvt.s" in name else SINGLES, floats="cvt.s" not in name)
    if name == "fcvt.w.s 4":  # tinyrv rounds halves below zero towards zero there, the manual away from it
        pairs = [(a, b) for a, b in pairs if a not in (0xBF000000, 0xC0200000)]
    compare(e.r(isa.OP_FP, funct3, funct7, 5, 6, rs2), pairs, floats=True)


@pytest.mark.parametrize(
    ("bits", "rounded"), [(0xBF000000, -1), (0xC0200000, -3), (0x3F000000, 1), (0x3EFFFFFF, 0)]
)
def test_halves_go_away_from_zero_in_the_fifth_rounding_mode(bits: int, rounded: int) -> None:
    [(x, _, _)] = execute(e.r(isa.OP_FP, 4, 0x60, 5, 6, 0), [(bits, 0)], floats=True)
    assert np.int32(np.uint32(x)) == rounded


@pytest.mark.parametrize("funct3", [0, 1, 4, 5, 6, 7])
def test_branches(funct3: int) -> None:
    """Lane by lane: lanes that disagree are an error."""
    for pair in operands(EDGES, floats=False):
        for offset in (8, -4096, 4094 & ~3):
            compare(e.branch(funct3, 6, 7, offset), [pair], floats=False)


@pytest.mark.parametrize("offset", [8, -8, 2044, 0xFF000, -0x100000])
def test_jumps(offset: int) -> None:
    compare(e.jal(5, offset), [(0, 0)], floats=False)
    compare(e.i(isa.JALR, 0, 5, 6, max(-2048, min(offset, 2047))), [(0x10001, 0)], floats=False)


@pytest.mark.parametrize(
    "word",
    [
        0, 0xFFFFFFFF, 0x00000073, 0x00100073,  # no code, ecall, ebreak
        e.r(isa.OP, 1, 0x20, 5, 6, 7), e.r(isa.OP, 0, 2, 5, 6, 7), e.i(isa.OP_IMM, 1, 5, 6, 0x400),
        e.r(0x43, 0, 0, 5, 6, 7), e.r(isa.OP_FP, 0, 1, 5, 6, 7), e.r(isa.OP_FP, 3, 0x10, 5, 6, 7),
        e.r(isa.OP_FP, 0, 0x2C, 5, 6, 1), e.r(isa.OP_FP, 5, 0x60, 5, 6, 0), e.r(isa.OP_FP, 2, 0x70, 5, 6, 0),
        e.i(isa.LOAD, 3, 5, 6, 0), e.i(isa.LOAD, 6, 5, 6, 0), e.s(3, 6, 7, 0), e.i(isa.LOAD_FP, 3, 5, 6, 0),
        e.branch(2, 6, 7, 8), e.i(isa.JALR, 1, 5, 6, 0), e.simt(6), e.simt(1) | 1 << 25,
        e.csrr(5, 0x300), e.i(isa.SYSTEM, 1, 5, 6, isa.THREAD_ID),
    ],
    ids=hex,
)  # fmt: skip
def test_what_is_no_instruction_is_refused(word: int) -> None:
    machine = Machine(new_memory(64), Launch([Start(pc=4)], warps=1))
    machine.fetch(0)
    with pytest.raises(Fault, match="block 0, warp 0, pc 0x4: no instruction of this machine"):
        machine.execute(0, word)


@pytest.mark.parametrize(
    "word",
    [
        e.r(isa.OP_FP, 1, 0x00, 5, 6, 7), e.r(isa.OP_FP, 2, 0x2C, 5, 6, 0), e.r(isa.OP_FP, 3, 0x68, 5, 6, 0),
        e.i(isa.SYSTEM, 5, 0, 1, isa.FRM),
    ],
    ids=hex,
)  # fmt: skip
def test_other_roundings_are_refused(word: int) -> None:
    machine = Machine(new_memory(64), Launch(warps=1))
    machine.fetch(0)
    with pytest.raises(Fault, match="rounding modes"):
        machine.execute(0, word)


def test_masked_lanes_keep_their_registers() -> None:
    machine = Machine(new_memory(64), Launch(warps=1, threads=3))
    machine.fetch(0)
    machine.execute(0, e.addi(5, 0, 7))
    assert machine.state.x[0, 5].tolist() == [7, 7, 7, 0, 0, 0, 0, 0]
    machine.fetch(0)
    machine.execute(0, e.addi(0, 0, 7))
    assert not machine.state.x[0, 0].any()
