# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``texpipe`` for ``python -m tb trace`` (as of ``texunit``): per quad, and the summary."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texpipe.schema import BANKS, Config
from tb.common.replay.trace_report import Table, rate
from tb.texpipe import replay
from tb.texunit.trace import speed, stalls, traced
from tb.texunit.units import Rtl, Seen
from workloads.texunit.quad_trace import QuadTrace


def counted(model: Seen) -> dict[str, NDArray[Any]]:
    """Of each quad of a unit: lines looked up, and misses among them."""
    quads = len(model.result)
    of_quad = np.repeat(np.arange(quads), model.result["beats"])
    each = {"lookups": _sum(model, "valid"), "misses": _misses(model)}
    return {name: np.bincount(of_quad, values, quads) for name, values in each.items()}


def _sum(model: Seen, name: str) -> NDArray[np.int64]:
    sums: NDArray[np.int64] = model.events[name].sum(axis=1, dtype=np.int64)
    return sums


def _misses(model: Seen) -> NDArray[np.int64]:
    return _sum(model, "valid") - _sum(model, "hit")


def figures(
    cfg: Config, trace: QuadTrace, quads: dict[str, NDArray[Any]], models: list[Seen], rtl: Rtl
) -> dict[str, int | float | None]:
    """The headline numbers; cycles are those of ``tex_clk``, latencies those of ``gpu_clk``."""
    counts = {name: sum(unit.counters[name] for unit in rtl.units) for name, _ in cfg.counters}
    return {
        "quads": len(trace), "pixels": counts["pixels"],
        **({"pixels of two levels": counts["mixed"]} if cfg.trilinear else {}),
        "primitives": sum(len(np.unique(trace.prim_of_quad[trace.unit == n])) for n in range(len(models))),
        "lines looked up": counts["lookups"], "hit rate": rate(counts["hits"], counts["lookups"]),
        "lines filled": counts["misses"], "evictions": counts["evictions"],
        "colour tables": counts["tables"], "bursts": rtl.lines, "quads with errors": int(quads["err"].sum()),
        "cycles": round(rtl.cycles),
        **speed(counts["pixels"], rtl.cycles, quads),
    }  # fmt: skip


def _units(rtl: Rtl) -> Table:
    heads = ("unit", "quads", "pixels", "look-ups", "hit rate", "misses", "waiting for memory")
    rows = [
        (
            number, count["quads"], count["pixels"], count["lookups"], rate(count["hits"], count["lookups"]),
            count["misses"], count["memory_wait_cycles"] / rtl.cycles if rtl.cycles else None,
        )
        for number, count in enumerate(unit.counters for unit in rtl.units)
    ]  # fmt: skip
    return Table("units", heads, rows)


def _banks(models: list[Seen]) -> Table:
    beats = np.concatenate([model.events for model in models])
    rows = []
    for bank in range(BANKS):
        lookups, hits = int(beats["valid"][:, bank].sum()), int(beats["hit"][:, bank].sum())
        rows.append((bank, lookups, rate(hits, lookups), int(beats["evict"][:, bank].sum())))
    return Table("banks", ("bank", "look-ups", "hit rate", "evictions"), rows)


def _tables(cfg: Config, _: dict[str, NDArray[Any]], models: list[Seen], rtl: Rtl) -> list[Table]:
    return [_units(rtl), _banks(models), stalls(rtl, cfg.counters)]


run = partial(traced, replay, counted, figures, _tables)
