# SPDX-License-Identifier: Apache-2.0
"""Small helpers for the section's sentences."""

from report.depth import when_tested
from report.texunit.results import Results


def traffic(found: Results, units: str = "one unit") -> str:
    """What the scene runs consisted of."""
    width, height = found.index["size"]
    latency = found.run(found.scenes[0], "one")["latency"]
    return (
        f"{found.traffic}, {width} × {height} pixels, bilinear, {units}, {when_tested(found.depth)}, "
        f"from a cold cache; memory answers after {latency} cycles"
    )
