# SPDX-License-Identifier: Apache-2.0
"""Accesses of a block's benchmarks, by pattern, and how its replay runs and compares them."""

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import workloads.lpas.accesses
import workloads.trilinear.samples
from configs import BlockConfig
from configs.dcache.schema import LANES
from models.dcache import traffic as dcache
from models.icache import traffic as icache
from models.lpas import REQUEST
from models.memory import Memory
from models.mmu.traffic import FIRST_OF_DCACHE, sides
from tb.common.replay.compare import Mismatch
from tb.common.replay.library import Roles
from tb.common.replay.requests import Columns
from tb.mmu.prediction import predict
from workloads.raster.vertices import VertexFrame, check_window, vertex_frame
from workloads.scenes import built_in
from workloads.scenes.depth_scenes import DEPTH_SCENES
from workloads.texcache.patterns import find
from workloads.texcache.trace import Trace
from workloads.texunit.quads import QuadStream, quad_frame
from workloads.traces.requests import records
from workloads.zcache.tiles import TileFrame, rasterizer, tile_frame
from workloads.zcache.trace import tile_columns

PATIENCE = 1_000_000  # cycles: a clear writes each line of a picture, and a walk may look at all of it
MEMORY = Memory(1)


def rtl_of(cfg: BlockConfig) -> Any:
    """The module ``replay`` of the block's testbench."""
    return importlib.import_module(f"tb.{cfg.block}.replay")


def roles_of(cfg: BlockConfig) -> Roles:
    """The block's streams in a replay."""
    rtl = rtl_of(cfg)
    if hasattr(rtl, "requester"):
        return rtl.requester(cfg).roles
    return rtl.roles(cfg) if hasattr(rtl, "roles") else getattr(rtl, "ROLES", Roles())


class BenchTraffic(NamedTuple):
    """``size`` accesses, run from reset by ``replay``, whose outcome has ``cycles``, and by ``compared``."""

    size: int
    replay: Callable[[], Any]
    compared: Callable[[], list[Mismatch]]


def requests(columns: Callable[[Any, str, int], Columns], cfg: Any, pattern: str, count: int) -> BenchTraffic:
    """Requests of a block with one request stream."""
    rtl, fields = rtl_of(cfg), columns(cfg, pattern, count)
    replay = partial(rtl.requester(cfg).replay, cfg, fields, MEMORY, patience=PATIENCE)
    predict = partial(rtl.predict, cfg, fields, MEMORY)
    return BenchTraffic(
        len(fields["op"]), replay, lambda: rtl.requester(cfg).check(cfg, fields, predict(), replay())
    )


def of_pes(cfg: Any, pattern: str, count: int) -> NDArray[Any]:
    """A pattern for all PEs as REQUEST [n], n about ``count``."""
    return records(REQUEST, workloads.lpas.accesses.columns(cfg, pattern, count))


def lpas(cfg: Any, pattern: str, count: int) -> BenchTraffic:
    """Requests of all PEs."""
    listed, rtl = of_pes(cfg, pattern, count), rtl_of(cfg)
    replay = partial(rtl.replay, cfg, listed, MEMORY)
    return BenchTraffic(len(listed), replay, lambda: rtl.verified(cfg, listed, MEMORY)[2])


