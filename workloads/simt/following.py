# SPDX-License-Identifier: Apache-2.0
"""A run of the machine through the golden models of both caches, record by record, as it was made.

Nothing is kept of a request but what is counted: its result goes into one record, over the one before. A word
of the line that its set used last, or an instruction of that of the fetch before, is a hit that changes no
policy's state: it is counted here, and the models are asked about all else.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import CLEAN, LANES, LOAD
from configs.icache.schema import FETCH, INVALIDATE
from models.dcache import blocking, groups
from models.dcache.records import HITS, count
from models.dcache.state import NONE, DcacheState, lane_of, merge
from models.icache import serving as icache
from models.icache.cycles import Timing, forgotten, wait
from models.icache.serving import IcacheState, in_time, repeats, serve
from models.kernels import kernel, ones
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
    """The data cache. ``result``, ``blank`` as above; ``lanes`` [3, LANES]: address, word and strobe of a
    request. ``cycles`` [flags]: how long a lane waits, by its flags of ``burst``; a clean ``clean`` [2]: with
    no write, more for each. ``counts`` of its counters.
    """

    state: DcacheState
    under_misses: bool
    result: Any
    blank: Any
    lanes: Column
    cycles: Column
    clean: Column
    counts: Column


@kernel
def access_all(data: Data, accesses: Any, stalls: Column, misses: Column, results: Any) -> None:
    """ACCESS [m], in order: cycles that each waits for memory, and its lanes that miss; ``results``: RESULT
    [m], or empty if nobody wants them.

    ``fence.i`` is a clean; other fences have no lane, since each access waits for those before it as it is,
    and neither has what goes to the data RAM.
    """
    state, out, blank, counts = data.state, data.result, data.blank, data.counts
    lines, latest, bits, back = state.lines, state.latest, state.offset_bits, state.back
    addresses, words, strobes = data.lanes[0], data.lanes[1], data.lanes[2]
    quick = not data.under_misses and len(results) == 0
    for m in range(len(accesses)):
        access = accesses[m]
        op, mask = int(access.op), int(access.mask)
        if op > STORES or access.shared:
            op, mask = CLEAN if op == FENCE_I else LOAD, 0
        store, slow = op == STORES, mask
        if quick and op != CLEAN:
            for lane in range(LANES):
                if not mask >> lane & 1:
                    continue
                address = int(access.addr[lane])
                index = address >> bits & (len(lines) - 1)
                way = latest[index]
                if way == NONE or lines[index, way] != address >> bits or (store and not back):
                    addresses[lane] = address
                    lane_request = lane_of(lane, store, address, access.data[lane], access.strobe[lane])
                    blocking.access(state, lane_request, out[0])
                    continue
                slow ^= 1 << lane
                if store:
                    state.dirty[index, way] = 1
                    place = address & ((1 << bits) - 1)
                    merge(state.data[index, way], place, access.data[lane], access.strobe[lane])
            counts[HITS] += ones(mask ^ slow)
        else:
            for lane in range(LANES):
                addresses[lane], words[lane] = access.addr[lane], access.data[lane]
                strobes[lane] = access.strobe[lane]
            if data.under_misses:
                groups.serve(state, op, mask, addresses, words, strobes, out[0])
            else:
                blocking.serve(state, op, mask, addresses, words, strobes, out[0])
        count(state.window, op, slow, addresses, out[0], counts)
        stalls[m] = misses[m] = 0
        if len(results):
            results[m] = out[0]
        if slow or op == CLEAN:
            stalls[m] = data.clean[0] + data.clean[1] * out[0].tries if op == CLEAN else 0
            misses[m] = ones(slow & ~out[0].hit)
            for lane in range(LANES):
                stalls[m] += data.cycles[out[0].burst[lane]]
            out[0] = blank[0]


@kernel
def fetch_all(
    fetching: Fetching, fetches: Any, accesses: Any, first: int, stalls: Column, misses: Column,
    sums: Column, by_pc: Column, results: Any,
) -> None:  # fmt: skip
    """FETCH [n], in order, the first of them number ``first``, and what :func:`access_all` says of ACCESS
    [m]. ``sums`` [3] and ``by_pc`` [3, words of code]: see above. ``results``: RESULT [n], or empty.
    """
    state, counts, m = fetching.state, fetching.counts, 0
    quick = not state.early and len(results) == 0
    base, last, lost, failing = state.now.base, state.now.last, state.now.lost, state.now.failing
    time, repeated = sums[TIME], 0
    for i in range(len(fetches)):
        request = fetches[i]
        line = (base[request.block] + request.pc & state.mask) >> state.offset_bits
        hit, waited, stall, missed = 1, 0, 0, 0
        if quick and repeats(last, lost, failing, line):
            repeated += 1
        else:
            hit, waited = fetch(fetching, request.block, request.pc, time)
        if len(results):
            results[i] = fetching.result[0]
        cycles = 1
        if m < len(accesses) and accesses[m].fetch == first + i:
            cycles, stall, missed = max(held(accesses[m]), 1), stalls[m], misses[m]
            if accesses[m].op == FENCE_I:
                waited += forget(fetching, time + cycles + stall)
            m += 1
        time += cycles + stall
        if waited or stall or missed or not hit:
            sums[WAITED] += waited
            sums[STALLED] += stall
            row = request.pc // 4
            if row < by_pc.shape[1]:  # a program may have written code behind its own
                by_pc[I_MISSES, row] += 1 - hit
                by_pc[D_MISSES, row] += missed
                by_pc[STALLS, row] += waited + stall
    sums[TIME] = time
    for counter in (icache.FETCHES, icache.HITS, icache.REPEATS):
        counts[counter] += repeated
    if m < len(accesses):
        raise ValueError("accesses must be in the order of their fetches")


@kernel
def fetch(fetching: Fetching, block: int, pc: int, time: int) -> tuple[int, int]:
    """Whether it hits, and the cycles that it waits."""
    state, request, out = fetching.state, fetching.request[0], fetching.result
    out[0] = fetching.blank[0]
    request.op, request.block, request.pc = FETCH, block, pc
    serve(state, request, in_time(state, 0) if state.early else True, out[0])
    icache.count(FETCH, out[0], fetching.counts)
    return int(out[0].hit), wait(fetching.timing, fetching.coming, time, out[0])


@kernel
def forget(fetching: Fetching, time: int) -> int:
    """``fence.i`` invalidates the instruction cache. Returns the cycles in which nobody can fetch."""
    fetching.request[0].op = INVALIDATE
    serve(fetching.state, fetching.request[0], True, fetching.result[0])
    return forgotten(fetching.timing, fetching.coming, time)
