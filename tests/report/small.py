# SPDX-License-Identifier: Apache-2.0
"""A small measurement, made once for all tests of the report and kept between test runs."""

import shutil
from functools import cache
from pathlib import Path

from report.page import BlockReport
from report.texcache import build
from tb.common.builds import BUILD, locked
from tb.texcache import measure

FOLDER = BUILD / "tests" / "report"
ARGUMENTS = ["--quick", "--size", "40x32", "--scenes", "objects,corridors", "--seed", "3"]


@cache
def measured() -> Path:
    """The folder of the small measurement. Test processes take turns; later ones find it done."""
    folder = FOLDER / "measured" / "texcache"
    with locked(folder):
        assert measure.main([*ARGUMENTS, "--out", str(folder)]) == 0
    return folder


@cache
def reported() -> BlockReport:
    """Its report."""
    return build(measured(), lambda words: None)


def copy(folder: Path) -> Path:
    """A copy of the measurement in ``folder``, to be damaged."""
    target = folder / "texcache"
    shutil.copytree(measured(), target)
    return target
