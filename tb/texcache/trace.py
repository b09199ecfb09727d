# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``texcache`` for ``python -m tb trace``: results per footprint and the summary."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texcache.schema import COUNTERS, Config
from tb.common.replay.trace_report import Progress, Report, Table, rate
from tb.texcache.replay import Model, Rtl, check, predict, replay
from workloads.texcache.trace import Trace
from workloads.texcache.trace_files import load_trace, textures_of

PERCENTILES = (50, 90, 99)


def run(cfg: Config, path: Path, seed: int, rtl_dir: Path | None, progress: Progress) -> Report:
    """Load, predict, replay, compare. Raises :class:`configs.UserError` and ``ReplayError``."""
    progress("reading the trace", 0, 0)
    trace = load_trace(path, cfg)
    count = len(trace.footprints)
    progress("golden model", 0, 0)
    model = predict(cfg, trace, seed)
    progress("Verilated RTL", 0, 0)  # may have to be built first

    def step(done: int) -> None:
        progress("Verilated RTL", done, count)

    rtl = replay(cfg, trace, seed, rtl_dir=rtl_dir, progress=step)
    progress("comparing", 0, 0)
    return Report(
        name=trace.name or path.name, accesses=count, cycles=rtl.cycles, columns=columns(trace, model, rtl),
        figures=figures(cfg, trace, rtl), tables=[_banks(cfg, rtl), _levels(cfg, trace, rtl), _stalls(rtl)],
        mismatches=check(cfg, trace, model, rtl),
    )  # fmt: skip


def sized(cfg: Config, path: Path) -> Config:
    """``cfg`` with a table for as many textures as the file says that it has. Raises :class:`UserError`."""
    return cfg.holding(textures_of(path) or 0)


def columns(trace: Trace, model: Model, rtl: Rtl) -> dict[str, NDArray[Any]]:
    """Per footprint: the request, and what the RTL did; arrays [n], or [n, 4] by slot (data: by texel).

    Where the RTL differs from the model, what the model says follows as ``model_...``.
    """
    footprints, equal = trace.footprints, model.result == rtl.result
    result = {name: footprints[name] for name in footprints.dtype.names or ()} | trace.extras
    result |= {"equal": equal.astype(np.uint8), "footprint_hit": footprint_hits(rtl.result).astype(np.uint8)}
    result |= {"cycles": rtl.latency, "t_request": rtl.t_request, "t_result": rtl.t_result}
    for prefix, records in (("", rtl.result), ("model_", model.result)):
        if not prefix or not equal.all():
            for name in records.dtype.names or ():
                result[prefix + ("data" if name == "texel" else name)] = records[name]
    return result


def footprint_hits(result: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether all look-ups of a footprint hit, [n]."""
    hits: NDArray[np.bool_] = (result["hit"] == result["valid"]).all(axis=1)
    return hits


def figures(cfg: Config, trace: Trace, rtl: Rtl) -> dict[str, int | float | None]:
    """The headline numbers."""
    count, result = len(rtl.result), rtl.result
    lookups, hits = int(result["valid"].sum()), int(result["hit"].sum())
    pixels = trace.pixels
    values: dict[str, int | float | None] = {
        "footprints": count,
        "look-ups": lookups,
        "look-up hit rate": rate(hits, lookups),
        "footprint hit rate": rate(int(footprint_hits(result).sum()), count),
        "evictions": int(result["evict"].sum()),
        "lines filled": len(rtl.ar),
        "bytes filled": len(rtl.ar) * cfg.cache.line_bytes,
        "footprints with errors": int(np.count_nonzero(result["err"])),
        "cycles": rtl.cycles,
        "footprints per clock": rate(count, rtl.cycles),
        "pixels": pixels,
        "pixels per clock": rate(pixels, rtl.cycles),
    }
    latency = rtl.latency if count else np.zeros(1, np.int64)
    values |= {"latency, least": int(latency.min()), "latency, mean": float(latency.mean())}
    values |= {f"latency, {p} %": int(np.percentile(latency, p, method="inverted_cdf")) for p in PERCENTILES}
    return values | {"latency, most": int(latency.max())}


def _banks(cfg: Config, rtl: Rtl) -> Table:
    valid, rows = rtl.result["valid"] == 1, []
    for bank in range(cfg.banks):
        here = valid & (rtl.result["bank"] == bank)
        lookups, hits = int(here.sum()), int(rtl.result["hit"][here].sum())
        evictions = int(rtl.result["evict"][here].sum())
        rows.append((bank, lookups, hits, lookups - hits, rate(hits, lookups), evictions))
    return Table("banks", ("bank", "look-ups", "hits", "misses", "hit rate", "evictions"), rows)


def _levels(cfg: Config, trace: Trace, rtl: Rtl) -> Table:
    rows, whole = [], footprint_hits(rtl.result)
    for level in range(cfg.levels):
        here = trace.footprints["level"] == level
        if not here.any():
            continue
        lookups, hits = int(rtl.result["valid"][here].sum()), int(rtl.result["hit"][here].sum())
        count, all_hit = int(here.sum()), int(whole[here].sum())
        rows.append((level, cfg.level_side(level), count, lookups, rate(hits, lookups), rate(all_hit, count)))
    heads = ("level", "side", "footprints", "look-ups", "look-up hit rate", "footprint hit rate")
    return Table("levels", heads, rows)


def _stalls(rtl: Rtl) -> Table:
    waits = [(name, rtl.counters[name], doc) for name, doc in COUNTERS if name.endswith("_cycles")]
    return Table("waiting", ("counter", "cycles", "what it counts"), waits)
