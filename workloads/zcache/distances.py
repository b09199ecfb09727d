# SPDX-License-Identifier: Apache-2.0
"""What a prefetch distance that adapts is worth beside every fixed one: scenes on the golden model.

``python -m workloads.zcache.distances [SCENE...]`` prints the table of ``docs/zcache.md``, of all scenes if
none is named. Of its points the last has a cache so small that a distance can be too large.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from configs import MemoryTiming, load
from configs.zcache.schema import Config
from models.memory import Memory
from models.zcache import run
from utils import cli
from workloads.zcache.frames import ALL, Steps, markdown, scene_words, show

HEADS = (
    "sets", "latency", "shading", "a tile each", "scene", "best fixed", "its cycles", "all in flight",
    "adaptive", "hits, best", "hits, adaptive",
)  # fmt: skip
#: fixed distances that are tried, each at most a third more than the one before from 12 on
FIXED = (1, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64)


@dataclass(frozen=True)
class Point:
    """Memory's ``latency``, ``shading`` from intake to test, one tile ``every`` so many cycles at most; and
    the cache's ``sets``.
    """

    latency: int
    shading: int
    every: int
    sets: int = 128


POINTS = (
    Point(26, 64, 2), Point(100, 128, 4), Point(60, 256, 4), Point(60, 128, 4, sets=16),
)  # fmt: skip


@dataclass(frozen=True)
class Figures:
    """Of a frame: its ``cycles``, those that tiles ``waited`` for memory at the test, share of ``hits``."""

    cycles: int
    waited: int
    hits: float


@dataclass(frozen=True)
class Comparison:
    """At a point, of a scene: figures of each fixed distance, in ascending order, and of one that adapts."""

    scene: str
    point: Point
    fixed: dict[int, Figures]
    adaptive: Figures

    @property
    def distance(self) -> int:
        """The fixed one with the fewest cycles."""
        return min(self.fixed, key=lambda distance: self.fixed[distance].cycles)

    @property
    def best(self) -> Figures:
        """What it comes to."""
        return self.fixed[self.distance]

    @property
    def excess(self) -> float:
        """Cycles of the frame that adapting costs, in parts of the best."""
        return self.over(self.adaptive)

    @property
    def whole_excess(self) -> float:
        """The same of the largest fixed distance."""
        return self.over(self.fixed[max(self.fixed)])

    def over(self, figures: Figures) -> float:
        """Cycles of the frame beyond the best, in parts of the best."""
        return figures.cycles / self.best.cycles - 1


def measured(cfg: Config, tiles: NDArray[Any], every: int) -> Figures:
    """Of WORD array ``tiles`` [n], with the configuration's memory."""
    outcome = run(cfg, tiles, Memory(1), timing=cfg.memory, pacing=Steps(every))
    counts = outcome.counters
    return Figures(outcome.cycles, counts["wait_cycles"], counts["hits"] / max(counts["tiles"], 1))


def configured(point: Point, *options: str) -> Config:
    """Preset ``adaptive`` at a point."""
    shaped = [f"shading.cycles={point.shading}", f"cache.sets={point.sets}"]
    cfg = load("zcache", "adaptive", [*shaped, *options])
    assert isinstance(cfg, Config)
    return cfg.model_copy(update={"memory": MemoryTiming(latency=point.latency)})


def compared(scene: str, tiles: NDArray[Any], point: Point, fixed: Sequence[int] = FIXED) -> Comparison:
    """A scene's tiles at a point with each fixed distance, and adapting."""
    by_distance = {
        distance: measured(
            configured(point, "prefetch.mode=ahead", f"prefetch.distance={distance}"), tiles, point.every
        )
        for distance in fixed
    }
    return Comparison(scene, point, by_distance, measured(configured(point), tiles, point.every))


def table(comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Rows for people, in Markdown."""
    return markdown(HEADS, map(_cells, comparisons))


def _cells(comparison: Comparison) -> list[str]:
    point, best = comparison.point, comparison.best
    return [
        *(str(cell) for cell in (point.sets, point.latency, point.shading, point.every)),
        f"`{comparison.scene}`", str(comparison.distance), f"{best.cycles:,}",
        f"{comparison.whole_excess:+.1%}", f"{comparison.excess:+.1%}",
        f"{best.hits:.1%}", f"{comparison.adaptive.hits:.1%}",
    ]  # fmt: skip


def main(names: list[str]) -> int:
    """Prints the table; the exit code."""
    scenes = [(name, scene_words(name)) for name in names or ALL]
    return show(table(compared(*scene, point) for point in POINTS for scene in scenes))


if __name__ == "__main__":
    cli.run(main)
