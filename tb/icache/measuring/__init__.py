# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure icache`` measures: the fetches of programs under each policy."""

from typing import Any

import numpy as np

from configs.icache.schema import FETCH, Config
from configs.simt import POLICIES
from models.belady import optimal_hits
from models.lfu import frequency_hits
from tb.common.measuring.requests import RequestMeasurement
from tb.common.measuring.workload import preset_of
from tb.common.replay.requests import Columns, Rtl
from tb.icache.replay import predict, requester
from workloads.icache import patterns

COUNT, QUICK_COUNT = 60_000, 3_000


def cfgs(base: Config) -> dict[str, Config]:
    """All policies."""
    return {policy: preset_of(base.with_(cache={"policy": policy})) for policy in POLICIES}


def columns(cfg: Config, pattern: str, quick: bool) -> Columns:
    """A program's requests."""
    return patterns.columns(cfg, pattern, QUICK_COUNT if quick else COUNT)


def figures(cfg: Config, rtl: Rtl) -> dict[str, Any]:
    """Bytes that memory moved; hits of the same fetches under true LFU and under the optimum."""
    lines = rtl.events["line"][rtl.events["op"] == FETCH].astype(np.int64)
    where = lines % cfg.cache.sets, lines, cfg.cache.sets, cfg.cache.ways
    return {
        "read_bytes": len(rtl.reads["m_axi"]) * cfg.cache.line_bytes,
        "frequency_hits": int(frequency_hits(*where).sum()), "optimal_hits": int(optimal_hits(*where).sum()),
    }  # fmt: skip


MEASUREMENT = RequestMeasurement(tuple(patterns.PATTERNS), cfgs, columns, requester, predict, figures)
