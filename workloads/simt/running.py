# SPDX-License-Identifier: Apache-2.0
"""The fast path: warps take turns, memory answers at once, and every fetch and access is recorded."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.kernels import kernel
from workloads.simt import state as codes
from workloads.simt.execute import complete, execute
from workloads.simt.isa import LANES, WARPS

NOBODY = -1
#: Which of the warps that are ready fetches next. Round robin: the next one by number, of all blocks. Oldest:
#: the same warp as long as it can, then the one whose last fetch is longest ago, lower numbers first.
ROUND_ROBIN, OLDEST = range(2)
SCHEDULES = ("round-robin", "oldest")


@kernel
def choose(state: Any, schedule: int, last: int) -> int:
    """The warp that fetches next, after ``last``, or NOBODY."""
    warps = state.warps
    if schedule == ROUND_ROBIN:
        for step in range(1, codes.ALL_WARPS + 1):
            w = (last + step) % codes.ALL_WARPS
            if warps[w].status == codes.READY:
                return w
        return NOBODY
    if last >= 0 and warps[last].status == codes.READY:
        return last
    best = NOBODY
    for w in range(codes.ALL_WARPS):
        if warps[w].status == codes.READY and (best == NOBODY or warps[w].since < warps[best].since):
            best = w
    return best


@kernel
def fetch(state: Any, w: int, out: Any) -> int:
    """Warp ``w`` asks for its instruction, into the FETCH record ``out``."""
    warp = state.warps[w]
    if warp.pc & 3:
        return codes.MISALIGNED_PC
    out.block, out.warp = w // WARPS, w % WARPS
    out.pc, out.sign, out.mask = warp.pc, warp.sign, warp.mask
    warp.status = codes.FETCHING
    warp.since = state.fetched
    state.fetched += 1
    return codes.DONE


@kernel
def serve(memory: NDArray[np.uint32], shared: NDArray[np.uint32], access: Any) -> int:
    """Memory's answer, lowest lane first, whole words for loads. If a lane is outside, none is served."""
    words, base = (shared, codes.SHARED_BASE) if access.shared else (memory, 0)
    mask = access.mask
    for lane in range(LANES):
        if mask >> lane & 1 and (np.int64(access.addr[lane]) - base) >> 2 >= len(words):
            return codes.OUTSIDE
    for lane in range(LANES):
        if not mask >> lane & 1:
            continue
        index = (np.int64(access.addr[lane]) - base) >> 2
        if access.op == codes.LOADS:
            access.data[lane] = words[index]
        elif access.op == codes.STORES:
            covered = np.uint32(0)
            for byte in range(4):
                covered |= np.uint32((access.strobe[lane] >> byte & 1) * 0xFF << (8 * byte))
            words[index] = (words[index] & ~covered) | (access.data[lane] & covered)
    return codes.DONE


@kernel
def run(
    state: Any,
    schedule: int,
    last: int,
    memory: NDArray[np.uint32],
    shared: NDArray[np.uint32],
    fetches: Any,
    accesses: Any,
) -> tuple[int, int, int, int]:
    """Until all warps have stopped, or records are full: (outcome, last warp, fetches, accesses)."""
    fetched = accessed = 0
    while fetched < len(fetches) and accessed < len(accesses):
        w = choose(state, schedule, last)
        if w == NOBODY:
            break
        last = w
        outcome = fetch(state, w, fetches[fetched])
        if outcome != codes.DONE:
            return outcome, w, fetched, accessed
        address = state.base[w // WARPS] + state.warps[w].pc
        if not 0 <= address >> 2 < len(memory):
            return codes.NO_CODE, w, fetched, accessed
        word = int(memory[address >> 2])
        access = accesses[accessed]
        outcome = execute(state, w, word, access)
        if outcome == codes.NEEDS_DATA:
            access.fetch = state.fetched - 1
            outcome = serve(memory, shared, access)
            if outcome == codes.DONE:
                complete(state.warps[w], access)
                accessed += 1
        if outcome != codes.DONE:
            return outcome, w, fetched, accessed
        fetched += 1
    return codes.DONE, last, fetched, accessed
