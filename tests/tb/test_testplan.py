# SPDX-License-Identifier: Apache-2.0
"""The test plan of every block: each row names tests that exist, each test stands in the plan, and the docs agree."""

import tomllib

import pytest

import configs
from tb.common import testcase
from tb.common.builds import ROOT

BLOCKS = [block for block in configs.blocks() if (ROOT / "tb" / block / "testplan.toml").is_file()]


def rows(block: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = tomllib.loads((ROOT / "tb" / block / "testplan.toml").read_text())["row"]
    return found


def test_every_testbench_has_a_plan() -> None:
    assert BLOCKS == [block for block in configs.blocks() if (ROOT / "tb" / block).is_dir()]


@pytest.mark.parametrize("block", BLOCKS)
def test_rows_are_complete(block: str) -> None:
    for row in rows(block):
        assert set(row) == {"feature", "source", "tests"}
        assert all(row.values()), row


@pytest.mark.parametrize("block", BLOCKS)
def test_every_test_is_planned_and_every_planned_test_exists(block: str) -> None:
    planned = {test for row in rows(block) for test in row["tests"]}  # type: ignore[attr-defined]
    assert planned == set(testcase.cases(block))


@pytest.mark.parametrize("block", BLOCKS)
def test_every_test_says_what_it_is_about(block: str) -> None:
    assert all(len(case.doc) > 20 for case in testcase.cases(block).values())
