# SPDX-License-Identifier: Apache-2.0
"""Small helpers for the section's sentences."""

from collections.abc import Iterable

import numpy as np

from report.tables import NBSP
from report.texunit.results import Results

COMMAND = "make report BLOCK=texunit"


def mean(values: Iterable[float]) -> float:
    """Arithmetic mean."""
    return float(np.mean(list(values)))


def pct(value: float, digits: int = 1) -> str:
    """A percentage inside a sentence."""
    return f"{100 * value:.{digits}f}{NBSP}%"


def traffic(found: Results, units: str = "one unit") -> str:
    """What the scene runs consisted of."""
    width, height = found.index["size"]
    latency = found.run(found.scenes[0], "one")["latency"]
    return (
        f"{len(found.scenes)} scenes, {width} × {height} pixels, bilinear, {units}, from a cold cache; "
        f"memory answers after {latency} cycles"
    )
