# SPDX-License-Identifier: Apache-2.0
"""Tiles of ``zcache`` by field, where they lie, and tiles at random."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.depth import BASE, CLEAR, FLUSH, PIXELS, TILE
from configs.zcache.schema import Config
from tb.common.components.packing import Columns

#: a word of port ``tile``, and what the shader says of it
ITEM = np.dtype(
    [
        *(("op", "u1"), ("x", "u2"), ("y", "u2"), ("mask", "u2"), ("test", "u1"), ("func", "u1")),
        *(("write", "u1"), ("format", "u1"), ("depth", "u4", PIXELS), ("kill", "u2")),
    ]
)
ALL = (1 << PIXELS) - 1
LINE_BYTES = 64


def tile_columns(items: NDArray[Any]) -> Columns:
    """The fields of port ``tile`` for ITEM array [n]."""
    depths = {f"depth{pixel}": items["depth"][:, pixel] for pixel in range(PIXELS)}
    return {name: items[name] for name in ITEM.names or () if name not in ("depth", "kill")} | depths


@dataclass(frozen=True)
class Surface:
    """Where tiles lie: address of tile 0, tiles of a row, and of all; those after reset."""

    base: int = 0
    pitch: int = 1
    tiles: int = 1

    @classmethod
    def of(cls, cfg: Config, item: Any) -> "Surface":
        """What an item of op ``base`` says; bits that do not count are cut off."""
        base, pitch, tiles = (int(item["depth"][place]) for place in range(3))
        bits = cfg.coordinate_bits
        return cls(base & -LINE_BYTES, pitch & (2 << bits) - 1, tiles & (2 << 2 * bits) - 1)

    def number(self, cfg: Config, x: Any, y: Any) -> Any:
        """The number of a tile, or numbers [n] of tiles."""
        return (y * self.pitch + x) & (1 << cfg.tile_bits) - 1

    def address(self, number: Any) -> Any:
        """The byte address of a tile, or addresses [n], by number."""
        return (self.base + LINE_BYTES * number) & 0xFFFFFFFF


def addresses(cfg: Config, items: NDArray[Any], surface: Surface) -> NDArray[np.int64]:
    """The byte address [n] of each of tiles [n], the first of which lie on ``surface``."""
    byte_addresses = np.zeros(len(items), np.int64)
    for number, item in enumerate(items):
        if item["op"] == BASE:
            surface = Surface.of(cfg, item)
        byte_addresses[number] = surface.address(surface.number(cfg, int(item["x"]), int(item["y"])))
    return byte_addresses


def set_of(cfg: Config, surface: Surface, x: Any, y: Any) -> Any:
    """The set of a tile, or sets [n] of tiles: docs/zcache.md, table ``index``."""
    if cfg.index == "linear":
        return surface.number(cfg, x, y) & cfg.cache.sets - 1
    columns, rows = cfg.column_bits, cfg.row_bits
    if cfg.index == "xor":
        x, y = x ^ x >> columns, y ^ y >> rows
    return (y & (1 << rows) - 1) << columns | x & (1 << columns) - 1


@dataclass(frozen=True)
class Distribution:
    """What random tiles look like.

    ``sets``: so many sets are used, all if 0; ``tags``: tiles that compete for a set; ``again``: share of
    tiles that are one of the last ``recent``, beside which ``walk`` of them are the neighbour of the one
    before. ``values``: different depths, any if 0; ``functions``, ``formats``: those in use. ``full``,
    ``empty``, ``killed``: shares of whole and empty masks, and of tiles that the shader discards; ``test``,
    ``write``: of tiles that test and write; ``flat``: of tiles of one depth. ``flushes``, ``clears``,
    ``bases``: shares of barriers; a surface has at most ``tiles`` tiles, as far as a clear goes.
    """

    sets: int = 0
    tags: int = 6
    again: float = 0.3
    recent: int = 4
    walk: float = 0.0
    values: int = 4
    functions: Sequence[int] = tuple(range(8))
    formats: Sequence[int] = (0, 1, 2)
    full: float = 0.5
    empty: float = 0.05
    killed: float = 0.1
    test: float = 0.93
    write: float = 0.8
    flat: float = 0.0
    flushes: float = 0.01
    clears: float = 0.005
    bases: float = 0.005
    tiles: int = 12
    pitches: Sequence[int] = field(default=(0,))

    def draw(
        self, cfg: Config, rng: np.random.Generator, count: int, surface: Surface | None = None
    ) -> NDArray[Any]:
        """ITEM array [count]; it begins with a base unless it says on which ``surface`` tiles lie."""
        drawn = np.zeros(count, ITEM)
        self._states(rng, drawn)
        limits = np.cumsum((self.flushes, self.clears, self.bases))
        kind = rng.random(count)
        drawn["op"] = np.select([kind < limit for limit in limits], (FLUSH, CLEAR, BASE), TILE)
        drawn["op"][: surface is None] = BASE
        begins = [0, *np.nonzero(drawn["op"] == BASE)[0].tolist(), count]
        for first, end in pairwise(begins):
            if end > first and drawn["op"][first] == BASE:
                surface = self.surface(cfg, rng)
                drawn["depth"][first, :3] = surface.base, surface.pitch, surface.tiles
            if end > first:
                assert surface is not None
                self._places(cfg, rng, surface, drawn[first:end])
        return drawn

    def surface(self, cfg: Config, rng: np.random.Generator) -> Surface:
        """A surface anywhere in memory, the end of which it may cross."""
        side = 1 << cfg.coordinate_bits
        pitch = int(rng.choice(self.pitches))
        if not pitch:
            pitch = side if rng.random() < 0.6 else int(rng.integers(4, side + 1))
        base = int(rng.integers(1 << 26)) * LINE_BYTES
        return Surface(base, pitch, int(rng.integers(self.tiles + 1)))

    def _states(self, rng: np.random.Generator, drawn: NDArray[Any]) -> None:
        """All fields but op and place."""
        count = len(drawn)
        kind, pixels = rng.random(count), rng.integers(1 << PIXELS, size=count)
        single = rng.random(count) < 0.2
        pixels = np.where(single, 1 << rng.integers(PIXELS, size=count), pixels)
        drawn["mask"] = np.select([kind < self.full, kind < self.full + self.empty], [ALL, 0], pixels)
        drawn["kill"] = np.where(
            rng.random(count) < self.killed, ALL, rng.integers(1 << PIXELS, size=count)
        ) * (rng.random(count) < 0.4)
        drawn["test"], drawn["write"] = rng.random(count) < self.test, rng.random(count) < self.write
        drawn["func"] = rng.choice(self.functions, count)
        drawn["format"] = rng.choice(self.formats, count)
        drawn["depth"] = self._depths(rng, (count, PIXELS))
        if self.flat:
            flat = rng.random(count) < self.flat
            drawn["depth"][flat] = rng.integers(1 << 32, size=count)[flat, None]

    def _depths(self, rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.int64]:
        """Few values, so that equal ones meet; what does not count of a word differs all the same."""
        values = rng.integers(1 << 32, size=shape)
        if not self.values:
            return values
        few = np.array([0, 0xFFFFFF, 0xFFFF, 0xFFFFFFFF, *rng.integers(1 << 32, size=self.values)])
        low = few[rng.integers(len(few), size=shape)]
        kept = np.array([0xFFFFFF, 0xFFFFFFFF, 0xFFFF])[rng.integers(3, size=(shape[0], 1))]
        return (low & kept) | (values & ~kept)

    def _places(self, cfg: Config, rng: np.random.Generator, surface: Surface, drawn: NDArray[Any]) -> None:
        """Where the tiles of one surface lie."""
        count, side = len(drawn), 1 << cfg.coordinate_bits
        pool = self.pool(cfg, rng, surface)
        picks = rng.integers(len(pool), size=count)
        kind, back = rng.random(count), rng.integers(1, self.recent + 1, size=count)
        places = pool[picks]
        for at in range(1, count):
            if kind[at] < self.again:
                places[at] = places[max(0, at - back[at])]
            elif kind[at] < self.again + self.walk:
                x, y = int(places[at - 1, 0]) + 1, int(places[at - 1, 1])
                places[at] = (x, y) if x < min(side, surface.pitch) else (0, (y + 1) % side)
        drawn["x"], drawn["y"] = places[:, 0], places[:, 1]

    def pool(self, cfg: Config, rng: np.random.Generator, surface: Surface) -> NDArray[np.int64]:
        """Places [n, 2] that compete: at most ``tags`` tiles of each set in use."""
        side = 1 << cfg.coordinate_bits
        wide = max(1, min(side, surface.pitch))
        if wide * side <= 4096:
            every = np.stack(np.meshgrid(np.arange(wide), np.arange(side), indexing="ij"), -1).reshape(-1, 2)
            every = every[rng.permutation(len(every))]
        else:
            every = np.stack((rng.integers(wide, size=8192), rng.integers(side, size=8192)), -1)
        sets = set_of(cfg, surface, every[:, 0], every[:, 1])
        used = np.unique(sets)
        used = rng.permutation(used)[: self.sets or len(used)]
        kept = [np.nonzero(sets == index)[0][: self.tags] for index in used]
        return every[np.concatenate(kept)]


def item(fields: Mapping[str, Any]) -> Any:
    """An ITEM record [1] of these fields, all else 0."""
    made = np.zeros(1, ITEM)
    for name, value in fields.items():
        made[name] = value
    return made
