# SPDX-License-Identifier: Apache-2.0
"""One view of a scene as work for a renderer: vertices, states of the texture units, coordinates of quads.

The renderer has no set-up of texture coordinates: they come from the golden rasterizer, for each covered quad
of each tile, in the order in which ``raster`` gives tiles. Coverage, depths and samples are the renderer's.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.depth import PIXELS, SIDE, TILE
from configs.raster.schema import VERTEX
from configs.renderer.schema import LATE, Config
from models.kernels import kernel
from models.raster import RasterModel
from models.rasterizer import coordinates_at
from models.rasterizer_setup import SCREEN_TRIANGLE, set_up
from models.renderer import DISCARDS, PLACES, STATE, QuadWork, covered_quads
from models.texunit import QUAD
from workloads.raster.vertices import VertexFrame, check_window, vertex_frame
from workloads.scenes.depth import of_meshes
from workloads.scenes.scene import DrawList, Scene
from workloads.texunit.quads import QuadFrame, check_coordinates, fixed_point, light_levels
from workloads.texunit.stored import StoredTextures

SURFACE = 4096  # the depth buffer begins at a multiple of so many bytes


@dataclass(frozen=True, eq=False)
class RenderFrame:
    """One view of a scene.

    ``vertices``: words of ``vtx``; ``quads``: the covered quads in the order of tiles, with textures, states
    and coordinates, of which none is shown before the depth test has said so (if it is early, none is
    sampled, either); ``work``: whose they are; ``tiles`` [t]: number of each drawn tile among the ``count``
    words of ``pix``; ``kill`` [s]: of a state, the alpha below which pixels are discarded.
    """

    vertices: VertexFrame
    quads: QuadFrame
    work: QuadWork
    tiles: NDArray[np.int64]
    count: int
    kill: NDArray[np.uint8]

    def __repr__(self) -> str:
        frame = self.quads
        return (
            f"<RenderFrame {frame.name}: {len(self.tiles):,} tiles of {frame.width} x {frame.height} pixels>"
        )

    @property
    def states(self) -> NDArray[Any]:
        """STATE [s]: the words of ``tex``."""
        records = np.zeros(len(self.kill), STATE)
        for name in self.quads.prims.dtype.names or ():
            records[name] = self.quads.prims[name]
        records["kill"] = self.kill
        return records

    def texels(self, words: NDArray[Any]) -> NDArray[np.uint32]:
        """The samples [q, 4] of the quads in PIX ``words`` [n]."""
        return np.asarray(words["texel"][self._rows, PLACES[self.work.quad]])

    def shown(self, words: NDArray[Any]) -> QuadFrame:
        """The quads with the pixels that passed in PIX ``words`` [n]."""
        passed = words["passed"][self._rows] >> PLACES[self.work.quad] & 1
        return replace(self.quads, shown=(passed << np.arange(4)).sum(axis=1).astype(np.uint8))

    def sampled(self, words: NDArray[Any]) -> tuple[NDArray[np.int64], QuadFrame]:
        """Numbers [s] of the quads that were sampled, and these, with what passed in PIX ``words`` [n]."""
        frame = self.shown(words)
        if frame.depth == LATE:
            return np.arange(len(frame.quads)), frame
        which = np.flatnonzero(frame.shown)
        columns = ("quads", "prim_of_quad", "x", "y", "light", "blended", "shown")
        return which, replace(frame, **{name: getattr(frame, name)[which] for name in columns})

    def picture(self, words: NDArray[Any]) -> NDArray[np.uint8]:
        """What PIX ``words`` [n] show, uint8 [height, width, 3]."""
        return self.shown(words).picture(self.texels(words))

    @property
    def _rows(self) -> NDArray[np.int64]:
        return self.tiles[self.work.tile][:, None]

    @property
    def surface(self) -> slice:
        """The words of memory that are the depth buffer."""
        first = self.vertices.base // 4
        return slice(first, first + self.vertices.pitch * self.vertices.rows * PIXELS)


def render_frame(
    cfg: Config, scene: Scene, width: int = 320, height: int = 240, view: int = 0, *, bilinear: bool = True
) -> RenderFrame:
    """One view of ``scene`` for ``cfg``: textures from address 0 on, the depth buffer behind them.

    Raises :class:`UserError` for impossible scenes, a view that shows nothing, a picture larger than the
    surfaces of ``cfg``, coordinates beyond the range of s16.16, and for a scene that discards pixels if
    ``cfg`` tests depth early.
    """
    check_window(cfg, width, height)
    scene = scene.solid().limited(cfg.texunit.max_side)
    drawing = scene.draw_list(scene.camera(view), width / height)
    check_coordinates(scene, drawing)
    stored = StoredTextures.of(scene.textures)
    base = -(-4 * len(stored.image) // SURFACE) * SURFACE
    vertices = vertex_frame(of_meshes(scene, discards=True), width, height, view, base)
    screen = _screen(drawing, width, height)
    corners = np.flatnonzero(vertices.words["op"] == VERTEX)
    assert len(corners) == 3 * len(screen), "vertices and coordinates are of different triangles"
    triangle = np.full(len(vertices.words), -1)
    triangle[corners[2::3]] = np.arange(len(screen))
    tiles, done = RasterModel(cfg.raster).feed(vertices.words)
    drawn = np.flatnonzero(tiles["op"] == TILE)
    if not len(drawn):
        raise UserError(scene.nothing(view))
    of_tile = np.repeat(triangle, done["words"])[drawn]
    work = covered_quads(tiles["mask"][drawn])
    quads, kill = _quads(
        scene, drawing, stored, screen[of_tile], tiles[drawn], work, (width, height), bilinear, cfg.test
    )
    if cfg.early and kill.any():
        raise UserError(f"scene {scene.name}: {DISCARDS}")
    return RenderFrame(vertices, quads, work, drawn, len(tiles), kill)


def _screen(drawing: DrawList, width: int, height: int) -> NDArray[Any]:
    """SCREEN_TRIANGLE array of what is drawn, in order, as :func:`vertex_frame` has its corners."""
    corners, uv = (np.ascontiguousarray(column, "f8") for column in (drawing.clip_space, drawing.uv))
    flags, compare = (np.ascontiguousarray(column, "u1") for column in (drawing.flags, drawing.compare))
    screen = np.zeros(7 * len(corners), SCREEN_TRIANGLE)
    return screen[: set_up(corners, uv, flags, compare, width, height, screen)]


def _quads(
    scene: Scene,
    drawing: DrawList,
    stored: StoredTextures,
    triangles: NDArray[Any],
    tiles: NDArray[Any],
    work: QuadWork,
    size: tuple[int, int],
    bilinear: bool,
    depth: str,
) -> tuple[QuadFrame, NDArray[np.uint8]]:
    """The covered quads of ``tiles`` [t], given by ``triangles`` [t]; the alpha that each state asks for."""
    quads = np.zeros(len(work.tile), QUAD)
    x = SIDE * tiles["x"][work.tile].astype(np.int64) + 2 * (work.quad & 1)
    y = SIDE * tiles["y"][work.tile].astype(np.int64) + 2 * (work.quad >> 1)
    quads["valid"] = work.valid
    uv = np.empty((len(quads), 4, 2))
    _interpolate(triangles[work.tile], x, y, uv)
    quads["uv"] = fixed_point(uv)
    prim = triangles["prim"][work.tile]
    state = np.column_stack([drawing.texture, drawing.wrap, drawing.kill])[prim]
    starts = np.ones(len(quads), bool)
    starts[1:] = (state[1:] != state[:-1]).any(axis=1)
    chosen = state[starts]
    frame = QuadFrame(
        scene.name, *size, stored.prims(chosen[:, 0], chosen[:, 1:3], bilinear), quads, np.cumsum(starts) - 1,
        chosen[:, 0], stored.levels, stored.image, x.astype(np.uint16), y.astype(np.uint16),
        light_levels(drawing.light)[prim], drawing.blended[prim], np.zeros(len(quads), np.uint8), depth,
        scene.background,
    )  # fmt: skip
    return frame, chosen[:, 3].astype(np.uint8)


@kernel
def _interpolate(
    triangles: NDArray[Any], x: NDArray[np.int64], y: NDArray[np.int64], uv: NDArray[np.float64]
) -> None:
    """Coordinates of the four pixels of each quad at (x, y) of its triangle."""
    for i in range(len(triangles)):
        for p in range(4):
            uv[i, p, 0], uv[i, p, 1] = coordinates_at(triangles[i], x[i] + (p & 1), y[i] + (p >> 1))
