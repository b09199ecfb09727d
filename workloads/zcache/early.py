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

from configs import UserError
from configs.depth import TILE
from models.zcache.figures import accesses, hit_rate, hits, times
from utils import cli
from workloads.zcache.frames import flushed, frame_run, markdown, preset, scene_frame, show, words

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


def frame_of(name: str) -> NDArray[Any]:
    """The words of a scene's frame. Raises :class:`UserError` if its shader discards."""
    frame = scene_frame(name)
    if frame.kill.any():
        raise UserError(f"scene={name}: its shader discards pixels, which an early test would have stored")
    return flushed(words(frame))


def row(scene: str, tiles: NDArray[Any], name: str, test: str) -> Row:
    """WORD array ``tiles`` [n] through a preset; late, all that is covered is shaded, early what passes."""
    cfg = preset(name)
    found = frame_run(cfg, tiles)
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
    return markdown(HEADS, map(_cells, rows))


def _cells(one: Row) -> list[str]:
    return [
        f"`{one.scene}`", one.test, f"{one.tiles:,}", f"{one.pixels:,}", f"{one.hits:.1%}",
        f"{one.latency:.2f}", f"{one.reads:,}", f"{one.writes:,}", f"{one.cycles:,}",
    ]  # fmt: skip


def rows(names: Iterable[str]) -> Iterator[Row]:
    """Of each scene late and early."""
    for name in names:
        tiles = frame_of(name)
        yield row(name, tiles, "paper", "late")
        yield row(name, tiles, "early", "early")


def main(names: list[str]) -> int:
    """Prints the table; the exit code."""
    return show(table(rows(names or DEFAULT)))


if __name__ == "__main__":
    cli.run(main)
