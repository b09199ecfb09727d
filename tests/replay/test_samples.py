# SPDX-License-Identifier: Apache-2.0
"""Each block's sample trace runs, and is the one that its page explains."""

import re
from pathlib import Path

import pytest

from tb.common.replay import trace_cli
from tb.common.running.builds import ROOT

BLOCKS = sorted(path.parent.name for path in ROOT.glob("tb/*/trace.py"))
PAGES = {"texcache": "traces.md", "texunit": "texunit_traces.md"}


@pytest.mark.parametrize("block", BLOCKS)
def test_the_sample_runs(block: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = ROOT / "workloads" / "samples" / f"{block}.csv"
    assert trace_cli.main([block, "--trace", str(sample), "--out", str(tmp_path)]) == 0
    rows = [line for line in sample.read_text().splitlines() if line and not line.startswith("#")][1:]
    assert f"model and RTL agree on all {len(rows)} accesses" in capsys.readouterr().out


@pytest.mark.parametrize(("block", "page"), PAGES.items())
def test_the_sample_is_the_example_of_its_page(block: str, page: str) -> None:
    text = (ROOT / "docs" / page).read_text()
    example = re.search(r"```csv\n(.*?)```", text, re.DOTALL)
    assert example and example[1] == (ROOT / "workloads" / "samples" / f"{block}.csv").read_text()
    assert f"TRACE=workloads/samples/{block}.csv" in text
