# SPDX-License-Identifier: Apache-2.0
"""What the golden model of ``mmu`` says of a trace: of each cache, and of both, access by access.

Of both, fields of results and events have the cache's name before them, and are 0 of the other's accesses.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import LANES
from configs.mmu.schema import Config
from models import records
from models.dcache import READ, SINGLE, by_lane
from models.memory import Memory
from models.mmu import MmuModel
from models.mmu.traffic import Side
from tb.common.replay.requests import Columns, Model, WrittenMemory
from tb.icache.replay import read
from tb.mmu.order import segments
from tb.mmu.sides import COLUMNS, SIDES, TYPES

Sides = tuple[Side, Side]


@dataclass(frozen=True)
class Predicted:
    """Of n accesses. ``starts`` [s]: the first of each part of the trace (:mod:`tb.mmu.order`); ``writes``:
    bursts that memory is asked for; ``hit`` [n]: a bit for each lane that hits or is in the shared RAM.
    """

    model: Model
    starts: NDArray[np.int64]
    writes: int
    hit: NDArray[Any]


def predict(cfg: Config, sides: Sides, memory: Memory) -> Predicted:
    """Of the requests of both caches, in the order of the file."""
    requests = asked_of(sides)
    model = MmuModel(cfg, memory)
    served = [model.fetch(requests[0]), model.access(requests[1])]
    starts = segments(model, (sides[0].rows, sides[1].rows), requests, served)
    if len(starts) > 1:  # instructions hang on the order
        model = MmuModel(cfg, memory)
        pieces = [
            (model.fetch(requests[0][fetches]), model.access(requests[1][accesses]))
            for fetches, accesses in parts(sides, starts)
        ]
        served = [np.concatenate(of_one) for of_one in zip(*pieces, strict=True)]
    results, events = (
        [COLUMNS[f"{name}_{stream}"](*both) for name, *both in zip(SIDES, requests, served, strict=True)]
        for stream in ("res", "evt")
    )
    fills = read(cfg.icache, served[0][served[0]["fill"] == 1])
    whole = Model(
        joined(sides, results),
        by_name([model.icache.counters, model.dcache.counters]) | model.counters,
        joined(sides, events),
        {"m_axi": np.sort(np.concatenate([fills.reshape(-1), _read(cfg, requests[1], served[1])]))},
        memory=WrittenMemory(model.dcache.memory.line, model.dcache.memory.lines.tolist()),
    )
    hits = joined(sides, [{"hit": served[0]["hit"]}, {"hit": served[1]["hit"] | served[1]["shared"]}])
    return Predicted(whole, starts, model.tries, hits["icache_hit"] | hits["dcache_hit"])


def asked_of(sides: Sides) -> list[NDArray[Any]]:
    """The requests of each cache, as its model takes them."""
    return [records(TYPES[name], side.columns) for name, side in zip(SIDES, sides, strict=True)]


def parts(sides: Sides, starts: NDArray[np.int64]) -> Iterator[tuple[slice, slice]]:
    """The requests of each cache in each part of a trace."""
    bounds = [np.append(np.searchsorted(side.rows, starts), len(side.rows)).tolist() for side in sides]
    for n in range(len(starts)):
        fetches, accesses = (slice(bound[n], bound[n + 1]) for bound in bounds)
        yield fetches, accesses


def joined(sides: Sides, of_each: Sequence[Columns]) -> Columns:
    """Columns of each cache as those of all accesses."""
    count, whole = sum(len(side.rows) for side in sides), {}
    for name, side, columns in zip(SIDES, sides, of_each, strict=True):
        for field, column in columns.items():
            whole[f"{name}_{field}"] = np.zeros(count, column.dtype)
            whole[f"{name}_{field}"][side.rows] = column
    return whole


def by_name(counters: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Counters of each cache under its name."""
    pairs = zip(SIDES, counters, strict=True)
    return {f"{name}_{counter}": value for name, counted in pairs for counter, value in counted.items()}


def _read(cfg: Config, requests: NDArray[Any], served: NDArray[Any]) -> NDArray[np.int64]:
    """Byte addresses of the bursts that the data cache reads: lines, beats past it, lines ahead."""
    line_bytes, address = cfg.dcache.cache.line_bytes, by_lane(requests, "addr")
    single = served["burst"] & SINGLE > 0
    start = address & np.where(single, -cfg.axi.strobe_bits, -line_bytes)
    ahead = served["ahead"] & READ > 0
    cached = requests["mask"] & ~served["shared"]
    lane = np.argmax(cached[:, None] >> np.arange(LANES) & 1, axis=1)  # all of them are in one line
    following = address[np.arange(len(requests)), lane][ahead] // line_bytes + 1
    return np.concatenate([start[served["burst"] & READ > 0], following * line_bytes])