def of_both(cfg: Any, pattern: str, count: int) -> Columns:
    """About ``count`` requests of both caches in turn, half of them fetches. Data lie behind the code, in the
    second quarter of the addresses: no store changes code or lies in the window of the shared RAM.
    """
    code = {"copy": "warps", "stencil": "calls"}[pattern]
    fetches = icache.columns(cfg.icache, code, count // 2)
    accesses = dcache.columns(cfg.dcache, pattern, count // 2)
    accesses |= {f"addr{n}": accesses[f"addr{n}"] | 1 << cfg.axi.address_bits - 2 for n in range(LANES)}
    accesses["op"] = accesses["op"] + FIRST_OF_DCACHE
    both = [(part, np.zeros(len(part["op"]), np.int64)) for part in (fetches, accesses)]
    order = np.argsort(np.concatenate([np.arange(len(none)) for _, none in both]), kind="stable")
    return {
        name: np.concatenate([part.get(name, none) for part, none in both])[order]
        for name in {**fetches, **accesses}
    }


def mmu(cfg: Any, pattern: str, count: int) -> BenchTraffic:
    """Requests of both caches."""
    columns, rtl = of_both(cfg, pattern, count), rtl_of(cfg)
    both = sides(cfg, columns)
    first = predict(cfg, both, MEMORY)

    def compared() -> Any:
        model = predict(cfg, both, MEMORY)
        return rtl.check(cfg, columns, model, rtl.replay(cfg, columns, both, model, MEMORY))

    replay = partial(rtl.replay, cfg, columns, both, first, MEMORY)
    return BenchTraffic(len(columns["op"]), lambda: replay().rtl, compared)


def drawn(cfg: Any, scene: str) -> VertexFrame:
    """A scene for depth blocks, in a picture as large as usual, or as ``cfg`` takes it."""
    width, height = (min(side, 4 << cfg.coordinate_bits) for side in (640, 480))
    check_window(cfg, width, height)
    return vertex_frame(DEPTH_SCENES[scene](), width, height)


def raster(cfg: Any, scene: str, count: int) -> BenchTraffic:
    """The first ``count`` words of ``vtx`` of a scene, or all if it has fewer."""
    words, rtl = drawn(cfg, scene).words[:count], rtl_of(cfg)
    replay = partial(rtl.replay, cfg, words, rtl.predict(cfg, words))
    return BenchTraffic(len(words), replay, lambda: rtl.verified(cfg, words)[2])


def tiled(cfg: Any, scene: str) -> TileFrame:
    """A scene for depth blocks, as the rasterizer passes it on."""
    return tile_frame(drawn(cfg, scene), rasterizer(cfg))


def tiles(cfg: Any, scene: str, count: int) -> Columns:
    """The first ``count`` tiles and barriers of a scene, or all if it has fewer."""
    return {name: column[:count] for name, column in tile_columns(cfg, tiled(cfg, scene)).items()}


def footprints(cfg: Any, pattern: str, count: int) -> Trace:
    """A pattern of the texture cache."""
    return find(pattern).make(cfg, count, np.random.default_rng(1))


def texcache(cfg: Any, pattern: str, count: int) -> BenchTraffic:
    """Footprints, behind the words of the table."""
    trace, rtl = footprints(cfg, pattern, count), rtl_of(cfg)
    replay = partial(rtl.replay, cfg, trace)
    return BenchTraffic(count, replay, lambda: rtl.check(cfg, trace, rtl.predict(cfg, trace), replay()))


def quads(scene: str, count: int) -> tuple[QuadStream, Memory]:
    """The first ``count`` quads of a scene, or all if it has fewer, and its textures."""
    whole = quad_frame(built_in(scene))
    stream = QuadStream(whole.prims, whole.quads[:count], whole.prim_of_quad[:count])
    return stream, Memory(1, 0, whole.image)


def units(cfg: Any, scene: str, count: int) -> BenchTraffic:
    """Quads of one texture unit."""
    (stream, memory), rtl = quads(scene, count), rtl_of(cfg)
    replay = partial(rtl.replay, cfg, [stream], memory)
    return BenchTraffic(len(stream.quads), replay, lambda: rtl.verified(cfg, [stream], memory)[2])


#: of blocks whose traffic is not the requests of ``models/<block>/traffic.py``
TRAFFIC: dict[str, Callable[[Any, str, int], BenchTraffic]] = {
    "trilinear": partial(requests, workloads.trilinear.samples.columns),
    "zcache": partial(requests, tiles),
    "lpas": lpas, "mmu": mmu, "raster": raster, "texcache": texcache, "texunit": units, "texpipe": units,
}  # fmt: skip


def traffic_of(cfg: Any, pattern: str, count: int) -> BenchTraffic:
    """The block's traffic."""
    if cfg.block in TRAFFIC:
        return TRAFFIC[cfg.block](cfg, pattern, count)
    return requests(importlib.import_module(f"models.{cfg.block}.traffic").columns, cfg, pattern, count)
