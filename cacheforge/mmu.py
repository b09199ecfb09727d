# SPDX-License-Identifier: Apache-2.0
"""``mmu`` in the library: requests of both caches, in one order."""

from pathlib import Path

import numpy as np

from cacheforge.result import Run, share
from configs.mmu.schema import Config
from models.dcache import REQUEST as ACCESS
from models.icache import REQUEST as FETCH
from models.memory import Memory
from models.mmu import RESULT, MmuModel
from models.mmu.traffic import FIRST_OF_DCACHE, defaults, load_trace, stream
from workloads.traces.columns import Columns, of_stream
from workloads.traces.npz_table import Arrays, read_columns
from workloads.traces.requests import Requests, records, reference_hits, requests_from_arrays

PATTERNS: tuple[str, ...] = ()
TRAFFIC = (Requests,)


def trace(cfg: Config, path: Path) -> Requests:
    """A trace file."""
    return load_trace(path, cfg)


def columns(cfg: Config) -> Columns:
    """The columns of :func:`accesses`."""
    return of_stream(stream(cfg), optional=defaults(cfg))


def accesses(cfg: Config, arrays: Arrays) -> Requests:
    """The arrays of a trace file."""
    return requests_from_arrays(arrays, stream(cfg), defaults(cfg))


def run(cfg: Config, traffic: Requests, seed: int) -> Run:
    """The golden model's results: of a fetch, its instruction is ``data`` of lane 0."""
    requests = read_columns(traffic.columns, of_stream(stream(cfg)))
    model = MmuModel(cfg, Memory(seed, traffic.base, traffic.image))
    of_dcache = requests["op"] >= FIRST_OF_DCACHE
    accessed = records(ACCESS, {**requests, "op": requests["op"] - FIRST_OF_DCACHE * of_dcache})
    fetched, results = records(FETCH, requests), np.zeros(len(traffic), RESULT)
    fetch_results, results[of_dcache] = model.replay(of_dcache, fetched[~of_dcache], accessed[of_dcache])
    for name, of_lane in (("data", "inst"), ("way", "way"), ("victim", "victim")):
        results[name][~of_dcache, 0] = fetch_results[of_lane]
    for name in ("err", "hit", "evict"):
        results[name][~of_dcache] = fetch_results[name]
    caches = {"icache": model.icache.counters, "dcache": model.dcache.counters}
    counters = {f"{name}_{key}": count for name, all_ in caches.items() for key, count in all_.items()}
    hits = {name: counted["hits"] for name, counted in caches.items()}
    words = {name: counted["hits"] + counted["misses"] for name, counted in caches.items()}
    rates = {"hit rate": share(sum(hits.values()), sum(words.values()))}
    rates |= {f"{name} hit rate": share(hits[name], words[name]) for name in caches}
    references = reference_hits(traffic, results["hit"] | results["shared"])
    return Run(cfg, results, counters | model.counters, rates, references=references)
