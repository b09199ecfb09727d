# SPDX-License-Identifier: Apache-2.0
"""Speed of trace replay beside the bare Verilated model, on a scene's tiles: see :mod:`bench.replays`."""

from bench.benchmark import Benchmark
from bench.requests import RequestReplay
from configs.zcache.schema import Config
from tb.common.components.packing import Columns
from tb.zcache.replay import predict, requester
from workloads.raster.vertices import vertex_frame
from workloads.scenes.depth_scenes import DEPTH_SCENES
from workloads.zcache.tiles import TileFrame, rasterizer, tile_frame
from workloads.zcache.trace import tile_columns

SIZE = 640, 480  # of a picture, in pixels, where the configuration's surfaces are large enough
PATIENCE = 1_000_000  # cycles: a clear writes each line of such a picture


def frame(cfg: Config, scene: str) -> TileFrame:
    """A scene for depth blocks, as the rasterizer gives it on."""
    width, height = (min(side, 4 << cfg.coordinate_bits) for side in SIZE)
    return tile_frame(vertex_frame(DEPTH_SCENES[scene](), width, height), rasterizer(cfg))


def columns(cfg: Config, scene: str, count: int) -> Columns:
    """The first ``count`` tiles and barriers of a scene, or all if it has fewer."""
    return {name: column[:count] for name, column in tile_columns(cfg, frame(cfg, scene)).items()}


BENCHMARK = Benchmark(
    "trace replay", "tiles", preset="paper", patterns=("wires", "shore"), count=20_000,
    measure=RequestReplay(requester, predict, columns, PATIENCE),
)  # fmt: skip
