# SPDX-License-Identifier: Apache-2.0
"""Finds footprints of a wanted shape for directed tests, whatever the configuration."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texcache.schema import Config
from models.memory import Memory
from models.texcache import FOOTPRINT, TexcacheModel
from models.texcache.address import SLOT_TEXEL, geometry, line_of, texels
from tb.texcache.sequences import Distribution

TRIES = 4000

#: the slots of each beat of a footprint, and the banks of all slots, or none
Shape = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]

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
        self.results = self.replay(self.footprints)

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

    def of_lines(self, count: int) -> Any:
        """A footprint that looks ``count`` lines up."""
        return self.first(lambda _, results: results["valid"].sum(axis=1) == count)

    def most_lines(self) -> Any:
        """A footprint that looks as many lines up as any does."""
        return self.footprints[int(self.results["valid"].sum(axis=1).argmax())]

    def replay(self, footprints: Any) -> NDArray[Any]:
        """What ``footprints`` (FOOTPRINT array or list of records) do in turn on an empty cache."""
        return TexcacheModel(self.cfg, Memory(1), self.table).replay(np.array(footprints, FOOTPRINT))

    def partitions(self, small: bool = True, by_bank: bool = False) -> dict[Shape, int]:
        """Rows of footprints whose lines differ and fit into the cache together, by the slots of each beat.

        ``small``: of small levels, too. ``by_bank``: by the banks of all slots, too, else these are empty.

        A beat takes the next look-ups in slot order while their banks differ.
        """
        shapes: dict[Shape, int] = {}
        for row, (result, banks) in enumerate(zip(self.results, self.results["bank"], strict=True)):
            beats: list[list[int]] = [[]]
            for slot in np.nonzero(result["valid"])[0].tolist():
                if banks[slot] in banks[beats[-1]]:
                    beats.append([])
                beats[-1].append(slot)
            key = tuple(map(tuple, beats)), tuple(banks.tolist()) if by_bank else ()
            whole = len(lines_of(result)) == result["valid"].sum()
            whole &= small or not self.cfg.is_small(int(self.footprints[row]["level"]))
            if key not in shapes and whole and self.together([self.footprints[row]]):
                shapes[key] = row
        return shapes

    def missing_one(self, beats: int) -> tuple[list[Any], Any]:
        """Neighbours to fetch first, and a footprint of ``beats`` beats that then misses a single line."""
        for row in self.rows(lambda _, results: results["beats"] == beats)[:400]:
            wanted = self.footprints[row]
            for before in self._neighbours(wanted):
                last = self.replay([*before, wanted])[-1]
                if last["valid"].sum() - last["hit"].sum() == 1:
                    return before, wanted
        raise LookupError(f"no footprint of {beats} beats misses a single line in {self.cfg.name}")

    def _neighbours(self, footprint: Any) -> Iterator[list[Any]]:
        moved = []
        for axis, step in (("v", 1), ("v", -1), ("u", self.cfg.line_texels), ("u", -self.cfg.line_texels)):
            neighbour = footprint.copy()
            neighbour[axis] += step
            moved.append(neighbour)
        yield from ([neighbour] for neighbour in moved)
        yield from ([above, beside] for above in moved[:2] for beside in moved[2:])

    def hit_behind_miss(self, beats: int) -> tuple[Any, Any]:
        """A footprint to miss, and one of ``beats`` beats that, fetched before, hits in spite of it."""
        for second in self.rows(lambda _, results: results["beats"] == beats)[:20]:
            for first in range(100):
                ahead, behind = self.footprints[first], self.footprints[second]
                _, missed, hit = self.replay([behind, ahead, behind])
                if (missed["hit"] < missed["valid"]).any() and (hit["hit"] == hit["valid"]).all():
                    return ahead, behind
        raise LookupError(
            f"no pair of footprints, the second of {beats} beats, keeps apart in {self.cfg.name}"
        )

    def together(self, footprints: list[Any]) -> list[Any]:
        """As many of ``footprints`` as fit into the cache at once."""
        kept: list[Any] = []
        for footprint in footprints:
            again = self.replay([*kept, footprint] * 2)[len(kept) + 1 :]
            if (again["hit"] == again["valid"]).all():
                kept.append(footprint)
        return kept

    def missing_most(self, count: int) -> NDArray[Any]:
        """``count`` footprints that miss as many lines per beat as any, no two of which share a line."""
        lines = np.where(self.results["valid"] == 1, self.results["line"].astype(np.int64), -1)
        per_beat = [
            len(set(row) - {-1}) / beats
            for row, beats in zip(lines.tolist(), self.results["beats"], strict=True)
        ]
        taken: set[int] = set()
        chosen = []
        for row in np.argsort(per_beat, kind="stable")[::-1]:
            if not taken & set(lines[row].tolist()):
                taken |= set(lines[row].tolist()) - {-1}
                chosen.append(row)
        return self.footprints[chosen[:count]]

    def evicted(self) -> tuple[int, NDArray[Any]]:
        """Row of a footprint, and others that use its sets, enough of them to replace all its lines."""
        for row in range(len(self.footprints)):
            others = self._evicting(row)
            if len(others):
                return row, others
        raise LookupError(f"no footprint of {self.cfg.name} has its lines replaced by the others")

    def _evicting(self, row: int) -> NDArray[Any]:
        """Footprints that replace all lines of footprint ``row``; none if there are not enough."""
        place = np.where(
            self.results["valid"] == 1, self.results["bank"] * self.cfg.cache.sets + self.results["set"], -1
        )
        rows = np.nonzero(np.isin(place, place[row][place[row] >= 0]).any(axis=1))[0]
        rows = rows[rows != row]

        def replaced(count: int) -> bool:
            order = [self.footprints[row], *self.footprints[rows[:count]], self.footprints[row]]
            again = self.replay(order)[-1]
            return bool(again["valid"].sum() - again["hit"].sum() == len(lines_of(self.results[row])))

        if not replaced(len(rows)):
            return self.footprints[:0]
        steps = range(self.cfg.cache.ways, len(rows), 2 * self.cfg.cache.ways)
        return self.footprints[rows[: next(filter(replaced, steps), len(rows))]]


def lines_of(results: Any) -> list[int]:
    """The lines that one RESULT, or all of several, look up."""
    return np.unique(results["line"][results["valid"] == 1]).tolist()


def offsets_of(cfg: Config, footprint: np.void) -> list[int]:
    """Lines between the beginning of a footprint's level and the line of each of its slots."""
    geo, nowhere = geometry(cfg), np.zeros((cfg.textures, cfg.levels), np.uint32)
    addresses = texels(geo, nowhere, footprint).address
    return [addresses[texel] >> geo.offset_bits for texel in SLOT_TEXEL]


def nearly_alike(cfg: Config, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Lines of one set, for each bit of the tag and each way: those that fill the ways up to this one, and
    another, which differs from the last of them in this bit alone. Each can be a level of a single line.
    """
    geo, low = geometry(cfg), int(cfg.parity)
    bits = cfg.cache.tag_bits - low  # by parity the lowest one follows from set and tag
    for bit, way in product(range(bits), range(cfg.cache.ways)):
        tags = {int(rng.integers(1 << bits))}
        other = next(iter(tags)) ^ 1 << bit
        while len(tags) <= way:
            tags |= {int(rng.integers(1 << bits))} - {other}
        order = [*(tags - {other ^ 1 << bit}), other ^ 1 << bit, other]
        index = int(rng.integers(cfg.cache.sets))
        bank = int(rng.integers(2)) if cfg.parity else 0
        yield np.array([line_of(geo, bank, index, tag << low) for tag in order])
