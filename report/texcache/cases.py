# SPDX-License-Identifier: Apache-2.0
"""The published cycle counts, found in one run whose requests come far apart."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from report.texcache.metrics import footprint_hits
from report.texcache.results import StoredRun
from report.texcache.summary import Book

HIT, QUEUED, MISS = "hit", "queued", "miss"


@dataclass(frozen=True)
class Case:
    """A case of the paper: its cycles from request to texels; ``fixed``: no luck is involved."""

    name: str
    kind: str
    beats: int
    published: int
    fixed: bool


CASES = (
    Case("hit, rows in different caches", HIT, 1, 2, True),
    Case("hit, rows in the same cache", HIT, 2, 3, True),
    Case("line waits in the FIFO, different caches", QUEUED, 1, 6, False),
    Case("line waits in the FIFO, same cache", QUEUED, 2, 7, False),
    Case("line missing, FIFO empty, different caches", MISS, 1, 35, True),
    Case("line missing, FIFO empty, same cache", MISS, 2, 36, True),
)


@dataclass(frozen=True)
class Found:
    """Cycles of the footprints of one case: least, most, how many of how many."""

    least: int
    most: int
    count: int
    total: int


def kind_of(run: StoredRun) -> NDArray[np.str_]:
    """Kind of each footprint: "hit" and "miss" on an idle cache, "queued" behind others, "" for the rest.

    Idle: the result before had left. Queued: not idle, and not answered past the FIFO.
    """
    idle = np.ones(len(run.latency), bool)
    idle[1:] = run.t_request[1:] > run.t_result[:-1]
    missing = run.result["valid"].sum(axis=1, dtype=int) - run.result["hit"].sum(axis=1, dtype=int)
    direct = run.latency == 1 + run.result["beats"]
    kinds = np.full(len(idle), "", "U6")
    kinds[idle & footprint_hits(run.result)] = HIT
    kinds[idle & (missing == 1)] = MISS
    kinds[~idle & ~direct] = QUEUED
    return kinds


def measured_cases(book: Book) -> list[Found | None]:
    """Cycles of the RTL for each of :data:`CASES`; None for one that this configuration cannot have."""
    workload = book.results.of_kind("cycles")[0]
    run = book.results.run(workload)
    kinds, beats, latency = kind_of(run), run.result["beats"], run.latency
    found: list[Found | None] = []
    for case in CASES:
        chosen = latency[(kinds == case.kind) & (beats == case.beats)]
        one = Found(int(chosen.min()), int(chosen.max()), len(chosen), len(latency)) if len(chosen) else None
        found.append(one)
    return found
