# SPDX-License-Identifier: Apache-2.0
"""Frames: a rendered scene as bilinear footprints, independent of any cache; the picture of its texels."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texcache.schema import Config
from models.depth import EARLY
from models.rasterizer import fragments_of
from utils.keys import digest
from utils.sources import sources_key
from workloads.scenes.drawing import check_depth, draw, pixels_of
from workloads.scenes.picture import compose
from workloads.scenes.scene import DrawList, Scene
from workloads.store import cached
from workloads.texcache.sampling import MAX_SIDE, Samples, fetch, filtered, sample
from workloads.texcache.texture_memory import words, write_textures
from workloads.texcache.trace import Trace
from workloads.textures import Texture

#: orders of drawing and their tile's side in pixels (0: immediate mode, triangle by triangle)
ORDERS = {"scan": 0, "tile8": 8, "tile16": 16, "tile32": 32}
FILTERS = ("bilinear", "trilinear")
_FURTHEST = 1 << 16  # textures from the origin at which float32 coordinates become useless


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture as texel traffic: ``samples`` [n] over ``fragments`` [m], in the order of a GPU.

    Levels in ``samples`` are numbered from a side of 1024 texels; ``textures`` holds those that
    were used, the index is the footprints' ``tex``. Per fragment: ``x``, ``y`` on the screen (y down),
    ``prim`` its triangle in drawing order, ``blended`` whether it is mixed by alpha, ``light`` 0..255,
    ``shown`` whether it is in the picture: with the ``depth`` test late, hidden ones are textured, too.
    """

    name: str
    width: int
    height: int
    order: str
    filter: str
    depth: str
    view: int
    textures: tuple[Texture, ...]
    samples: Samples
    x: NDArray[np.uint16]
    y: NDArray[np.uint16]
    prim: NDArray[np.uint32]
    blended: NDArray[np.bool_]
    light: NDArray[np.uint8]
    shown: NDArray[np.bool_]
    background: tuple[tuple[int, int, int], tuple[int, int, int]]
    notes: tuple[str, ...] = field(default=())

    @property
    def footprints(self) -> NDArray[Any]:
        """FOOTPRINT array [n], levels numbered from a side of 1024."""
        return self.samples.footprints

    @property
    def fragments(self) -> int:
        """How many textured pixels there are, overdraw included, and hidden ones if the test is late."""
        return len(self.x)

    def trace(self, cfg: Config, base: int = 0) -> Trace:
        """The frame for configuration ``cfg``: its level numbers, its look-up table, textures in its layout.

        Raises :class:`UserError` if the frame uses more or larger textures than ``cfg`` has room for.
        """
        largest = max((texture.side for texture in self.textures), default=1)
        if largest > cfg.max_side:
            raise UserError(
                f"frame {self.name} has a texture of {largest} texels: {cfg.name} takes max_side="
                f"{cfg.max_side}; render it with textures limited to that"
            )
        memory = write_textures(cfg, self.textures, base)
        footprints = self.footprints.copy()
        footprints["level"] += np.uint8((cfg.levels - MAX_SIDE.bit_length()) % 256)  # wraps, as it should
        pixel = self.samples.pixel
        return Trace(
            footprints=footprints,
            lut=memory.lut,
            base=memory.base,
            image=memory.image,
            x=self.x[pixel],
            y=self.y[pixel],
            fu=self.samples.fu,
            fv=self.samples.fv,
            lw=self.samples.lw,
            pixel=pixel,
            name=self.name,
            meta=self.meta,
            line_bytes=cfg.cache.line_bytes,
            layout=cfg.layout,
        )

    @property
    def meta(self) -> dict[str, Any]:
        """What the frame is, for reports and trace files."""
        return {
            "kind": "frame",
            "scene": self.name,
            "view": self.view,
            "order": self.order,
            "filter": self.filter,
            "depth": self.depth,
            "width": self.width,
            "height": self.height,
            "fragments": self.fragments,
            "textures": [texture.name for texture in self.textures],
        }

    def texels(self) -> NDArray[np.uint32]:
        """The four texels of each footprint [n, 4], straight from the textures: what a cache must deliver."""
        chunks: list[NDArray[np.uint32]] = []
        starts = np.zeros((max(1, len(self.textures)), MAX_SIDE.bit_length()), np.int64)
        total = 0
        for tex, texture in enumerate(self.textures):
            for level, pixels in enumerate(texture.levels, starts.shape[1] - len(texture.levels)):
                starts[tex, level] = total
                chunks.append(words(pixels).reshape(-1))
                total += chunks[-1].size
        texels = np.empty((len(self.footprints), 4), np.uint32)
        fetch(np.concatenate([*chunks, np.zeros(1, np.uint32)]), starts, self.footprints, texels)
        return texels


