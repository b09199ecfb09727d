# SPDX-License-Identifier: Apache-2.0
"""``raster`` in the library: vertices, and what stands between them.

It has no cache: the rate is the share of the tiles looked at in which there is a pixel.
"""

from collections.abc import Sequence
from pathlib import Path

from cacheforge.result import Run, share
from configs.raster.schema import Config
from models.raster import VERTEX, RasterModel
from workloads.raster.trace import defaults
from workloads.raster.vertices import check_window, vertex_frame
from workloads.scenes.depth import of_meshes
from workloads.scenes.scene import Scene
from workloads.traces.columns import Columns, of_stream
from workloads.traces.npz_table import Arrays, read_columns
from workloads.traces.requests import Requests, load_requests, records, requests_from_arrays

PATTERNS: tuple[str, ...] = ()
TRAFFIC = (Requests,)


def scene(cfg: Config, scene: Scene, view: int, size: Sequence[int]) -> Requests:
    """A picture's vertices, clipped and snapped; they are the same whatever shaders discard."""
    check_window(cfg, *size)
    frame = vertex_frame(of_meshes(scene, discards=True), size[0], size[1], view)
    return Requests({name: frame.words[name] for name in VERTEX.names or ()}, name=frame.name)


def trace(cfg: Config, path: Path) -> Requests:
    """A trace file."""
    return load_requests(path, cfg.streams["vtx"], cfg.name, defaults(cfg))


def columns(cfg: Config) -> Columns:
    """The columns of :func:`accesses`."""
    return of_stream(cfg.streams["vtx"], optional=defaults(cfg))


def accesses(cfg: Config, arrays: Arrays) -> Requests:
    """The arrays of a trace file."""
    return requests_from_arrays(arrays, cfg.streams["vtx"], defaults(cfg))


def run(cfg: Config, traffic: Requests, _seed: int) -> Run:
    """The golden model's results: WORK of each word of ``vtx``; ``queries`` are the words of ``tile``."""
    model = RasterModel(cfg)
    words = records(VERTEX, read_columns(traffic.columns, of_stream(cfg.streams["vtx"])))
    tiles, work = model.feed(words)
    counters = dict(model.counters)
    rates = {"tiles with a pixel": share(counters["tiles"], counters["visited"])}
    return Run(cfg, work, counters, rates, tiles)
