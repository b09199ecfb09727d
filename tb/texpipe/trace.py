# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``texpipe`` for ``python -m tb trace`` (as of ``texunit``): per quad, and the summary."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texpipe.schema import BANKS, COUNTERS, Config
from models.memory import Memory
from tb.common.replay.trace_report import Progress, Report, Table, rate
from tb.texpipe.replay import Model, Rtl, check, predict, replay
from workloads.texunit.quad_trace import SCREEN, QuadTrace, load_quads

PERCENTILES = (50, 90, 99)


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

    rtl = replay(cfg, streams, memory, seed, rtl_dir, step)
    progress("comparing", 0, 0)
    found = columns(trace, [mine for mine, _ in parts], models, rtl)
    return Report(
        name=trace.name, accesses=len(trace), cycles=round(rtl.cycles), columns=found,
        figures=figures(trace, found, models, rtl),
        tables=[_units(rtl), _banks(models), _stalls(rtl)], mismatches=check(cfg, streams, rtl, models),
    )  # fmt: skip


def columns(
    trace: QuadTrace, rows: list[NDArray[np.int64]], models: list[Model], rtl: Rtl
) -> dict[str, NDArray[Any]]:
    """Per quad: the request, and what the RTL did; arrays [n], or [n, 4] by pixel.

    Level, look-ups and misses are the model's; where texels, validity or error of the RTL differ from the
    model, what the model says follows as ``model_...``.
    """
    count = len(trace)
    prim = trace.prims[trace.prim_of_quad]
    found: dict[str, NDArray[Any]] = {"unit": trace.unit, "prim": trace.prim_of_quad}
    found |= {name: prim[name] for name in ("log2w", "log2h", "format", "mode_u", "mode_v", "bilinear")}
    found |= {name: column for name in SCREEN if (column := getattr(trace, name)) is not None}
    found |= {"u": trace.quads["uv"][..., 0], "v": trace.quads["uv"][..., 1]}
    rtls: dict[str, NDArray[Any]] = {"texel": np.zeros((count, 4), np.uint32)}
    rtls |= {"valid": np.zeros(count, np.uint8), "err": np.zeros(count, np.uint8)}
    golden = {name: np.zeros_like(column) for name, column in rtls.items()}
    extra = {
        name: np.zeros(count, np.int64) for name in ("lod", "lookups", "misses", "t_request", "t_result")
    }
    for mine, model, unit in zip(rows, models, rtl.units, strict=True):
        for name in rtls:
            rtls[name][mine], golden[name][mine] = unit.result[name], model.result[name]
        of_quad = np.repeat(np.arange(len(mine)), model.result["beats"])
        for name, each in (("lookups", _sum(model, "valid")), ("misses", _misses(model))):
            extra[name][mine] = np.bincount(of_quad, each, len(mine))
        extra["lod"][mine] = model.result["lod"]
        extra["t_request"][mine], extra["t_result"][mine] = unit.t_request, unit.t_result
    equal = (rtls["texel"] == golden["texel"]).all(axis=1)
    equal &= (rtls["valid"] == golden["valid"]) & (rtls["err"] == golden["err"])
    found |= {"equal": equal.astype(np.uint8)} | extra
    found |= {"cycles": extra["t_result"] - extra["t_request"]} | rtls
    return found if equal.all() else found | {f"model_{name}": column for name, column in golden.items()}


def _sum(model: Model, name: str) -> NDArray[np.int64]:
    found: NDArray[np.int64] = model.beats[name].sum(axis=1, dtype=np.int64)
    return found


def _misses(model: Model) -> NDArray[np.int64]:
    return _sum(model, "valid") - _sum(model, "hit")


def figures(
    trace: QuadTrace, found: dict[str, NDArray[Any]], models: list[Model], rtl: Rtl
) -> dict[str, int | float | None]:
    """The headline numbers; cycles are those of ``tex_clk``, latencies those of ``gpu_clk``."""
    counts = {name: sum(unit.counters[name] for unit in rtl.units) for name, _ in COUNTERS}
    latency = found["cycles"] if len(trace) else np.zeros(1, np.int64)
    return {
        "quads": len(trace), "pixels": counts["pixels"],
        "primitives": sum(len(np.unique(trace.prim_of_quad[trace.unit == n])) for n in range(len(models))),
        "lines looked up": counts["lookups"], "hit rate": rate(counts["hits"], counts["lookups"]),
        "lines filled": counts["misses"], "evictions": counts["evictions"],
        "colour tables": counts["tables"], "bursts": rtl.lines, "quads with errors": int(found["err"].sum()),
        "cycles": round(rtl.cycles),
        "pixels per clock": counts["pixels"] / rtl.cycles if rtl.cycles else None,
        "latency, least": int(latency.min()), "latency, mean": float(latency.mean()),
        **{f"latency, {p} %": int(np.percentile(latency, p, method="inverted_cdf")) for p in PERCENTILES},
        "latency, most": int(latency.max()),
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


def _stalls(rtl: Rtl) -> Table:
    waits = [
        (name, sum(unit.counters[name] for unit in rtl.units), doc)
        for name, doc in COUNTERS if name.endswith("_cycles")
    ]  # fmt: skip
    return Table("waiting", ("counter", "cycles", "what it counts"), waits)
