# SPDX-License-Identifier: Apache-2.0
"""What decides where a warp goes on: branches and jumps, and the SIMT instructions.

The source names no instruction set; these are Vortex's (``docs/simt.md``). An operand that has one value for
the warp is the highest active lane's. ``warp``: a record of WARP.
"""

from typing import Any

from models.kernels import kernel
from workloads.simt import isa
from workloads.simt import state as codes
from workloads.simt.integer import ILLEGAL, taken
from workloads.simt.isa import BARRIERS, LANES, STACK, WARPS, WORD, imm_b, imm_i, imm_j


@kernel
def scalar(warp: Any, register: int) -> int:
    """The highest active lane's value."""
    for lane in range(LANES - 1, -1, -1):
        if warp.mask >> lane & 1:
            return int(warp.x[register, lane])
    return 0


@kernel
def bit(warp: Any, register: int, inverted: int) -> int:
    """The active lanes in which bit 0 of a register is 1, or 0 if ``inverted``, as a mask."""
    mask = 0
    for lane in range(LANES):
        mask |= ((int(warp.x[register, lane]) & 1) ^ inverted) << lane
    return mask & warp.mask


@kernel
def write(warp: Any, register: int, value: int) -> None:
    """The same value for all active lanes."""
    if register:
        for lane in range(LANES):
            if warp.mask >> lane & 1:
                warp.x[register, lane] = value


@kernel
def go(warp: Any, target: int, sign: int) -> None:
    """The warp goes on at ``target``."""
    warp.pc = target & WORD
    warp.sign = sign


@kernel
def branch(warp: Any, word: int) -> int:
    """A conditional branch, about which all active lanes must agree."""
    votes = lanes = 0
    for lane in range(LANES):
        if warp.mask >> lane & 1:
            a, b = warp.x[word >> 15 & 31, lane], warp.x[word >> 20 & 31, lane]
            vote = taken(word >> 12 & 7, int(a), int(b))
            if vote == ILLEGAL:
                return codes.ILLEGAL_WORD
            votes += vote
            lanes += 1
    if votes == 0:
        go(warp, warp.pc + 4, isa.NONE)
    elif votes == lanes:
        go(warp, warp.pc + imm_b(word), isa.JUMP)
    else:
        return codes.DIVERGENT
    return codes.DONE


@kernel
def jump(warp: Any, word: int) -> int:
    """jal, jalr. Linked in ra: a call; jalr x0, ra: a return; else a jump."""
    rd, rs1 = word >> 7 & 31, word >> 15 & 31
    sign = isa.CALL if rd == 1 else isa.JUMP
    if word & 127 == isa.JAL:
        target = warp.pc + imm_j(word)
    else:
        if word >> 12 & 7:
            return codes.ILLEGAL_WORD
        first = scalar(warp, rs1)
        for lane in range(LANES):
            if warp.mask >> lane & 1 and warp.x[rs1, lane] != first:
                return codes.SCATTERED
        target = (first + imm_i(word)) & ~1
        if rd == 0 and rs1 == 1:
            sign = isa.RETN
    write(warp, rd, warp.pc + 4)
    go(warp, target, sign)
    return codes.DONE


@kernel
def simt(state: Any, w: int, word: int) -> int:
    """One of the six instructions of opcode 0x0b."""
    warp = state.warps[w]
    funct3, rd, rs1, rs2 = word >> 12 & 7, word >> 7 & 31, word >> 15 & 31, word >> 20 & 31
    if word >> 25 or funct3 > isa.PRED:
        return codes.ILLEGAL_WORD
    first, second = scalar(warp, rs1), scalar(warp, rs2)
    outcome = codes.DONE
    if funct3 == isa.JOIN:
        return join(warp, first)
    if funct3 == isa.TMC:
        warp.mask = first & ((1 << LANES) - 1)
        if warp.mask == 0:
            warp.status = codes.IDLE
    elif funct3 == isa.WSPAWN:
        spawn(state, w, first, second)
    elif funct3 == isa.SPLIT:
        outcome = split(warp, rd, bit(warp, rs1, int(rs2 != 0)))
    elif funct3 == isa.BAR:
        outcome = arrive(state, w, first, second)
    else:
        chosen = bit(warp, rs1, int(rd != 0))
        warp.mask = chosen if chosen else second & ((1 << LANES) - 1)
        if warp.mask == 0:
            return codes.EMPTY_MASK
    if outcome == codes.DONE:
        go(warp, warp.pc + 4, isa.NONE)
    return outcome


@kernel
def split(warp: Any, rd: int, then: int) -> int:
    """Go on with the lanes of ``then``, or with the others if these are more; ``rd``: the stack's depth."""
    depth = warp.depth
    others = warp.mask & ~then
    write(warp, rd, depth)
    if then == 0 or others == 0:
        return codes.DONE
    if depth == STACK:
        return codes.STACK_FULL
    more = 0
    for lane in range(LANES):
        more += (others >> lane & 1) - (then >> lane & 1)
    taken_mask = others if more > 0 else then
    warp.stack[depth, 0] = warp.mask
    warp.stack[depth, 1] = warp.mask & ~taken_mask
    warp.stack[depth, 2] = warp.pc + 4
    warp.crossed[depth] = 0
    warp.depth = depth + 1
    warp.mask = taken_mask
    return codes.DONE


@kernel
def join(warp: Any, depth: int) -> int:
    """The end of a path: to the other one, behind its split, or on with both. ``depth``: what split gave."""
    if depth == warp.depth:  # that split did not divide the warp
        go(warp, warp.pc + 4, isa.NONE)
        return codes.DONE
    top = warp.depth - 1
    if top < 0:
        return codes.STACK_EMPTY
    if warp.crossed[top]:
        warp.mask = warp.stack[top, 0]
        warp.depth = top
        go(warp, warp.pc + 4, isa.NONE)
    else:
        warp.mask = warp.stack[top, 1]
        warp.crossed[top] = 1
        go(warp, warp.stack[top, 2], isa.JUMP)
    return codes.DONE


@kernel
def spawn(state: Any, w: int, count: int, target: int) -> None:
    """Start lane 0 of those of the block's warps 1 to ``count`` - 1 that are idle."""
    first = w - w % WARPS
    for other in range(first + 1, first + min(count, WARPS)):
        if state.warps[other].status == codes.IDLE and other != w:
            state.warps[other].status = codes.READY
            state.warps[other].mask = 1
            state.warps[other].depth = 0
            go(state.warps[other], target, isa.JUMP)


@kernel
def arrive(state: Any, w: int, barrier: int, count: int) -> int:
    """Wait until ``count`` warps of the block have arrived."""
    if barrier >= BARRIERS or not 1 <= count <= WARPS:
        return codes.BAD_BARRIER
    block, warp = w // WARPS, state.warps[w]
    state.arrived[block, barrier] |= 1 << w % WARPS
    waiting = 0
    for other in range(WARPS):
        waiting += state.arrived[block, barrier] >> other & 1
    warp.status = codes.BARRIER
    if waiting >= count:
        for other in range(WARPS):
            if state.arrived[block, barrier] >> other & 1:
                state.warps[block * WARPS + other].status = codes.READY
        state.arrived[block, barrier] = 0
    return codes.DONE
