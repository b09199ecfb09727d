# SPDX-License-Identifier: Apache-2.0
"""Instruction words for tests, by the tables of the RISC-V manual."""

from workloads.simt import isa

BASE = ("add", "sll", "slt", "sltu", "xor", "srl", "or", "and")
MULDIV = ("mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu")
#: (opcode, funct3, funct7) of instructions with two source registers
REGISTERS = {
    **{name: (isa.OP, i, 0) for i, name in enumerate(BASE)},
    **{name: (isa.OP, i, 1) for i, name in enumerate(MULDIV)},
    "sub": (isa.OP, 0, 0x20),
    "sra": (isa.OP, 5, 0x20),
}
FLOATS = {
    "fadd": (7, 0x00), "fsub": (0, 0x04), "fmul": (7, 0x08), "fdiv": (0, 0x0C),
    "fsgnj": (0, 0x10), "fsgnjn": (1, 0x10), "fsgnjx": (2, 0x10), "fmin": (0, 0x14), "fmax": (1, 0x14),
    "fle": (0, 0x50), "flt": (1, 0x50), "feq": (2, 0x50),
}  # fmt: skip
#: (funct3, funct7, rs2) of those with one
UNARY = {
    "fsqrt": (7, 0x2C, 0), "fmv.x.w": (0, 0x70, 0), "fclass": (1, 0x70, 0), "fmv.w.x": (0, 0x78, 0),
    "fcvt.s.w": (7, 0x68, 0), "fcvt.s.wu": (0, 0x68, 1),
    **{f"fcvt.w.s {mode}": (mode, 0x60, 0) for mode in (0, 1, 2, 3, 4, 7)},
    **{f"fcvt.wu.s {mode}": (mode, 0x60, 1) for mode in (0, 1, 2, 3, 4, 7)},
}  # fmt: skip


def r(opcode: int, funct3: int, funct7: int, rd: int, rs1: int, rs2: int) -> int:
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode


def i(opcode: int, funct3: int, rd: int, rs1: int, immediate: int) -> int:
    return (immediate & 0xFFF) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode


def s(funct3: int, rs1: int, rs2: int, immediate: int, opcode: int = isa.STORE) -> int:
    return (
        (immediate >> 5 & 127) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (immediate & 31) << 7 | opcode
    )


def branch(funct3: int, rs1: int, rs2: int, offset: int) -> int:
    high = (offset >> 12 & 1) << 31 | (offset >> 5 & 63) << 25
    return (
        high | rs2 << 20 | rs1 << 15 | funct3 << 12 | (offset >> 1 & 15) << 8 | (offset >> 11 & 1) << 7 | 0x63
    )


def jal(rd: int, offset: int) -> int:
    high = (offset >> 20 & 1) << 31 | (offset >> 1 & 1023) << 21 | (offset >> 11 & 1) << 20
    return high | (offset >> 12 & 255) << 12 | rd << 7 | isa.JAL


def addi(rd: int, rs1: int, immediate: int) -> int:
    return i(isa.OP_IMM, 0, rd, rs1, immediate)


def csrr(rd: int, csr: int) -> int:
    return i(isa.SYSTEM, 2, rd, 0, csr)


def simt(funct3: int, rd: int = 0, rs1: int = 0, rs2: int = 0) -> int:
    return r(isa.SIMT, funct3, 0, rd, rs1, rs2)


def sw(rs2: int, rs1: int, offset: int = 0) -> int:
    return s(2, rs1, rs2, offset)


def lw(rd: int, rs1: int, offset: int = 0) -> int:
    return i(isa.LOAD, 2, rd, rs1, offset)


def lui(rd: int, upper: int) -> int:
    return upper << 12 | rd << 7 | isa.LUI


STOP = simt(isa.TMC)
