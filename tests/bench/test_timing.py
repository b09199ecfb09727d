# SPDX-License-Identifier: Apache-2.0
"""The measuring loop and the table that all benchmarks share."""

import pytest

from bench import timing


def test_ways_take_turns_and_the_least_time_counts() -> None:
    said: list[str] = []
    times = {"a": [3.0, 1.0, 2.0], "b": [5.0, 6.0, 4.0]}
    found = timing.fastest({name: iter(each).__next__ for name, each in times.items()}, 3, said.append)
    assert found == {"a": 1.0, "b": 4.0}
    assert said == [f"{name}, {number} of 3" for number in (1, 2, 3) for name in "ab"]


def test_timed_runs_once() -> None:
    ran: list[int] = []
    assert timing.timed(lambda: ran.append(1))() >= 0
    assert ran == [1]


def test_ratios_are_to_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    found = timing.rows([("slow", 100, 2.0, ""), ("fast", 100, 0.5, "why")])
    assert [row.ratio for row in found] == [1, 4]
    timing.show("title", "things", found)
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("title", "things / s", "slow", "fast", "200", "why"))
