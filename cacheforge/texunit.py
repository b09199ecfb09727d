# SPDX-License-Identifier: Apache-2.0
"""``texunit`` in the library: quads of pixels.

Half of a victim's choice is a counter of clock cycles, which the model alone does not know: it counts queries
instead. So hits differ from the RTL's where a set is full, at random and by little.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cacheforge.result import Run, share
from configs import UserError
from configs.texunit.schema import Config, Units
from models.depth import EARLY
from models.memory import Memory
from models.sampler import NEAREST, TRILINEAR
from models.texunit import RESULT, TexunitModel, count
from workloads.scenes.scene import Scene
from workloads.texunit.quad_trace import QuadTrace, array_columns, from_arrays, load_quads
from workloads.texunit.quads import FILTERS, QuadFrame, filters, quad_frame
from workloads.traces.columns import Columns
from workloads.traces.npz_table import Arrays

PATTERNS: tuple[str, ...] = ()
TRAFFIC = (QuadFrame, QuadTrace)


def scene(
    cfg: Units, scene: Scene, view: int, size: Sequence[int], filter: str = FILTERS[0], depth: str = EARLY
) -> QuadFrame:
    """A picture's quads: ``filter`` bilinear, nearest or, of units that have it, trilinear; ``depth`` tested
    early or late.
    """
    if filter not in (choices := filters(cfg)):
        raise UserError(f"filter {filter!r}: choose one of {', '.join(choices)}")
    return quad_frame(
        scene, size[0], size[1], view, bilinear=filter != NEAREST, trilinear=filter == TRILINEAR,
        max_side=cfg.max_side, depth=depth,
    )  # fmt: skip


def trace(cfg: Units, path: Path) -> QuadTrace:
    """A trace file."""
    return load_quads(path, cfg)


def columns(cfg: Units) -> Columns:
    """The columns of :func:`accesses`."""
    return array_columns(cfg)


def accesses(cfg: Units, arrays: Arrays) -> QuadTrace:
    """The arrays of a trace file."""
    return from_arrays(cfg, arrays)


def run(cfg: Config, traffic: QuadFrame | QuadTrace, seed: int) -> Run:
    """The golden model's results: one model for each unit."""
    check_traffic(cfg, traffic)
    memory, results = Memory(seed, traffic.base, traffic.image), np.zeros(len(traffic.quads), RESULT)
    queries, counters = [], Counter[str]()
    for mine, work in traffic.split(cfg.units):
        results[mine], unit_queries = TexunitModel(cfg, memory).replay(*work)
        queries.append(unit_queries)
        counters.update(count(results[mine], unit_queries))
    hits, repeats = counters["hits"], counters["repeats"]
    rates = {
        "hit rate": share(hits + repeats, counters["queries"]),
        "hit rate without repeats": share(hits, counters["queries"] - repeats),
    }
    return Run(cfg, results, dict(counters), rates, np.concatenate(queries))


def check_traffic(cfg: Units, traffic: QuadFrame | QuadTrace) -> None:
    """Raises :class:`UserError` for traffic made for more units or larger textures."""
    units = int(traffic.unit.max()) + 1 if isinstance(traffic, QuadTrace) else 1
    if units > cfg.units:
        raise UserError(f"traffic {traffic.name} is for {units} units: {cfg.name} has units={cfg.units}")
    side = 1 << int(max(traffic.prims["log2w"].max(), traffic.prims["log2h"].max()))
    if side > cfg.max_side:
        raise UserError(
            f"traffic {traffic.name} has a texture of {side} texels: {cfg.name} takes max_side={cfg.max_side}"
        )
