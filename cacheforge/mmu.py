# SPDX-License-Identifier: Apache-2.0
"""``mmu`` in the library: requests of both caches, in one order."""

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from cacheforge.result import Run, share
from configs.mmu.schema import Config
from models.dcache import REQUEST as ACCESS
from models.icache import REQUEST as FETCH
from models.memory import Memory
from models.mmu import RESULT, MmuModel
from workloads.mmu.trace import FIRST_OF_DCACHE, defaults, load_trace, stream
from workloads.traces.columns import of_stream
from workloads.traces.npz_table import Arrays, read_columns
from workloads.traces.requests import Requests, records, requests_from_arrays

PATTERNS: tuple[str, ...] = ()
TRAFFIC = (Requests,)


def columns(cfg: Config) -> Iterable[str]:
    """Names of the columns of an access."""
    return of_stream(stream(cfg))


def trace(cfg: Config, path: Path) -> Requests:
    """A trace file."""
    return load_trace(path, cfg)


def accesses(cfg: Config, arrays: Arrays) -> Requests:
    """The arrays of a trace file."""
    return requests_from_arrays(arrays, stream(cfg), defaults(cfg))


def run(cfg: Config, traffic: Requests, seed: int) -> Run:
    """The golden model's results: of a fetch, its instruction is ``data`` of lane 0."""
    asked = read_columns(traffic.columns, of_stream(stream(cfg)))
    model = MmuModel(cfg, Memory(seed, traffic.base, traffic.image))
    of_dcache = asked["op"] >= FIRST_OF_DCACHE
    accessed = records(ACCESS, {**asked, "op": asked["op"] - FIRST_OF_DCACHE * of_dcache})
    fetched = records(FETCH, asked)
    results = np.zeros(len(traffic), RESULT)
    for data, run_of in groupby(range(len(traffic)), key=of_dcache.__getitem__):
        rows = list(run_of)
        if data:
            results[rows] = model.access(accessed[rows])
        else:
            _put(results, rows, model.fetch(fetched[rows]))
    caches = {"icache": model.icache.counters, "dcache": model.dcache.counters}
    counters = {f"{name}_{key}": count for name, all_ in caches.items() for key, count in all_.items()}
    hits = {name: counted["hits"] for name, counted in caches.items()}
    words = {name: counted["hits"] + counted["misses"] for name, counted in caches.items()}
    rates = {"hit rate": share(sum(hits.values()), sum(words.values()))}
    rates |= {f"{name} hit rate": share(hits[name], words[name]) for name in caches}
    return Run(cfg, results, counters | model.counters, rates)


def _put(results: Any, rows: list[int], found: Any) -> None:
    """Results of fetches, as those of lane 0."""
    results["data"][rows, 0] = found["inst"]
    results["way"][rows, 0] = found["way"]
    results["victim"][rows, 0] = found["victim"]
    for name in ("err", "hit", "evict"):
        results[name][rows] = found[name]
