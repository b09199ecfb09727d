# SPDX-License-Identifier: Apache-2.0
"""Footprints of the texture cache as samples: two that belong to one pixel are a trilinear one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.trilinear.schema import BILINEAR, TABLE, TRILINEAR, Config
from models.depth import EARLY
from models.trilinear import REQUEST
from workloads.scenes.scene import Scene
from workloads.texcache.frame import render
from workloads.texcache.patterns import PATTERNS as MAKERS
from workloads.texcache.trace import Trace
from workloads.traces.requests import Columns, Requests

#: those of the texture cache that have something to say of two levels, or of one
PATTERNS = ("trilinear", "minified", "magnified", "random-range", "thrashing")
SEED = 1  # of what a pattern draws


def table(trace: Trace) -> NDArray[Any]:
    """REQUEST array that writes the entries of the trace's table which its footprints use."""
    used = np.unique(trace.footprints[["tex", "level"]])
    requests = np.zeros(len(used), REQUEST)
    requests["op"], requests["tex"], requests["level"] = TABLE, used["tex"], used["level"]
    requests["line"] = trace.lut[used["tex"], used["level"]]
    return requests


def samples(trace: Trace) -> NDArray[Any]:
    """REQUEST array [pixels] of a trace whose column ``pixel`` says which footprints belong together.

    The second footprint of a pixel is on the level behind that of the first.
    """
    footprints = trace.footprints
    pixel = trace.pixel if trace.pixel is not None else np.arange(len(footprints))
    first = np.flatnonzero(np.diff(pixel, prepend=-1) != 0)
    paired = np.diff(first, append=len(footprints)) == 2
    requests = np.zeros(len(first), REQUEST)
    requests["op"] = np.where(paired, TRILINEAR, BILINEAR)
    for name in ("tex", "level", "mode_u", "mode_v"):
        requests[name] = footprints[name][first]
    second = footprints[np.minimum(first + 1, len(footprints) - 1)]
    for axis in "uv":
        requests[f"{axis}0"] = footprints[axis][first]
        requests[f"{axis}1"] = np.where(paired, second[axis], 0)
    return requests


def of_trace(cfg: Config, trace: Trace) -> Requests:
    """The table, then the samples, with the textures in memory."""
    requests = np.concatenate([table(trace), samples(trace)])
    requests["id"] = np.arange(len(requests)) & ((1 << cfg.id_bits) - 1)
    columns = {name: requests[name].astype(np.int64) for name in REQUEST.names or ()}
    return Requests(columns, trace.base, trace.image, trace.name)


def of_pattern(cfg: Config, pattern: str, count: int) -> Requests:
    """About ``count`` samples of a pattern."""
    footprints = 2 * count if pattern == "trilinear" else count
    return of_trace(cfg, MAKERS[pattern].make(cfg.half, footprints, np.random.default_rng(SEED)))


def of_scene(
    cfg: Config, scene: Scene, view: int, size: tuple[int, int], filter: str = "trilinear",
    order: str = "scan", depth: str = EARLY,
) -> Requests:  # fmt: skip
    """A picture's samples: ``filter`` trilinear or bilinear, ``order`` scan, tile8, tile16 or tile32."""
    frame = render(scene, *size, order, filter, view, cfg.half.max_side, depth)
    return of_trace(cfg, frame.trace(cfg.half))


def columns(cfg: Config, pattern: str, count: int) -> Columns:
    """About ``count`` samples of a pattern by field, behind the entries of the table that they use."""
    return of_pattern(cfg, pattern, count).columns
