# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of ``mmu``, as data; what is a cache's own is covered in its testbench."""

from configs.dcache.schema import LANES
from configs.mmu.schema import Config
from tb.common.coverage.bins import Point, cross

#: lanes of a load or store: where they are
WHERE = ("none", "cache", "shared RAM", "both")


def plan(cfg: Config) -> list[Point]:
    """All coverpoints."""
    passes = tuple(str(count) for count in range(1, LANES + 1))
    return [
        Point("lanes", "where the lanes of an access are", cross(("load", "store"), WHERE)),
        Point("passes", "conflicts of each depth in the shared RAM", cross(("load", "store"), passes)),
        Point("lines", "what both caches do", cross(("icache", "dcache"), ("hit", "miss", "evict"))),
    ]
