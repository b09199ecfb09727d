# SPDX-License-Identifier: Apache-2.0
"""A run of the machine through the golden models of both caches, record by record, as it was made.

Nothing is kept of a request but what is counted: its result goes into one record, over the one before.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import CLEAN, LANES, LOAD
from configs.icache.schema import FETCH, INVALIDATE
from models.bits import ones
from models.dcache import blocking, groups
from models.dcache.counting import count as count_access
from models.dcache.state import State as DcacheState
from models.icache import counting
from models.icache.cycles import Timing, wait
from models.icache.serving import State as IcacheState
from models.icache.serving import in_time, repeats, serve
from models.kernels import kernel
from workloads.simt.profile import held
from workloads.simt.state import FENCE_I, STORES

Column = NDArray[np.int64]
I_MISSES, D_MISSES, STALLS = range(3)  # rows of what is counted by instruction
TIME, WAITED, STALLED = range(3)  # cycles without stalls for instructions, stalls for instructions, for data


class Fetching(NamedTuple):
    """The instruction cache. ``request``, ``result``: a record each, arrays [1]; ``blank`` [1]: a result of
    zeros. ``timing`` and ``coming`` as in :func:`models.icache.cycles.wait`; ``counts`` of its counters.
    """

    state: IcacheState
    request: Any
    result: Any
    blank: Any
    timing: Timing
    coming: Column
    counts: Column


class Data(NamedTuple):
    """The data cache. ``result``, ``blank`` as above. ``cycles`` [flags]: how long a lane waits, by its flags
    of ``burst``; a clean ``clean`` [2]: with no write, more for each. ``counts`` of its counters.
    """

    state: DcacheState
    under_misses: bool
    result: Any
    blank: Any
    cycles: Column
    clean: Column
    counts: Column


@kernel
def follow(
    fetching: Fetching, data: Data, fetches: Any, accesses: Any, first: int, sums: Column, by_pc: Column,
    fetched: Any, accessed: Any,
) -> None:  # fmt: skip
    """FETCH [n] and ACCESS [m], in order, the first of them number ``first``. ``sums`` [3] and ``by_pc`` [3,
    words of code]: see above. ``fetched``, ``accessed``: RESULT [n], [m], or empty if nobody wants them.
    """
    m = 0
    for i in range(len(fetches)):
        asked = fetches[i]
        hit, waited = fetch(fetching, asked.block, asked.pc, sums[TIME], len(fetched) > 0)
        if len(fetched):
            fetched[i] = fetching.result[0]
        taken, stall, misses = 1, 0, 0
        if m < len(accesses) and accesses[m].fetch == first + i:
            taken = max(held(accesses[m]), 1)
            stall, misses = access(data, accesses[m])
            if len(accessed):
                accessed[m] = data.result[0]
            if accesses[m].op == FENCE_I:
                forget(fetching)
            m += 1
        sums[TIME] += taken + stall
        sums[WAITED] += waited
        sums[STALLED] += stall
        row = asked.pc // 4
        if row < by_pc.shape[1]:  # a program may have written code behind its own
            by_pc[I_MISSES, row] += 1 - hit
            by_pc[D_MISSES, row] += misses
            by_pc[STALLS, row] += waited + stall
    if m < len(accesses):
        raise ValueError("accesses must be in the order of their fetches")


@kernel
def fetch(fetching: Fetching, block: int, pc: int, time: int, wanted: bool) -> tuple[int, int]:
    """Whether it hits, and the cycles that it waits. Its result is there if it is ``wanted``."""
    state, counts = fetching.state, fetching.counts
    if not (wanted or state.early) and repeats(state, block, pc):
        counts[counting.FETCHES] += 1
        counts[counting.HITS] += 1
        counts[counting.REPEATS] += 1
        return 1, 0
    fetching.result[0] = fetching.blank[0]
    asked, out = fetching.request[0], fetching.result[0]
    asked.op, asked.block, asked.pc = FETCH, block, pc
    serve(state, asked, in_time(state, 0) if state.early else True, out)
    counting.count(FETCH, out, counts)
    return int(out.hit), wait(fetching.timing, fetching.coming, time, out)


@kernel
def forget(fetching: Fetching) -> None:
    """``fence.i`` invalidates the instruction cache."""
    fetching.request[0].op = INVALIDATE
    serve(fetching.state, fetching.request[0], True, fetching.result[0])


@kernel
def access(data: Data, asked: Any) -> tuple[int, int]:
    """Cycles that an ACCESS waits for memory, and the lanes that missed.

    ``fence.i`` is a clean; other fences have no lane, since each access waits for those before it as it is,
    and neither has what goes to the data RAM.
    """
    state, op, mask = data.state, int(asked.op), int(asked.mask)
    data.result[0] = data.blank[0]
    out = data.result[0]
    if op > STORES or asked.shared:
        op, mask = CLEAN if op == FENCE_I else LOAD, 0
    if data.under_misses:
        groups.serve(state, op, mask, asked.addr, asked.data, asked.strobe, out)
    else:
        blocking.serve(state, op, mask, asked.addr, asked.data, asked.strobe, out)
    count_access(state.window, op, mask, asked.addr, out, data.counts)
    if op == CLEAN:
        return data.clean[0] + data.clean[1] * out.tries, 0
    cycles = 0
    for lane in range(LANES):
        cycles += data.cycles[out.burst[lane]]
    return cycles, ones(mask & ~out.hit)
