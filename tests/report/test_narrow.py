# SPDX-License-Identifier: Apache-2.0
"""Each kind of page on a telephone: nothing is cut, tables keep their first column, letters can be read."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ci.nightly import page as dashboard
from ci.nightly.catalogue import Job
from ci.nightly.job import Result
from ci.nightly.store import Store
from report.__main__ import write, write_index
from tests.report.narrow import narrow
from tests.report.small import BLOCKS, page, reported

#: of the blocks that have them: tables that scroll, pictures, charts, at least
HELD = {"texcache": (10, 13, 16), "texunit": (5, 10, 5), "lpas": (5, 2, 16)}


@pytest.mark.parametrize("block", [*BLOCKS, "index"])
def test_pages_of_the_report(block: str, tmp_path: Path) -> None:
    measures = narrow(page(block), tmp_path)
    assert measures["wrong"] == []
    held = (measures["scrolling"], measures["images"], measures["charts"])
    assert all(count >= least for count, least in zip(held, HELD.get(block, (0, 0, 0)), strict=True)), held


@pytest.mark.parametrize("block", [*BLOCKS, "index"])
def test_pages_on_a_screen(block: str, tmp_path: Path) -> None:
    """No column of a table is out of sight; a page opens at twelve screens of 800 pixels or less."""
    measures = narrow(page(block), tmp_path, 1280)
    assert measures["wrong"] == [] and measures["scrolling"] == 0
    assert measures["height"] <= 12 * 800


@pytest.mark.parametrize("shape", [(60, 400, 3), (400, 60, 3)])
def test_pictures_of_a_scene_in_any_shape(shape: tuple[int, ...], tmp_path: Path) -> None:
    """Of a scene's views, an odd number."""
    view = (np.zeros(shape, np.uint8), "a view")
    write(replace(reported("texunit"), hero=[view] * 3), tmp_path)
    for name in ("texunit.html", "index.html"):
        assert narrow(write_index(tmp_path).with_name(name), tmp_path)["wrong"] == [], name


def test_the_dashboard_of_a_campaign(tmp_path: Path) -> None:
    """With failures whose commands and messages are longer than a line, holes and history."""
    store = Store(tmp_path / "results.db")
    number = store.begin("nightly", ["texcache"], 1, "sources", "0123456789ab", "python -m ci.nightly run")
    repro = "make sim BLOCK=texcache CONFIG=tiny SIM=verilator TEST=" + "_".join(["smoke"] * 20)
    for seed in range(1, 4):
        job = Job("texcache", "tiny", "verilator", "smoke", seed, 60)
        done = Result(job, "passed", 1.5, figures={"checked": 10}, coverage={"modes": {"a": 1}})
        if seed == 3:
            done = replace(done, verdict="failed", error="Mismatch", message="x" * 300, repro=repro)
        store.add(number, done)
    changes = {"texcache": ["tiny/smoke/1/60: hits was 1234567, is 1234568"]}
    store.finish(number, "failed", {"changes": changes, "waves": {}, "coverage": []})
    measures = narrow(dashboard.write(store, number, tmp_path), tmp_path)
    assert measures["wrong"] == []
    assert measures["scrolling"] >= 2
