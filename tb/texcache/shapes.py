# SPDX-License-Identifier: Apache-2.0
"""Finds footprints of a wanted shape for directed tests, whatever the configuration."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texcache.schema import Config
from models.memory import Memory
from models.texcache import TexcacheModel
from tb.texcache.sequences import Distribution

TRIES = 4000

#: tells for footprints [n] and their RESULTs on an empty cache [n] which ones are wanted, bool [n]
Predicate = Callable[[NDArray[Any], NDArray[Any]], NDArray[np.bool_]]


class Shapes:
    """Random footprints under a look-up table, sorted by what they make the cache do.

    Look-ups, banks and beats do not depend on the state of the cache, only on address arithmetic; that the
    golden model decides.
    """

    def __init__(
        self,
        cfg: Config,
        table: NDArray[np.uint32],
        rng: np.random.Generator,
        distribution: Distribution | None = None,
    ) -> None:
        self.cfg, self.table = cfg, table
        chosen = distribution or Distribution(textures=2, edges=0.05, far=0)
        self.footprints = chosen.draw(cfg, rng, TRIES)
        self.results = TexcacheModel(cfg, Memory(1), table).replay(self.footprints)

    def rows(self, wanted: Predicate) -> NDArray[np.int64]:
        """Indices of all that fulfil ``wanted``."""
        return np.nonzero(wanted(self.footprints, self.results))[0]

    def first(self, wanted: Predicate) -> Any:
        """The first that fulfils ``wanted``. Raises LookupError when there is none."""
        rows = self.rows(wanted)
        if not len(rows):
            raise LookupError(f"no footprint of this shape in {self.cfg.name}")
        return self.footprints[rows[0]]

    def of_beats(self, beats: int) -> Any:
        """A footprint that takes ``beats`` beats."""
        return self.first(lambda _, results: results["beats"] == beats)

    def missing_one(self, beats: int) -> tuple[Any, Any]:
        """Two footprints: after the first, on an empty cache, the second misses one line; it takes ``beats`` beats."""
        rows = self.rows(lambda _, results: results["beats"] == beats)
        for row in rows[:400]:
            second = self.footprints[row : row + 1]
            for axis, step in (("v", 1), ("v", -1), ("u", 1), ("u", -1)):
                first = second.copy()
                first[axis] += step * (1 if axis == "v" else self.cfg.line_texels)
                results = TexcacheModel(self.cfg, Memory(1), self.table).replay(np.concatenate([first, second]))
                if results[1]["valid"].sum() - results[1]["hit"].sum() == 1:
                    return first[0], second[0]
        raise LookupError(f"no footprint of {beats} beats misses a single line in {self.cfg.name}")

    def disjoint(self, count: int, beats: int) -> NDArray[Any]:
        """``count`` footprints of ``beats`` beats, no two of which share a line."""
        rows = self.rows(lambda _, results: (results["beats"] == beats) & distinct(results))
        seen: set[int] = set()
        chosen = []
        for row in rows:
            lines = set(self.results["line"][row][self.results["valid"][row] == 1].tolist())
            if not lines & seen:
                seen |= lines
                chosen.append(row)
        if len(chosen) < count:
            raise LookupError(f"only {len(chosen)} of {count} footprints without a common line in {self.cfg.name}")
        return self.footprints[chosen[:count]]


def distinct(results: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether all look-ups of each footprint go to lines of their own: on an empty cache none of them hits."""
    return ~_same(results)


def _same(results: NDArray[Any]) -> NDArray[np.bool_]:
    lines = np.where(results["valid"] == 1, results["line"].astype(np.int64), -1 - np.arange(4))
    ordered = np.sort(lines, axis=1)
    return (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
