# SPDX-License-Identifier: Apache-2.0
"""Where the order of accesses of different caches of ``mmu`` can be seen: a line that is stored and fetched.

A fetch that misses reads what memory has then: it hangs on what the data cache has written by that time.
Nothing else that one cache does hangs on the other. Neither AXI nor ``mmu`` gives these two an order. A
replay that keeps that of a file therefore asks both ports independently until a fill follows a write of the
same line, or a write a fill; there it lets all that was asked end before it goes on: :func:`segments`.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import CLEAN, FLUSH, LANES, STORE
from configs.mmu.schema import Config
from models.dcache import SINGLE, WROTE, by_lane
from models.mmu import MmuModel
from models.sparse import EMPTY

FILL, WRITE, WRITE_ANY = range(3)
ANY = -1  # in place of a region: a clean or flush writes all that is dirty


class Event(NamedTuple):
    """What access ``row`` does to memory: FILL, WRITE of a ``region``, or WRITE_ANY."""

    row: int
    kind: int
    region: int


def segments(
    model: MmuModel, rows: tuple[NDArray[np.int64], NDArray[np.int64]], requests: Any, served: Any
) -> NDArray[np.int64]:
    """The numbers of the accesses before which all others must have ended, ascending, the first being 0.

    Of both caches, ``icache`` first: ``rows`` [k], numbers of their accesses in the file, ``requests``
    [k] and what ``model`` says of them, ``served`` [k], whatever memory has.
    """
    cfg, shared = model.cfg, model.shared(requests[1])
    fills, filled = _fills(cfg, model.region_bytes, rows[0], served[0])
    stored = _stored(model.region_bytes, requests[1], shared)
    both = np.intersect1d(filled, stored)
    events = [Event(row, FILL, region) for row, region in _chosen(fills, filled, both)]
    writes, written = _writes(cfg, model.region_bytes, rows[1], requests[1], served[1])
    events += [Event(row, WRITE, region) for row, region in _chosen(writes, written, both)]
    if len(both):
        op = requests[1]["op"]
        sweeps = ((op == CLEAN) | (op == FLUSH)) & (served[1]["writes"] > 0)
        events += [Event(row, WRITE_ANY, ANY) for row in rows[1][sweeps].tolist()]
    return np.array([0, *_cuts(sorted(events))], np.int64)


def _chosen(
    rows: NDArray[np.int64], regions: NDArray[np.int64], both: NDArray[np.int64]
) -> Iterable[tuple[int, int]]:
    chosen = np.isin(regions, both)
    return zip(rows[chosen].tolist(), regions[chosen].tolist(), strict=True)


def _fills(
    cfg: Config, region_bytes: int, rows: NDArray[np.int64], served: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Accesses that fill a line of ``icache``, and where it is."""
    fill = served["fill"] == 1
    return rows[fill], served["line"][fill] * cfg.icache.cache.line_bytes // region_bytes


def _stored(region_bytes: int, requests: NDArray[Any], shared: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Where stores that are not to the shared RAM are: nothing else is ever written."""
    mask = np.where(requests["op"] == STORE, requests["mask"] & ~shared, 0)
    return by_lane(requests, "addr")[_bits(mask)] // region_bytes


def _writes(
    cfg: Config, region_bytes: int, rows: NDArray[np.int64], requests: NDArray[Any], served: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Accesses of which memory is written, and where: words past the cache, lines that others replace."""
    line_bytes, write = cfg.dcache.cache.line_bytes, served["burst"] & WROTE > 0
    past = served["burst"] & SINGLE > 0
    address = np.where(past, by_lane(requests, "addr"), served["victim"] * line_bytes)
    ahead = (served["ahead"] & WROTE > 0) & (served["ahead_victim"] != EMPTY)
    return (
        np.concatenate([np.repeat(rows, write.sum(axis=1)), rows[ahead]]),
        np.concatenate([address[write], served["ahead_victim"][ahead] * line_bytes]) // region_bytes,
    )


def _bits(masks: NDArray[Any]) -> NDArray[np.bool_]:
    """Masks [n] as booleans [n, LANES]."""
    return (masks[:, None] >> np.arange(LANES) & 1).astype(np.bool_)


def _cuts(events: Iterable[Event]) -> list[int]:
    """The accesses that what was asked since the last cut must not overtake, nor they it. In order."""
    cuts: list[int] = []
    filled: set[int] = set()
    written: set[int] = set()
    for row, group in groupby(events, key=lambda event: event.row):
        done = list(group)  # the whole access is in front of a cut, or behind it
        if any(_meets(event, filled, written) for event in done):
            cuts.append(row)
            filled, written = set(), set()
        for event in done:
            (filled if event.kind == FILL else written).add(event.region)
    return cuts


def _meets(event: Event, filled: set[int], written: set[int]) -> bool:
    """Whether memory was written where the event fills, or the other way round."""
    if event.kind == FILL:
        return event.region in written or ANY in written
    return event.region in filled or (event.kind == WRITE_ANY and bool(filled))
