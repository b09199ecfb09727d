# SPDX-License-Identifier: Apache-2.0
"""The CSRs: who a thread is, what is active, and the floating-point ones, which read as zero."""

from typing import Any

from models.kernels import kernel
from workloads.simt import isa
from workloads.simt.isa import LANES, WARPS
from workloads.simt.state import BAD_ROUNDING, DONE, IDLE, ILLEGAL_WORD

UNKNOWN = -1


@kernel
def value(state: Any, w: int, csr: int, lane: int) -> int:
    """What a lane reads, or UNKNOWN."""
    block = w // WARPS
    if csr in (isa.FFLAGS, isa.FRM, isa.FCSR):
        return 0
    if csr == isa.THREAD_ID:
        return lane
    if csr == isa.WARP_ID:
        return w % WARPS
    if csr == isa.BLOCK_ID:
        return block
    if csr == isa.MHARTID:
        return w * LANES + lane
    if csr == isa.ACTIVE_THREADS:
        return state.warps[w].mask
    if csr == isa.NUM_BLOCKS:
        return state.launch[0]
    if csr == isa.NUM_WARPS:
        return state.launch[1]
    if csr == isa.NUM_THREADS:
        return state.launch[2]
    if csr == isa.ACTIVE_WARPS:
        mask = 0
        for other in range(WARPS):
            mask |= int(state.warps[block * WARPS + other].status != IDLE) << other
        return mask
    return UNKNOWN


@kernel
def system(state: Any, w: int, word: int) -> int:
    """csrrw, csrrs, csrrc and their forms with an immediate; ecall and the like have nothing to call."""
    warp = state.warps[w]
    funct3, rd, rs1, csr = word >> 12 & 7, word >> 7 & 31, word >> 15 & 31, word >> 20
    if funct3 in (0, 4):
        return ILLEGAL_WORD
    writes = funct3 in (1, 5) or rs1 != 0
    if value(state, w, csr, 0) == UNKNOWN or (writes and csr >> 10 == 3):
        return ILLEGAL_WORD
    for lane in range(LANES):
        if not warp.mask >> lane & 1:
            continue
        given = rs1 if funct3 > 4 else int(warp.x[rs1, lane])
        mode = given >> 5 if csr == isa.FCSR else given
        if csr != isa.FFLAGS and writes and funct3 & 3 != 3 and mode & 7:
            return BAD_ROUNDING
        if rd:
            warp.x[rd, lane] = value(state, w, csr, lane)
    return DONE
