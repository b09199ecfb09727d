# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure simple`` measures: small programs, written back and written through."""

from typing import Any

from configs.simple.schema import Config
from models.simple import traffic
from tb.common.measuring.requests import RequestMeasurement
from tb.common.measuring.workload import preset_of
from tb.common.replay.requests import Columns, Rtl
from tb.simple.replay import predict, requester

COUNT, QUICK_COUNT = 100_000, 3_000
POLICIES = ("write-back", "write-through")


def cfgs(base: Config) -> dict[str, Config]:
    """Both policies."""
    return {policy: preset_of(base.with_(policy=policy)) for policy in POLICIES}


def columns(cfg: Config, pattern: str, quick: bool) -> Columns:
    """A program's requests."""
    return traffic.columns(cfg, pattern, QUICK_COUNT if quick else COUNT)


def figures(cfg: Config, requests: Columns, rtl: Rtl) -> dict[str, Any]:
    """Bytes that memory moved."""
    line = cfg.cache.line_bytes
    written = rtl.counters["writes"] * (line if cfg.write_back else cfg.word_bytes)
    return {"read_bytes": len(rtl.reads["m_axi"]) * line, "written_bytes": written}


MEASUREMENT = RequestMeasurement(tuple(traffic.PATTERNS), cfgs, columns, requester, predict, figures)
