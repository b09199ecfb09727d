# SPDX-License-Identifier: Apache-2.0
"""The set-associative core: true LRU against an ordered dictionary, and the properties that define it."""

from collections import OrderedDict
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import lru
from tests.models.strategies import COMPILED

TAGS = st.lists(st.integers(0, 9), max_size=60)
WAYS = st.sampled_from([1, 2, 4, 8])


def run(ways: int, tags: list[int]) -> tuple[list[tuple[bool, int, int]], Any]:
    """All accesses of one set, and the set."""
    one = lru.new_sets(1, ways)[0]
    return [lru.access(one, tag) for tag in tags], one


@COMPILED
@given(WAYS, TAGS)
def test_agrees_with_an_ordered_dictionary(ways: int, tags: list[int]) -> None:
    held: OrderedDict[int, int] = OrderedDict((way, lru.EMPTY) for way in range(ways))
    for tag, (hit, way, victim) in zip(tags, run(ways, tags)[0], strict=True):
        places = [place for place, content in held.items() if content == tag]
        expected_way = places[0] if places else next(iter(held))
        expected_victim = lru.EMPTY if places else held[expected_way]
        assert (hit, way, victim) == (bool(places), expected_way, expected_victim), f"at tag {tag} of {tags}"
        held[expected_way] = tag
        held.move_to_end(expected_way)


@COMPILED
@given(WAYS, TAGS)
def test_set_never_holds_a_tag_twice_and_knows_the_order_of_uses(ways: int, tags: list[int]) -> None:
    one = lru.new_sets(1, ways)[0]
    for place, tag in enumerate(tags):
        lru.access(one, tag)
        held = [content for content in one["tag"] if content != lru.EMPTY]
        assert len(held) == len(set(held)), f"duplicate tag in {held} after {tag} of {tags}"
        order = dict.fromkeys(reversed(tags[: place + 1]))  # most recently used first
        youngest = [one["tag"][way] for way in np.argsort(-one["used"])]
        assert youngest[: len(held)] == list(order)[:ways]


@COMPILED
@given(TAGS)
def test_inclusion(tags: list[int]) -> None:
    """Twice the ways hold at least the same lines at every moment, and hit wherever half of them hit."""
    sets = {ways: lru.new_sets(1, ways)[0] for ways in (1, 2, 4, 8)}
    for tag in tags:
        hits = [lru.access(one, tag)[0] for one in sets.values()]
        assert hits == sorted(hits), f"hits with 1, 2, 4, 8 ways: {hits}"
        contents = [set(one["tag"]) - {lru.EMPTY} for one in sets.values()]
        assert all(small <= large for small, large in pairwise(contents))


@pytest.mark.parametrize("ways", [1, 2, 4, 8, 16])
def test_victims_of_an_empty_set_go_up(ways: int) -> None:
    accesses, _ = run(ways, list(range(100, 100 + 2 * ways)))
    assert [way for _, way, _ in accesses] == list(range(ways)) * 2
    assert [victim for *_, victim in accesses] == [lru.EMPTY] * ways + list(range(100, 100 + ways))


def test_flags_belong_to_the_user_until_cleared() -> None:
    sets = lru.new_sets(3, 2)
    sets[1]["flags"] = 7
    lru.access(sets[1], 5)
    assert sets[1]["flags"].tolist() == [7, 7]
    lru.clear(sets)
    assert np.array_equal(sets, lru.new_sets(3, 2))


def test_stream_is_a_loop_of_accesses() -> None:
    rng = np.random.default_rng(5)
    rows, tags = rng.integers(0, 4, 500), rng.integers(0, 12, 500)
    hits = np.zeros(500, np.uint8)
    lru.access_many(lru.new_sets(4, 4), rows, tags, hits)
    sets = lru.new_sets(4, 4)
    assert [lru.access(sets[row], tag)[0] for row, tag in zip(rows, tags, strict=True)] == hits.astype(
        bool
    ).tolist()
