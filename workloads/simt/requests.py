# SPDX-License-Identifier: Apache-2.0
"""A run of the SIMT machine as the requests of its caches, and as the addresses that those look up."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import CLEAN, LOAD
from configs.icache.schema import BASE, FETCH, INVALIDATE
from models import dcache, icache
from workloads.simt.isa import BLOCKS, LANES, WARPS
from workloads.simt.machine import Trace
from workloads.simt.state import FENCE_I, STORES

Column = NDArray[np.int64]
ADDRESS_BITS = 32


def wide(cfg: Any) -> Any:
    """A cache's configuration for the machine: 32 address bits, its blocks and warps. Hits do not change."""
    blocks = {"blocks": BLOCKS} if "blocks" in type(cfg).model_fields else {}
    return cfg.with_(cache={"address_bits": ADDRESS_BITS}, warps=WARPS, **blocks)


def bases(base: Sequence[int] | Column) -> NDArray[Any]:
    """What tells the icache the bases of the blocks: a REQUEST array [blocks]."""
    requests = np.zeros(len(base), icache.REQUEST)
    requests["op"], requests["block"], requests["pc"] = BASE, np.arange(len(base)), base
    return requests


def fetches(trace: Trace, fences: bool = True) -> NDArray[Any]:
    """What a run asks of the icache: a REQUEST array, a fetch for each and, with ``fences``, an invalidate
    behind a ``fence.i``.
    """
    requests = np.zeros(len(trace.fetches), icache.REQUEST)
    requests["op"] = FETCH
    for name in ("block", "pc", "warp", "sign"):
        requests[name] = trace.fetches[name]
    if not fences:
        return requests
    behind = trace.accesses["fetch"][trace.accesses["op"] == FENCE_I] - trace.first + 1
    fence = np.zeros(1, icache.REQUEST)
    fence["op"] = INVALIDATE
    return np.insert(requests, behind, fence)


def accesses(trace: Trace, shared: bool = False) -> NDArray[Any]:
    """What a run asks of the dcache: a REQUEST array, one for each access. ``fence.i`` is a clean; other
    fences have no lane, since each access waits for those before it as it is, and neither has what goes to
    the data RAM, unless that is ``shared`` through the same port.
    """
    made = trace.accesses
    requests = np.zeros(len(made), dcache.REQUEST)
    skipped = (made["op"] > STORES) | ((made["shared"] > 0) & (not shared))
    requests["op"] = np.where(made["op"] == FENCE_I, CLEAN, np.where(skipped, LOAD, made["op"]))
    requests["mask"] = np.where(skipped, 0, made["mask"])
    requests["warp"] = made["warp"]
    for lane in range(LANES):
        requests[f"addr{lane}"] = np.where(skipped, 0, made["addr"][:, lane])
        requests[f"data{lane}"] = made["data"][:, lane]
        requests[f"strobe{lane}"] = made["strobe"][:, lane]
    return requests


def words(trace: Trace) -> Column:
    """Byte addresses of the words that the dcache looks up, in order: lanes from the lowest up."""
    made = trace.accesses
    active = (made["mask"][:, None] >> np.arange(LANES)) & 1 == 1
    addresses: Column = made["addr"][active & (made["shared"] == 0)[:, None]].astype(np.int64)
    return addresses
