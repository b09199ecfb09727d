# SPDX-License-Identifier: Apache-2.0
"""Test plans: each row names tests that exist, each test stands in the plan, and the pages agree."""

import re
from pathlib import Path

import pytest

import configs
from configs import UserError
from tb.common.components import testcase
from tb.common.coverage import plan_docs
from tb.common.running.builds import ROOT

BLOCKS = [block for block in configs.blocks() if (ROOT / "tb" / block / "testplan.toml").is_file()]


def test_every_testbench_has_a_plan() -> None:
    assert [block for block in configs.blocks() if (ROOT / "tb" / block / "env.py").is_file()] == BLOCKS


@pytest.mark.parametrize("block", BLOCKS)
def test_rows_are_complete(block: str) -> None:
    for row in plan_docs.test_plan(block):
        assert set(row) == {"feature", "source", "tests"}
        assert all(row.values()), row


@pytest.mark.parametrize("block", BLOCKS)
def test_sources_in_the_documentation_exist(block: str) -> None:
    for row in plan_docs.test_plan(block):
        page, _, section = row["source"].partition(", ")
        if page.startswith("docs/"):
            assert re.search(f"^#+ {section}$", (ROOT / page).read_text(), re.MULTILINE | re.IGNORECASE), row


@pytest.mark.parametrize("block", BLOCKS)
def test_every_test_is_planned_and_every_planned_test_exists(block: str) -> None:
    planned = {test for row in plan_docs.test_plan(block) for test in row["tests"]}
    assert planned == set(testcase.cases(block))


@pytest.mark.parametrize("block", BLOCKS)
def test_every_test_says_what_it_is_about(block: str) -> None:
    assert all(len(case.doc) > 20 for case in testcase.cases(block).values())


@pytest.mark.parametrize("block", BLOCKS)
def test_the_pages_show_plans_presets_fields_and_counters(block: str) -> None:
    for path, tables in plan_docs.pages(block).items():
        text = path.read_text()
        assert text == plan_docs.filled(path, text, tables), f"run 'make plan BLOCK={block}'"


def test_a_page_without_a_place_for_a_table_is_an_error() -> None:
    with pytest.raises(UserError, match=r"mine\.md: no place for the test plan"):
        plan_docs.filled(Path("mine.md"), "# nothing\n", {"test plan": "| |"})
