# SPDX-License-Identifier: Apache-2.0
"""Instruction words of RV32IMF with Zicsr and the SIMT instructions of Vortex: fields and numbers."""

from models.kernels import kernel

WORD = 0xFFFFFFFF
LANES = 8
RA, SP, TP = 1, 2, 4  # registers: return address, stack pointer, thread pointer
WARPS = 8  # of a block
BLOCKS = 4
BARRIERS = 16  # of a block
STACK = LANES - 1  # divergent splits that can be open: each leaves at least one lane behind

LOAD, LOAD_FP, SIMT, MISC_MEM, OP_IMM, AUIPC = 0x03, 0x07, 0x0B, 0x0F, 0x13, 0x17
STORE, STORE_FP, OP, LUI, OP_FP = 0x23, 0x27, 0x33, 0x37, 0x53
BRANCH, JALR, JAL, SYSTEM = 0x63, 0x67, 0x6F, 0x73

#: funct3 of the SIMT instructions; funct7 is 0
TMC, WSPAWN, SPLIT, JOIN, BAR, PRED = range(6)
SIMT_NAMES = ("tmc", "wspawn", "split", "join", "bar", "pred")

#: how a fetch came about, the icache's ``sign``: in sequence, or by a taken branch or jump, a call, a return
NONE, JUMP, CALL, RETN = range(4)
SIGNS = ("none", "jump", "call", "retn")

FFLAGS, FRM, FCSR = 1, 2, 3
THREAD_ID, WARP_ID, BLOCK_ID, ACTIVE_WARPS, ACTIVE_THREADS = 0xCC0, 0xCC1, 0xCC2, 0xCC3, 0xCC4
NUM_THREADS, NUM_WARPS, NUM_BLOCKS, MHARTID = 0xFC0, 0xFC1, 0xFC2, 0xF14
CSRS = {
    FFLAGS: "fflags",
    FRM: "frm",
    FCSR: "fcsr",
    THREAD_ID: "thread_id",
    WARP_ID: "warp_id",
    BLOCK_ID: "block_id",
    ACTIVE_WARPS: "active_warps",
    ACTIVE_THREADS: "active_threads",
    NUM_THREADS: "num_threads",
    NUM_WARPS: "num_warps",
    NUM_BLOCKS: "num_blocks",
    MHARTID: "mhartid",
}


@kernel
def signed(value: int, bits: int) -> int:
    """The two's complement number in the lowest ``bits`` of ``value``."""
    value &= (1 << bits) - 1
    return value - ((value >> (bits - 1)) << bits)


@kernel
def imm_i(word: int) -> int:
    """Immediate of loads, jalr and operations."""
    return signed(word >> 20, 12)


@kernel
def imm_s(word: int) -> int:
    """Immediate of stores."""
    return signed((word >> 25 << 5) | (word >> 7 & 31), 12)


@kernel
def imm_b(word: int) -> int:
    """Offset of branches."""
    high = (word >> 31 << 12) | ((word >> 7 & 1) << 11)
    return signed(high | ((word >> 25 & 63) << 5) | ((word >> 8 & 15) << 1), 13)


@kernel
def imm_j(word: int) -> int:
    """Offset of jal."""
    high = (word >> 31 << 20) | ((word >> 12 & 255) << 12)
    return signed(high | ((word >> 20 & 1) << 11) | ((word >> 21 & 1023) << 1), 21)
