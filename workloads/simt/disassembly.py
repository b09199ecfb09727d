# SPDX-License-Identifier: Apache-2.0
"""Instruction words as GNU assembly, with the SIMT instructions under their names."""

from workloads.simt import isa
from workloads.simt.isa import CSRS, SIMT_NAMES, WORD, imm_b, imm_i, imm_j, imm_s

X = (
    *("zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1"), *(f"a{i}" for i in range(8)),
    *(f"s{i}" for i in range(2, 12)), *(f"t{i}" for i in range(3, 7)),
)  # fmt: skip
F = (
    *(f"ft{i}" for i in range(8)), "fs0", "fs1", *(f"fa{i}" for i in range(8)),
    *(f"fs{i}" for i in range(2, 12)), *(f"ft{i}" for i in range(8, 12)),
)  # fmt: skip
LOADS = ("lb", "lh", "lw", "?", "lbu", "lhu", "?", "?")
STORES = ("sb", "sh", "sw", "?", "?", "?", "?", "?")
BRANCHES = ("beq", "bne", "?", "?", "blt", "bge", "bltu", "bgeu")
OPS = ("add", "sll", "slt", "sltu", "xor", "srl", "or", "and")
MULDIV = ("mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu")
CSR_OPS = ("?", "csrrw", "csrrs", "csrrc", "?", "csrrwi", "csrrsi", "csrrci")
#: of OP-FP by funct7: names by funct3 (or one for all), and which registers: f or x
FLOATS: dict[int, tuple[tuple[str, ...], str]] = {
    0x00: (("fadd.s",), "fff"),
    0x04: (("fsub.s",), "fff"),
    0x08: (("fmul.s",), "fff"),
    0x0C: (("fdiv.s",), "fff"),
    0x2C: (("fsqrt.s",), "ff"),
    0x10: (("fsgnj.s", "fsgnjn.s", "fsgnjx.s"), "fff"),
    0x14: (("fmin.s", "fmax.s"), "fff"),
    0x50: (("fle.s", "flt.s", "feq.s"), "xff"),
    0x70: (("fmv.x.w", "fclass.s"), "xf"),
    0x78: (("fmv.w.x",), "fx"),
}
CONVERSIONS: dict[int, tuple[tuple[str, ...], str]] = {
    0x60: (("fcvt.w.s", "fcvt.wu.s"), "xf"),
    0x68: (("fcvt.s.w", "fcvt.s.wu"), "fx"),
}
ROUNDING = ("rne", "rtz", "rdn", "rup", "rmm")


def disassemble(word: int, pc: int = 0) -> str:
    """The instruction ``word`` at ``pc``; a ``.word`` where it is none."""
    text = _text(word, pc)
    return f".word {word:#010x}" if "?" in text else text


def _text(word: int, pc: int) -> str:
    opcode, funct3, funct7 = word & 127, word >> 12 & 7, word >> 25
    rd, rs1, rs2 = word >> 7 & 31, word >> 15 & 31, word >> 20 & 31
    if opcode in (isa.LUI, isa.AUIPC):
        return f"{'lui' if opcode == isa.LUI else 'auipc'} {X[rd]}, {word >> 12:#x}"
    if opcode == isa.JAL:
        return f"jal {X[rd]}, {(pc + imm_j(word)) & WORD:#x}"
    if opcode == isa.JALR:
        return "?" if funct3 else f"jalr {X[rd]}, {imm_i(word)}({X[rs1]})"
    if opcode == isa.BRANCH:
        return f"{BRANCHES[funct3]} {X[rs1]}, {X[rs2]}, {(pc + imm_b(word)) & WORD:#x}"
    if opcode == isa.LOAD:
        return f"{LOADS[funct3]} {X[rd]}, {imm_i(word)}({X[rs1]})"
    if opcode == isa.STORE:
        return f"{STORES[funct3]} {X[rs2]}, {imm_s(word)}({X[rs1]})"
    if opcode == isa.LOAD_FP:
        return f"{'flw' if funct3 == 2 else '?'} {F[rd]}, {imm_i(word)}({X[rs1]})"
    if opcode == isa.STORE_FP:
        return f"{'fsw' if funct3 == 2 else '?'} {F[rs2]}, {imm_s(word)}({X[rs1]})"
    if opcode == isa.OP_IMM:
        return _immediate(word, funct3, funct7, rd, rs1)
    if opcode == isa.OP:
        return f"{_operation(funct3, funct7)} {X[rd]}, {X[rs1]}, {X[rs2]}"
    if opcode == isa.OP_FP:
        return _float(funct3, funct7, rd, rs1, rs2)
    if opcode == isa.MISC_MEM:
        return ("fence", "fence.i", *"??????")[funct3]
    if opcode == isa.SYSTEM:
        if word in (0x73, 0x100073):
            return "ecall" if word == 0x73 else "ebreak"
        csr = CSRS.get(word >> 20, f"{word >> 20:#x}")
        return f"{CSR_OPS[funct3]} {X[rd]}, {csr}, {rs1 if funct3 > 4 else X[rs1]}"
    if opcode == isa.SIMT and not funct7 and funct3 < len(SIMT_NAMES):
        return _simt(funct3, rd, rs1, rs2)
    return "?"


def _immediate(word: int, funct3: int, funct7: int, rd: int, rs1: int) -> str:
    if funct3 not in (1, 5):
        return f"{OPS[funct3]}i {X[rd]}, {X[rs1]}, {imm_i(word)}".replace("sltui", "sltiu")
    name = {(1, 0): "slli", (5, 0): "srli", (5, 0x20): "srai"}.get((funct3, funct7), "?")
    return f"{name} {X[rd]}, {X[rs1]}, {word >> 20 & 31}"


def _operation(funct3: int, funct7: int) -> str:
    if funct7 == 1:
        return MULDIV[funct3]
    if funct7 == 0x20:
        return {0: "sub", 5: "sra"}.get(funct3, "?")
    return "?" if funct7 else OPS[funct3]


def _float(funct3: int, funct7: int, rd: int, rs1: int, rs2: int) -> str:
    names, kinds = CONVERSIONS.get(funct7) or FLOATS.get(funct7, ((), ""))
    if funct7 in CONVERSIONS:
        mode = f", {ROUNDING[funct3]}" if funct3 < len(ROUNDING) else ""
        index = rs2
    else:
        index, mode = (funct3 if len(names) > 1 or funct7 == 0x78 else 0), ""
    if index >= len(names):
        return "?"
    registers = (X if kind == "x" else F for kind in kinds)
    return f"{names[index]} " + ", ".join(
        file[number] for file, number in zip(registers, (rd, rs1, rs2), strict=False)
    ) + mode  # fmt: skip


def _simt(funct3: int, rd: int, rs1: int, rs2: int) -> str:
    name = SIMT_NAMES[funct3]
    if funct3 == isa.SPLIT:
        return f"{name}{'.n' if rs2 else ''} {X[rd]}, {X[rs1]}"
    if funct3 == isa.PRED:
        return f"{name}{'.n' if rd else ''} {X[rs1]}, {X[rs2]}"
    if funct3 in (isa.WSPAWN, isa.BAR):
        return f"{name} {X[rs1]}, {X[rs2]}"
    return f"{name} {X[rs1]}"