def render(
    scene: Scene,
    width: int = 640,
    height: int = 480,
    order: str = "scan",
    filter: str = "bilinear",
    view: int = 0,
    max_side: int = MAX_SIDE,
    depth: str = EARLY,
) -> Frame:
    """Renders one view of ``scene``, or takes it from the store if it was rendered before.

    ``order`` is one of ORDERS, ``filter`` of FILTERS; textures larger than ``max_side`` lose their largest
    levels. ``depth``: "early" textures what passes the depth test, "late" all that is covered. Raises
    :class:`UserError` for unknown choices and impossible scenes.
    """
    if order not in ORDERS:
        raise UserError(f"order {order!r}: choose one of {', '.join(ORDERS)}")
    if filter not in FILTERS:
        raise UserError(f"filter {filter!r}: choose one of {', '.join(FILTERS)}")
    if width < 1 or height < 1:
        raise UserError(f"picture of {width}x{height}: sides must be at least 1")
    check_depth(depth)
    scene = scene.solid().limited(min(max_side, MAX_SIDE)).squared()
    drawing = scene.draw_list(scene.camera(view), width / height)
    if not np.abs(drawing.uv).max() < _FURTHEST:  # also true for a NaN
        raise UserError(
            f"scene {scene.name}: texture coordinates beyond {_FURTHEST}; they repeat, so shift them"
        )
    sides = np.array([texture.side for texture in scene.textures], np.int64)[drawing.texture]
    choices = f"{width} {height} {order} {filter} {depth} {scene.clear_level}"
    parts: list[Any] = [*drawing, sides, choices, sources_key(__name__)]
    if drawing.kill.any():
        parts += [level for texture in scene.textures for level in texture.levels]
    make = partial(_render, scene, drawing, (width, height), ORDERS[order], filter, depth)
    stored = cached(f"frame-{scene.name}", digest(parts), make)
    if not len(stored["x"]):
        raise UserError(scene.nothing(view))
    used = stored.pop("used")
    samples = Samples(**{name: stored.pop(name) for name in Samples._fields})
    return Frame(
        name=scene.name,
        width=width,
        height=height,
        order=order,
        filter=filter,
        depth=depth,
        view=view,
        textures=tuple(scene.textures[i] for i in used),
        samples=samples,
        background=scene.background,
        notes=scene.notes,
        **stored,
    )


def _render(
    scene: Scene, drawing: DrawList, size: tuple[int, int], tile: int, filter: str, depth: str
) -> Mapping[str, NDArray[Any]]:
    quads, shown = draw(drawing, scene.textures, size, tile, depth, scene.clear_level)
    fragments = fragments_of(quads)
    prim = fragments["prim"]
    sides = np.array([texture.side for texture in scene.textures], np.int64)[drawing.texture]
    used = np.unique(drawing.texture[prim])
    tex = np.searchsorted(used, drawing.texture)
    samples = sample(fragments, tex, sides, drawing.wrap, filter == "trilinear")
    light = np.rint(np.clip(drawing.light, 0, 1) * 255).astype(np.uint8)
    return {
        "used": used,
        **samples._asdict(),
        "x": fragments["x"].copy(),
        "y": fragments["y"].copy(),
        "prim": prim.copy(),
        "blended": drawing.blended[prim],
        "light": light[prim],
        "shown": pixels_of(shown)[pixels_of(quads["valid"])],
    }


def shade(frame: Frame, texels: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """The picture uint8 [height, width, 3] of ``frame`` that ``texels`` [n, 4] make, wherever from."""
    if texels.shape != (len(frame.footprints), 4):
        raise ValueError(f"texels of shape {texels.shape}: the frame has {len(frame.footprints)} footprints")
    colours = np.zeros((frame.fragments, 4), np.uint8)
    filtered(frame.samples, np.ascontiguousarray(texels, dtype=np.uint32), colours)
    shown, size = frame.shown, (frame.width, frame.height)
    x, y, blended, light = frame.x[shown], frame.y[shown], frame.blended[shown], frame.light[shown]
    return compose(*size, frame.background, x, y, blended, light, colours[shown])
