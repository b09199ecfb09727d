# SPDX-License-Identifier: Apache-2.0
"""What bounds are worth: reads, writes and cycles of scenes with preset ``hierarchical`` and without it.

``python -m workloads.zcache.hiding [SCENE...]`` prints the table of ``docs/zcache.md``, of all scenes if none
is named. A frame is a clear of the surface, the scene, and a flush. Bounds are asked before the shader: what
it kills comes by the port ``shade``, and is not left out of the masks.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from models.zcache import ModelRun
from utils import cli
from workloads.zcache.frames import ALL, covered, flushed, frame_run, markdown, preset, scene_frame, show
from workloads.zcache.tiles import TileFrame

BITS = 4, 8, 12, 16  # of bounds
HEADS = (
    "scene", "tiles that test", *(f"rejected, {bits} bits" for bits in BITS), "reads", "saved", "writes",
    "cycles", "saved", "with fast clear: reads", "saved",
)  # fmt: skip


@dataclass(frozen=True)
class Frame:
    """What a frame comes to: lines read, lines written, cycles; tiles that ``tested``, those ``rejected``."""

    reads: int
    writes: int
    cycles: int
    tested: int
    rejected: int


def frame(found: ModelRun) -> Frame:
    """Of a run."""
    counts, results = found.counters, found.results
    rejected = results["rejected"] == 1
    return Frame(
        len(found.fills) - counts.get("blanks", 0), counts["writebacks"], found.cycles,
        int(((results["kind"] > 0) | rejected).sum()), int(rejected.sum()),
    )  # fmt: skip


@dataclass(frozen=True)
class Saving:
    """Of a scene: a frame without bounds and with them, by their bits; both with a clear that marks tiles."""

    scene: str
    plain: Frame
    bounded: dict[int, Frame]
    marked: Frame
    both: Frame


def saving(scene: str, tiles: TileFrame) -> Saving:
    """What bounds save of a scene's tiles, which begin with a base and a clear."""
    words, kill = flushed(covered(tiles)), np.append(tiles.kill, 0)

    def of(name: str, *options: str) -> Frame:
        return frame(frame_run(preset(name, "shading.source=given", *options), words, kill))

    bounded = {bits: of("hierarchical", f"hierarchical.bits={bits}") for bits in BITS}
    return Saving(scene, of("paper"), bounded, of("fast-clear"), of("hierarchical", "fast_clear=65536"))


def table(savings: Iterable[Saving]) -> Iterator[str]:
    """Rows for people, in Markdown."""
    return markdown(HEADS, map(_cells, savings))


def _cells(one: Saving) -> list[str]:
    plain, best = one.plain, one.bounded[BITS[-1]]
    return [
        f"`{one.scene}`", f"{plain.tested:,}",
        *(f"{found.rejected / plain.tested:.1%}" for found in one.bounded.values()),
        f"{plain.reads:,}", f"{1 - best.reads / plain.reads:.1%}", f"{best.writes - plain.writes:+,}",
        f"{plain.cycles:,}", f"{1 - best.cycles / plain.cycles:.1%}",
        f"{one.marked.reads:,}", f"{1 - one.both.reads / max(one.marked.reads, 1):.1%}",
    ]  # fmt: skip


def main(names: list[str]) -> int:
    """Prints the table; the exit code."""
    return show(table(saving(name, scene_frame(name)) for name in names or ALL))


if __name__ == "__main__":
    cli.run(main)
