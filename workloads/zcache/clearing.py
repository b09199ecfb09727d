# SPDX-License-Identifier: Apache-2.0
"""What marking cleared tiles is worth: reads and cycles of scenes with preset ``fast-clear`` and without.

``python -m workloads.zcache.clearing [SCENE...]`` prints the table of ``docs/zcache.md``, of all scenes if
none is named. A frame is a clear of the surface, the scene, and a flush.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from utils import cli
from workloads.zcache.frames import ALL, flushed, frame_run, markdown, preset, scene_words, show

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


def saving(scene: str, tiles: NDArray[Any]) -> Saving:
    """What fast clear saves of a scene's words, WORD [n], which begin with a base and a clear."""
    frame = flushed(tiles)
    plain, marked = (frame_run(preset(name), frame) for name in ("paper", "fast-clear"))
    both = [(found.counters["writebacks"], found.cycles) for found in (plain, marked)]
    return Saving(scene, len(marked.fills), marked.counters["blanks"], both[0], both[1])


def table(savings: Iterable[Saving]) -> Iterator[str]:
    """Rows for people, in Markdown."""
    return markdown(HEADS, map(_cells, savings))


def _cells(one: Saving) -> list[str]:
    counts = [one.plain[0], one.marked[0], one.plain[1], one.marked[1]]
    share = f"{one.saved / max(one.reads, 1):.0%}"
    return [f"`{one.scene}`", f"{one.reads:,}", share, *(f"{count:,}" for count in counts)]


def main(names: list[str]) -> int:
    """Prints the table; the exit code."""
    return show(table(saving(name, scene_words(name)) for name in names or ALL))


if __name__ == "__main__":
    cli.run(main)
