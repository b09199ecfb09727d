# SPDX-License-Identifier: Apache-2.0
"""The set-associative core: true LRU against an ordered dictionary; streams against single accesses."""

from collections import OrderedDict
from typing import Any

import numpy as np
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
