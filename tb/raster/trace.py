# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``raster`` for ``python -m tb trace``: what comes of each word of ``vtx``, and the tiles."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.raster.schema import COUNTERS, Config
from models.raster import VERTEX
from models.raster import columns as tile_columns
from tb.common.replay.trace_report import Progress, Report, Table, rate
from tb.raster.replay import Model, Rtl, check, predict, replay
from workloads.raster.trace import defaults
from workloads.traces.requests import load_requests, records

FIRST = 20  # words of tile that the summary shows


def run(cfg: Config, path: Path, seed: int, rtl_dir: Path | None, progress: Progress) -> Report:
    """Load, predict, replay, compare. Raises :class:`configs.UserError` and ``ReplayError``."""
    progress("reading the trace", 0, 0)
    trace = load_requests(path, cfg.streams["vtx"], cfg.name, defaults(cfg))
    words = records(VERTEX, trace.columns)
    progress("golden model", 0, 0)
    model = predict(cfg, words)
    progress("Verilated RTL", 0, 0)  # may have to be built first
    rtl = replay(
        cfg, words, model, seed, rtl_dir,
        progress=lambda done: progress("Verilated RTL", done, len(words)),
    )  # fmt: skip
    progress("comparing", 0, 0)
    return Report(
        name=trace.name, accesses=len(words), cycles=rtl.cycles, columns=columns(words, model, rtl),
        figures=figures(rtl), tables=[_tiles(rtl), _waiting(rtl)],
        mismatches=check(cfg, words, model, rtl),
        more={"tiles": {**tile_columns(rtl.tiles), "t_result": rtl.t_result}},
    )  # fmt: skip


def columns(words: NDArray[Any], model: Model, rtl: Rtl) -> dict[str, NDArray[Any]]:
    """Per word of ``vtx``: its fields, words of ``tile`` and pixels that the model makes of it, cycles."""
    listed = {name: words[name] for name in VERTEX.names or ()}
    made = {name: model.work[name] for name in ("primitive", "words", "pixels", "setup", "walk")}
    ends = np.cumsum(model.work["words"])
    last = np.where(model.work["words"] > 0, ends - 1, -1)
    left = np.where(last >= 0, rtl.t_result[last] if len(rtl.t_result) else -1, -1)
    return {**listed, **made, "t_request": rtl.t_request, "t_last_tile": left}


def figures(rtl: Rtl) -> dict[str, int | float | None]:
    """The headline numbers."""
    counted = {name: value for name, value in rtl.counters.items() if not name.endswith("_cycles")}
    return {
        **counted, "words of tile": len(rtl.tiles), "cycles": rtl.cycles,
        "tiles per clock": rate(counted["tiles"], rtl.cycles),
        "pixels per tile": rate(counted["pixels"], counted["tiles"]),
        "tiles with a pixel, of those looked at": rate(counted["tiles"], counted["visited"]),
    }  # fmt: skip


def _tiles(rtl: Rtl) -> Table:
    rows = [
        (int(cycle), int(tile["prim"]), int(tile["x"]), int(tile["y"]), f"{int(tile['mask']):016b}"[::-1])
        for tile, cycle in zip(rtl.tiles[:FIRST], rtl.t_result, strict=False)
    ]
    return Table(
        f"the first {len(rows)} words of tile", ("cycle", "prim", "x", "y", "mask, pixel 0 first"), rows
    )


def _waiting(rtl: Rtl) -> Table:
    rows = [(name, rtl.counters[name], doc) for name, doc in COUNTERS if name.endswith("_cycles")]
    return Table("waiting", ("counter", "cycles", "what it counts"), rows)
