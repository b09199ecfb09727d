# SPDX-License-Identifier: Apache-2.0
"""A test replaces drivers and monitors by the factory, the environment stays, and checkers notice."""

from itertools import pairwise
from pathlib import Path

import pytest

import configs
from tb.common.components.testcase import TestCase
from tb.common.running import builds, runner
from tests.tb.replaced_parts import SLOW_GAP

#: by test: the exception that must end it, and its message
FAILING = {
    "with_fickle_driver": ("AssertionError", "req: data changed while waiting for ready, in cycle"),
    "with_withdrawing_driver": ("AssertionError", "req: valid withdrawn before ready, in cycle"),
    "with_forgetful_monitor": ("Mismatch", "id: expected 6, got 7"),
    "without_requests": ("Mismatch", "nothing has moved for"),
    "without_end": ("Mismatch", "nothing has moved for"),
    "with_unknown_counter": (
        "Mismatch",
        "a witness or a place in 'unwitnessed': ['ghost_cycles', 'hits']",
    ),
    "without_traffic": ("Mismatch", "nothing was compared with the model"),
}
NAMES = (*FAILING, "with_slow_drivers", "without_overrides")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> runner.RunResult:
    made = builds.build(configs.load("texcache", "tiny"), "verilator")
    tests = [
        TestCase(name, "tests.tb.replaced_parts", "", lambda cfg: True, "", builds.SIMULATORS)
        for name in NAMES
    ]
    folder: Path = tmp_path_factory.mktemp("factory")
    return runner.run(made, tests, seed=1, count=120, folder=folder)


def outcome(result: runner.RunResult, test: str) -> runner.Outcome:
    return next(outcome for outcome in result.outcomes if outcome.test == test)


def request_cycles(result: runner.RunResult, test: str) -> list[int]:
    lines = [line.split() for line in result.log(test).splitlines()]
    return [int(cycle) for cycle, channel, *_ in lines if channel == "req"]


@pytest.mark.parametrize("test", FAILING)
def test_a_broken_part_fails_the_test(result: runner.RunResult, test: str) -> None:
    failed, (error, message) = outcome(result, test), FAILING[test]
    assert (failed.verdict, failed.error) == ("failed", error)
    assert message in failed.message


def test_slow_drivers_pause_and_all_is_well(result: runner.RunResult) -> None:
    assert outcome(result, "with_slow_drivers").verdict == "passed"
    slow = request_cycles(result, "with_slow_drivers")
    assert len(slow) == 120
    assert min(later - earlier for earlier, later in pairwise(slow)) == SLOW_GAP + 1


def test_overrides_do_not_outlive_their_test(result: runner.RunResult) -> None:
    assert outcome(result, "without_overrides").verdict == "passed"
    fast = request_cycles(result, "without_overrides")
    assert min(later - earlier for earlier, later in pairwise(fast)) == 1
