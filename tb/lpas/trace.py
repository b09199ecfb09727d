# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``lpas`` for ``python -m tb trace``: what became of each request, waits by area."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.lpas.schema import COUNTERS, LDM, Config
from models.memory import Memory
from tb.common.replay.request_trace import PERCENTILES
from tb.common.replay.trace_report import Progress, Report, Table, rate
from tb.lpas.replay import ANSWER, Model, Rtl, check, predict, replay
from workloads.lpas.trace import load_trace, requests

Value = int | float | None


def run(cfg: Config, path: Path, seed: int, rtl_dir: Path | None, progress: Progress) -> Report:
    """Load, predict, replay, compare. Raises :class:`configs.UserError` and ``ReplayError``."""
    progress("reading the trace", 0, 0)
    trace = load_trace(path, cfg)
    accesses = requests(trace)
    progress("golden model", 0, 0)
    model = predict(cfg, accesses, Memory(seed, trace.base, trace.image))
    progress("Verilated RTL", 0, 0)  # may have to be built first
    rtl = replay(
        cfg, accesses, Memory(seed, trace.base, trace.image), seed, rtl_dir=rtl_dir,
        progress=lambda done: progress("Verilated RTL", done, len(accesses)),
    )  # fmt: skip
    progress("comparing", 0, 0)
    return Report(
        name=trace.name, accesses=len(accesses), cycles=rtl.cycles,
        columns=columns(cfg, accesses, model, rtl), figures=figures(rtl),
        tables=[_by_area(cfg, accesses, rtl), _waiting(rtl)],
        mismatches=check(cfg, accesses, model, rtl),
    )  # fmt: skip


def columns(cfg: Config, accesses: NDArray[Any], model: Model, rtl: Rtl) -> dict[str, NDArray[Any]]:
    """Per request: its fields, its home, what the RTL answered and when (``res_value`` of loads and LDM).

    Where the RTL differs from the model, what the model says follows as ``model_...``.
    """
    equal = model.answers == rtl.answers
    listed = {name: accesses[name] for name in accesses.dtype.names or ()}
    listed |= {"cache": home(cfg, accesses), "area": areas(cfg, accesses), "equal": equal.astype(np.uint8)}
    listed |= {"cycles": latencies(rtl), "t_request": rtl.answers["first"], "t_result": rtl.answers["done"]}
    listed |= {"res_value": rtl.answers["value"], "err": rtl.answers["err"]}
    said = {f"model_{name}": model.answers[name] for name in ANSWER.names or ()}
    return listed if equal.all() else listed | said


def home(cfg: Config, accesses: NDArray[Any]) -> NDArray[np.int64]:
    """The cache of each request [n]; -1 for those that go past the caches."""
    caches = (accesses["word"] >> cfg.slot_bits) % cfg.pes
    return np.where(accesses["op"] < LDM, caches, -1).astype(np.int64)


def areas(cfg: Config, accesses: NDArray[Any]) -> NDArray[np.int64]:
    """The area of its cache that each request [n] comes from, 0 the nearest; -1 as in :func:`home`."""
    table = np.full((cfg.array.rows, cfg.pes), -1, np.int64)
    for row, listed in enumerate(cfg.area_pes):
        for number, members in enumerate(listed):
            table[row, list(members)] = number
    cache = home(cfg, accesses)
    return np.where(cache >= 0, table[cache // cfg.array.columns, accesses["pe"]], -1)


def latencies(rtl: Rtl) -> NDArray[np.int64]:
    """Cycles of each request [n], the first and the last one included."""
    cycles: NDArray[np.int64] = rtl.answers["done"] - rtl.answers["first"] + 1
    return cycles


def figures(rtl: Rtl) -> dict[str, Value]:
    """The headline numbers."""
    counted = {name: value for name, value in rtl.counters.items() if not name.endswith("_cycles")}
    count = len(rtl.answers)
    latency = {f"latency, {name}": value for name, value in spread(latencies(rtl)).items()}
    return {
        "requests": count, **counted, "hit rate": rate(counted["hits"], counted["hits"] + counted["misses"]),
        "reads of m_axi": len(rtl.reads), "writes of m_axi": len(rtl.writes), "cycles": rtl.cycles,
        "requests per clock": rate(count, rtl.cycles), **latency,
    }  # fmt: skip


def spread(values: NDArray[np.int64]) -> dict[str, Value]:
    """Least, mean, percentiles and most; None of nothing."""
    names = ("least", "mean", *(f"{p} %" for p in PERCENTILES), "most")
    if not len(values):
        return dict.fromkeys(names)
    middle = [int(np.percentile(values, p, method="inverted_cdf")) for p in PERCENTILES]
    return dict(
        zip(names, (int(values.min()), float(values.mean()), *middle, int(values.max())), strict=True)
    )


def _by_area(cfg: Config, accesses: NDArray[Any], rtl: Rtl) -> Table:
    """How long requests took, by where they come from."""
    area, latency = areas(cfg, accesses), latencies(rtl)
    rows = []
    for number in range(-1, max(len(listed) for listed in cfg.area_pes)):
        mine = latency[area == number]
        name = "past the caches" if number < 0 else f"area {number}" if number else "area 0, nearest"
        if len(mine) or number >= 0:
            rows.append((name, len(mine), *spread(mine).values()))
    heads = ("from", "requests", "least", "mean", *(f"{p} %" for p in PERCENTILES), "most")
    return Table("cycles of a request", heads, rows)


def _waiting(rtl: Rtl) -> Table:
    """The counters of cycles."""
    rows = [(name, rtl.counters[name], doc) for name, doc in COUNTERS if name.endswith("_cycles")]
    return Table("waiting", ("counter", "cycles", "what it counts"), rows)
