# SPDX-License-Identifier: Apache-2.0
"""Small measurements, made once for all tests of the report and kept between test runs."""

import importlib
import shutil
from functools import cache
from pathlib import Path

from report.__main__ import write, write_index
from report.page import BlockReport, Figure
from tb.common.measuring import command
from tb.common.measuring.scenes import SceneMeasurement
from tb.common.running.builds import BUILD, locked

FOLDER = BUILD / "tests" / "report"
COMMON = ["--quick", "--seed", "3"]
ARGUMENTS = [*COMMON, "--size", "40x32", "--scenes", "objects,corridors"]  # of a block that draws
SCENES = {"raster": "wires,objects", "zcache": "wires,garden,objects"}  # where it draws other ones
BLOCKS = command.measured_blocks()


@cache
def measured(block: str = "texcache") -> Path:
    """The folder of the small measurement. Test processes take turns; later ones find it done."""
    folder = FOLDER / "measured" / block
    with locked(folder):
        draws = isinstance(command.measurement(block), SceneMeasurement)
        scenes = ["--scenes", SCENES[block]] if block in SCENES else []
        assert command.main([block, *(ARGUMENTS if draws else COMMON), *scenes, "--out", str(folder)]) == 0
    return folder


@cache
def reported(block: str = "texcache") -> BlockReport:
    """Its report."""
    made: BlockReport = importlib.import_module(f"report.{block}").build(measured(block), lambda words: None)
    return made


def figure(block: str, anchor: str) -> Figure:
    """A figure of that report."""
    [match] = [
        candidate
        for section in reported(block).sections
        for candidate in section.figures
        if candidate.anchor == anchor
    ]
    return match


@cache
def page(block: str = "texcache") -> Path:
    """The page of a block, with its CSV files beside it; ``index`` needs the pages of all blocks."""
    if block != "index":
        return write(reported(block), FOLDER / "page")[0]
    for each in BLOCKS:
        page(each)
    return write_index(FOLDER / "page")


def copy(folder: Path, block: str = "texcache") -> Path:
    """A copy of the measurement in ``folder``, to be damaged."""
    target = folder / block
    shutil.copytree(measured(block), target)
    return target
