# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``texpipe`` for ``python -m tb trace`` (as of ``texunit``): per quad, and the summary."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texpipe.schema import BANKS, Config
from models.memory import Memory
from tb.common.replay.trace_report import Progress, Report, Table, rate
from tb.texpipe.replay import Model, Rtl, check, predict, replay
from tb.texunit.trace import columns, speed, stalls
from workloads.texunit.quad_trace import QuadTrace, load_quads


def run(cfg: Config, path: Path, seed: int, rtl_dir: Path | None, progress: Progress) -> Report:
    """Load, replay, predict, compare. Raises :class:`configs.UserError` and ``ReplayError``."""
    progress("reading the trace", 0, 0)
    trace = load_quads(path, cfg)
    parts, memory = trace.split(cfg.units), Memory(seed, trace.base, trace.image)
    streams = [stream for _, stream in parts]
    progress("golden model", 0, 0)
    models = [predict(cfg, stream, memory) for stream in streams]
    progress("Verilated RTL", 0, 0)  # may have to be built first

    def step(done: int) -> None:
        progress("Verilated RTL", done, len(trace))

    rtl = replay(cfg, streams, memory, seed, rtl_dir=rtl_dir, progress=step)
    progress("comparing", 0, 0)
    found = columns(trace, [mine for mine, _ in parts], models, rtl, counted)
    return Report(
        name=trace.name, accesses=len(trace), cycles=round(rtl.cycles), columns=found,
        figures=figures(cfg, trace, found, models, rtl),
        tables=[_units(rtl), _banks(models), stalls(rtl, cfg.counters)],
        mismatches=check(cfg, streams, rtl, models),
    )  # fmt: skip


def counted(model: Model) -> dict[str, NDArray[Any]]:
    """Of each quad of a unit: lines looked up, and misses among them."""
    quads = len(model.result)
    of_quad = np.repeat(np.arange(quads), model.result["beats"])
    each = {"lookups": _sum(model, "valid"), "misses": _misses(model)}
    return {name: np.bincount(of_quad, values, quads) for name, values in each.items()}


def _sum(model: Model, name: str) -> NDArray[np.int64]:
    found: NDArray[np.int64] = model.beats[name].sum(axis=1, dtype=np.int64)
    return found


def _misses(model: Model) -> NDArray[np.int64]:
    return _sum(model, "valid") - _sum(model, "hit")


def figures(
    cfg: Config, trace: QuadTrace, found: dict[str, NDArray[Any]], models: list[Model], rtl: Rtl
) -> dict[str, int | float | None]:
    """The headline numbers; cycles are those of ``tex_clk``, latencies those of ``gpu_clk``."""
    counts = {name: sum(unit.counters[name] for unit in rtl.units) for name, _ in cfg.counters}
    return {
        "quads": len(trace), "pixels": counts["pixels"],
        **({"pixels of two levels": counts["mixed"]} if cfg.trilinear else {}),
        "primitives": sum(len(np.unique(trace.prim_of_quad[trace.unit == n])) for n in range(len(models))),
        "lines looked up": counts["lookups"], "hit rate": rate(counts["hits"], counts["lookups"]),
        "lines filled": counts["misses"], "evictions": counts["evictions"],
        "colour tables": counts["tables"], "bursts": rtl.lines, "quads with errors": int(found["err"].sum()),
        "cycles": round(rtl.cycles),
        **speed(counts["pixels"], rtl.cycles, found),
    }  # fmt: skip


def _units(rtl: Rtl) -> Table:
    heads = ("unit", "quads", "pixels", "look-ups", "hit rate", "misses", "waiting for memory")
    rows = [
        (
            number, one["quads"], one["pixels"], one["lookups"], rate(one["hits"], one["lookups"]),
            one["misses"], one["memory_wait_cycles"] / rtl.cycles if rtl.cycles else None,
        )
        for number, one in enumerate(unit.counters for unit in rtl.units)
    ]  # fmt: skip
    return Table("units", heads, rows)


def _banks(models: list[Model]) -> Table:
    beats = np.concatenate([model.beats for model in models])
    rows = []
    for bank in range(BANKS):
        asked, hits = int(beats["valid"][:, bank].sum()), int(beats["hit"][:, bank].sum())
        rows.append((bank, asked, rate(hits, asked), int(beats["evict"][:, bank].sum())))
    return Table("banks", ("bank", "look-ups", "hit rate", "evictions"), rows)
