# SPDX-License-Identifier: Apache-2.0
"""The measuring loop and the table that all benchmarks share."""

from collections.abc import Callable, Iterable

import pytest

from bench import benchmark as timing
from bench.benchmark import Way


def taking(seconds: Iterable[float], result: int = 1) -> Callable[[], tuple[int, float]]:
    times = iter(seconds)
    return lambda: (result, next(times))


def test_ways_take_turns_and_the_least_time_counts(capsys: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []
    ways = {
        "a": Way(taking([3, 1, 2]), 100),
        "b": Way(taking([5, 0.5, 4]), 200, "why", 1, (50, "words"), "a"),
    }
    rows = timing.compare(ways, 3, said.append)
    assert said == [f"{name}, {number} of 3" for number in (1, 2, 3) for name in "ab"]
    assert [(row.what, row.work, row.per_second, row.ratio) for row in rows] == [
        ("a", 100, 100, 1), ("b", 200, 400, 4)
    ]  # fmt: skip
    assert [row.remark for row in rows] == ["", "100 words/s, 2.00 of a, why"]
    timing.show("title", "things", rows)
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("title", "things / s", "400", "why"))


@pytest.mark.parametrize("expected", [None, 2])
def test_other_results_are_refused(expected: int | None) -> None:
    ways = {"a": Way(taking([1]), 1), "b": Way(taking([1], 3), 1, expected=expected)}
    with pytest.raises(AssertionError, match=f"b: 3, expected {expected or 1}"):
        timing.compare(ways, 1, lambda words: None)


def test_timed_runs_once() -> None:
    ran: list[int] = []
    result, seconds = timing.timed(ran.append, 1)()
    assert (result, ran) == (None, [1]) and seconds >= 0
