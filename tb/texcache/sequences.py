# SPDX-License-Identifier: Apache-2.0
"""The generator: sequences that send arrays of footprints, and settable random footprints."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texcache.schema import Config
from models.texcache import FOOTPRINT
from models.texcache.lut import level_lines
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.stream import ItemSequence
from tb.texcache.items import FootprintItem

ITEM_SIZE = 1000  # footprints per sequence item


class FootprintSequence(ItemSequence):
    """Sends FOOTPRINT array [n] in items of :data:`ITEM_SIZE`, paced by ``pacing``; ids count up."""

    def __init__(
        self,
        cfg: Config,
        footprints: NDArray[Any],
        rng: np.random.Generator,
        first_id: int = 0,
        pacing: Pacing = ALWAYS,
    ) -> None:
        gaps = pacing.gaps(rng, len(footprints))
        items = [
            FootprintItem(cfg, footprints[at : at + ITEM_SIZE], first_id + at, gaps[at : at + ITEM_SIZE])
            for at in range(0, len(footprints), ITEM_SIZE)
        ]
        super().__init__("footprints", items)


@dataclass(frozen=True)
class Distribution:
    """What random footprints look like.

    ``textures``: how many; ``levels``: which, equally likely, None for all; ``span``: side of the square of
    texels that they fall into, from a random corner, None for the whole level; ``edges``: share of
    coordinates put on the level's edge or a little beyond; ``far``: share put anywhere in the signed range;
    ``modes``: weights of repeat, clamp and mirror; ``step``: texels that the next footprint moves by at most
    while walking, 0 for jumps.
    """

    textures: int = 4
    levels: tuple[int, ...] | None = None
    span: int | None = None
    edges: float = 0.1
    far: float = 0.02
    modes: tuple[float, float, float] = (1, 1, 1)
    step: int = 0

    def draw(self, cfg: Config, rng: np.random.Generator, count: int) -> NDArray[Any]:
        """``count`` footprints."""
        drawn = np.zeros(count, FOOTPRINT)
        drawn["tex"] = rng.integers(min(self.textures, cfg.textures), size=count)
        drawn["level"] = rng.choice(self.levels if self.levels is not None else np.arange(cfg.levels), count)
        weights = np.array(self.modes) / sum(self.modes)
        side = cfg.max_side >> drawn["level"].astype(np.int64)
        for axis in ("u", "v"):
            drawn[f"mode_{axis}"] = rng.choice(3, count, p=weights)
            drawn[axis] = self._coordinates(cfg, rng, side)
        return drawn

    def _coordinates(
        self, cfg: Config, rng: np.random.Generator, side: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        count, reach = len(side), 2 * cfg.max_side
        span = np.minimum(self.span or reach, side)
        corner = rng.integers(0, 1 << 30) % side
        places = (corner + rng.integers(0, 1 << 30, count) % span) % side
        if self.step:
            walk = np.cumsum(rng.integers(-self.step, self.step + 1, count))
            places = (corner + walk) % side
        edge = np.where(rng.random(count) < 0.5, side, 0) + rng.integers(-3, 3, count)
        places = np.where(rng.random(count) < self.edges, edge, places)
        far = rng.integers(-reach, reach, count)
        return np.clip(np.where(rng.random(count) < self.far, far, places), -reach, reach - 1)


def random_table(cfg: Config, rng: np.random.Generator) -> NDArray[np.uint32]:
    """Base lines for every level of every texture anywhere in memory, each level whole within it."""
    room = np.array([(1 << cfg.cache.line_bits) - level_lines(cfg, level) for level in range(cfg.levels)])
    return rng.integers(0, room + 1, size=(cfg.textures, cfg.levels)).astype(np.uint32)
