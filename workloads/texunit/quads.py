# SPDX-License-Identifier: Apache-2.0
"""A scene as work for texture units: primitives, quads of pixels, and textures in their memory layout."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texunit.schema import Units, mixes
from models.depth import EARLY
from models.sampler import BILINEAR, NEAREST, TRILINEAR
from models.texunit import QUAD
from models.texunit.address import MAX_LOG2
from workloads.scenes.drawing import ONE, draw, pixels_of
from workloads.scenes.picture import compose
from workloads.scenes.scene import DrawList, Scene
from workloads.texunit.stored import StoredTextures

FILTERS = BILINEAR, NEAREST
TILE = 32  # pixels: side of the squares that units share the screen by


def filters(cfg: Units) -> tuple[str, ...]:
    """Those that units of ``cfg`` have, the usual one first."""
    return (*FILTERS, TRILINEAR) if mixes(cfg) else FILTERS


class QuadStream(NamedTuple):
    """Work of one texture unit: PRIM [p], QUAD [n], and the primitive of each quad, [n], counting up."""

    prims: NDArray[Any]
    quads: NDArray[Any]
    prim_of_quad: NDArray[np.int64]


def pieces(stream: QuadStream, least: int) -> list[QuadStream]:
    """``stream`` in pieces of whole primitives, each but the last one of ``least`` quads or more."""
    ends = np.searchsorted(stream.prim_of_quad, np.arange(len(stream.prims)), "right")
    parts, prim, quad = [], 0, 0
    while quad < len(stream.quads):
        last = min(int(np.searchsorted(ends, quad + least)), len(ends) - 1)
        end = int(ends[last])
        of = stream.prim_of_quad[quad:end] - prim
        parts.append(QuadStream(stream.prims[prim : last + 1], stream.quads[quad:end], of))
        prim, quad = last + 1, end
    return parts


@dataclass(frozen=True, eq=False)
class QuadFrame:
    """One view of a scene, in drawing order.

    ``quads`` QUAD [n] with ``prim_of_quad`` [n] into ``prims`` PRIM [p]: runs of triangles with the same
    texture and wrap modes, number ``texture_of_prim`` [p] of the scene's ``textures`` (levels, [h, w, 4]).
    ``image``: texture memory, uint32 from byte address ``base`` on. ``x``, ``y``, ``light``, ``blended`` [n]:
    the upper left pixel on the screen, and how the quad is composed; ``shown`` [n]: which of its pixels are,
    a bit each. With the ``depth`` test late, hidden pixels are sampled, too.
    """

    name: str
    width: int
    height: int
    prims: NDArray[Any]
    quads: NDArray[Any]
    prim_of_quad: NDArray[np.int64]
    texture_of_prim: NDArray[np.int64]
    textures: Sequence[Sequence[NDArray[np.uint8]]]
    image: NDArray[np.uint32]
    x: NDArray[np.uint16]
    y: NDArray[np.uint16]
    light: NDArray[np.uint8]
    blended: NDArray[np.bool_]
    shown: NDArray[np.uint8]
    depth: str
    background: tuple[tuple[int, int, int], tuple[int, int, int]]
    base: ClassVar[int] = 0  # byte address of the image

    def __repr__(self) -> str:
        return f"<QuadFrame {self.name}: {len(self.quads):,} quads of {self.width} x {self.height} pixels>"

    @property
    def stream(self) -> QuadStream:
        """All of it, for one unit."""
        return QuadStream(self.prims, self.quads, self.prim_of_quad)

    def split(
        self, units: int, tile: int = TILE, *, free_first: bool = False
    ) -> list[tuple[NDArray[np.int64], QuadStream]]:
        """The work of several units that share the screen by square tiles of ``tile`` pixels.

        One unit draws all in the scene's order. Of several, each draws its tiles one after the other, and in
        each what touches it, in drawing order. Whose a tile is follows from its place, as on a checkerboard;
        with ``free_first`` the unit takes it that has drawn the fewest pixels so far. Returns for each unit
        the numbers of its quads, [m], and its work; runs of quads with the same state are one primitive.
        """
        if units == 1:
            return [(np.arange(len(self.quads)), self.stream)]
        across = -(-self.width // tile)
        number = (self.y // tile).astype(np.int64) * across + self.x // tile
        order = np.argsort(number, kind="stable")
        if free_first:
            owner = _free_first(np.bincount(number, weights=self.drawn.sum(axis=1)), units)[number]
        else:
            side = 2 if units == 4 else units  # four units: a checkerboard of 2 x 2
            owner = (self.x // tile) % side + (self.y // tile % 2 * side if units == 4 else 0)
        shares = []
        for unit in range(units):
            mine = order[owner[order] == unit]
            prim = self.prim_of_quad[mine]
            starts = np.ones(len(mine), bool)
            starts[1:] = prim[1:] != prim[:-1]
            shares.append(
                (mine, QuadStream(self.prims[prim[starts]], self.quads[mine], np.cumsum(starts) - 1))
            )
        return shares

    @property
    def pixels(self) -> int:
        """Sampled pixels, overdraw included, and hidden ones if the test is late."""
        return int(np.unpackbits(self.quads["valid"][:, None], axis=1).sum())

    @property
    def drawn(self) -> NDArray[np.bool_]:
        """Which pixels of each quad are sampled, [n, 4]."""
        return pixels_of(self.quads["valid"])

    def picture(self, texels: NDArray[np.uint32]) -> NDArray[np.uint8]:
        """The picture uint8 [height, width, 3] that sampled ``texels`` [n, 4] make, wherever from."""
        shown = pixels_of(self.shown)
        x = (self.x[:, None] + np.array([0, 1, 0, 1], np.uint16))[shown]
        y = (self.y[:, None] + np.array([0, 0, 1, 1], np.uint16))[shown]
        light: Any = np.broadcast_to(self.light[:, None], shown.shape)[shown]
        blended: Any = np.broadcast_to(self.blended[:, None], shown.shape)[shown]
        colours = np.ascontiguousarray(texels[shown].astype("<u4")).view(np.uint8).reshape(-1, 4)
        return compose(self.width, self.height, self.background, x, y, blended, light, colours)


def _free_first(pixels: NDArray[Any], units: int) -> NDArray[np.int64]:
    """The unit of each tile, [t], of so many ``pixels`` [t], if whoever is done takes the next one."""
    drawn, owner = np.zeros(units), np.zeros(len(pixels), np.int64)
    for tile, work in enumerate(pixels):
        owner[tile] = drawn.argmin()
        drawn[owner[tile]] += work
    return owner


def quad_frame(
    scene: Scene,
    width: int = 320,
    height: int = 240,
    view: int = 0,
    *,
    bilinear: bool = True,
    trilinear: bool = False,
    rgb: bool = False,
    table: bool = False,
    merged: bool = True,
    max_side: int = 1 << MAX_LOG2,
    depth: str = EARLY,
) -> QuadFrame:
    """Renders one view of ``scene`` down to quads.

    ``trilinear``: two levels are mixed, by units that can. ``rgb``: textures without alpha are stored with
    three bytes a texel; ``table``: all are stored with one byte a texel and a table of 256 colours, to which
    they are reduced. ``merged``: triangles in a row with the same texture and wrap modes are one primitive;
    else each is one. Textures larger than ``max_side`` lose their largest levels. ``depth``: "early" samples
    what passes the depth test, "late" all that is covered. Raises :class:`UserError` for unknown choices,
    impossible scenes and for coordinates beyond the range of s16.16.
    """
    scene = scene.solid().limited(max_side)
    drawing = scene.draw_list(scene.camera(view), width / height)
    drawn, shown = draw(drawing, scene.textures, (width, height), 0, depth, scene.clear_level)
    check_coordinates(scene, drawing)
    triangle = drawn["prim"]
    state = np.column_stack([drawing.texture, drawing.wrap])[triangle]
    starts = np.ones(len(drawn), bool)
    starts[1:] = (state[1:] != state[:-1]).any(axis=1) if merged else triangle[1:] != triangle[:-1]
    if not len(drawn):
        raise UserError(scene.nothing(view))
    stored = StoredTextures.of(scene.textures, rgb=rgb, table=table)
    chosen = state[starts]
    prims = stored.prims(chosen[:, 0], chosen[:, 1:], bilinear)
    prims["trilinear"] = trilinear
    quads = np.zeros(len(drawn), QUAD)
    quads["valid"] = drawn["valid"]
    quads["uv"] = fixed_point(drawn["uv"])
    light = light_levels(drawing.light)
    return QuadFrame(
        scene.name, width, height, prims, quads, np.cumsum(starts) - 1, chosen[:, 0],
        stored.levels, stored.image, drawn["x"].copy(), drawn["y"].copy(),
        light[triangle], drawing.blended[triangle], shown, depth, scene.background,
    )  # fmt: skip


def check_coordinates(scene: Scene, drawing: DrawList) -> None:
    """Raises :class:`UserError` for corners whose coordinates are beyond the range of s16.16."""
    if np.abs(drawing.uv).max(initial=0) >= ONE // 2:
        raise UserError(f"scene {scene.name}: texture coordinates beyond {ONE // 2}; shift them")


def fixed_point(uv: NDArray[np.float64]) -> NDArray[np.int64]:
    """Coordinates as s16.16, in the shape of ``uv``; what does not fit saturates."""
    return np.clip(np.rint(uv * ONE), -(1 << 31), (1 << 31) - 1).astype(np.int64)


def light_levels(light: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Light of 0..1 in steps of 1/255."""
    return np.rint(np.clip(light, 0, 1) * 255).astype(np.uint8)
