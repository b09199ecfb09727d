# SPDX-License-Identifier: Apache-2.0
"""Texture coordinates from positions, for models that have none."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from configs import UserError

BOX, PLANAR = PROJECTIONS = ("box", "planar")
REPEATS = 4  # of the texture, along the longest side of the model
_ACROSS = np.array([(2, 1), (0, 2), (0, 1)])  # the axes of u and v, by the axis that is projected along


@dataclass(frozen=True)
class Projection:
    """Each triangle along the axis that it faces most (``kind`` "box"), or all along ``axis`` ("planar").

    ``low`` [3]: the origin of texture coordinates; ``unit``: the side of a texture.
    """

    kind: str
    axis: int
    low: NDArray[np.float64]
    unit: float

    @classmethod
    def of(cls, kind: str, positions: Sequence[NDArray[np.float64]]) -> "Projection":
        """The projection of a model of ``positions`` [n, 3, 3], planar along its shortest side.

        Raises :class:`UserError`.
        """
        if kind not in PROJECTIONS:
            raise UserError(f"uv {kind!r}: choose one of {', '.join(PROJECTIONS)}")
        low = np.min([part.min(axis=(0, 1)) for part in positions], axis=0)
        extent = np.max([part.max(axis=(0, 1)) for part in positions], axis=0) - low
        return cls(kind, int(extent.argmin()), low, float(extent.max()) / REPEATS or 1.0)

    def coordinates(self, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        """Texture coordinates [n, 3, 2] of triangles [n, 3, 3], v downwards."""
        edges = positions[:, 1:] - positions[:, :1]
        normals = np.cross(edges[:, 0], edges[:, 1])
        axis = np.abs(normals).argmax(axis=1) if self.kind == BOX else np.full(len(positions), self.axis)
        placed = (positions - self.low) / self.unit
        chosen = np.take_along_axis(placed, _ACROSS[axis][:, None], axis=2)
        return chosen * (1, -1)

    def note(self, projected: int, parts: int, texture: str) -> str:
        """How many of the model's ``parts`` are ``projected``, and how."""
        return (
            f"{projected} of {parts} parts get texture coordinates by {self.kind} projection, {REPEATS} "
            f"repeats along the longest side, and the built-in texture {texture} where they have no image"
        )
