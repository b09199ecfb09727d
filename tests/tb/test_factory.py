# SPDX-License-Identifier: Apache-2.0
"""A test replaces drivers and monitors by the factory, the environment stays, and checkers notice."""

from itertools import pairwise
from pathlib import Path

import pytest

import configs
from tb.common.components.testcase import TestCase
from tb.common.running import builds, runner
from tests.tb.replaced_parts import SLOW_GAP

NAMES = (
    "with_fickle_driver",
    "with_withdrawing_driver",
    "with_slow_drivers",
    "with_forgetful_monitor",
    "without_requests",
    "without_end",
    "with_unknown_counter",
    "without_traffic",
    "without_overrides",
)


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


@pytest.mark.slow
def test_a_driver_that_changes_a_waiting_word_is_flagged_by_the_monitor(result: runner.RunResult) -> None:
    failed = outcome(result, "with_fickle_driver")
    assert (failed.verdict, failed.error) == ("failed", "AssertionError")
    assert "req: data changed while waiting for ready, in cycle" in failed.message


def test_a_driver_that_takes_a_waiting_word_back_is_flagged_by_the_monitor(
    result: runner.RunResult,
) -> None:
    failed = outcome(result, "with_withdrawing_driver")
    assert (failed.verdict, failed.error) == ("failed", "AssertionError")
    assert "req: valid withdrawn before ready, in cycle" in failed.message


def test_a_monitor_that_misses_a_result_is_noticed_by_the_scoreboard(result: runner.RunResult) -> None:
    failed = outcome(result, "with_forgetful_monitor")
    assert (failed.verdict, failed.error) == ("failed", "Mismatch")
    assert "id: expected 0x6, got 0x7" in failed.message


def test_a_sequence_that_waits_in_vain_is_ended_by_the_watchdog(result: runner.RunResult) -> None:
    failed = outcome(result, "without_requests")
    assert (failed.verdict, failed.error) == ("failed", "Mismatch")
    assert "nothing has moved for" in failed.message


def test_a_sequence_that_never_ends_is_ended_though_nothing_is_owed(result: runner.RunResult) -> None:
    failed = outcome(result, "without_end")
    assert (failed.verdict, failed.error) == ("failed", "Mismatch")
    assert "nothing has moved for" in failed.message


def test_a_counter_has_a_witness_or_a_reason(result: runner.RunResult) -> None:
    failed = outcome(result, "with_unknown_counter")
    assert (failed.verdict, failed.error) == ("failed", "Mismatch")
    assert "a witness or a place in 'unwitnessed': ['ghost_cycles', 'hits']" in failed.message


def test_a_sequence_without_traffic_does_not_pass(result: runner.RunResult) -> None:
    failed = outcome(result, "without_traffic")
    assert (failed.verdict, failed.error) == ("failed", "Mismatch")
    assert "nothing was compared with the model" in failed.message


def test_slow_drivers_pause_and_all_is_well(result: runner.RunResult) -> None:
    assert outcome(result, "with_slow_drivers").verdict == "passed"
    slow = request_cycles(result, "with_slow_drivers")
    assert len(slow) == 120
    assert min(later - earlier for earlier, later in pairwise(slow)) == SLOW_GAP + 1


def test_overrides_do_not_outlive_their_test(result: runner.RunResult) -> None:
    assert outcome(result, "without_overrides").verdict == "passed"
    fast = request_cycles(result, "without_overrides")
    assert min(later - earlier for earlier, later in pairwise(fast)) == 1
