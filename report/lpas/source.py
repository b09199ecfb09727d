# SPDX-License-Identifier: Apache-2.0
"""Values of the source, as its text gives them."""

from collections.abc import Mapping

from report.charts import Mark
from report.lpas.results import FS, LPAS, LR2SS

#: cycles of a write and of a read, patterns without conflict
SIMPLE = {LPAS: (1.0, 2.0), FS: (1.0, 2.0), LR2SS: (1.4, 2.31)}
#: cycles of a write by class
CLASSES = {
    "I": {LPAS: 1.0, FS: 1.0, LR2SS: 1.0},
    "II": {LPAS: 1.0, FS: 1.0, LR2SS: 2.3},
    "III": {LPAS: 1.42, FS: 1.42, LR2SS: 2.8},
    "IV": {LPAS: 1.41, FS: 1.43, LR2SS: 2.61},
}
FIGURE = {"I": "no figure", "II": "figure 7", "III": "figure 8", "IV": "figure 9"}
MHZ, PEAK, LESS = 221, 7.6e9, 0.95e9
MILLISECONDS, SUMMING, WHOLE = 0.24, 450e6, 478.125e6
CYCLES = round(MILLISECONDS * MHZ * 1000)
#: which of our cases with conflicts stands beside the source's value
BESIDE = "hot 1"
NEAR = 0.05  # values that a chart cannot tell apart, in cycles


def marks(values: Mapping[str, float]) -> list[Mark]:
    """The source's values by switch as lines in a chart; those of nearly the same height share words."""
    lines = list[Mark]()
    for value in sorted(set(values.values())):
        near = {role: height for role, height in values.items() if value <= height < value + NEAR}
        above = any(value - NEAR < height < value for height in values.values())
        words = ", ".join(f"{role} {height:g}" for role, height in near.items())
        lines.append(Mark("" if above else f"source: {words}", y=value, left=True))
    return lines
