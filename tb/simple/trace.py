# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``simple`` for ``python -m tb trace``: results per request and the summary."""

from pathlib import Path

import numpy as np

from configs.simple.schema import COUNTERS, Config
from tb.common.replay.trace_report import Progress, Report, Table, rate
from tb.simple.items import FIELDS
from tb.simple.replay import PINS, check, predict, replay
from workloads.simple.trace import load


def run(cfg: Config, path: Path, seed: int, rtl_dir: Path | None, progress: Progress) -> Report:
    """Load, predict, replay, compare. Raises :class:`configs.UserError` and ``ReplayError``."""
    progress("reading the trace", 0, 0)
    requests = load(path, cfg)
    progress("golden model", 0, 0)
    model, result = predict(cfg, requests, seed)
    progress("Verilated RTL", 0, 0)  # may have to be built first

    def step(done: int) -> None:
        progress("Verilated RTL", done, len(requests))

    rtl = replay(cfg, requests, seed, rtl_dir=rtl_dir, progress=step)
    columns = {field: requests[field] for field in FIELDS}
    columns |= {field: rtl.result[field] for field in PINS if field != "value"}
    columns |= {"loaded": rtl.result["value"], "cycles": rtl.t_result - rtl.t_request}
    counts = rtl.counters
    latency = columns["cycles"] if len(requests) else np.zeros(1, np.int64)
    return Report(
        name=path.name, accesses=len(requests), cycles=rtl.cycles, columns=columns,
        figures={
            "requests": len(requests), "loads": counts["loads"], "stores": counts["stores"],
            "hit rate": rate(counts["hits"], counts["hits"] + counts["misses"]),
            "evictions": counts["evictions"], "writes to memory": counts["writes"],
            "requests with errors": counts["errors"], "cycles": rtl.cycles,
            "requests per clock": rate(len(requests), rtl.cycles),
            "latency, mean": float(latency.mean()), "latency, most": int(latency.max()),
        },
        tables=[Table("counters", ("counter", "value", "what it counts"),
                      [(name, counts[name], doc) for name, doc in COUNTERS])],
        mismatches=check(cfg, requests, model, result, rtl),
    )  # fmt: skip
