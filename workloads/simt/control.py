# SPDX-License-Identifier: Apache-2.0
"""What decides where a warp goes on: branches and jumps, and the SIMT instructions.

The source names no instruction set; these are Vortex's (``docs/simt.md``). An operand that has one value for
the warp is the highest active lane's.
"""

from models.kernels import kernel
from workloads.simt import isa
from workloads.simt.integer import ILLEGAL, taken
from workloads.simt.isa import BARRIERS, LANES, STACK, WARPS, WORD, imm_b, imm_i, imm_j
from workloads.simt.state import (
    BAD_BARRIER,
    BARRIER,
    DIVERGENT,
    DONE,
    EMPTY_MASK,
    IDLE,
    ILLEGAL_WORD,
    READY,
    SCATTERED,
    STACK_EMPTY,
    STACK_FULL,
    State,
)


@kernel
def scalar(state: State, w: int, register: int) -> int:
    """The highest active lane's value."""
    for lane in range(LANES - 1, -1, -1):
        if state.mask[w] >> lane & 1:
            return int(state.x[w, register, lane])
    return 0


@kernel
def bit(state: State, w: int, register: int, inverted: int) -> int:
    """The active lanes in which bit 0 of a register is 1, or 0 if ``inverted``, as a mask."""
    mask = 0
    for lane in range(LANES):
        mask |= ((int(state.x[w, register, lane]) & 1) ^ inverted) << lane
    return mask & state.mask[w]


@kernel
def write(state: State, w: int, register: int, value: int) -> None:
    """The same value for all active lanes."""
    if register:
        for lane in range(LANES):
            if state.mask[w] >> lane & 1:
                state.x[w, register, lane] = value


@kernel
def go(state: State, w: int, target: int, sign: int) -> None:
    """The warp goes on at ``target``."""
    state.pc[w] = target & WORD
    state.sign[w] = sign


@kernel
def branch(state: State, w: int, word: int) -> int:
    """A conditional branch, about which all active lanes must agree."""
    votes = lanes = 0
    for lane in range(LANES):
        if state.mask[w] >> lane & 1:
            a, b = state.x[w, word >> 15 & 31, lane], state.x[w, word >> 20 & 31, lane]
            vote = taken(word >> 12 & 7, int(a), int(b))
            if vote == ILLEGAL:
                return ILLEGAL_WORD
            votes += vote
            lanes += 1
    if votes == 0:
        go(state, w, state.pc[w] + 4, isa.NONE)
    elif votes == lanes:
        go(state, w, state.pc[w] + imm_b(word), isa.JUMP)
    else:
        return DIVERGENT
    return DONE


@kernel
def jump(state: State, w: int, word: int) -> int:
    """jal, jalr. Linked in ra: a call; jalr x0, ra: a return; else a jump."""
    rd, rs1 = word >> 7 & 31, word >> 15 & 31
    sign = isa.CALL if rd == 1 else isa.JUMP
    if word & 127 == isa.JAL:
        target = state.pc[w] + imm_j(word)
    else:
        if word >> 12 & 7:
            return ILLEGAL_WORD
        first = scalar(state, w, rs1)
        for lane in range(LANES):
            if state.mask[w] >> lane & 1 and state.x[w, rs1, lane] != first:
                return SCATTERED
        target = (first + imm_i(word)) & ~1
        if rd == 0 and rs1 == 1:
            sign = isa.RETN
    write(state, w, rd, state.pc[w] + 4)
    go(state, w, target, sign)
    return DONE


@kernel
def simt(state: State, w: int, word: int) -> int:
    """One of the six instructions of opcode 0x0b."""
    funct3, rd, rs1, rs2 = word >> 12 & 7, word >> 7 & 31, word >> 15 & 31, word >> 20 & 31
    if word >> 25 or funct3 > isa.PRED:
        return ILLEGAL_WORD
    first, second = scalar(state, w, rs1), scalar(state, w, rs2)
    outcome = DONE
    if funct3 == isa.JOIN:
        return join(state, w, first)
    if funct3 == isa.TMC:
        state.mask[w] = first & ((1 << LANES) - 1)
        if state.mask[w] == 0:
            state.status[w] = IDLE
    elif funct3 == isa.WSPAWN:
        spawn(state, w, first, second)
    elif funct3 == isa.SPLIT:
        outcome = split(state, w, rd, bit(state, w, rs1, int(rs2 != 0)))
    elif funct3 == isa.BAR:
        outcome = arrive(state, w, first, second)
    else:
        chosen = bit(state, w, rs1, int(rd != 0))
        state.mask[w] = chosen if chosen else second & ((1 << LANES) - 1)
        if state.mask[w] == 0:
            return EMPTY_MASK
    if outcome == DONE:
        go(state, w, state.pc[w] + 4, isa.NONE)
    return outcome


@kernel
def split(state: State, w: int, rd: int, then: int) -> int:
    """Go on with the lanes of ``then``, or with the others if these are more; ``rd``: the stack's depth."""
    depth = state.depth[w]
    others = state.mask[w] & ~then
    write(state, w, rd, depth)
    if then == 0 or others == 0:
        return DONE
    if depth == STACK:
        return STACK_FULL
    more = 0
    for lane in range(LANES):
        more += (others >> lane & 1) - (then >> lane & 1)
    taken_mask = others if more > 0 else then
    state.stack[w, depth, 0] = state.mask[w]
    state.stack[w, depth, 1] = state.mask[w] & ~taken_mask
    state.stack[w, depth, 2] = state.pc[w] + 4
    state.crossed[w, depth] = 0
    state.depth[w] = depth + 1
    state.mask[w] = taken_mask
    return DONE


@kernel
def join(state: State, w: int, depth: int) -> int:
    """The end of a path: to the other one, behind its split, or on with both. ``depth``: what split gave."""
    if depth == state.depth[w]:  # that split did not divide the warp
        go(state, w, state.pc[w] + 4, isa.NONE)
        return DONE
    top = state.depth[w] - 1
    if top < 0:
        return STACK_EMPTY
    if state.crossed[w, top]:
        state.mask[w] = state.stack[w, top, 0]
        state.depth[w] = top
        go(state, w, state.pc[w] + 4, isa.NONE)
    else:
        state.mask[w] = state.stack[w, top, 1]
        state.crossed[w, top] = 1
        go(state, w, state.stack[w, top, 2], isa.JUMP)
    return DONE


@kernel
def spawn(state: State, w: int, count: int, target: int) -> None:
    """Start lane 0 of those of the block's warps 1 to ``count`` - 1 that are idle."""
    first = w - w % WARPS
    for other in range(first + 1, first + min(count, WARPS)):
        if state.status[other] == IDLE and other != w:
            state.status[other] = READY
            state.mask[other] = 1
            state.depth[other] = 0
            go(state, other, target, isa.JUMP)


@kernel
def arrive(state: State, w: int, barrier: int, count: int) -> int:
    """Wait until ``count`` warps of the block have arrived."""
    if barrier >= BARRIERS or not 1 <= count <= WARPS:
        return BAD_BARRIER
    block = w // WARPS
    state.arrived[block, barrier] |= 1 << w % WARPS
    waiting = 0
    for other in range(WARPS):
        waiting += state.arrived[block, barrier] >> other & 1
    state.status[w] = BARRIER
    if waiting >= count:
        for other in range(WARPS):
            if state.arrived[block, barrier] >> other & 1:
                state.status[block * WARPS + other] = READY
        state.arrived[block, barrier] = 0
    return DONE
