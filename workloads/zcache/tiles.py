# SPDX-License-Identifier: Apache-2.0
"""A view of a scene as words of ``tile``: what the rasterizer makes of its vertices; what shaders kill."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import load
from configs.depth import PIXELS, SIDE, TILE
from configs.raster.schema import Config
from configs.zcache.schema import Config as ZcacheConfig
from models.raster import RasterModel
from workloads.raster.vertices import VertexFrame, check_window
from workloads.textures import texture

ORDERS = ("rows", "serpentine")  # of a triangle's tiles

_LEAVES, _LEVEL = "blades", 1  # whose alpha says which pixels a shader kills
_STEPS = 29, 11  # of the pattern from primitive to primitive: rightwards, downwards


def rasterizer(cfg: ZcacheConfig, order: str = ORDERS[0]) -> Config:
    """A rasterizer for the surfaces of ``cfg`` that walks in this order."""
    raster = load("raster", "base", [f"coordinate_bits={cfg.coordinate_bits}", f"walk={order}"])
    assert isinstance(raster, Config)
    return raster


@dataclass(frozen=True, eq=False)
class TileFrame:
    """One view of a scene: TILE ``tiles`` [n], barriers among them, and ``kill`` [n], the shader's word on
    each. ``work``: WORK of the vertex words of ``vertices``.
    """

    vertices: VertexFrame
    tiles: NDArray[Any]
    kill: NDArray[np.uint16]
    work: NDArray[Any]

    @property
    def figures(self) -> "Figures":
        """What the scene is like."""
        drawn = self.tiles[self.tiles["op"] == TILE]
        places = np.unique(drawn["y"].astype(np.int64) << 16 | drawn["x"])
        primitives = self.work[self.work["primitive"] == 1]
        return Figures(
            len(primitives), int((primitives["words"] > 0).sum()), len(drawn), len(places),
            int(primitives["pixels"].sum()), self.vertices.width * self.vertices.height,
        )  # fmt: skip


@dataclass(frozen=True)
class Figures:
    """Counts of a frame: primitives, those that gave a tile, tiles, places that they lie at, pixels drawn,
    pixels of the picture.
    """

    primitives: int
    visible: int
    tiles: int
    places: int
    pixels: int
    area: int

    @property
    def tiles_per_primitive(self) -> float:
        """Of those that gave a tile."""
        return self.tiles / max(self.visible, 1)

    @property
    def overdraw(self) -> float:
        """How often a pixel of the picture is drawn, on average."""
        return self.pixels / self.area

    def __str__(self) -> str:
        """One line for people."""
        return (
            f"{self.primitives} primitives, {self.visible} of them give {self.tiles} tiles "
            f"({self.tiles_per_primitive:.1f} each), overdraw {self.overdraw:.2f}"
        )


def tile_frame(vertices: VertexFrame, cfg: Config) -> TileFrame:
    """The words that the rasterizer ``cfg`` gives on. Raises :class:`UserError` for too large a picture."""
    check_window(cfg, vertices.width, vertices.height)
    tiles, work = RasterModel(cfg).feed(vertices.words)
    batch = np.repeat(vertices.batch, work["words"])
    kill = np.where(np.append(vertices.kills, False)[batch], killed(tiles), 0).astype(np.uint16)
    return TileFrame(vertices, tiles, kill & tiles["mask"], work)


def killed(tiles: NDArray[Any]) -> NDArray[np.uint16]:
    """Pixels of each tile [n] between the leaves of a pattern that each primitive has elsewhere."""
    holes = texture(_LEAVES).levels[_LEVEL][..., 3] < 128
    side, prim = len(holes), tiles["prim"].astype(np.int64)
    masks = np.zeros(len(tiles), np.uint16)
    for pixel in range(PIXELS):
        x = SIDE * tiles["x"].astype(np.int64) + pixel % SIDE + _STEPS[0] * prim
        y = SIDE * tiles["y"].astype(np.int64) + pixel // SIDE + _STEPS[1] * prim
        masks |= (holes[y % side, x % side].astype(np.uint16) << np.uint16(pixel)).astype(np.uint16)
    return masks
