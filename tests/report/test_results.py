# SPDX-License-Identifier: Apache-2.0
"""Runs as all blocks read them: a figure that is not the same in its two places does not reach a page."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from configs import UserError
from report.results import Runs, read_index
from tests.report.small import copy
from utils.files import write_checked

#: a figure of each block, one of its ``sums``
FIGURES = {
    "raster": "cycles", "renderer": "passed", "texpipe": "pixels", "texunit": "quads",
    "zcache": "passed_pixels",
}  # fmt: skip


def changed(folder: Path, block: str, **changes: Any) -> None:
    path = folder / read_index(folder, block)["runs"][1]["file"]
    write_checked(path, json.loads(path.read_text()) | changes)


@pytest.mark.parametrize("block", FIGURES)
def test_numbers_that_do_not_add_up(block: str, tmp_path: Path) -> None:
    folder = copy(tmp_path, block)
    changed(folder, block, **{FIGURES[block]: 1})
    with pytest.raises(UserError, match=r"does not add up, .* is 1 in one place and"):
        import_module(f"report.{block}").build(folder, lambda words: None)


def test_each_sum_is_checked_and_a_missing_figure_is_none(tmp_path: Path) -> None:
    folder = copy(tmp_path, "raster")
    assert Runs(folder, "raster", lambda run: {"cycles": (run["cycles"], run["cycles"])}).runs
    for sums, said in (
        (lambda run: {"a": (1, 1), "b": (run["cycles"], -1)}, "b is .* in one place and -1 in another"),
        (lambda run: {"a": (run["nothing"], 1)}, "KeyError\\('nothing'\\)"),
        (lambda run: {"a": (1 / 0, 1)}, "ZeroDivisionError"),
    ):
        with pytest.raises(UserError, match=f"does not add up, {said}.*run make report"):
            Runs(folder, "raster", sums)  # type: ignore[arg-type]
