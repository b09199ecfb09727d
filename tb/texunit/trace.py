# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``texunit`` for ``python -m tb trace``: results per quad and the summary."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texunit.schema import COUNTERS, Config
from models.memory import Memory
from tb.common.replay.trace_report import Progress, Report, Table, rate
from tb.texunit import replay
from tb.texunit.units import Rtl, Seen
from workloads.texunit.quad_trace import SCREEN, QuadTrace, load_quads

PERCENTILES = (50, 90, 99)


def traced(
    block: Any,
    counted: Callable[[Seen], dict[str, NDArray[Any]]],
    figures: Callable[..., dict[str, int | float | None]],
    tables: Callable[..., list[Table]],
    cfg: Any,
    path: Path,
    seed: int,
    rtl_dir: Path | None,
    progress: Progress,
) -> Report:
    """Load, replay, predict, compare; ``block``: the module ``replay`` of its testbench.

    Raises :class:`configs.UserError` and ``ReplayError``.
    """
    progress("reading the trace", 0, 0)
    trace = load_quads(path, cfg)
    parts, memory = trace.split(cfg.units), Memory(seed, trace.base, trace.image)
    progress("Verilated RTL", 0, 0)  # may have to be built first

    def step(done: int) -> None:
        progress("Verilated RTL", done, len(trace))

    streams = [stream for _, stream in parts]
    rtl, models, wrong = block.verified(cfg, streams, memory, seed, rtl_dir=rtl_dir, progress=step)
    progress("comparing", 0, 0)
    quads = columns(trace, [mine for mine, _ in parts], models, rtl, counted)
    return Report(
        name=trace.name, accesses=len(trace), cycles=round(rtl.cycles), columns=quads,
        figures=figures(cfg, trace, quads, models, rtl), tables=tables(cfg, quads, models, rtl),
        mismatches=wrong,
    )  # fmt: skip


def columns(
    trace: QuadTrace,
    rows: Sequence[NDArray[np.int64]],
    models: Sequence[Seen],
    rtl: Rtl,
    counted: Callable[[Seen], dict[str, NDArray[Any]]],
) -> dict[str, NDArray[Any]]:
    """Per quad: the request, and what the RTL did; arrays [n], or [n, 4] by pixel.

    Level and what is ``counted`` are the model's; where texels, validity or error of the RTL differ from the
    model, what the model says follows as ``model_...``.
    """
    count = len(trace)
    prim = trace.prims[trace.prim_of_quad]
    quads: dict[str, NDArray[Any]] = {"unit": trace.unit, "prim": trace.prim_of_quad}
    quads |= {name: prim[name] for name in ("log2w", "log2h", "format", "mode_u", "mode_v", "bilinear")}
    quads |= {name: column for name in SCREEN if (column := getattr(trace, name)) is not None}
    quads |= {"u": trace.quads["uv"][..., 0], "v": trace.quads["uv"][..., 1]}
    rtls: dict[str, NDArray[Any]] = {"texel": np.zeros((count, 4), np.uint32)}
    rtls |= {"valid": np.zeros(count, np.uint8), "err": np.zeros(count, np.uint8)}
    golden = {name: np.zeros_like(column) for name, column in rtls.items()}
    extra: dict[str, NDArray[np.int64]] = {}
    for mine, model, unit in zip(rows, models, rtl.units, strict=True):
        for name in rtls:
            rtls[name][mine], golden[name][mine] = unit.result[name], model.result[name]
        times = {"t_request": unit.t_request, "t_result": unit.t_result}
        for name, column in ({"lod": model.result["lod"]} | counted(model) | times).items():
            extra.setdefault(name, np.zeros(count, np.int64))[mine] = column
    equal = (rtls["texel"] == golden["texel"]).all(axis=1)
    equal &= (rtls["valid"] == golden["valid"]) & (rtls["err"] == golden["err"])
    quads |= {"equal": equal.astype(np.uint8)} | extra
    quads |= {"cycles": extra["t_result"] - extra["t_request"]} | rtls
    return quads if equal.all() else quads | {f"model_{name}": column for name, column in golden.items()}


