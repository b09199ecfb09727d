# SPDX-License-Identifier: Apache-2.0
"""Access patterns without a scene, each a function ``make(cfg, n, rng, **options) -> Trace`` of n footprints.

``PATTERNS`` lists them all by name. Everything random comes from ``rng``; the same seed gives the same trace.
Textures are full chains, one after the other from address 0, unless a pattern says otherwise.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texcache.schema import Config
from models.texcache.address import FOOTPRINT
from models.texcache.lookups import lookups
from workloads.texcache.trace import Trace, of_chains
from workloads.texcache.walks import walk

Rng = np.random.Generator
Maker = Callable[..., Trace]


@dataclass(frozen=True)
class Pattern:
    """A named access pattern; ``doc`` is its function's docstring."""

    name: str
    maker: Maker
    doc: str

    def make(self, cfg: Config, n: int, rng: Rng, **options: Any) -> Trace:
        """``n`` footprints for ``cfg``. Raises :class:`UserError` for a length below 1."""
        if n < 1:
            raise UserError(f"pattern {self.name} of {n} footprints: needs at least 1")
        return self.maker(cfg, n, rng, **options)


PATTERNS: dict[str, Pattern] = {}


def pattern(maker: Maker) -> Maker:
    """Registers ``maker`` under its name, hyphens for underscores."""
    name = maker.__name__.replace("_", "-")
    PATTERNS[name] = Pattern(name, maker, maker.__doc__ or "")
    return maker


def find(name: str) -> Pattern:
    """A pattern by name. Raises :class:`UserError` for an unknown one."""
    if name not in PATTERNS:
        raise UserError(f"unknown pattern {name!r}: choose one of {', '.join(PATTERNS)}")
    return PATTERNS[name]


def footprints(n: int, **columns: Any) -> NDArray[Any]:
    """FOOTPRINT array [n] from its columns; what is not given is 0."""
    records = np.zeros(n, FOOTPRINT)
    for name, values in columns.items():
        records[name] = values
    return records


def made(cfg: Config, name: str, records: NDArray[Any], sides: list[int] | None = None, **rest: Any) -> Trace:
    """The trace of ``records`` over full chains (or chains of ``sides``)."""
    chains = sides or [cfg.max_side] * (int(records["tex"].max(initial=0)) + 1)
    return of_chains(cfg, records, chains, name=name, meta={"kind": "pattern", "pattern": name}, **rest)


