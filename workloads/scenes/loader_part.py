# SPDX-License-Identifier: Apache-2.0
"""Parts of one material each, as the readers of model files give them; limits and names of files."""

from collections.abc import Hashable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from utils.files import is_file
from workloads.scenes.primitives import TRIANGLES
from workloads.scenes.scene import OPAQUE, REPEAT

GREY = (200, 200, 200)  # of parts without a material
MOST_TEXT = 256 << 20  # bytes of an OBJ or MTL file
MOST_JSON = 128 << 20  # bytes of JSON, of which each needs up to 24 in memory
MOST_BYTES = 1 << 30  # bytes of any other file
MOST_TRIANGLES = 5_000_000  # of a model; points and lines count as well
MOST_PARTS = 500_000  # parts, materials or nodes of a model


class ImageFile(NamedTuple):
    """An image: a file that need not exist, or its bytes. ``where`` is for messages, ``key`` for equality."""

    key: Hashable
    name: str
    where: str
    content: Path | bytes


class Look(NamedTuple):
    """How a material is drawn; ``draw`` None: as the alpha of its image says."""

    wrap_u: int = REPEAT
    wrap_v: int = REPEAT
    draw: int | None = OPAQUE
    two_sided: bool = False


class Part(NamedTuple):
    """Triangles, points or lines of one material in world space.

    ``positions`` [n, 3, 3]; ``uv`` [n, 3, 2], v downwards, or None where there is none; ``colour`` (RGB) is
    drawn without an image. ``primitive``: TRIANGLES, POINTS or LINES.
    """

    name: str
    positions: NDArray[np.float64]
    uv: NDArray[np.float64] | None
    look: Look
    image: ImageFile | None = None
    colour: tuple[int, int, int] = GREY
    primitive: int = TRIANGLES


def check_size(path: Path, most: int) -> None:
    """Raises :class:`UserError` for a file of more than ``most`` bytes."""
    size = path.stat().st_size
    if size > most:
        raise UserError(f"{path}: has {size >> 20} MiB; files of at most {most >> 20} MiB are read")


def check_count(path: Path, triangles: int, parts: int = 0) -> None:
    """Raises :class:`UserError` for a model of more than ``MOST_TRIANGLES``, or of too many ``parts``."""
    counts = ((triangles, MOST_TRIANGLES, "triangles"), (parts, MOST_PARTS, "parts, materials or nodes"))
    for count, most, what in counts:
        if count > most:
            raise UserError(f"scene {path}: has {count:,} or more {what}, the limit is {most:,}")


def find_file(folder: Path, name: str) -> Path:
    """The file that ``name`` means in ``folder``: as written, with "/" for each backslash, or, if exactly one
    file fits, in other case. Without such a file, its path as written.
    """
    for spelling in dict.fromkeys((name, name.replace("\\", "/"))):
        if is_file(folder / spelling):
            return folder / spelling
    places = [folder]
    try:
        for step in Path(name.replace("\\", "/")).parts:
            if step in ("..", "/"):
                places = [place / step for place in places]
            else:
                near = [entry for place in places if place.is_dir() for entry in place.iterdir()]
                places = [entry for entry in near if entry.name.casefold() == step.casefold()]
    except (OSError, ValueError):
        places = []
    files = [place for place in places if is_file(place)]
    return files[0] if len(files) == 1 else folder / name
