# SPDX-License-Identifier: Apache-2.0
"""Tables of ``docs/zcache.md``: gains of variants of the depth cache, on the golden model.

``python -m workloads.zcache.tables clearing|hiding|early [SCENE...]``: a clear that marks tiles (preset
``fast-clear``), bounds (``hierarchical``), the test before the shader (``early``), each beside ``paper``.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from configs import UserError
from configs.depth import TILE
from models.zcache import ModelRun
from models.zcache.figures import accesses, hit_rate, hits, times
from utils import cli
from workloads.zcache.frames import (
    ALL,
    covered,
    flushed,
    frame_run,
    markdown,
    preset,
    scene_frame,
    show,
    words,
)
from workloads.zcache.tiles import TileFrame

Row = dict[str, Any]  # values by heading: texts, counts, and shares as floats
BITS = 4, 8, 12, 16  # of bounds


def counts(run: ModelRun) -> dict[str, int]:
    """Lines read and written, cycles, tiles that test, those rejected."""
    rejected = run.results["rejected"] == 1
    return {
        "reads": len(run.fills) - run.counters.get("blanks", 0), "writes": run.counters["writebacks"],
        "cycles": run.cycles, "tested": int(((run.results["kind"] > 0) | rejected).sum()),
        "rejected": int(rejected.sum()),
    }  # fmt: skip


def clearing(scene: str, tiles: TileFrame) -> Iterator[Row]:
    """Reads that marks save: the first of each tile."""
    plain, marked = (frame_run(preset(name), flushed(words(tiles))) for name in ("paper", "fast-clear"))
    yield {
        "scene": scene, "reads": len(marked.fills),
        "of them saved": marked.counters["blanks"] / max(len(marked.fills), 1),
        "writes": plain.counters["writebacks"], "writes, fast clear": marked.counters["writebacks"],
        "cycles": plain.cycles, "cycles, fast clear": marked.cycles,
    }  # fmt: skip


def bounded(tiles: TileFrame, name: str, *options: str) -> dict[str, int]:
    """Counts of a preset. What the shader kills comes by the port ``shade``, after bounds are asked, so it is
    not left out of the masks.
    """
    cfg = preset(name, "shading.source=given", *options)
    return counts(frame_run(cfg, flushed(covered(tiles)), np.append(tiles.kill, 0)))


def hiding(scene: str, tiles: TileFrame) -> Iterator[Row]:
    """What bounds save, by their bits; and with a clear that marks tiles as well."""
    by_bits = {bits: bounded(tiles, "hierarchical", f"hierarchical.bits={bits}") for bits in BITS}
    plain, best = bounded(tiles, "paper"), by_bits[BITS[-1]]
    marked, both = bounded(tiles, "fast-clear"), bounded(tiles, "hierarchical", "fast_clear=65536")
    yield {
        "scene": scene, "tiles that test": plain["tested"],
        **{f"rejected, {bits} bits": run["rejected"] / plain["tested"] for bits, run in by_bits.items()},
        "reads": plain["reads"], "reads saved": 1 - best["reads"] / plain["reads"],
        "writes": f"{best['writes'] - plain['writes']:+,}",
        "cycles": plain["cycles"], "cycles saved": 1 - best["cycles"] / plain["cycles"],
        "with fast clear: reads": marked["reads"], "saved": 1 - both["reads"] / max(marked["reads"], 1),
    }  # fmt: skip


def early(scene: str, tiles: TileFrame) -> Iterator[Row]:
    """Late, where all that is covered is shaded, and early, where what passes is.

    Raises :class:`UserError` for a scene whose shader discards: who is tested before it stores before it.
    """
    if tiles.kill.any():
        raise UserError(f"scene={scene}: its shader discards pixels, which an early test would have stored")
    frame = flushed(words(tiles))
    for name, test in (("paper", "late"), ("early", "early")):
        cfg = preset(name)
        run = frame_run(cfg, frame)
        lookups = accesses(cfg, frame, run)
        shaded = (run.results["passed"] if test == "early" else frame["mask"])[frame["op"] == TILE]
        yield {
            "scene": scene, "test": test, "tiles shaded": int((shaded != 0).sum()),
            "pixels shaded": int(np.bitwise_count(shaded).sum()),
            "hits by tile": hit_rate(hits(lookups), "tile"),
            "latency": f"{times(frame, run, lookups, cfg.shading.cycles)['latency']:.2f}",
            "reads": len(run.fills), "writes": run.counters["writebacks"], "cycles": run.cycles,
        }  # fmt: skip


#: each table, and the scenes that it is printed of if none is named
TABLES: dict[str, tuple[Callable[[str, TileFrame], Iterator[Row]], tuple[str, ...]]] = {
    "clearing": (clearing, ALL), "hiding": (hiding, ALL), "early": (early, ("tents", "shore", "wires")),
}  # fmt: skip


def cell(value: Any) -> str:
    """A value for people."""
    if isinstance(value, str):
        return value
    return f"{value:.1%}" if isinstance(value, float) else f"{value:,}"


def main(arguments: list[str]) -> int:
    """Prints the table that the first argument names; returns 0. Raises :class:`UserError` if none has it."""
    name, *scenes = arguments or [""]
    if name not in TABLES:
        raise UserError(f"table={name!r}: choose among {', '.join(TABLES)}")
    table, default = TABLES[name]
    rows = chain.from_iterable(table(scene, scene_frame(scene)) for scene in scenes or default)
    first = next(rows)
    return show(markdown(list(first), (list(map(cell, row.values())) for row in chain([first], rows))))


if __name__ == "__main__":
    cli.run(main)