@pattern
def random_range(
    cfg: Config, n: int, rng: Rng, texels: int = 0, loop: int = 0, level: int = 0, start: int = 0
) -> Trace:
    """Uniformly random addresses within a range of one level, in a loop: the generator of the paper.

    The range has ``texels`` texels from texel ``start`` on, counted row by row (default: as many as the cache
    holds); ``loop`` addresses are drawn and then repeated (default: n, every address is drawn anew).
    """
    side = cfg.level_side(level)
    size = min(texels or cfg.capacity_bytes // 4, side * side)
    drawn = rng.integers(0, size, loop or n)
    place = (start + drawn[np.arange(n) % len(drawn)]) % (side * side)
    return made(cfg, "random-range", footprints(n, level=level, u=place % side, v=place // side))


@pattern
def random_everywhere(cfg: Config, n: int, rng: Rng) -> Trace:
    """Independent random textures, levels, wrap modes and coordinates, some far outside of the texture."""
    level = rng.integers(0, cfg.levels, n)
    reach = 2 * cfg.max_side
    near = rng.integers(-2, np.maximum(3, cfg.max_side >> level) + 2, (2, n))
    far = rng.integers(-reach, reach, (2, n))
    u, v = np.where(rng.random((2, n)) < 0.2, far, near)
    tex, modes = rng.integers(0, min(8, cfg.textures), n), rng.integers(0, 3, (2, n))
    records = footprints(n, tex=tex, level=level, mode_u=modes[0], mode_v=modes[1], u=u, v=v)
    return made(cfg, "random-everywhere", records, [cfg.max_side] * min(8, cfg.textures))


#: walks over a quad turned by a random angle: name, texels per pixel along and across, words on it
WALKS = (
    ("magnified", (0.25, 0.25), "seen so close that a texel covers about four by four pixels"),
    ("minified", (1.3, 1.3), "at 1.3 texels per pixel, nearest mip level: what most of a picture is like"),
    ("distant", (11.0, 11.0), "far away, at 11 texels per pixel: a small level"),
    ("anisotropic", (4.0, 0.5), "seen at a flat angle: eight times more texels per pixel along than across"),
    ("trilinear", (1.5, 1.5), "at 1.5 texels per pixel, trilinear: every pixel asks two neighbouring levels"),
)
for name, scale, words in WALKS:
    maker = partial(walk, name=name, scale=scale, pairs=name == "trilinear")
    PATTERNS[name] = Pattern(name, maker, f"A rotated quad {words}.")
for side in (8, 16, 32):
    maker = partial(walk, name=f"tile{side}", scale=(1.3, 1.3), tile=side)
    words = f"The walk of ``minified`` in screen tiles of {side} x {side} pixels."
    PATTERNS[f"tile{side}"] = Pattern(f"tile{side}", maker, words)


@pattern
def streaming(cfg: Config, n: int, rng: Rng) -> Trace:
    """Footprint beside footprint through whole textures, row pair by row pair: no texel is needed twice."""
    side = cfg.max_side
    step = 2 * np.arange(n) + 2 * int(rng.integers(0, side * side // 4))
    pair = step // side
    tex = pair // (side // 2) % min(4, cfg.textures)
    return made(cfg, "streaming", footprints(n, tex=tex, u=step % side, v=2 * (pair % (side // 2))))


@pattern
def thrashing(cfg: Config, n: int, rng: Rng, lines: int = 0) -> Trace:
    """Lines of one set in turn, one more than it has ways: true LRU has always just lost the next.

    Only look-ups of one footprint that share a line hit. ``lines`` overrides how many lines there are.
    """
    count = lines or cfg.cache.ways + 1
    side, step = cfg.max_side, cfg.line_texels
    columns = np.arange(0, side, min(step, side))
    corners = np.array([(u, v) for v in range(0, side, 2) for u in columns[: max(1, 4096 * 16 // side)]])
    textures = min(cfg.textures, 4)
    records = np.concatenate(
        [footprints(len(corners), tex=t, u=corners[:, 0], v=corners[:, 1]) for t in range(textures)]
    )
    chosen = _one_set(cfg, made(cfg, "thrashing", records), count)
    order = chosen[rng.permutation(len(chosen))]
    return made(cfg, "thrashing", order[np.arange(n) % len(order)], [side] * textures)


def _one_set(cfg: Config, candidates: Trace, count: int) -> NDArray[Any]:
    """Up to ``count`` footprints all of whose look-ups (or else the first) go to the most frequent set."""
    stream = lookups(cfg, candidates.footprints, candidates.lut)
    rows = stream.rows(cfg)
    first = np.flatnonzero(np.diff(stream.footprint, prepend=-1))
    low = np.minimum.reduceat(rows, first)
    high = np.maximum.reduceat(rows, first)
    alike = np.flatnonzero(low == high)
    if len(alike) < count:  # a layout that never puts both rows into one set
        alike = np.arange(len(first))
    target = np.bincount(low[alike]).argmax()
    members = alike[low[alike] == target]
    _, distinct = np.unique(stream.line[first[members]], return_index=True)
    return np.asarray(candidates.footprints[members[np.sort(distinct)][:count]])


@pattern
def small_levels(cfg: Config, n: int, rng: Rng) -> Trace:
    """Random footprints in levels that live in the last bank only (if none do, in the five smallest)."""
    smallest = [level for level in range(cfg.levels) if cfg.is_small(level)] or list(
        range(cfg.levels - 5, cfg.levels)
    )
    level = rng.choice(np.array(smallest), n)
    side = cfg.max_side >> level
    u, v = rng.integers(-1, side, (2, n))
    modes = rng.integers(0, 3, (2, n))
    tex = rng.integers(0, min(4, cfg.textures), n)
    records = footprints(n, tex=tex, level=level, mode_u=modes[0], mode_v=modes[1], u=u, v=v)
    return made(cfg, "small-levels", records, [cfg.max_side] * min(4, cfg.textures))


@pattern
def level_changes(cfg: Config, n: int, rng: Rng) -> Trace:
    """A walk whose level jumps up and down every few footprints, at the same place of the texture."""
    level = np.clip(
        np.cumsum(rng.integers(-1, 2, n) * (rng.random(n) < 0.3)) + cfg.levels // 2, 0, cfg.levels - 1
    )
    place = np.cumsum(rng.normal(0, 0.002, (2, n)), axis=1) + 0.5
    u, v = np.floor(place % 1 * (cfg.max_side >> level)).astype(int)
    return made(cfg, "level-changes", footprints(n, level=level, u=u, v=v))


@pattern
def edges(cfg: Config, n: int, rng: Rng) -> Trace:
    """Footprints on and around the edges of small and large levels in all wrap modes, -1 included."""
    level = rng.integers(0, cfg.levels, n)
    side = cfg.max_side >> level
    near = rng.integers(-2, 3, (2, n))
    u, v = near + np.stack([side, side]) * rng.integers(-1, 2, (2, n))
    modes = rng.integers(0, 3, (2, n))
    return made(cfg, "edges", footprints(n, level=level, mode_u=modes[0], mode_v=modes[1], u=u, v=v))


@pattern
def many_textures(cfg: Config, n: int, rng: Rng) -> Trace:
    """Short random walks in one texture after the other, all of the table's: the traffic of many decals."""
    side = min(64, cfg.max_side)
    run = rng.integers(4, 40, n)
    tex = np.repeat(rng.integers(0, cfg.textures, n), run)[:n]
    u, v = np.cumsum(rng.integers(-1, 2, (2, n)), axis=1) % side
    level = cfg.levels - side.bit_length()
    return made(cfg, "many-textures", footprints(n, tex=tex, level=level, u=u, v=v), [side] * cfg.textures)
