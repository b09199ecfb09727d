# SPDX-License-Identifier: Apache-2.0
"""What marking cleared tiles is worth: reads and cycles of scenes with preset ``fast-clear`` and without.

``python -m workloads.zcache.clearing [SCENE...]`` prints the table of ``docs/zcache.md``, of all scenes if
none is named. A frame is a clear of the surface, the scene, and a flush.
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
HEADS = ("scene", "reads", "of them saved", "writes", "writes, fast clear", "cycles", "cycles, fast clear")


@dataclass(frozen=True)
class Saving:
    """Of a scene's frame: lines asked for, those ``saved`` of their reads; lines written and cycles, with a
    clear that writes (``plain``) and one that marks (``marked``).
    """

    scene: str
    reads: int
    saved: int
    plain: tuple[int, int]
    marked: tuple[int, int]


def frame_run(preset: str, tiles: NDArray[Any]) -> Run:
    """WORD array ``tiles`` [n] and a flush."""
    cfg = load("zcache", preset)
    assert isinstance(cfg, Config)
    flush = np.zeros(1, WORD)
    flush["op"] = FLUSH
    return run(cfg, np.concatenate([tiles, flush]), Memory(1), pacing=Steps(EVERY))


def saving(scene: str, tiles: NDArray[Any]) -> Saving:
    """What fast clear saves of a scene's words, WORD [n], which begin with a base and a clear."""
    plain, marked = (frame_run(preset, tiles) for preset in ("paper", "fast-clear"))
    both = [(found.counters["writebacks"], found.cycles) for found in (plain, marked)]
    return Saving(scene, len(marked.fills), marked.counters["blanks"], both[0], both[1])


def table(savings: Iterable[Saving]) -> Iterator[str]:
    """Rows for people, in Markdown."""
    yield f"| {' | '.join(HEADS)} |"
    yield "| --- " * len(HEADS) + "|"
    for one in savings:
        share = f"{one.saved / max(one.reads, 1):.0%}"
        counts = [one.plain[0], one.marked[0], one.plain[1], one.marked[1]]
        cells = [f"`{one.scene}`", f"{one.reads:,}", share, *(f"{count:,}" for count in counts)]
        yield f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    wanted = sys.argv[1:] or [*DEPTH_SCENES, *SCENES]
    for row in table(saving(name, scene_words(name)) for name in wanted):
        print(row, flush=True)
