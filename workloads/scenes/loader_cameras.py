# SPDX-License-Identifier: Apache-2.0
"""Cameras of a model file: a ``cameras.json`` beside it, or a view that frames the model.

``cameras.json``::

    {"near": 0.1, "far": 600, "views": [{"eye": [x, y, z], "look": [x, y, z], "up": [0, 1, 0], "fov_y": 60}]}

``look`` is a direction, ``fov_y`` the vertical angle in degrees; ``up``, ``fov_y``, ``near`` and ``far`` may
be left out, other fields are ignored.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from configs import UserError
from workloads.scenes.loader_part import MOST_JSON, check_size
from workloads.scenes.scene import Camera

Vector = tuple[FiniteFloat, FiniteFloat, FiniteFloat]


class _View(BaseModel):
    model_config = ConfigDict(extra="ignore")

    eye: Vector
    look: Vector
    up: Vector = (0.0, 1.0, 0.0)
    fov_y: FiniteFloat = Field(60.0, gt=0, lt=180)


class _Cameras(BaseModel):
    model_config = ConfigDict(extra="ignore")

    views: list[_View] = Field(min_length=1)
    near: FiniteFloat = Field(0.1, gt=0)
    far: FiniteFloat = Field(1000.0, gt=0)


def read_cameras(path: Path) -> tuple[Camera, ...]:
    """The views of a ``cameras.json``. Raises :class:`UserError` naming file, field and rule."""
    try:
        check_size(path, MOST_JSON)
        content: Any = json.loads(path.read_text(encoding="utf-8-sig"))
        parsed = _Cameras.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise UserError(f"{path}: {where}: {first['msg']}") from None
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: cannot be read as JSON: {error}") from None
    cameras = (Camera(**view.model_dump(), near=parsed.near, far=parsed.far) for view in parsed.views)
    return tuple(checked(camera, f"{path}: views.{number}") for number, camera in enumerate(cameras))


def checked(camera: Camera, where: str) -> Camera:
    """``camera`` itself. Raises :class:`UserError`, beginning with ``where``, for one that cannot see."""
    try:
        camera.matrix(1.0)
    except UserError as error:
        raise UserError(f"{where}: {error}") from None
    return camera


def framing(positions: NDArray[np.float64], fov_y: float = 50.0) -> Camera:
    """A camera that sees all of ``positions`` [.., 3], from the front, the right and a little above."""
    points = positions.reshape(-1, 3)
    low, high = points.min(axis=0), points.max(axis=0)
    centre, radius = (low + high) / 2, max(float(np.linalg.norm(high - low)) / 2, 1e-6)
    direction = np.array([0.55, 0.4, 1.0]) / np.linalg.norm([0.55, 0.4, 1.0])
    distance = radius / np.sin(np.radians(fov_y) / 2)
    eye = centre + direction * distance
    return Camera.towards(
        eye.tolist(), centre.tolist(), fov_y=fov_y, near=(distance - radius) / 2, far=distance + 2 * radius
    )
