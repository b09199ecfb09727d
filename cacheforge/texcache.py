# SPDX-License-Identifier: Apache-2.0
"""``texcache`` in the library: bilinear footprints."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cacheforge.result import Run, share
from configs.texcache.schema import Config
from models.depth import EARLY
from models.memory import Memory
from models.texcache import TexcacheModel
from workloads.scenes.scene import Scene
from workloads.texcache.frame import FILTERS, render
from workloads.texcache.patterns import PATTERNS as MAKERS
from workloads.texcache.trace import Trace
from workloads.texcache.trace import columns as of_rows
from workloads.texcache.trace_files import load_trace
from workloads.texcache.trace_npz import from_arrays
from workloads.traces.columns import Column, Columns
from workloads.traces.npz_table import Arrays

PATTERNS = tuple(MAKERS)
TRAFFIC = (Trace,)


def pattern(cfg: Config, name: str, n: int, seed: int) -> Trace:
    """``n`` footprints."""
    return MAKERS[name].make(cfg, n, np.random.default_rng(seed))


def scene(
    cfg: Config, scene: Scene, view: int, size: Sequence[int], filter: str = FILTERS[0], order: str = "scan",
    depth: str = EARLY,
) -> Trace:  # fmt: skip
    """A picture's footprints: ``filter`` bilinear or trilinear, ``order`` scan, tile8, tile16 or tile32.

    ``depth``: tested early or late.
    """
    return render(scene, size[0], size[1], order, filter, view, cfg.max_side, depth).trace(cfg)


def trace(cfg: Config, path: Path) -> Trace:
    """A trace file."""
    return load_trace(path, cfg)


def columns(cfg: Config) -> Columns:
    """The columns of :func:`accesses`."""
    doc = "side of texture 0, 1, ..., a power of two"
    sides = Column("sides", 1, cfg.max_side, required=False, doc=doc, shape="[textures]")
    return {**of_rows(cfg), "sides": sides}


def accesses(cfg: Config, arrays: Arrays) -> Trace:
    """The arrays of a trace file."""
    return from_arrays(cfg, arrays)


def run(cfg: Config, traffic: Trace, seed: int) -> Run:
    """The golden model's results."""
    traffic.check(cfg)
    model = TexcacheModel(cfg, Memory(seed, traffic.base, traffic.image), traffic.lut)
    results, counters = model.replay(traffic.footprints), model.counters
    rates = {
        "look-up hit rate": share(counters["hits"], counters["lookups"]),
        "footprint hit rate": share(counters["footprint_hits"], counters["footprints"]),
    }
    return Run(cfg, results, counters, rates)
