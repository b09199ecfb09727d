# SPDX-License-Identifier: Apache-2.0
"""``docs/api.md``: its code runs and prints what it says, and no function is missing."""

import re
from typing import Any

import pytest

import cacheforge
from tests.ci.sandbox import ROOT

TEXT = (ROOT / "docs" / "api.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```\n\nprints\n\n```text\n(.*?)```", TEXT, re.DOTALL)


def test_every_example_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(EXAMPLES) == TEXT.count("```python\n") == 4
    names: dict[str, Any] = {}
    for code, expected in EXAMPLES:
        exec(code, names)  # each goes on from the one before
        assert capsys.readouterr().out == expected


def test_every_name_is_explained() -> None:
    functions = set(cacheforge.__all__) - {"Run", "UserError", "__version__"}
    assert set(re.findall(r"`(\w+)\(", TEXT)) == functions
    assert "`Run`" in TEXT and "`cacheforge.UserError`" in TEXT
