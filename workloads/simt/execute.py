# SPDX-License-Identifier: Apache-2.0
"""One instruction of one warp: :func:`execute`, and :func:`complete` when it needed data."""

from typing import Any

from models.kernels import kernel
from workloads.simt import isa
from workloads.simt import state as codes
from workloads.simt.control import branch, go, jump, simt, write
from workloads.simt.csr import system
from workloads.simt.floats import arithmetic, classify, compare, extreme, from_integer, signs, to_integer
from workloads.simt.integer import ILLEGAL, alu, muldiv
from workloads.simt.isa import LANES, WARPS, WORD, imm_i, imm_s, signed


@kernel
def execute(state: Any, w: int, word: int, access: Any) -> int:
    """The instruction ``word`` at the pc of warp ``w``. NEEDS_DATA: ``access`` says which, and is all set."""
    warp = state.warps[w]
    if warp.status == codes.FETCHING:
        warp.status = codes.READY
    warp.word = word
    opcode = word & 127
    if opcode in (isa.LOAD, isa.LOAD_FP, isa.STORE, isa.STORE_FP, isa.MISC_MEM):
        access.block, access.warp = w // WARPS, w % WARPS
    if opcode == isa.BRANCH:
        return branch(warp, word)
    if opcode in (isa.JAL, isa.JALR):
        return jump(warp, word)
    if opcode == isa.SIMT:
        return simt(state, w, word)
    outcome = codes.DONE
    if opcode in (isa.LOAD, isa.LOAD_FP, isa.STORE, isa.STORE_FP):
        outcome = ask(warp, word, access)
    elif opcode == isa.MISC_MEM:
        outcome = fence(warp, word, access)
    elif opcode == isa.SYSTEM:
        outcome = system(state, w, word)
    elif opcode == isa.OP_FP:
        outcome = each_float(warp, word)
    elif opcode in (isa.OP, isa.OP_IMM):
        outcome = each_integer(warp, word)
        if word >> 7 & 31 == isa.SP and state.stack and outcome == codes.DONE and overflows(state, w):
            return codes.OVERFLOW
    elif opcode == isa.LUI:
        write(warp, word >> 7 & 31, word & 0xFFFFF000)
    elif opcode == isa.AUIPC:
        write(warp, word >> 7 & 31, (warp.pc + (word & 0xFFFFF000)) & WORD)
    else:
        return codes.ILLEGAL_WORD
    if outcome >= codes.DONE:
        go(warp, warp.pc + 4, isa.NONE)
    return outcome


@kernel
def each_integer(warp: Any, word: int) -> int:
    """OP and OP-IMM in all active lanes."""
    rd, rs1, rs2 = word >> 7 & 31, word >> 15 & 31, word >> 20 & 31
    funct3, funct7 = word >> 12 & 7, word >> 25
    immediate = word & 127 == isa.OP_IMM
    if not immediate or funct3 in (1, 5):
        if funct7 == 0x20:
            if funct3 != 5 and (funct3 != 0 or immediate):
                return codes.ILLEGAL_WORD
        elif funct7 != 0 and (immediate or funct7 != 1):
            return codes.ILLEGAL_WORD
    alternative = funct7 == 0x20 and (funct3 == 5 or not immediate)
    multiplies, mask, constant = not immediate and funct7 == 1, warp.mask, imm_i(word) & WORD
    for lane in range(LANES):
        if rd and mask >> lane & 1:
            a, b = int(warp.x[rs1, lane]), constant if immediate else int(warp.x[rs2, lane])
            warp.x[rd, lane] = muldiv(funct3, a, b) if multiplies else alu(funct3, alternative, a, b)
    return codes.DONE


@kernel
def overflows(state: Any, w: int) -> bool:
    """Whether the stack pointer of an active lane of warp ``w`` is below its thread's stack."""
    for lane in range(LANES):
        bottom = state.top - (w * LANES + lane + 1) * state.stack
        if state.warps[w].mask >> lane & 1 and state.warps[w].x[isa.SP, lane] < bottom:
            return True
    return False


@kernel
def each_float(warp: Any, word: int) -> int:
    """OP-FP in all active lanes."""
    rd, rs1, rs2 = word >> 7 & 31, word >> 15 & 31, word >> 20 & 31
    funct3, funct7 = word >> 12 & 7, word >> 25
    if funct7 in (0x2C, 0x60, 0x68, 0x70, 0x78) and rs2 > (funct7 in (0x60, 0x68)):
        return codes.ILLEGAL_WORD
    if funct7 in (0x00, 0x04, 0x08, 0x0C, 0x2C, 0x68) and funct3 not in (0, 7):
        return codes.BAD_ROUNDING
    mask = warp.mask
    for lane in range(LANES):
        if not mask >> lane & 1:
            continue
        integer = int(warp.x[rs1, lane])
        a, b = int(warp.f[rs1, lane]), int(warp.f[rs2, lane])
        if funct7 in (0x50, 0x60, 0x70):  # to an integer register
            result = float_to_integer(funct7, funct3, rs2, a, b)
        else:
            result = to_float(funct7, funct3, rs2, a, b, integer)
        if result == ILLEGAL:
            return codes.ILLEGAL_WORD
        if funct7 not in (0x50, 0x60, 0x70):
            warp.f[rd, lane] = result
        elif rd:
            warp.x[rd, lane] = result
    return codes.DONE


