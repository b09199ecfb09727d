# SPDX-License-Identifier: Apache-2.0
"""Small helpers for the section's sentences."""

from report.depth import tested
from report.texunit.results import Results


def traffic(found: Results, units: str = "one unit") -> str:
    """What the scene runs consisted of."""
    width, height = found.index["size"]
    latency = found.run(found.scenes[0], "one")["latency"]
    return (
        f"{found.traffic}, {width} × {height} pixels, bilinear, {units}, {tested(found.depth)}, from a cold "
        f"cache; memory answers after {latency} cycles"
    )
