# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure dcache`` measures: loads and stores of patterns and programs, each policy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import CLEAN, Config
from configs.simt import POLICIES, WORD_BYTES
from models.comparison import Geometry
from models.dcache import REQUEST, traffic
from tb.common.measuring.programs import Case, SimtMeasurement, Sweeps, begins
from tb.common.measuring.workload import preset_of
from tb.common.replay.requests import Columns, Rtl
from tb.dcache.replay import predict, requester
from workloads.simt import requests
from workloads.simt.machine import Trace
from workloads.simt.programs import NINE, PROGRAMS

COUNT, QUICK_COUNT = 12_000, 600
#: as they come the programs fit into the cache; some on more data than it holds
LARGE = {
    "maximum": 65536, "matmul": 64, "convolution": 96, "lines": 512, "vertices": 4096, "fft": 4096,
}  # fmt: skip
CASES = tuple(
    Case(name, n) for name in NINE for n in (PROGRAMS[name].n, *([LARGE[name]] if name in LARGE else []))
)
QUICK_CASES = (Case("matmul", 12), Case("fft", 128))
SIZES, LINES = [1024 << power for power in range(8)], [8 << power for power in range(7)]


def cfgs(base: Config) -> dict[str, Config]:
    """All policies."""
    return {policy: preset_of(base.with_(cache={"policy": policy})) for policy in POLICIES}


def columns(cfg: Config, pattern: str, quick: bool) -> Columns:
    """A pattern's requests."""
    return traffic.columns(cfg, pattern, QUICK_COUNT if quick else COUNT)


def asked(trace: Trace) -> NDArray[Any]:
    """A program's requests, without those that have no lane; a clean at the end."""
    made, clean = requests.accesses(trace), np.zeros(1, REQUEST)
    clean["op"] = CLEAN
    return np.concatenate([made[(made["mask"] > 0) | (made["op"] == CLEAN)], clean])


def looked_up(trace: Trace) -> NDArray[np.int64]:
    """Byte addresses of words."""
    return requests.words(trace)


def sweeps(base: Config) -> Sweeps:
    """Around the configuration."""
    return Sweeps(Geometry.of(base.cache), SIZES, LINES)


def figures(cfg: Config, fields: Columns, rtl: Rtl) -> dict[str, Any]:
    """Bytes that memory moved, lines and words that are written through; cycles but for the clean at the
    end; how the run began.
    """
    line = cfg.cache.line_bytes
    written = rtl.counters["writes"] * (line if cfg.write_back else WORD_BYTES)
    words = rtl.counters["hits"] + rtl.counters["misses"]
    return {
        "read_bytes": len(rtl.reads["m_axi"]) * line, "written_bytes": written, "words": words,
        "cycles_before_clean": int(rtl.t_result[:-1].max()) + 1,
        "begins": begins(rtl, fields["mask"] > 0, np.bitwise_count(fields["mask"] & ~rtl.events["hit"])),
    }  # fmt: skip


MEASUREMENT = SimtMeasurement(
    tuple(traffic.PATTERNS), cfgs, columns, requester, predict, figures,
    CASES, QUICK_CASES, asked, looked_up, sweeps,
)  # fmt: skip
