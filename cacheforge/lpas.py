# SPDX-License-Identifier: Apache-2.0
"""``lpas`` in the library: requests of all PEs, cycle by cycle as the RTL has them.

Each PE offers its requests in their order, as early as ``at`` lets it; memory is as the configuration says.
"""

from pathlib import Path

from cacheforge.result import Run, share
from configs.lpas.schema import Config
from models.lpas import LpasModel
from models.memory import Memory
from workloads.lpas import trace as rows
from workloads.lpas.accesses import PATTERNS as KNOWN
from workloads.lpas.accesses import columns as of_pattern
from workloads.traces.columns import Columns, of_stream
from workloads.traces.npz_table import Arrays
from workloads.traces.requests import Requests

PATTERNS = tuple(KNOWN)
TRAFFIC = (Requests,)


def pattern(cfg: Config, name: str, n: int, _seed: int) -> Requests:
    """About ``n`` requests, as many of each PE; these patterns draw nothing."""
    return Requests(of_pattern(cfg, name, n), name=name)


def trace(cfg: Config, path: Path) -> Requests:
    """A trace file."""
    return rows.load_trace(path, cfg)


def columns(cfg: Config) -> Columns:
    """The columns of :func:`accesses`."""
    return of_stream(rows.stream(cfg), optional=rows.defaults(cfg))


def accesses(cfg: Config, arrays: Arrays) -> Requests:
    """The arrays of a trace file."""
    return rows.from_arrays(cfg, arrays)


def run(cfg: Config, traffic: Requests, seed: int) -> Run:
    """The golden model's results: cycles of each request, too. ``local``: of what caches granted."""
    model = LpasModel(cfg, Memory(seed, traffic.base, traffic.image))
    results = model.replay(rows.requests(traffic))
    counters = {name: count for name, count in model.counters.items() if not name.endswith("_cycles")}
    granted = counters["hits"] + counters["misses"]
    rates = {
        "hit rate": share(counters["hits"], granted), "local": share(counters["local"], granted),
    }  # fmt: skip
    return Run(cfg, results, counters, rates)
