# SPDX-License-Identifier: Apache-2.0
"""The benchmarks run, compare the same work, and print; how fast is not a test's affair."""

import importlib

import pytest

import configs
from bench import __main__ as command
from bench import models, tb, timing
from configs import UserError


@pytest.mark.parametrize("pattern", models.PATTERNS)
def test_models_count_the_same_hits(pattern: str) -> None:
    found = models.measure(configs.load("texcache", "single-bank"), pattern, 2000, 1)
    assert [row.what for row in found] == ["pycachesim", "golden model", "sweep", "one by one"]
    assert found[0].work == found[1].work > 2000
    assert all(row.per_second > 0 for row in found)


def test_testbenches_play_the_same_footprints() -> None:
    found = tb.measure(configs.load("texcache"), "magnified", 100, 1)
    assert len(found) == 5
    assert {row.work for row in found} == {100}
    assert found[0].ratio == 1


def test_ways_take_turns() -> None:
    order: list[str] = []
    found = timing.medians({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 2)
    assert order == ["a", "b", "a", "b"]
    assert set(found) == {"a", "b"}


def test_ratios_are_to_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    found = timing.rows([("slow", 100, 2.0, ""), ("fast", 100, 0.5, "why")])
    assert [row.ratio for row in found] == [1, 4]
    timing.show("title", "things", found)
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("title", "things / s", "slow", "fast", "200", "why"))


def test_the_command_runs_every_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    for name in ("models", "replay", "tb"):
        module = importlib.import_module(f"bench.{name}")
        monkeypatch.setattr(module, "main", lambda argv, name=name: ran.append(name))
    assert command.main(["texcache"]) == 0
    assert ran == ["models", "replay", "tb"]
    with pytest.raises(UserError, match="unknown block 'nope'"):
        command.main(["nope"])
