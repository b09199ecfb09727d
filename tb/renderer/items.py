# SPDX-License-Identifier: Apache-2.0
"""Scenes and what they are textured with, at random.

Surfaces lie in the upper half of memory, textures in the lower one, beyond the surface that there is after a
reset: what is stored changes no texel.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.depth import ALWAYS, BASE, CLEAR, D32, FLUSH
from configs.raster.schema import BEGIN, TRIANGLES
from configs.renderer.schema import Config
from models.renderer import STATE
from models.texunit import PRIM
from models.texunit.address import texture_bytes
from tb.raster.items import SUBPIXEL, begin, passed, vertices
from tb.raster.items import Distribution as Shapes
from tb.texunit.items import Distribution as Textures
from tb.zcache.items import LINE_BYTES

HALF = 1 << 31  # the upper half of memory begins here
LINE = 16  # bytes of a line of a texture cache
STORED = {"test": 1, "write": 1, "func": ALWAYS, "format": D32}  # state: all passes, and is stored
TEST = 0.8  # share of begins whose pixels are tested


def square(side: int, z: int, **state: int) -> list[object]:
    """Two triangles that cover a window of ``side`` pixels, stored unless ``state`` says otherwise."""
    low, high = -SUBPIXEL, side * SUBPIXEL
    corners = [(low, low, z), (high, low, z), (high, high, z), (low, low, z), (high, high, z), (low, high, z)]
    return [begin(TRIANGLES, side, side, **STORED | state), *vertices(corners)]


def cover(width: int, height: int, z: int, **state: int) -> list[Any]:
    """One triangle that covers a window, of pixels, stored unless ``state`` says otherwise."""
    low, right, down = -SUBPIXEL, 3 * width * SUBPIXEL, 3 * height * SUBPIXEL
    return [
        begin(TRIANGLES, width, height, **STORED | state),
        *vertices([(low, low, z), (right, low, z), (low, down, z)]),
    ]


@dataclass(frozen=True)
class Distribution:
    """What random scenes look like.

    ``shapes``: of vertices; ``textures``: of states and coordinates; ``each``: quads of a state, on average;
    ``kept``: share of states that discard nothing, tested late. ``passes``: share of barriers among words, of
    which ``kinds`` (flush, clear, base) are so many; ``tiles``: limit of a surface's, as far as clears go;
    ``surfaces``: different ones. ``stored``: share of begins whose pixels all pass and are stored.
    """

    shapes: Shapes = field(default=Shapes(window=32, size=16, passes=0, each=16))
    textures: Textures = field(default=Textures(log2=(0, 6)))
    each: float = 8.0
    kept: float = 0.5
    passes: float = 0.04
    kinds: tuple[float, float, float] = (0.5, 0.25, 0.25)
    tiles: int = 12
    surfaces: int = 2
    stored: float = 0.3

    def draw(self, cfg: Config, rng: np.random.Generator, count: int) -> NDArray[Any]:
        """VERTEX array [count]: a base, then a scene with barriers in it; most of what is drawn is tested."""
        drawn = self.shapes.draw(cfg.raster, rng, count)
        begins = drawn["op"] == BEGIN
        drawn["test"] = np.where(begins, rng.random(count) < TEST, drawn["test"])
        stored = begins & (rng.random(count) < self.stored)
        for name, value in (("test", 1), ("write", 1), ("func", ALWAYS)):
            drawn[name][stored] = value
        surfaces = [self.surface(cfg, rng) for _ in range(self.surfaces)]
        barriers = rng.random(count) < self.passes
        barriers[0] = True
        for at in np.flatnonzero(barriers & ((np.arange(count) == 0) | ~begins)).tolist():
            kind = BASE if not at else int(rng.choice((FLUSH, CLEAR, BASE), p=self.kinds))
            x, y, z = (int(value) for value in rng.integers(1 << 20, size=3))
            drawn[at] = surfaces[int(rng.integers(len(surfaces)))] if kind == BASE else passed(kind, x, y, z)
        return drawn

    def surface(self, cfg: Config, rng: np.random.Generator) -> Any:
        """A base word: a surface of the width that windows have at most."""
        side = min(self.shapes.window // 4, 1 << cfg.coordinate_bits)
        lines = 1 << 2 * cfg.coordinate_bits  # that a surface has at most
        first = int(rng.integers((HALF // LINE_BYTES) - lines))
        return passed(BASE, side, int(rng.integers(self.tiles + 1)), HALF + first * LINE_BYTES)

    def state(self, cfg: Config, rng: np.random.Generator) -> Any:
        """A STATE record: a texture somewhere in the lower half of memory, and what is discarded."""
        state, prim = np.zeros(1, STATE)[0], self.textures.prim(cfg.texunit, rng)
        size = -(-texture_bytes(int(prim["log2w"]), int(prim["log2h"]), int(prim["format"])) // LINE)
        low = (LINE_BYTES << 2 * cfg.coordinate_bits) // LINE
        prim["base"] = rng.integers(low, HALF // LINE - size)
        for name in PRIM.names or ():
            state[name] = prim[name]
        if not cfg.early and rng.random() >= self.kept:
            state["kill"] = rng.integers(256)
        return state
