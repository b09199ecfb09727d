# SPDX-License-Identifier: Apache-2.0
"""What the depth cache takes of an FPGA, and what each addition to it does."""

from report import costs
from report.page import Section

MACHINES: dict[str, tuple[str, ...]] = {
    "without prefetch": ("zcache", "base"),
    "published": ("zcache", "paper"),
    "before the shader": ("zcache", "early"),
    "a distance that adapts": ("zcache", "adaptive"),
    "marks of 65,536 tiles": ("zcache", "fast-clear"),
    "bounds of 4,096 tiles": ("zcache", "hierarchical", "hierarchical.tiles=4096"),
    "the rasterizer": ("raster", "base"),
}


def section() -> Section:
    """The chapter."""
    intro = (
        "<p>Marks and bounds are looked up in the cycle in which a tile is at the test: their RAMs are made "
        "of LUTs, one copy for the test and one for prefetches.</p>"
    )
    return Section(
        "cost", "What it costs", intro, [costs.figure("zcache-cost", "Resources and logic depth", MACHINES)]
    )
