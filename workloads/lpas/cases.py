# SPDX-License-Identifier: Apache-2.0
"""Which PE accesses which cache: the source's patterns, classes and figures, on an array of 4x4.

A case is one shot: its accesses come in the same cycle, further ones of a PE as soon as it may. All cases go
one after the other through caches that have their lines. Whose turn is first would decide for whoever asks in
the order of the PEs, so each case draws where all pointers are (:func:`anywhere`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.lpas.schema import LOAD, STORE, Config
from models.lpas import REQUEST

SIDE, PES = 4, 16
SHIFTS = (1, 2, 3)
PER_CLASS = 15  # cases of a class that are shown one by one
DRAWN, QUICK_DRAWN = 320, 64  # cases that a mean is taken of, where chance decides; multiples of 4 * PES
CLASSES = ("I", "II", "III", "IV")
CONFLICTS = (25, 50, 75, 100)  # percent, of figure 5; of classes III and IV beside the source's one value
HOT_SHARE = 0.4  # at which a class with conflicts has the source's mean
LENGTHS = (1, 2, 3, 4, 8, 16, 32)  # accesses of a PE
HOT, UNIFORM = "hot", "uniform"
Pairs = NDArray[np.int64]  # [n, 2]: PE, cache


@dataclass(frozen=True)
class Case:
    """``group``: the figure it belongs to; ``kind``: its part of that; ``pairs`` in order of each PE.

    ``orders`` [cache, PE]: in this order PEs store to each cache before the case, which leaves pointers
    behind the last PE of all, of each area and of each link.
    """

    group: str
    kind: str
    op: int
    pairs: Pairs
    orders: NDArray[np.int64]

    @property
    def cycles(self) -> int:
        """That it takes at most: as if all of it shared one link."""
        return 2 * len(self.pairs) + 8


def _pairs(pairs: Sequence[tuple[int, int]]) -> Pairs:
    return np.array(pairs, np.int64).reshape(-1, 2)


def place(row: Any, column: Any) -> Any:
    """The number of a PE or cache."""
    return SIDE * row + column


def simple() -> Iterator[tuple[str, Pairs]]:
    """The eight patterns without conflict, in every place that they have."""
    four, two = range(SIDE), range(2)
    for a, b in product(four, four):
        if a != b:
            yield "row on row", _pairs([(place(a, c), place(b, c)) for c in four])
            yield "column on column", _pairs([(place(r, a), place(r, b)) for r in four])
        yield "column on row", _pairs([(place(r, a), place(b, r)) for r in four])
        yield "row on column", _pairs([(place(a, c), place(c, b)) for c in four])
    squares = list(product((0, 2), (0, 2)))
    for own in squares:
        inside = [(own[0] + i, own[1] + j) for i in two for j in two]
        opposite = [(own[0] + 1 - i, own[1] + 1 - j) for i in two for j in two]
        pes = [place(*cell) for cell in inside]
        yield "2x2 crosswise", _pairs(list(zip(pes, [place(*cell) for cell in opposite], strict=True)))
        yield "2x2 on its own", _pairs([(pe, pe) for pe in pes])
        for other in squares:
            if other != own:
                caches = [place(other[0] + i, other[1] + j) for i in two for j in two]
                yield "2x2 on another", _pairs(list(zip(pes, caches, strict=True)))
        for i, j in product(two, two):
            caches = [place(row + i, column + j) for row, column in squares]
            yield "2x2 on four", _pairs(list(zip(pes, caches, strict=True)))


SIMPLE = (
    "row on row", "column on row", "row on column", "column on column", "2x2 crosswise", "2x2 on another",
    "2x2 on four", "2x2 on its own",
)  # fmt: skip


def loops(by_row: bool) -> Iterator[Pairs]:
    """Classes I and II: rows on other rows, one at a time and all 16 PEs; or columns."""
    four = np.arange(SIDE)
    for a, b in product(range(SIDE), range(SIDE)):
        if a != b:
            yield np.stack(
                [place(a, four), place(b, four)] if by_row else [place(four, a), place(four, b)], 1
            )
    for shift in SHIFTS:
        yield np.stack([np.arange(PES), shifted(shift, by_row)], 1)


def shifted(shift: int, by_row: bool) -> NDArray[np.int64]:
    """The place of each PE in the row, or column, ``shift`` further on."""
    row, column = np.divmod(np.arange(PES), SIDE)
    places: NDArray[np.int64] = (
        place((row + shift) % SIDE, column) if by_row else place(row, (column + shift) % SIDE)
    )
    return places


def conflicting(
    rng: np.random.Generator, shift: int, by_row: bool, share: float, kind: str, length: int = 1
) -> Pairs:
    """Classes III and IV: with ``share``, a PE goes to the first place of its target row (HOT), or to any."""
    own = np.repeat(shifted(shift, by_row), length)
    lines, places = (own // SIDE, own % SIDE) if by_row else (own % SIDE, own // SIDE)
    elsewhere = np.zeros(len(own), np.int64) if kind == HOT else rng.integers(SIDE, size=len(own))
    places = np.where(rng.random(len(own)) < share, elsewhere, places)
    caches = place(lines, places) if by_row else place(places, lines)
    return np.stack([np.repeat(np.arange(PES), length), caches], 1)


def at(kind: str, percent: int) -> str:
    """The ``kind`` of cases of classes III and IV of one write that go elsewhere with ``percent``."""
    return f"{kind} at {percent} %"


def expected(kind: str, share: float) -> float:
    """Mean latency of one write of classes III and IV, in cycles, whoever goes first.

    Of k PEs at a cache they are 1, 2, ..., k. HOT: 1 + B of them are at the first place and one is at another
    with 1 - ``share``; UNIFORM: one with 1 - 3 ``share`` / 4, and B with ``share`` / 4; B of the other three.
    """
    return 1 + 3 * share * (1 + share) / 4 if kind == HOT else 1 + 3 * share * (2 - share) / 8


def figure_5(rng: np.random.Generator, percent: int, cache: int) -> Pairs:
    """All PEs of the cache's row, and so many of each other row, on one cache."""
    row = cache // SIDE
    pes = [place(row, column) for column in range(SIDE)]
    for other in range(SIDE):
        if other != row:
            chosen = rng.choice(SIDE, SIDE * percent // 100, replace=False)
            pes += [place(other, int(column)) for column in chosen]
    return _pairs([(pe, cache) for pe in pes])


#: ``orders`` that leave all pointers of any switch at 0
AT_0 = np.tile(np.arange(PES), (PES, 1))


def anywhere(rng: np.random.Generator) -> NDArray[np.int64]:
    """``orders`` that leave pointers anywhere, each for itself."""
    return rng.permuted(AT_0, axis=1)


def ending(orders: NDArray[np.int64], cache: int, last: int) -> NDArray[np.int64]:
    """``orders``, turned so that ``last`` is the last PE at ``cache``."""
    place = int(np.flatnonzero(orders[cache] == last)[0])
    orders[cache] = np.roll(orders[cache], -1 - place)
    return orders


def all_cases(seed: int, quick: bool) -> list[Case]:
    """Every case of the source's figures, and the curves over length."""
    rng = np.random.default_rng([seed, 17])
    count, turns = QUICK_DRAWN if quick else DRAWN, np.arange(PES)
    cases = [
        Case("simple", name, op, pairs, anywhere(rng)) for op in (STORE, LOAD) for name, pairs in simple()
    ]
    cases += [
        Case("figure 4", "", op, np.stack([turns, (turns + shift) % PES], 1), anywhere(rng))
        for op in (STORE, LOAD) for shift in range(PES) for _ in range(count // PES)
    ]  # fmt: skip
    # each place of the full switch's pointer as often as any other: its means have no error at 100 percent
    cases += [
        Case("figure 5", str(percent), STORE, figure_5(rng, percent, cache),
             ending(anywhere(rng), cache, last))
        for percent in CONFLICTS for cache in range(SIDE) for last in range(PES)
        for _ in range(count // (SIDE * PES))
    ]  # fmt: skip
    for name, by_row in (("I", True), ("II", False)):
        cases += [Case(f"class {name}", "", STORE, pairs, anywhere(rng)) for pairs in loops(by_row)]
    lengths = [(kind, share, length, f"{kind} {length}") for length in LENGTHS
               for kind, share in ((HOT, HOT_SHARE), (UNIFORM, 1.0))]  # fmt: skip
    shares = [(kind, percent / 100, 1, at(kind, percent)) for kind in (HOT, UNIFORM) for percent in CONFLICTS]
    for (name, by_row), (kind, share, length, words) in product(
        (("III", True), ("IV", False)), (*lengths, *shares)
    ):
        cases += [
            Case(f"class {name}", words, STORE,
                 conflicting(rng, SHIFTS[number % 3], by_row, share, kind, length), anywhere(rng))
            for number in range(count)
        ]  # fmt: skip
    lesson = [(12, 0), (8, 0), (5, 0), (4, 0), (1, 0), (0, 0), (0, 0), (0, 0)]
    return [*cases, Case("lesson", "", STORE, _pairs(lesson), AT_0)]


def warm_up(cfg: Config) -> tuple[NDArray[Any], int]:
    """Requests that bring line 0 into each cache, and the cycle from which on all is there."""
    requests = np.zeros(cfg.pes, REQUEST)
    requests["pe"], requests["op"] = np.arange(cfg.pes), STORE
    requests["word"] = np.arange(cfg.pes) << cfg.slot_bits
    timing = cfg.memory
    return requests, cfg.pes * (timing.latency + cfg.beats * (1 + timing.gap) + 6) + 16


SETTLED = PES * PES  # cycles: one store of each PE to each cache, one after the other, so nobody waits


def requests_of(cfg: Config, cases: Sequence[Case]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """REQUEST [n] of all, and the number of each one's case; -1 of those that warm the caches, and of those
    that set the pointers before each case.
    """
    first, start = warm_up(cfg)
    lengths = np.array([SETTLED + len(case.pairs) for case in cases])
    begins = start + np.cumsum([0, *(case.cycles + SETTLED for case in cases[:-1])])
    made = np.zeros(lengths.sum(), REQUEST)
    numbers = np.full(len(made), -1)
    turn = np.arange(SETTLED)
    for number, (case, end) in enumerate(zip(cases, np.cumsum(lengths), strict=True)):
        before, shot = made[end - lengths[number] : end - len(case.pairs)], made[end - len(case.pairs) : end]
        before["at"], before["pe"], before["op"] = begins[number] + turn, case.orders.ravel(), STORE
        before["word"] = turn // PES << cfg.slot_bits
        shot["at"], shot["pe"], shot["op"] = begins[number] + SETTLED, case.pairs[:, 0], case.op
        shot["word"] = case.pairs[:, 1] << cfg.slot_bits
        numbers[end - len(case.pairs) : end] = number
    made["value"] = np.arange(len(made)) & 0xFFFF
    return np.concatenate([first, made]), np.concatenate([np.full(len(first), -1), numbers])
