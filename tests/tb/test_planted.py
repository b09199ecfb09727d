# SPDX-License-Identifier: Apache-2.0
"""Every planted bug is caught by the tests that the catalogue names, and for the reason it gives."""

import re

import pytest

import configs
from tb.common import builds, runner, testcase
from tests.tb.planted import BLOCK, COUNT, ROOT, Bug, catalogue

BUGS = catalogue()
CHECKERS = {"Mismatch", "AssertionError"}  # anything else is the testbench's own failure


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_the_bug_is_caught(bug: Bug) -> None:
    outcomes = bug.run(ROOT)
    assert [outcome.test for outcome in outcomes] == bug.tests
    for outcome in outcomes:
        assert outcome.verdict == "failed", f"{bug.name} ({bug.why}) passes {outcome.test}"
        assert outcome.error in CHECKERS, outcome.message
        assert re.search(bug.says, outcome.message), outcome.message
        assert f"TEST={outcome.test} SEED=1" in outcome.repro


@pytest.mark.parametrize("config", sorted({(bug.config, bug.simulator) for bug in BUGS}), ids="-".join)
def test_the_good_design_passes_the_same_tests(config: tuple[str, str]) -> None:
    preset, simulator = config
    cfg = configs.load(BLOCK, preset)
    names = sorted({test for bug in BUGS if (bug.config, bug.simulator) == config for test in bug.tests})
    tests = testcase.choose(BLOCK, names, cfg, simulator)
    made = builds.build(cfg, simulator)
    found = runner.run(made, tests, seed=1, count=COUNT, folder=ROOT / f"good-{preset}-{simulator}")
    assert {outcome.test: outcome.verdict for outcome in found.outcomes} == dict.fromkeys(names, "passed")


def test_there_are_enough_of_different_kinds() -> None:
    assert len(BUGS) >= 12
    assert len({bug.kind for bug in BUGS}) >= 8
    assert {bug.simulator for bug in BUGS} == set(builds.SIMULATORS)


def test_a_bug_that_no_longer_fits_is_an_error() -> None:
    bug = Bug("x", "none", "fifo.v", "no such text", "", "", "", [])
    with pytest.raises(ValueError, match=r"its text occurs 0 times in fifo\.v of paper, not once"):
        bug.plant(ROOT)
