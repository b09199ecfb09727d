# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure dcache`` measures: loads and stores of programs under each policy."""

from typing import Any

from configs.dcache.schema import Config
from configs.simt import POLICIES, WORD_BYTES
from tb.common.measuring.requests import RequestMeasurement
from tb.common.measuring.workload import preset_of
from tb.common.replay.requests import Columns, Rtl
from tb.dcache.replay import predict, requester
from workloads.dcache import patterns

COUNT, QUICK_COUNT = 12_000, 600


def cfgs(base: Config) -> dict[str, Config]:
    """All policies."""
    return {policy: preset_of(base.with_(cache={"policy": policy})) for policy in POLICIES}


def columns(cfg: Config, pattern: str, quick: bool) -> Columns:
    """A program's requests."""
    return patterns.columns(cfg, pattern, QUICK_COUNT if quick else COUNT)


def figures(cfg: Config, rtl: Rtl) -> dict[str, Any]:
    """Bytes that memory moved: lines, and words that are written through."""
    line = cfg.cache.line_bytes
    written = rtl.counters["writes"] * (line if cfg.write_back else WORD_BYTES)
    words = rtl.counters["hits"] + rtl.counters["misses"]
    return {"read_bytes": len(rtl.reads["m_axi"]) * line, "written_bytes": written, "words": words}


MEASUREMENT = RequestMeasurement(tuple(patterns.PATTERNS), cfgs, columns, requester, predict, figures)
