# SPDX-License-Identifier: Apache-2.0
"""Lines that differ in one bit of their address: one that ignores it mistakes them for each other."""

from collections.abc import Iterable, Iterator

import numpy as np

from configs.parts import CacheGeometry


def alias_rounds(
    cache: CacheGeometry, rng: np.random.Generator, ways: Iterable[int] | None = None
) -> Iterator[list[int]]:
    """Line addresses to read in order, in rounds; the cache is to be empty before each.

    For each way, or each of ``ways``, and each bit of the tag: the ways before it are filled, a line goes
    into the way, the line that differs in that bit alone is read, and the first again. For each bit of the
    set index: two lines that differ in it alone, twice. A round uses each set once.
    """
    chosen = range(cache.ways) if ways is None else ways
    chains = [_in_one_set(cache, rng, way, bit) for way in chosen for bit in range(cache.tag_bits)]
    for at in range(0, len(chains), cache.sets):
        used = chains[at : at + cache.sets]
        sets = rng.permutation(cache.sets)[: len(used)]
        yield [
            tag << cache.set_bits | int(index) for tags, index in zip(used, sets, strict=True) for tag in tags
        ]
    for bit in range(cache.set_bits):
        line = int(rng.integers(1 << cache.line_bits))
        yield [line, line ^ 1 << bit] * 2


def _in_one_set(cache: CacheGeometry, rng: np.random.Generator, way: int, bit: int) -> list[int]:
    """Tags: ``way`` others, one, the one that differs in ``bit``, and the one again."""
    first = int(rng.integers(1 << cache.tag_bits))
    second = first ^ 1 << bit
    others: list[int] = []
    while len(others) < way:
        other = int(rng.integers(1 << cache.tag_bits))
        if other not in (first, second, *others):
            others.append(other)
    return [*others, first, second, first]
