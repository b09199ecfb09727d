# SPDX-License-Identifier: Apache-2.0
"""Meshes, cameras and scenes: what a frame is rendered from.

World space is right-handed with y up. Texture coordinates run to the right and down, one texture per unit.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from configs import UserError
from models.rasterizer import CULL_BACK, DEPTH_TEST, DEPTH_WRITE
from models.wrapping import CLAMP, MIRROR, REPEAT
from workloads.textures import Texture

__all__ = [
    "BLEND", "CLAMP", "LARGEST", "MIRROR", "OPAQUE", "OVERLAY", "REPEAT",
    "Camera", "DrawList", "Mesh", "Scene",
]  # fmt: skip

#: how a mesh is drawn: solid; with alpha, sorted from far to near, after all solid ones; with alpha, last of
#: all, in the order given and without a depth test (decals, signs on the screen)
OPAQUE, BLEND, OVERLAY = range(3)
LARGEST = 1e12  # of a coordinate in world space: there is room for products of several of them
_SUN = np.array([0.45, 0.8, 0.4]) / np.linalg.norm([0.45, 0.8, 0.4])


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles with one texture: ``positions`` [n, 3, 3] and ``uv`` [n, 3, 2], float64.

    Front faces are counterclockwise; ``two_sided`` shows the others as well. ``light`` [n] 0..1 darkens a
    triangle in pictures and has no part in the traffic; without it the sun decides.
    """

    texture: int
    positions: NDArray[np.float64]
    uv: NDArray[np.float64]
    wrap_u: int = REPEAT
    wrap_v: int = REPEAT
    draw: int = OPAQUE
    two_sided: bool = False
    light: NDArray[np.float64] | None = None

    def lit(self) -> NDArray[np.float64]:
        """Light of each triangle [n]."""
        if self.light is not None:
            return self.light
        edges = self.positions[:, 1:] - self.positions[:, :1]
        normals = np.cross(edges[:, 0], edges[:, 1])
        length = np.maximum(np.linalg.norm(normals, axis=1), 1e-12)
        cosine = normals @ _SUN / length
        return np.asarray(0.74 + 0.26 * (np.abs(cosine) if self.two_sided else cosine))


@dataclass(frozen=True)
class Camera:
    """A pinhole camera at ``eye`` that looks along ``look``; ``fov_y`` is the vertical angle in degrees."""

    eye: tuple[float, float, float]
    look: tuple[float, float, float]
    up: tuple[float, float, float] = (0.0, 1.0, 0.0)
    fov_y: float = 60.0
    near: float = 0.1
    far: float = 1000.0

    def matrix(self, aspect: float) -> NDArray[np.float64]:
        """World to clip space, [4, 4] for column vectors. Raises :class:`UserError` if it cannot see."""
        forward = _unit(self.look, "look")
        right = np.cross(forward, _unit(self.up, "up"))
        if np.linalg.norm(right) < 1e-9:
            raise UserError(f"camera: up {self.up} must not be parallel to look {self.look}")
        right /= np.linalg.norm(right)
        rows = np.array([right, np.cross(right, forward), -forward])
        view = np.eye(4)
        view[:3, :3], view[:3, 3] = rows, -rows @ np.asarray(self.eye, float)
        if not 0 < self.near < self.far < np.inf or not 0 < self.fov_y < 180:
            raise UserError(
                f"camera: near={self.near}, far={self.far}, fov_y={self.fov_y}: "
                "needs 0 < near < far < infinity and 0 < fov_y < 180"
            )
        if not np.abs(self.eye).max() < LARGEST:
            raise UserError(f"camera: eye {self.eye}: all numbers must be below {LARGEST:g}")
        scale, depth = 1 / np.tan(np.radians(self.fov_y) / 2), self.near - self.far
        projection = np.zeros((4, 4))
        projection[0, 0], projection[1, 1] = scale / aspect, scale
        projection[2, 2], projection[2, 3] = (self.near + self.far) / depth, 2 * self.near * self.far / depth
        projection[3, 2] = -1
        return np.asarray(projection @ view)

    @classmethod
    def towards(cls, eye: Sequence[float], target: Sequence[float], **rest: float) -> "Camera":
        """A camera at ``eye`` that looks at ``target``."""
        look = np.asarray(target, float) - np.asarray(eye, float)
        return cls((eye[0], eye[1], eye[2]), (look[0], look[1], look[2]), **rest)  # type: ignore[arg-type]


