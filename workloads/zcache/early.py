# SPDX-License-Identifier: Apache-2.0
"""The depth test before the shader and after it: presets ``early`` and ``paper``, scene by scene.

``python -m workloads.zcache.early [SCENE...]`` prints the table of ``docs/zcache.md``. A frame is a clear of
the surface, the scene, and a flush. A scene whose shader discards pixels has no early test: what is discarded
must not be stored, and who is tested before the shader stores before it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError, cli, load
from configs.depth import FLUSH, TILE
from configs.zcache.schema import Config
from models.memory import Memory
from models.zcache import WORD, run
from models.zcache.figures import accesses, hit_rate, hits, times
from workloads.raster.vertices import vertex_frame
from workloads.scenes.depth_scenes import DEPTH_SCENES
from workloads.zcache.distances import SIZE, Steps, words
from workloads.zcache.tiles import rasterizer, tile_frame

EVERY = 4  # cycles from a tile to the next
DEFAULT = "tents", "shore", "wires"
HEADS = (
    "scene", "test", "tiles shaded", "pixels shaded", "hits by tile", "latency", "reads", "writes", "cycles",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """Of a frame: what is shaded; share of hits; cycles of a test; lines read and written."""

    scene: str
    test: str
    tiles: int
    pixels: int
    hits: float
    latency: float
    reads: int
    writes: int
    cycles: int


def tiles_of(name: str) -> NDArray[Any]:
    """The words of a scene's first view and a flush. Raises :class:`UserError` if its shader discards."""
    if name not in DEPTH_SCENES:
        raise UserError(f"scene={name}: choose among {', '.join(DEPTH_SCENES)}")
    cfg = load("zcache", "early")
    assert isinstance(cfg, Config)
    frame = tile_frame(vertex_frame(DEPTH_SCENES[name](), *SIZE, 0), rasterizer(cfg))
    if frame.kill.any():
        raise UserError(f"scene={name}: its shader discards pixels, which an early test would have stored")
    flush = np.zeros(1, WORD)
    flush["op"] = FLUSH
    return np.concatenate([words(frame), flush])


def row(scene: str, tiles: NDArray[Any], preset: str, test: str) -> Row:
    """WORD array ``tiles`` [n] through a preset; late, all that is covered is shaded, early what passes."""
    cfg = load("zcache", preset)
    assert isinstance(cfg, Config)
    found = run(cfg, tiles, Memory(1), pacing=Steps(EVERY))
    asked = accesses(cfg, tiles, found)
    shaded = found.results["passed"] if test == "early" else tiles["mask"]
    shaded = shaded[tiles["op"] == TILE]
    return Row(
        scene, test, int((shaded != 0).sum()), int(np.bitwise_count(shaded).sum()),
        hit_rate(hits(asked), "tile"), float(times(tiles, found, asked, cfg.shading.cycles)["latency"]),
        len(found.fills), found.counters["writebacks"], found.cycles,
    )  # fmt: skip


def table(rows: Iterable[Row]) -> Iterator[str]:
    """Rows for people, in Markdown."""
    yield f"| {' | '.join(HEADS)} |"
    yield "| --- " * len(HEADS) + "|"
    for one in rows:
        counts = [f"{one.reads:,}", f"{one.writes:,}", f"{one.cycles:,}"]
        cells = [f"{one.tiles:,}", f"{one.pixels:,}", f"{one.hits:.1%}", f"{one.latency:.2f}", *counts]
        yield f"| `{one.scene}` | {one.test} | {' | '.join(cells)} |"


def rows(names: Iterable[str]) -> Iterator[Row]:
    """Of each scene late and early."""
    for name in names:
        tiles = tiles_of(name)
        yield row(name, tiles, "paper", "late")
        yield row(name, tiles, "early", "early")


def main(names: list[str]) -> int:
    """Prints the table; the exit code."""
    for line in table(rows(names or DEFAULT)):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    cli.run(main)
