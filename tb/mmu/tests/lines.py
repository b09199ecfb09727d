# SPDX-License-Identifier: Apache-2.0
"""Lines of both caches through the port that they share: every bit of an address."""

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import FLUSH, LOAD, STORE
from configs.icache.schema import FETCH, INVALIDATE
from models.dcache import REQUEST as ACCESS
from models.icache import REQUEST as FETCH_REQUEST
from tb.common.components.aliases import alias_rounds
from tb.common.components.testcase import testcase
from tb.mmu.base import WHOLE, MmuSequence


@testcase()
async def tag_bits(run: MmuSequence) -> None:
    """Lines of either cache that differ in one bit of their address are told apart, both caches at work."""
    icache, dcache = run.cfg.icache.cache, run.cfg.dcache.cache
    code, data = (
        [np.array(lines) << cache.offset_bits for lines in alias_rounds(cache, run.rng, (0, cache.ways - 1))]
        for cache in (icache, dcache)
    )
    for number in range(max(len(code), len(data))):  # nothing is stored: both may read any line
        await run.send_both(_fetches(code[number % len(code)]), _loads(data[number % len(data)]))
    await run.settle()
    for places in data:
        await run.send("dcache", _stores(run, places))
        await run.send("dcache", _loads(places)[1:])
    await run.command("fence")
    for places in data:
        await run.send("icache", _fetches(places))  # memory has what was stored, where it belongs


def _fetches(places: NDArray[np.int64]) -> NDArray[np.void]:
    """All lines forgotten, then fetches [n]."""
    requests = np.zeros(1 + len(places), FETCH_REQUEST)
    requests["op"][0], requests["op"][1:], requests["pc"][1:] = INVALIDATE, FETCH, places
    return requests


def _loads(places: NDArray[np.int64]) -> NDArray[np.void]:
    """A flush, then loads [n] of one lane."""
    requests = np.zeros(1 + len(places), ACCESS)
    requests["op"][0], requests["op"][1:], requests["mask"][1:] = FLUSH, LOAD, 1
    requests["addr0"][1:] = places
    return requests


def _stores(run: MmuSequence, places: NDArray[np.int64]) -> NDArray[np.void]:
    """The same of stores."""
    requests = _loads(places)
    requests["op"][1:], requests["strobe0"] = STORE, WHOLE
    requests["data0"] = run.rng.integers(1 << 32, size=len(requests))
    return requests
