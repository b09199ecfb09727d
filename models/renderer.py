# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``renderer``: the samples of each tile, which of its pixels pass, what memory holds then.

It puts the models of the parts together as ``docs/renderer.md`` says, with the depth test behind the shader
or before it. Cycles and cache hits hang on when memory answers which part, and are left to the parts' own
testbenches. Memory without errors.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.depth import PIXELS, SIDE, TILE
from configs.renderer.schema import QUADS, Config
from models import records
from models.memory import Memory
from models.raster import RasterModel
from models.texunit import PRIM, QUAD, RESULT, TexunitModel, count
from models.zcache import WORD
from models.zcache.functional import functional

#: texture and shader of the quads that follow: a PRIM, and the alpha below which pixels are discarded
STATE = np.dtype([*((name, PRIM[name]) for name in PRIM.names or ()), ("kill", "u1")])
#: a word of ``pix``
PIX = np.dtype(
    [
        ("tile", "u1"), ("x", "u2"), ("y", "u2"), ("prim", "u2"), ("mask", "u2"), ("passed", "u2"),
        ("err", "u1"), ("texel", "u4", PIXELS),
    ]
)  # fmt: skip
#: of each quad, its pixels: upper left, upper right, lower left, lower right
PLACES = np.array(
    [
        [(2 * (quad >> 1) + (p >> 1)) * SIDE + 2 * (quad & 1) + (p & 1) for p in range(4)]
        for quad in range(QUADS)
    ]
)


#: why an early test refuses a scene
DISCARDS = (
    "an alpha discards pixels, and a test before the shader would have stored their depths: take test=late"
)


class QuadWork(NamedTuple):
    """Covered quads in the order of tiles: of which ``tile``, by number [q]; which of its four [q]; which of
    its pixels are covered, a bit each [q].
    """

    tile: NDArray[np.int64]
    quad: NDArray[np.int64]
    valid: NDArray[np.uint8]


class Rendered(NamedTuple):
    """What comes out: PIX ``words`` [n]; ``lod`` [q] of the quads, 0 of those that are not sampled;
    ``counters`` by part, those that hang on no cycle; ``lines`` written: line address of 64 bytes -> 16
    words.
    """

    words: NDArray[Any]
    lod: NDArray[np.uint8]
    counters: dict[str, dict[str, int]]
    lines: dict[int, NDArray[np.uint32]]


def covered_quads(masks: NDArray[np.uint16]) -> QuadWork:
    """The quads of tiles with these ``masks`` [t] that have a pixel."""
    bits = masks.astype(np.int64)[:, None, None] >> PLACES & 1  # [t, 4, 4]
    valid = (bits << np.arange(4)).sum(axis=2).astype(np.uint8)
    tile, quad = np.nonzero(valid)
    return QuadWork(tile, quad, valid[tile, quad])


def render(
    cfg: Config,
    vertices: NDArray[Any],
    states: NDArray[Any],
    uv: NDArray[np.int32],
    state_of_quad: NDArray[np.int64],
    memory: Memory,
) -> Rendered:
    """VERTEX array ``vertices`` in order, with the coordinates ``uv`` [q, 4, 2] of covered quads, s16.16, and
    the STATE ``states`` [s] that each is sampled with (``state_of_quad`` [q], counting up).

    Raises :class:`UserError` for another number of quads than the vertices cover, and for states that discard
    pixels where depth is tested early.
    """
    raster = RasterModel(cfg.raster)
    tiles, _ = raster.feed(vertices)
    drawn = np.flatnonzero(tiles["op"] == TILE)
    work = covered_quads(tiles["mask"][drawn])
    if len(work.tile) != len(uv):
        raise UserError(f"{len(work.tile)} quads are covered, and there are coordinates for {len(uv)}")
    place = drawn[work.tile][:, None], PLACES[work.quad]  # of each pixel of the quads
    if cfg.early:
        if states["kill"].any():
            raise UserError(DISCARDS)
        tested = functional(cfg.zcache, records(WORD, tiles), memory)
        shaded = np.flatnonzero((tested.passed[place[0]] >> place[1] & 1).any(axis=1))
        results, texture = _sampled(cfg, work, shaded, states, uv, state_of_quad, memory)
    else:
        results, texture = _sampled(cfg, work, np.arange(len(uv)), states, uv, state_of_quad, memory)
        killed = np.zeros((len(tiles), PIXELS), bool)
        killed[place] = (results["texel"] >> 24) < states["kill"][state_of_quad][:, None]
        kill = (killed << np.arange(PIXELS)).sum(axis=1) & tiles["mask"]
        tested = functional(cfg.zcache, records(WORD, tiles), memory, kill)
    texels = np.zeros((len(tiles), PIXELS), np.uint32)
    texels[place] = results["texel"]
    words = np.zeros(len(tiles), PIX)
    words["tile"] = tiles["op"] == TILE
    for name in ("x", "y", "prim", "mask"):
        words[name] = np.where(words["tile"], tiles[name], 0)
    words["passed"], words["texel"] = tested.passed, texels
    passed = int(np.bitwise_count(words["passed"]).sum())
    counters = {
        "raster": raster.counters,
        **{f"texunit{n}": counted for n, counted in enumerate(texture)},
        "zcache": {"tiles": len(drawn), "passed": passed},
        "renderer": {"tiles": len(drawn), "quads": len(uv)},
    }  # fmt: skip
    return Rendered(words, results["lod"], counters, tested.lines)


def _sampled(
    cfg: Config,
    work: QuadWork,
    shaded: NDArray[np.int64],
    states: NDArray[Any],
    uv: NDArray[np.int32],
    state_of_quad: NDArray[np.int64],
    memory: Memory,
) -> tuple[NDArray[Any], list[dict[str, int]]]:
    """RESULT [q], 0 but of the quads whose numbers are ``shaded`` [s]; the counters of each unit, but for
    those that its cache's victims decide.
    """
    prims = records(PRIM, states)
    quads = np.zeros(len(uv), QUAD)
    quads["valid"], quads["uv"] = work.valid, uv
    results, counters = np.zeros(len(uv), RESULT), []
    for unit in range(cfg.texunit.units):
        mine = shaded[work.quad[shaded] % cfg.texunit.units == unit]
        results[mine], queries = TexunitModel(cfg.texunit, memory).replay(
            prims, quads[mine], state_of_quad[mine]
        )
        counted = count(results[mine], queries)
        counters.append({name: counted[name] for name in ("quads", "pixels", "queries", "repeats", "errors")})
    return results, counters
