# SPDX-License-Identifier: Apache-2.0
"""Figures of synthesis that are kept, in a report."""

from pathlib import Path

import pytest

from report import costs
from report.page import Figure
from report.pages import Page

HEAD = "preset,changes,part,key,lut,lut_least,lut_memory,ff,bram,path_ns,luts_in_path,seconds\n"


def drawn(machines: dict[str, list[str]]) -> Figure:
    page = Page("zcache")
    page.spec["zcache-cost"]["machines"] = machines
    costs.draw_costs(page, "zcache-cost")
    [section] = page.sections()
    [figure] = section.figures
    return figure


def test_machines_beside_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one.csv").write_text(
        f"{HEAD},,,a1,200,150,20,90,1.5,4.25,6,9\nfast,,,a2,500,1,0,2,0.0,3.00,4,9\n"
        "fast,ways=8 sets=2,,a3,700,1,0,2,0.0,3.00,4,9\n"
    )
    monkeypatch.setattr(costs, "FOLDER", tmp_path)
    figure = drawn({"published": ["one", ""], "fast": ["one", "fast"], "other": ["two", ""],
                    "wide": ["one", "fast", "ways=8 sets=2"]})  # fmt: skip
    assert [command.split()[-1] for command in figure.command.split("; ")] == ["one", "two"]
    assert figure.learn == "LUTs as multiples of “published”: fast 2.50, wide 3.50."
    assert figure.table and [row["machine"] for row in figure.table.rows] == [
        "published", "fast", "other (not measured)", "wide"
    ]  # fmt: skip
    assert figure.table.rows[0] == {
        "machine": "published", "lut": 200, "lut_least": 150, "lut_memory": 20, "ff": 90, "bram": 1.5,
        "path_ns": 4.25, "luts_in_path": 6,
    }  # fmt: skip
    assert "measured" in drawn({"other": ["two", ""]}).learn
