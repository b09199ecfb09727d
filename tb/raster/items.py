# SPDX-License-Identifier: Apache-2.0
"""Words of ``vtx``, and such at random."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.depth import FORMATS, FUNCTIONS
from configs.raster.schema import (
    BEGIN,
    LINE_STRIP,
    LINES,
    PASS,
    PLACE_BITS,
    POINTS,
    RESTART,
    TOPOLOGIES,
    VERTEX,
    Config,
)
from models.raster import VERTEX as WORD

LEAST, MOST = -(1 << PLACE_BITS - 1), (1 << PLACE_BITS - 1) - 1  # of a coordinate
Z_MOST = (1 << 32) - 1
SUBPIXEL = 256


def word(op: int, **fields: int) -> Any:
    """A VERTEX record of these fields, all else 0."""
    made = np.zeros((), WORD)
    made["op"] = op
    for name, value in fields.items():
        made[name] = value
    return made


def begin(topology: int, width: int, height: int, **state: int) -> Any:
    """What follows is of this kind, in a window of so many pixels."""
    return word(BEGIN, topology=topology, x=width, y=height, **state)


def vertices(corners: Iterable[Sequence[int]]) -> list[Any]:
    """Vertices at (x, y) or (x, y, z), x and y in 1/256 pixel."""
    return [word(VERTEX, x=x, y=y, z=rest[0] if rest else 0) for x, y, *rest in corners]


def restart() -> Any:
    """A new strip or fan."""
    return word(RESTART)


def passed(command: int, x: int = 0, y: int = 0, z: int = 0) -> Any:
    """A word to be passed on."""
    return word(PASS, command=command, x=x, y=y, z=z)


@dataclass(frozen=True)
class Distribution:
    """What random scenes look like.

    ``topologies``: those in use; ``each``: words between two begins, on average; ``size``: limit of a
    primitive's extent in pixels, drawn with uniform logarithm from 1/64 pixel on; ``window``: limit of the
    window's sides in pixels; ``outside``: share of primitives that may lie anywhere near the window, beyond
    its sides too, ``far`` of vertices that lie anywhere at all; ``round``: share of vertices on whole,
    half or quarter pixels; ``again``: of vertices that repeat one of the last four places; ``restarts``,
    ``passes``, ``rebegins``: share of these words anywhere, in the midst of primitives too.
    """

    topologies: Sequence[int] = tuple(range(len(TOPOLOGIES)))
    each: int = 24
    size: float = 24.0
    window: int = 64
    outside: float = 0.2
    far: float = 0.0
    round: float = 0.3
    again: float = 0.1
    restarts: float = 0.04
    passes: float = 0.05
    rebegins: float = 0.02

    def draw(self, cfg: Config, rng: np.random.Generator, count: int) -> NDArray[Any]:
        """VERTEX array [count]; it begins with a begin."""
        drawn = np.zeros(count, WORD)
        recent: list[tuple[int, int]] = []
        left = 0
        width = height = 1
        centre = np.zeros(2)
        extent, topology, due = 1.0, 0, 0
        for made in drawn:
            kind = rng.random()
            if left <= 0 or kind < self.rebegins:
                self._begin(cfg, rng, made)
                width, height, topology = int(made["x"]), int(made["y"]), int(made["topology"])
                left, due = int(rng.geometric(1 / self.each)), 0
            elif kind < self.rebegins + self.restarts:
                made["op"], due = RESTART, 0
            elif kind < self.rebegins + self.restarts + self.passes:
                self._pass(rng, made)
            else:
                if due == 0:  # a new primitive, somewhere else
                    share = self.outside if rng.random() < self.outside else 0.0
                    low, high = -share, 1 + share
                    centre = rng.uniform(low, high, 2) * (width, height)
                    extent = float(np.exp(rng.uniform(np.log(1 / 64), np.log(self.size))))
                    due = 1 if topology == POINTS else 2 if topology in (LINES, LINE_STRIP) else 3
                    due += int(rng.integers(6)) if topology not in (LINES,) else 0
                due -= 1
                self._vertex(rng, made, centre, extent, recent)
            left -= 1
        return drawn

    def _begin(self, cfg: Config, rng: np.random.Generator, made: Any) -> None:
        side = min(self.window, 4 << cfg.coordinate_bits)
        made["op"] = BEGIN
        made["topology"] = rng.choice(self.topologies)
        made["x"], made["y"] = rng.integers(1, side + 1, 2)
        self._state(rng, made)

    @staticmethod
    def _state(rng: np.random.Generator, made: Any) -> None:
        made["test"], made["write"] = rng.integers(2, size=2)
        made["func"], made["format"] = rng.integers(len(FUNCTIONS)), rng.integers(len(FORMATS))

    @staticmethod
    def _pass(rng: np.random.Generator, made: Any) -> None:
        made["op"], made["command"] = PASS, rng.integers(4)
        made["x"], made["y"] = rng.integers(LEAST, MOST + 1, 2)
        made["z"] = rng.integers(Z_MOST + 1)

    def _vertex(
        self, rng: np.random.Generator, made: Any, centre: Any, extent: float, recent: list[tuple[int, int]]
    ) -> None:
        made["op"] = VERTEX
        kind = rng.random()
        if recent and kind < self.again:
            place = recent[int(rng.integers(len(recent)))]
        elif kind < self.again + self.far:
            place = tuple(rng.integers(LEAST, MOST + 1, 2).tolist())
        else:
            pixels = centre + rng.uniform(-0.5, 0.5, 2) * extent
            grid = int(rng.choice((64, 128, 256))) if rng.random() < self.round else 1
            near = (np.rint(pixels * SUBPIXEL / grid) * grid).astype(np.int64)
            place = tuple(np.clip(near, LEAST, MOST).tolist())
        made["x"], made["y"] = place
        ends = (0, Z_MOST, 1 << 31)
        made["z"] = rng.choice(ends) if rng.random() < 0.2 else rng.integers(Z_MOST + 1)
        recent.append(place)
        del recent[:-4]
