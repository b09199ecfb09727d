# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``mmu`` for ``python -m tb trace``."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from configs.mmu.schema import Config
from models.memory import Memory
from models.mmu.traffic import load_trace, sides
from tb.common.replay import request_trace
from tb.common.replay.requests import Model, Rtl
from tb.common.replay.trace_report import Progress, Report, Table, rate
from tb.mmu.prediction import Predicted, predict
from tb.mmu.replay import ROLES, Replayed, check, replay
from tb.mmu.sides import SIDES
from workloads.traces.requests import Requests


def run(cfg: Config, path: Path, seed: int, rtl_dir: Path | None, progress: Progress) -> Report:
    """Load, predict, replay, compare. Raises :class:`configs.UserError` and ``ReplayError``."""
    progress("reading the trace", 0, 0)
    trace = load_trace(path, cfg)
    both = sides(cfg, trace.columns)
    progress("golden model", 0, 0)
    predicted = predict(cfg, both, Memory(seed, trace.base, trace.image))
    progress("Verilated RTL", 0, 0)  # may have to be built first
    replayed = replay(
        cfg, trace.columns, both, predicted, Memory(seed, trace.base, trace.image), seed, rtl_dir=rtl_dir,
        progress=lambda done: progress("Verilated RTL", done, len(trace)),
    )  # fmt: skip
    progress("comparing", 0, 0)
    return Report(
        name=trace.name, accesses=len(trace), cycles=replayed.rtl.cycles,
        columns=request_trace.columns(_with_parts(trace, predicted), *_told(predicted.model, replayed.rtl)),
        figures=_figures(trace, predicted, replayed.rtl),
        tables=[_caches(replayed), _waiting(cfg, replayed.rtl)],
        mismatches=check(cfg, trace.columns, predicted, replayed),
    )  # fmt: skip


def _with_parts(trace: Requests, predicted: Predicted) -> Requests:
    """``part``: the number of the part of the trace that an access is in."""
    part = np.searchsorted(predicted.starts, np.arange(len(trace)), side="right") - 1
    return replace(trace, columns=trace.columns | {"part": part})


def _told(model: Model, rtl: Rtl) -> tuple[Model, Rtl]:
    """What became of each access: its results and, if there is one of each, its event."""
    if not rtl.events:
        return model, rtl
    return (
        replace(model, results=model.results | model.events),
        replace(rtl, results=rtl.results | rtl.events),
    )


def _figures(trace: Requests, predicted: Predicted, rtl: Rtl) -> dict[str, int | float | None]:
    """Of both caches; latencies are each one's own."""
    figures = {name: n for name, n in request_trace.figures(rtl).items() if not name.startswith("latency")}
    of_references = request_trace.of_references(trace, {"hit": predicted.hit})
    return {**trace.figures, **of_references, "parts": len(predicted.starts), **figures}


def _caches(replayed: Replayed) -> Table:
    """What became of the requests of each cache, and the cycles that they took."""
    columns = []
    for rtl in replayed.sides:
        hits = rate(rtl.counters["hits"], rtl.counters["hits"] + rtl.counters["misses"])
        latencies = {f"latency, {name}": n for name, n in request_trace.latencies(rtl).items()}
        columns.append({"requests": len(rtl.t_request), "hit rate": hits, **latencies})
    rows = [(what, *(column[what] for column in columns)) for what in columns[0]]
    return Table("caches", ("what", *SIDES), rows)


def _waiting(cfg: Config, rtl: Rtl) -> Table:
    """The counters of cycles."""
    rows = []
    for stream in filter(None, ROLES.counted):
        for field in cfg.streams[stream].fields:
            if field.name.endswith("_cycles"):
                name = stream.removesuffix("perf") + field.name
                rows.append((name, rtl.counters[name], field.doc))
    return Table("waiting", ("counter", "cycles", "what it counts"), rows)
