# SPDX-License-Identifier: Apache-2.0
"""Meshes, cameras and scenes: what a frame is rendered from.

World space is right-handed with y up. Texture coordinates run to the right and down, one texture per unit.
"""

import math
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from configs import UserError
from models.depth import DEPTH_MAX, DEPTH_TEST, DEPTH_WRITE, LESS
from models.rasterizer import CULL_BACK
from models.wrapping import CLAMP, MIRROR, REPEAT
from utils.errors import shown
from workloads.scenes.camera import LARGEST, Camera
from workloads.scenes.primitives import CHAINED, LINES, POINTS, TRIANGLES, beginnings, check_state
from workloads.textures import Texture

__all__ = [
    "BLEND", "CLAMP", "LARGEST", "MIRROR", "OPAQUE", "OVERLAY", "REPEAT",
    "Camera", "DrawList", "Mesh", "Scene",
]  # fmt: skip

#: how a mesh is drawn: solid; with alpha, sorted from far to near, after all solid ones; with alpha, last of
#: all, in the order given and without a depth test (decals, signs on the screen)
OPAQUE, BLEND, OVERLAY = range(3)
_SUN = np.array([0.45, 0.8, 0.4]) / np.linalg.norm([0.45, 0.8, 0.4])


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles with one texture: ``positions`` [n, 3, 3] and ``uv`` [n, 3, 2], float64.

    Front faces are counterclockwise; ``two_sided`` shows the others as well. ``light`` [n] 0..1 darkens a
    triangle in pictures and has no part in the traffic; without it the sun decides.

    Depth passes where it is ``compare`` (:mod:`models.depth`) to what is stored, and is then stored if
    ``write``: by default of solid meshes, never of overlays, which are not tested. Pixels whose texture has
    an alpha below ``kill`` (1..255) are discarded. ``primitive``: what the triangles were assembled from
    (:mod:`workloads.scenes.primitives`), ``begins`` [n] where a strip or a fan begins anew. Raises
    :class:`UserError` for a state that there is not.
    """

    texture: int
    positions: NDArray[np.float64]
    uv: NDArray[np.float64]
    wrap_u: int = REPEAT
    wrap_v: int = REPEAT
    draw: int = OPAQUE
    two_sided: bool = False
    light: NDArray[np.float64] | None = None
    compare: int = LESS
    write: bool | None = None
    kill: int = 0
    primitive: int = TRIANGLES
    begins: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        check_state(self.compare, self.kill, self.primitive, self.positions)
        if self.write and self.draw == OVERLAY:
            raise UserError("mesh: an overlay is not tested and stores no depth; compare with ALWAYS instead")
        self.beginnings()

    def beginnings(self) -> NDArray[np.bool_]:
        """Whether a primitive begins with each triangle, or continues the strip or the fan before it, [n]."""
        return beginnings(self.primitive, self.begins, self.positions)

    @property
    def flags(self) -> int:
        """For the rasterizer and the depth test."""
        test = 0 if self.draw == OVERLAY else DEPTH_TEST
        write = self.draw == OPAQUE if self.write is None else self.write
        return test | (DEPTH_WRITE if write else 0) | (0 if self.two_sided else CULL_BACK)

    def lit(self) -> NDArray[np.float64]:
        """Light of each triangle [n]."""
        if self.light is not None:
            return self.light
        edges = self.positions[:, 1:] - self.positions[:, :1]
        normals = np.cross(edges[:, 0], edges[:, 1])
        length = np.maximum(np.linalg.norm(normals, axis=1), 1e-12)
        cosine = normals @ _SUN / length
        return np.asarray(0.74 + 0.26 * (np.abs(cosine) if self.two_sided else cosine))


class DrawList(NamedTuple):
    """All triangles of a scene in drawing order, as arrays over the triangles [n]; see :class:`Mesh`."""

    clip_space: NDArray[np.float64]  # [n, 3, 4]
    uv: NDArray[np.float64]  # [n, 3, 2]
    texture: NDArray[np.int64]
    wrap: NDArray[np.uint8]  # [n, 2]
    flags: NDArray[np.uint8]
    blended: NDArray[np.bool_]
    light: NDArray[np.float64]
    compare: NDArray[np.uint8]
    kill: NDArray[np.uint8]
    primitive: NDArray[np.uint8]
    begins: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Scene:
    """Textured meshes in drawing order, seen by ``cameras`` (one per view).

    ``background`` holds two RGB colours of the picture, at the top and at the horizon; ``notes`` tell what a
    loader changed; depth is cleared to ``clear``, 0 near to 1 far. Without texture coordinates in any mesh it
    is not ``mapped``.
    """

    name: str
    meshes: tuple[Mesh, ...]
    textures: tuple[Texture, ...]
    cameras: tuple[Camera, ...]
    background: tuple[tuple[int, int, int], tuple[int, int, int]] = ((96, 140, 200), (206, 220, 232))
    notes: tuple[str, ...] = field(default=())
    clear: float = 1.0
    mapped: bool = True

    @property
    def clear_level(self) -> int:
        """The cleared depth, 24 bits. Raises :class:`UserError` beyond 0..1."""
        if not 0 <= self.clear <= 1:
            raise UserError(f"scene {self.name}: clear={self.clear}: must be 0 to 1")
        return round(self.clear * DEPTH_MAX)

    def solid(self) -> "Scene":
        """The scene for texture units, which take triangles: without points and lines, with a note on them.

        Raises :class:`UserError` for a scene without texture coordinates.
        """
        if not self.mapped:
            raise UserError(
                f"scene {self.name}: no part has texture coordinates; project them (UV=box or UV=planar, in "
                'the library uv="box"), or unwrap the model before export; raster and zcache need none'
            )
        thin = [mesh for mesh in self.meshes if mesh.primitive in (POINTS, LINES)]
        if not thin:
            return self
        note = f"{sum(len(mesh.positions) for mesh in thin)} points and lines are not textured: left out"
        meshes = tuple(mesh for mesh in self.meshes if mesh.primitive not in (POINTS, LINES))
        return replace(self, meshes=meshes, notes=(*self.notes, note))

    def limited(self, max_side: int) -> "Scene":
        """The scene with textures of at most ``max_side`` texels, and a note if any had more."""
        large = sum(texture.side > max_side for texture in self.textures)
        if not large:
            return self
        textures = tuple(texture.limited(max_side) for texture in self.textures)
        note = f"{large} of {len(textures)} textures lose their levels of more than {max_side} texels a side"
        return replace(self, textures=textures, notes=(*self.notes, note))

    @property
    def stretching(self) -> str:
        """How many textures :meth:`squared` stretches and what that costs, empty if none."""
        stretched = [texture for texture in self.textures if not texture.is_square]
        if not stretched:
            return ""
        worst = max(stretched, key=lambda texture: texture.side**2 / math.prod(texture.size))
        width, height = worst.size
        return (
            f"{len(stretched)} of {len(self.textures)} textures are not square and are stretched, as the "
            f"texture cache's table knows one side for both: most of all {worst.name}, {width}x{height} to "
            f"{worst.side}x{worst.side}, {worst.side**2 // (width * height)} times the texels. Misses "
            "differ by it, at 2:1 by a quarter to a half (docs/fidelity.md); the texture unit takes them as "
            "they are"
        )

    def squared(self) -> "Scene":
        """The scene with all textures stretched to squares, and a note that says so."""
        if not self.stretching:
            return self
        textures = tuple(texture.squared() for texture in self.textures)
        return replace(self, textures=textures, notes=(*self.notes, self.stretching))

    def camera(self, view: int) -> Camera:
        """The camera of a view. Raises :class:`UserError` for views that there are not."""
        if not 0 <= view < len(self.cameras):
            raise UserError(f"view {view}: scene {self.name} has views 0..{len(self.cameras) - 1}")
        return self.cameras[view]

    def nothing(self, view: int) -> str:
        """What to say if a view shows no triangle."""
        camera = self.cameras[view]
        corners = np.concatenate([mesh.positions.reshape(-1, 3) for mesh in self.meshes])
        low, high = (", ".join(f"{value:.4g}" for value in row) for row in (corners.min(0), corners.max(0)))
        eye, look = shown(camera.eye), shown(camera.look)
        return (
            f"scene {self.name}, view {view}: nothing to see from eye {eye} along {look}; "
            f"the model reaches from ({low}) to ({high})"
        )

    def draw_list(self, camera: Camera, aspect: float) -> DrawList:
        """Everything in drawing order: solid meshes as listed, blended triangles far to near, overlays."""
        order = sorted(range(len(self.meshes)), key=lambda i: self.meshes[i].draw)  # stable
        meshes = [self.meshes[i] for i in order if len(self.meshes[i].positions)]
        if not meshes:
            raise UserError(f"scene {self.name}: has no triangles")
        counts = [len(mesh.positions) for mesh in meshes]

        def each(values: ArrayLike) -> NDArray[np.int64]:
            return np.repeat(np.asarray(values, np.int64), counts, axis=0)

        positions = np.concatenate([mesh.positions for mesh in meshes])
        kind = each([mesh.draw for mesh in meshes])
        depth = (positions.mean(axis=1) - np.asarray(camera.eye)) @ np.asarray(camera.look, float)
        turn = np.arange(len(kind))
        sort = np.lexsort((turn, np.where(kind == BLEND, -depth, 0.0), kind))
        primitive = each([mesh.primitive for mesh in meshes])
        apart = (kind == BLEND) & np.isin(primitive, CHAINED)  # sorted, so that none continues another
        corners = np.concatenate([positions, np.ones((*positions.shape[:2], 1))], axis=-1)
        drawing = DrawList(
            clip_space=corners @ camera.matrix(aspect).T,
            uv=np.concatenate([mesh.uv for mesh in meshes]),
            texture=each([mesh.texture for mesh in meshes]),
            wrap=each([(mesh.wrap_u, mesh.wrap_v) for mesh in meshes]).astype(np.uint8),
            flags=each([mesh.flags for mesh in meshes]).astype(np.uint8),
            blended=kind != OPAQUE,
            light=np.concatenate([mesh.lit() for mesh in meshes]),
            compare=each([mesh.compare for mesh in meshes]).astype(np.uint8),
            kill=each([mesh.kill for mesh in meshes]).astype(np.uint8),
            primitive=np.where(apart, TRIANGLES, primitive).astype(np.uint8),
            begins=np.concatenate([mesh.beginnings() for mesh in meshes]) | apart,
        )
        return DrawList._make(column[sort] for column in drawing)
