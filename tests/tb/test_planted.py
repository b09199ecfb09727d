# SPDX-License-Identifier: Apache-2.0
"""Every planted bug is caught by the tests that the catalogue names, and for the reason it gives."""

import re

import pytest

import configs
from tb.common.components import testcase
from tb.common.running import builds, runner
from tests.tb.planted import BLOCKS, COUNT, ROOT, Bug, catalogue

BUGS = catalogue()
CHECKERS = {"Mismatch", "AssertionError"}  # anything else is the testbench's own failure


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: f"{bug.block}-{bug.name}")
def test_the_bug_is_caught(bug: Bug) -> None:
    outcomes = bug.run(ROOT)
    assert [outcome.test for outcome in outcomes] == bug.tests
    for outcome in outcomes:
        assert outcome.verdict == "failed", f"{bug.name} ({bug.why}) passes {outcome.test}"
        assert outcome.error in CHECKERS, outcome.message
        assert re.search(bug.says, outcome.message), outcome.message
        assert f"TEST={outcome.test} SEED=1" in outcome.repro


@pytest.mark.parametrize(
    "config", sorted({(bug.block, bug.config, bug.simulator) for bug in BUGS}), ids="-".join
)
def test_the_good_design_passes_the_same_tests(config: tuple[str, str, str]) -> None:
    block, preset, simulator = config
    cfg = configs.load(block, preset)
    bugs = [bug for bug in BUGS if (bug.block, bug.config, bug.simulator) == config]
    names = sorted({test for bug in bugs for test in bug.tests})
    tests = testcase.choose(block, names, cfg, simulator)
    made = builds.build(cfg, simulator)
    folder = ROOT / block / f"good-{preset}-{simulator}"
    found = runner.run(made, tests, seed=1, count=COUNT, folder=folder)
    assert {outcome.test: outcome.verdict for outcome in found.outcomes} == dict.fromkeys(names, "passed")


@pytest.mark.parametrize(
    "block", [block for block in configs.blocks() if (builds.ROOT / "tb" / block).is_dir()]
)
def test_there_are_enough_of_different_kinds(block: str) -> None:
    mine = [bug for bug in BUGS if bug.block == block]
    assert len(mine) >= 12
    assert len({bug.kind for bug in mine}) >= 6


def test_both_simulators_take_part() -> None:
    assert {bug.simulator for bug in BUGS} == set(builds.SIMULATORS)
    assert {bug.block for bug in BUGS} == set(BLOCKS)


def test_a_bug_that_no_longer_fits_is_an_error() -> None:
    bug = Bug("texcache", "x", "none", "fifo.v", "no such text", "", "", "", [])
    with pytest.raises(ValueError, match=r"'no such text' occurs 0 times in fifo\.v, not once"):
        bug.plant(ROOT)