def counted(model: Seen) -> dict[str, NDArray[Any]]:
    """Of each quad of a unit: cache queries, and misses among them."""
    queries = model.result["queries"].astype(np.int64)
    missed = (model.events["repeat"] | model.events["hit"]) == 0
    sums, ends = np.concatenate([[0], np.cumsum(missed)]), np.cumsum(queries)
    return {"queries": queries, "misses": sums[ends] - sums[ends - queries]}


def figures(
    cfg: Config, trace: QuadTrace, quads: dict[str, NDArray[Any]], models: list[Seen], rtl: Rtl
) -> dict[str, int | float | None]:
    """The headline numbers; cycles are those of ``tex_clk``, latencies those of ``gpu_clk``."""
    counts = {name: sum(unit.counters[name] for unit in rtl.units) for name, _ in COUNTERS}
    return {
        "quads": len(trace), "pixels": counts["pixels"],
        "primitives": int(sum(len(np.unique(trace.prim_of_quad[trace.unit == n])) for n in range(cfg.units))),
        "cache queries": counts["queries"], "repeated lines": counts["repeats"],
        "hit rate": rate(counts["repeats"] + counts["hits"], counts["queries"]),
        "hit rate without repeats": rate(counts["hits"], counts["queries"] - counts["repeats"]),
        "lines filled": counts["misses"], "evictions": counts["evictions"], "bursts": rtl.lines,
        "quads with errors": int(quads["err"].sum()), "cycles": round(rtl.cycles),
        **speed(counts["pixels"], rtl.cycles, quads),
    }  # fmt: skip


def speed(pixels: int, cycles: float, quads: dict[str, NDArray[Any]]) -> dict[str, int | float | None]:
    """Pixels per cycle of ``tex_clk``, and what the latencies of quads are, in cycles of ``gpu_clk``."""
    latency = quads["cycles"] if len(quads["cycles"]) else np.zeros(1, np.int64)
    return {
        "pixels per clock": pixels / cycles if cycles else None,
        "latency, least": int(latency.min()), "latency, mean": float(latency.mean()),
        **{f"latency, {p} %": int(np.percentile(latency, p, method="inverted_cdf")) for p in PERCENTILES},
        "latency, most": int(latency.max()),
    }  # fmt: skip


def _units(cfg: Config, rtl: Rtl) -> Table:
    heads = ("unit", "quads", "pixels", "queries", "hit rate", "misses", "waiting for memory")
    rows = [
        (
            number, count["quads"], count["pixels"], count["queries"],
            rate(count["repeats"] + count["hits"], count["queries"]), count["misses"],
            count["memory_wait_cycles"] / rtl.cycles if rtl.cycles else None,
        )
        for number, count in enumerate(unit.counters for unit in rtl.units)
    ]  # fmt: skip
    return Table("units", heads, rows)


def _levels(quads: dict[str, NDArray[Any]]) -> Table:
    rows = []
    for level in np.unique(quads["lod"]).tolist():
        here = quads["lod"] == level
        queries, misses = int(quads["queries"][here].sum()), int(quads["misses"][here].sum())
        rows.append((level, int(here.sum()), queries, rate(queries - misses, queries)))
    return Table("levels", ("level", "quads", "queries", "hit rate"), rows)


def stalls(rtl: Rtl, counters: Sequence[tuple[str, str]]) -> Table:
    """What the units waited for; ``counters``: names, and what each counts."""
    waits = [
        (name, sum(unit.counters[name] for unit in rtl.units), doc)
        for name, doc in counters if name.endswith("_cycles")
    ]  # fmt: skip
    return Table("waiting", ("counter", "cycles", "what it counts"), waits)


def _tables(cfg: Config, quads: dict[str, NDArray[Any]], _: list[Seen], rtl: Rtl) -> list[Table]:
    return [_units(cfg, rtl), _levels(quads), stalls(rtl, COUNTERS)]


run = partial(traced, replay, counted, figures, _tables)
