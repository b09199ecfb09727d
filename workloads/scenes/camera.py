# SPDX-License-Identifier: Apache-2.0
"""Cameras: from world space to clip space."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from utils.errors import shown

LARGEST = 1e12  # of a coordinate in world space: there is room for products of several of them


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
            raise UserError(f"camera: up {shown(self.up)} must not be parallel to look {shown(self.look)}")
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
            raise UserError(f"camera: eye {shown(self.eye)}: all numbers must be below {LARGEST:g}")
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


def _unit(vector: tuple[float, float, float], name: str) -> NDArray[np.float64]:
    values = np.asarray(vector, float)
    largest = float(np.abs(values).max()) if values.shape == (3,) else 0.0
    if not np.isfinite(largest) or largest < 1e-12:
        raise UserError(f"camera: {name} {vector} must be three numbers, not all zero")
    values = values / largest  # the squares of large numbers may be infinite
    return np.asarray(values / np.linalg.norm(values))
