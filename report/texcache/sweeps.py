# SPDX-License-Identifier: Apache-2.0
"""Hit rates of geometries that nobody built: sweeps by the model alone, many geometries in few passes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texcache.schema import TEXEL_BYTES, Config
from models.texcache.lut import allocate
from models.texcache.sweep import Totals, sweep
from report.texcache.results import Workload

LAYOUTS = ("row-major", "tile4x4", "morton")
LINES = (4, 8, 16, 32, 64)
WAYS = (1, 2, 4, 8, 16)
SIZES = tuple(1024 << power for power in range(8))  # 1 KB .. 128 KB
SIDES = (1, 8, 16, 32, 64, 128)
BANKS = (1, 2, 4, 8)


@dataclass(frozen=True)
class Point:
    """One geometry over one workload."""

    cfg: Config
    lookups: int
    hits: int
    pixels: int

    @property
    def miss_rate(self) -> float:
        """Misses per look-up."""
        return 1 - self.hits / self.lookups

    @property
    def bytes_per_pixel(self) -> float:
        """Bytes read from memory per pixel."""
        return (self.lookups - self.hits) * self.cfg.cache.line_bytes / self.pixels


def geometry(base: Config, **changes: Any) -> Config | None:
    """``base`` with other sizes; ``bytes`` chooses the sets. None where such a cache cannot be built.

    The bus is widened or narrowed to what the line allows: it decides cycles, not hits.
    """
    capacity = changes.pop("bytes", base.capacity_bytes)
    line = changes.pop("line_texels", base.line_texels) * TEXEL_BYTES
    ways = changes.pop("ways", base.cache.ways)
    sets = capacity // (line * ways * changes.get("banks", base.banks))
    if not 2 <= sets <= 1024:
        return None
    bus = max(min(base.axi.data_bits, line * 8), line // 2)
    cache = {"line_bytes": line, "ways": ways, "sets": sets}
    return base.with_(**changes, cache=cache, axi={"data_bits": bus})


def points(workload: Workload, cfgs: Sequence[Config]) -> list[Point]:
    """Each geometry's hits on the workload, from a cold cache."""
    footprints, sides = workload.footprints, [int(side) for side in workload.columns["sides"]]

    def table(cfg: Config) -> NDArray[np.uint32]:
        return allocate(cfg, sides)[0]

    totals: list[Totals] = sweep(cfgs, footprints, table)
    return [
        Point(cfg, total.lookups, total.hits, workload.pixels)
        for cfg, total in zip(cfgs, totals, strict=True)
    ]


def grid(base: Config) -> list[Config]:
    """Every size, number of ways, line and layout that can be built with the banks of ``base``."""
    cfgs = [
        geometry(base, bytes=size, ways=ways, line_texels=line, layout=layout)
        for layout, line, size, ways in product(LAYOUTS, LINES, SIZES, WAYS)
    ]
    return [cfg for cfg in cfgs if cfg is not None]


def placements(base: Config) -> list[Config]:
    """The base with small levels beginning at other sides: where the last cache takes them over."""
    return [base.with_(small_side=side) for side in SIDES if side <= base.max_side]


def partitions(base: Config) -> list[Config]:
    """The base's size divided among other numbers of single-port caches."""
    cfgs = [geometry(base, banks=banks) for banks in BANKS]
    return [cfg for cfg in cfgs if cfg is not None]
