# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure icache`` measures: fetches of patterns and programs under each policy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.icache.schema import FETCH, Config
from configs.simt import POLICIES
from models.belady import optimal_hits
from models.comparison import Geometry, frequency_hits
from models.icache import traffic
from tb.common.measuring.programs import Case, SimtMeasurement, Sweeps, begins
from tb.common.measuring.workload import preset_of
from tb.common.replay.requests import Columns, Rtl
from tb.icache.replay import predict, requester
from workloads.simt import requests
from workloads.simt.machine import Trace
from workloads.simt.programs import NINE, PROGRAMS

COUNT, QUICK_COUNT = 60_000, 3_000
#: ours do not fit into the cache, or into a set
CASES = tuple(Case(name, PROGRAMS[name].n) for name in (*NINE, "unrolled", "ways"))
QUICK_CASES = (Case("vertices", 32), Case("ways", 17), Case("matmul", 12))
#: the code of the nine fits into one or two lines of the cache: policies differ in caches as small as these
SMALL = Sweeps(Geometry(8, 4, 8), [64 << power for power in range(8)], (8, 16, 32))


def cfgs(base: Config) -> dict[str, Config]:
    """All policies."""
    return {policy: preset_of(base.with_(cache={"policy": policy})) for policy in POLICIES}


def columns(cfg: Config, pattern: str, quick: bool) -> Columns:
    """A pattern's requests."""
    return traffic.columns(cfg, pattern, QUICK_COUNT if quick else COUNT)


def asked(trace: Trace) -> NDArray[Any]:
    """A program's requests."""
    return np.concatenate([requests.bases(trace.base), requests.fetches(trace)])


def looked_up(trace: Trace) -> NDArray[np.int64]:
    """Byte addresses of instructions."""
    return trace.addresses


def sweeps(base: Config) -> Sweeps:
    """The same around any configuration."""
    return SMALL


def figures(cfg: Config, fields: Columns, rtl: Rtl) -> dict[str, Any]:
    """Bytes that memory moved; hits of the same fetches under true LFU and under the optimum; how the run
    began.
    """
    fetched = fields["op"] == FETCH
    lines = rtl.events["line"][fetched].astype(np.int64)
    where = lines % cfg.cache.sets, lines, cfg.cache.sets, cfg.cache.ways
    return {
        "read_bytes": len(rtl.reads["m_axi"]) * cfg.cache.line_bytes,
        "frequency_hits": int(frequency_hits(*where).sum()), "optimal_hits": int(optimal_hits(*where).sum()),
        "begins": begins(rtl, fetched, 1 - rtl.events["hit"].astype(np.int64)),
    }  # fmt: skip


MEASUREMENT = SimtMeasurement(
    tuple(traffic.PATTERNS), cfgs, columns, requester, predict, figures,
    CASES, QUICK_CASES, asked, looked_up, sweeps,
)  # fmt: skip
