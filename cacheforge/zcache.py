# SPDX-License-Identifier: Apache-2.0
"""``zcache`` in the library: tiles and the barriers between them, cycle by cycle as the RTL has them.

Hits hang on when lines come: tiles are offered back to back, memory is as the configuration says, and a
shader's word comes in the cycle after its tile's.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cacheforge.result import Run, share
from configs.depth import PIXELS
from configs.zcache.schema import Config
from models import zcache
from models.memory import Memory
from models.zcache import WORD
from workloads.raster.vertices import check_choice, check_window, vertex_frame
from workloads.scenes.depth import of_meshes
from workloads.scenes.scene import Scene
from workloads.traces.columns import Columns, of_stream
from workloads.traces.npz_table import Arrays, read_columns
from workloads.traces.requests import Requests, load_requests, requests_from_arrays
from workloads.zcache.tiles import ORDERS, rasterizer, tile_frame
from workloads.zcache.trace import defaults, stream, tile_columns

PATTERNS: tuple[str, ...] = ()
TRAFFIC = (Requests,)


def scene(cfg: Config, scene: Scene, view: int, size: Sequence[int], order: str = ORDERS[0]) -> Requests:
    """A picture's tiles, those of a triangle in ``order``: rows or serpentine.

    Raises :class:`configs.UserError`, also for a mesh that discards pixels.
    """
    check_choice(order, ORDERS, "order")
    check_window(cfg, *size)
    frame = tile_frame(vertex_frame(of_meshes(scene), size[0], size[1], view), rasterizer(cfg, order))
    return Requests(tile_columns(cfg, frame), name=frame.vertices.name)


def trace(cfg: Config, path: Path) -> Requests:
    """A trace file."""
    return load_requests(path, stream(cfg), cfg.name, defaults(cfg))


def columns(cfg: Config) -> Columns:
    """The columns of :func:`accesses`."""
    return of_stream(stream(cfg), optional=defaults(cfg))


def accesses(cfg: Config, arrays: Arrays) -> Requests:
    """The arrays of a trace file."""
    return requests_from_arrays(arrays, stream(cfg), defaults(cfg))


def _asked(cfg: Config, traffic: Requests) -> tuple[NDArray[Any], Any]:
    """WORD array [n], and the shader's words: [n], or 0 if there is no port for them."""
    fields: dict[str, Any] = dict(read_columns(traffic.columns, of_stream(stream(cfg))))
    words = np.zeros(len(traffic), WORD)
    fields["depth"] = np.stack([fields[f"depth{pixel}"] for pixel in range(PIXELS)], axis=1)
    for name in WORD.names or ():
        words[name] = fields[name]
    return words, fields.get("kill", 0)


def depth_buffer(cfg: Config, traffic: Requests, seed: int) -> NDArray[np.uint32]:
    """The words [height, width] of the last surface after all tiles."""
    words, kill = _asked(cfg, traffic)
    memory = Memory(seed, traffic.base, traffic.image)
    depth: NDArray[np.uint32] = zcache.depth_buffer(cfg, words, memory, kill)["depth"]
    return depth


def run(cfg: Config, traffic: Requests, seed: int) -> Run:
    """The golden model's results: ``hit rate`` of the tiles that need memory; a late line is no hit."""
    words, kill = _asked(cfg, traffic)
    outcome = zcache.run(cfg, words, Memory(seed, traffic.base, traffic.image), kill=kill)
    counters = {name: count for name, count in outcome.counters.items() if not name.endswith("_cycles")}
    hits, lates = counters["hits"], counters["lates"]
    needed = hits + lates + counters["misses"]
    rates = {"hit rate": share(hits, needed), "hit rate with late lines": share(hits + lates, needed)}
    return Run(cfg, outcome.results, counters, rates)