@kernel
def float_to_integer(funct7: int, funct3: int, rs2: int, a: int, b: int) -> int:
    """What has an integer result: comparisons, conversions, fmv.x.w, fclass."""
    if funct7 == 0x50:
        return compare(funct3, a, b)
    if funct7 == 0x60:
        return to_integer(rs2, funct3, a)
    if funct3 == 0:
        return a
    return classify(a) if funct3 == 1 else ILLEGAL


@kernel
def to_float(funct7: int, funct3: int, rs2: int, a: int, b: int, integer: int) -> int:
    """What has a float result; ``integer``: rs1 of conversions and fmv.w.x."""
    if funct7 in (0x00, 0x04, 0x08, 0x0C, 0x2C):
        return arithmetic(funct7, funct3, a, b)
    if funct7 == 0x10:
        return signs(funct3, a, b)
    if funct7 == 0x14:
        return extreme(funct3, a, b)
    if funct7 == 0x68:
        return from_integer(rs2, funct3, integer)
    return integer if funct7 == 0x78 and funct3 == 0 else ILLEGAL


@kernel
def ask(warp: Any, word: int, access: Any) -> int:
    """A load or store: ``access`` says what it needs."""
    opcode, funct3, rs1, rs2 = word & 127, word >> 12 & 7, word >> 15 & 31, word >> 20 & 31
    store = opcode in (isa.STORE, isa.STORE_FP)
    size = funct3 & 3
    floating = opcode in (isa.LOAD_FP, isa.STORE_FP)
    if size == 3 or (floating and funct3 != 2) or funct3 > (2 if store else 5):
        return codes.ILLEGAL_WORD
    offset = imm_s(word) if store else imm_i(word)
    strobe, bits = (1 << (1 << size)) - 1, (1 << (8 << size)) - 1
    mask = warp.mask
    access.op, access.mask, access.shared = codes.STORES if store else codes.LOADS, mask, 0
    together = inside = lanes = 0
    for lane in range(LANES):
        access.addr[lane] = access.strobe[lane] = access.data[lane] = 0
        if mask >> lane & 1:
            address = (int(warp.x[rs1, lane]) + offset) & WORD
            together |= address
            inside += codes.SHARED_BASE <= address < codes.SHARED_BASE + codes.SHARED_BYTES
            lanes += 1
            access.addr[lane] = address & ~3
            access.strobe[lane] = strobe << (address & 3)
            if store:
                value = int(warp.f[rs2, lane]) if floating else int(warp.x[rs2, lane])
                access.data[lane] = (value & bits) << (8 * (address & 3))
    if together & ((1 << size) - 1):
        return codes.MISALIGNED
    if inside not in (0, lanes):
        return codes.MIXED
    access.shared = inside > 0
    warp.status = codes.WAITING
    return codes.NEEDS_DATA


@kernel
def fence(warp: Any, word: int, access: Any) -> int:
    """fence, fence.i: accesses without lanes."""
    if word >> 12 & 7 > 1:
        return codes.ILLEGAL_WORD
    access.op = codes.FENCE_I if word >> 12 & 7 else codes.FENCE
    access.mask = access.shared = 0
    for lane in range(LANES):
        access.addr[lane] = access.strobe[lane] = access.data[lane] = 0
    warp.status = codes.WAITING
    return codes.NEEDS_DATA


@kernel
def complete(warp: Any, access: Any) -> None:
    """The access of ``warp`` is done: a load's ``access.data``, whole words, go to its register."""
    warp.status = codes.READY
    if access.op != codes.LOADS:
        return
    word, mask = warp.word, access.mask
    rd, funct3 = word >> 7 & 31, word >> 12 & 7
    bits = 8 << (funct3 & 3)
    for lane in range(LANES):
        if not mask >> lane & 1:
            continue
        value = int(access.data[lane])
        if bits < 32:
            shift = 0
            while not access.strobe[lane] >> shift & 1:
                shift += 1
            value = (value >> (8 * shift)) & ((1 << bits) - 1)
            if funct3 < 4:
                value = signed(value, bits) & WORD
        if word & 127 == isa.LOAD_FP:
            warp.f[rd, lane] = value
        elif rd:
            warp.x[rd, lane] = value
