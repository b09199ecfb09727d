# SPDX-License-Identifier: Apache-2.0
"""Counts that are not known exactly."""

import pytest

from tb.common.components.counters import Bounds, agrees


@pytest.mark.parametrize(
    ("expected", "within", "words"),
    [
        (3, [3], "3"),
        (Bounds(2, 4), [2, 3, 4], "2 to 4"),
        (Bounds(2), [2, 3, 4, 5], "at least 2"),
        (Bounds(most=4), [0, 1, 2, 3, 4], "at most 4"),
    ],
)
def test_a_count_is_within_its_bounds(expected: int | Bounds, within: list[int], words: str) -> None:
    assert [count for count in range(6) if agrees(count, expected)] == within
    assert str(expected) == words
