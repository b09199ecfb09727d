# SPDX-License-Identifier: Apache-2.0
"""What is said of many failures: those that look alike are one."""

import io
from pathlib import Path

import pytest

import configs
from tb.common.coverage.data import Verdict
from tb.common.running import summary
from tb.common.running.buckets import bucket
from tb.common.running.runner import Outcome, RunResult
from utils.console import Console

TEXEL = "res in cycle {}, footprint {} (id 4: tex=0):\n  texel0: expected 0x12, got 0x13"


def test_failures_that_look_alike_share_a_bucket() -> None:
    expected = bucket("texcache", "Mismatch", TEXEL.format(812, 3))
    assert expected == bucket("texcache", "Mismatch", TEXEL.format(9, 1234))
    assert expected == bucket("texcache", "Mismatch", TEXEL.format(9, 1234).replace("texel0", "texel3"))
    assert expected != bucket("texcache", "Mismatch", TEXEL.format(812, 3).replace("res", "lookups"))
    assert expected != bucket("texcache", "Mismatch", TEXEL.format(812, 3).replace("texel0", "id"))
    assert bucket("texcache", "", "") == "texcache: no message"


def shown(outcomes: list[Outcome], *, part: bool = False) -> str:
    console = Console(file=io.StringIO(), width=200)
    result = RunResult(Path("run"), "icarus", outcomes)
    verdict = Verdict(9, ["size: large"], [])
    summary.show(
        console,
        configs.load("texcache"),
        [result],
        verdict,
        seconds=1.0,
        waivers=Path("waivers.toml"),
        part=part,
    )
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


def failure(test: str, message: str) -> Outcome:
    return Outcome(test, "failed", 1.0, "Mismatch", message, f"make sim TEST={test}")


def test_the_first_of_failures_that_look_alike_is_shown_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run").mkdir()
    Path("run/other.log").touch()
    tests = [f"test{number}" for number in range(50)]
    outcomes = [failure(test, TEXEL.format(number, 7)) for number, test in enumerate(tests)]
    outcomes.append(failure("other", "begin: expected 1, got 0"))
    text = shown(outcomes)
    assert text.count("FAILED ") == 3  # of the run as a whole, too
    assert "49 more fail alike: test1, test2," in text
    assert "repeat: make sim TEST=test0\n" in text
    assert "look at: run/simulation.log, other.log; or repeat with WAVES=1" in text
    assert text.count("look at: ") == 1, "of test0 there is no log"
    assert "0 tests passed, 51 failed" in text


def test_bins_that_a_part_of_the_tests_does_not_hit_are_not_listed() -> None:
    passed = [Outcome("smoke", "passed", 1.0, "", "", "")]
    assert "not hit: size: large" in shown(passed)
    part = shown(passed, part=True)
    assert "not hit" not in shown([*passed, failure("other", "begin: expected 1, got 0")])
    assert "not hit" not in part and "90.0 % (9 of 10 bins, 0 waived) by a part of the tests" in part
