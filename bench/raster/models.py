# SPDX-License-Identifier: Apache-2.0
"""Speed of the rasterizer's golden model beside numpy, on the same triangles.

There is no cache for pycachesim to be. The yardstick is what one writes without a compiler: for each triangle
the three edge functions and the plane of depth, in arrays as large as its bounds. It covers the same pixels;
its depths are rounded, and it makes no words of ``tile``.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from configs.raster.schema import BEGIN, TRIANGLES, Config
from configs.raster.schema import VERTEX as CORNER
from models.raster import RasterModel
from models.raster.records import SUBPIXEL
from workloads.raster.vertices import check_window, vertex_frame
from workloads.scenes import built_in
from workloads.scenes.depth import of_meshes

FEW = 2000  # words that go one by one


def meshes(cfg: Config, scene: str, count: int) -> NDArray[Any]:
    """Words of ``vtx`` of a scene's first ``count`` triangles, or of all if it has fewer."""
    width, height = min(640, 4 << cfg.coordinate_bits), min(480, 4 << cfg.coordinate_bits)
    check_window(cfg, width, height)
    words = vertex_frame(of_meshes(built_in(scene)), width, height).words
    vertices = np.cumsum(words["op"] == CORNER)
    kept: NDArray[Any] = words[vertices <= 3 * count]
    begins = kept[kept["op"] == BEGIN]
    assert (begins["topology"] == TRIANGLES).all(), f"{scene} does not draw triangles alone"
    return kept


def pixels(a: Any, b: Any, c: Any, size: tuple[int, int]) -> tuple[int, NDArray[np.float64]]:
    """How many pixels of a window a triangle covers, and their depths; a corner is (x, y, z).

    A pixel's centre is where its coordinates are; one that lies on an edge belongs to what is to the right of
    it or, of a level edge, below.
    """
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    if area < 0:
        area, b, c = -area, c, b
    low = [max(0, -(-min(a[axis], b[axis], c[axis]) // SUBPIXEL)) for axis in (0, 1)]
    high = [min(size[axis] - 1, max(a[axis], b[axis], c[axis]) // SUBPIXEL) for axis in (0, 1)]
    if not area or low[0] > high[0] or low[1] > high[1]:
        return 0, np.zeros(0)
    x = np.arange(low[0], high[0] + 1)[None, :] * SUBPIXEL
    y = np.arange(low[1], high[1] + 1)[:, None] * SUBPIXEL
    edges = []
    covered = np.ones((y.size, x.size), np.bool_)
    for p, q in ((a, b), (b, c), (c, a)):
        dx, dy = q[0] - p[0], q[1] - p[1]
        edge = dx * (y - p[1]) - dy * (x - p[0])
        edges.append(edge)
        covered &= edge >= (0 if dy < 0 or (dy == 0 and dx > 0) else 1)
    depth = (edges[1] * float(a[2]) + edges[2] * float(b[2]) + edges[0] * float(c[2])) / area
    return int(covered.sum()), depth[covered]


def drawn(words: NDArray[Any]) -> int:
    """Pixels that numpy covers, of words of ``vtx`` that hold triangles."""
    count, size, corners = 0, (1, 1), list[Any]()
    for op, x, y, z in zip(*(words[name].tolist() for name in ("op", "x", "y", "z")), strict=True):
        if op == CORNER:
            corners.append((x, y, z))
            if len(corners) == 3:
                count += pixels(corners[0], corners[1], corners[2], size)[0]
                corners = []
        else:
            corners = []
            size = (x, y) if op == BEGIN else size
    return count


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Triangles per second."""
    say("rendering, compiling")
    words = meshes(cfg, pattern, count)
    few = words[:FEW]
    model = RasterModel(cfg)
    model.feed(few)
    some, did = model.counters["primitives"], dict[str, int]()

    def numpy() -> None:
        did["numpy"] = drawn(words)

    def golden() -> None:
        machine = RasterModel(cfg)
        machine.feed(words)
        did.update(golden=machine.counters["pixels"], triangles=machine.counters["primitives"])

    def one_by_one() -> None:
        machine = RasterModel(cfg)
        for row in range(len(few)):
            machine.feed(few[row : row + 1])
        did["few"] = machine.counters["primitives"]

    ways = {"numpy": numpy, "golden model": golden, "golden model, one by one": one_by_one}
    taken = fastest({name: timed(way) for name, way in ways.items()}, rounds, say)
    assert did["numpy"] == did["golden"] and did["few"] == some, did
    whole = did["triangles"]
    return rows(
        [
            ("numpy", whole, taken["numpy"], f"the same {did['numpy']:,} pixels"),
            ("golden model", whole, taken["golden model"], "words of tile, exact depths"),
            ("golden model, one by one", some, taken["golden model, one by one"], f"{len(few)} words"),
        ]
    )


BENCHMARK = Benchmark(
    "golden model", "triangles", preset="base", patterns=("corridors", "terrain"), count=4_000,
    measure=measure,
)  # fmt: skip
