# SPDX-License-Identifier: Apache-2.0
"""What bounds are worth: reads, writes and cycles of scenes with preset ``hierarchical`` and without it.

``python -m workloads.zcache.hiding [SCENE...]`` prints the table of ``docs/zcache.md``, of all scenes if none
is named. A frame is a clear of the surface, the scene, and a flush.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import load
from configs.depth import FLUSH
from configs.zcache.schema import Config
from models.memory import Memory
from models.zcache import WORD, Run, run
from workloads.scenes import SCENES
from workloads.scenes.depth_scenes import DEPTH_SCENES
from workloads.zcache.distances import Steps, scene_words

EVERY = 4  # cycles from a tile to the next
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


def frame(found: Run) -> Frame:
    """Of a run."""
    counts, results = found.counters, found.results
    rejected = results["rejected"] == 1
    return Frame(
        len(found.fills) - counts.get("blanks", 0), counts["writebacks"], found.cycles,
        int(((results["kind"] > 0) | rejected).sum()), int(rejected.sum()),
    )  # fmt: skip


def frame_of(preset: str, tiles: NDArray[Any], *options: str) -> Frame:
    """WORD array ``tiles`` [n], which begin with a base and a clear, and a flush."""
    cfg = load("zcache", preset, list(options))
    assert isinstance(cfg, Config)
    flush = np.zeros(1, WORD)
    flush["op"] = FLUSH
    return frame(run(cfg, np.concatenate([tiles, flush]), Memory(1), pacing=Steps(EVERY)))


@dataclass(frozen=True)
class Saving:
    """Of a scene: a frame without bounds and with them, by their bits; both with a clear that marks tiles."""

    scene: str
    plain: Frame
    bounded: dict[int, Frame]
    marked: Frame
    both: Frame


def saving(scene: str, tiles: NDArray[Any]) -> Saving:
    """What bounds save of a scene's words, WORD [n]."""
    bounded = {bits: frame_of("hierarchical", tiles, f"hierarchical.bits={bits}") for bits in BITS}
    both = frame_of("hierarchical", tiles, "fast_clear=65536")
    return Saving(scene, frame_of("paper", tiles), bounded, frame_of("fast-clear", tiles), both)


def table(savings: Iterable[Saving]) -> Iterator[str]:
    """Rows for people, in Markdown."""
    yield f"| {' | '.join(HEADS)} |"
    yield "| --- " * len(HEADS) + "|"
    for one in savings:
        plain, best = one.plain, one.bounded[BITS[-1]]
        cells = [
            f"`{one.scene}`", f"{plain.tested:,}",
            *(f"{found.rejected / plain.tested:.1%}" for found in one.bounded.values()),
            f"{plain.reads:,}", f"{1 - best.reads / plain.reads:.1%}", f"{best.writes - plain.writes:+,}",
            f"{plain.cycles:,}", f"{1 - best.cycles / plain.cycles:.1%}",
            f"{one.marked.reads:,}", f"{1 - one.both.reads / max(one.marked.reads, 1):.1%}",
        ]  # fmt: skip
        yield f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    wanted = sys.argv[1:] or [*DEPTH_SCENES, *SCENES]
    for row in table(saving(name, scene_words(name)) for name in wanted):
        print(row, flush=True)