class DrawList(NamedTuple):
    """All triangles of a scene in drawing order, as arrays over the triangles [n]."""

    clip_space: NDArray[np.float64]  # [n, 3, 4]
    uv: NDArray[np.float64]  # [n, 3, 2]
    texture: NDArray[np.int64]
    wrap: NDArray[np.uint8]  # [n, 2]
    flags: NDArray[np.uint8]
    blended: NDArray[np.bool_]
    light: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scene:
    """Textured meshes in drawing order, seen by ``cameras`` (one per view).

    ``background`` holds two RGB colours of the picture, at the top and at the horizon; ``notes`` tell what a
    loader changed.
    """

    name: str
    meshes: tuple[Mesh, ...]
    textures: tuple[Texture, ...]
    cameras: tuple[Camera, ...]
    background: tuple[tuple[int, int, int], tuple[int, int, int]] = ((96, 140, 200), (206, 220, 232))
    notes: tuple[str, ...] = field(default=())

    def limited(self, max_side: int) -> "Scene":
        """The scene with textures of at most ``max_side`` texels, and a note if any had more."""
        large = sum(one.side > max_side for one in self.textures)
        if not large:
            return self
        textures = tuple(one.limited(max_side) for one in self.textures)
        note = f"{large} of {len(textures)} textures lose their levels of more than {max_side} texels a side"
        return replace(self, textures=textures, notes=(*self.notes, note))

    @property
    def stretching(self) -> str:
        """How many textures :meth:`squared` stretches and what that costs, empty if none."""
        stretched = [one for one in self.textures if not one.is_square]
        if not stretched:
            return ""
        worst = max(stretched, key=lambda one: one.side**2 / math.prod(one.size))
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
        textures = tuple(one.squared() for one in self.textures)
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
        return (
            f"scene {self.name}, view {view}: nothing to see from eye {camera.eye} along {camera.look}; "
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
        corners = np.concatenate([positions, np.ones((*positions.shape[:2], 1))], axis=-1)
        drawing = DrawList(
            clip_space=corners @ camera.matrix(aspect).T,
            uv=np.concatenate([mesh.uv for mesh in meshes]),
            texture=each([mesh.texture for mesh in meshes]),
            wrap=each([(mesh.wrap_u, mesh.wrap_v) for mesh in meshes]).astype(np.uint8),
            flags=each([_flags(mesh) for mesh in meshes]).astype(np.uint8),
            blended=kind != OPAQUE,
            light=np.concatenate([mesh.lit() for mesh in meshes]),
        )
        return DrawList._make(column[sort] for column in drawing)


def _flags(mesh: Mesh) -> int:
    test = 0 if mesh.draw == OVERLAY else DEPTH_TEST
    write = DEPTH_WRITE if mesh.draw == OPAQUE else 0
    return test | write | (0 if mesh.two_sided else CULL_BACK)


def _unit(vector: tuple[float, float, float], name: str) -> NDArray[np.float64]:
    values = np.asarray(vector, float)
    largest = float(np.abs(values).max()) if values.shape == (3,) else 0.0
    if not np.isfinite(largest) or largest < 1e-12:
        raise UserError(f"camera: {name} {vector} must be three numbers, not all zero")
    values = values / largest  # the squares of large numbers may be infinite
    return np.asarray(values / np.linalg.norm(values))
