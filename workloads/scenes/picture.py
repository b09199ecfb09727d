# SPDX-License-Identifier: Apache-2.0
"""Pictures: coloured fragments over a background, in the order in which they are drawn."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from configs import UserError
from models.kernels import kernel
from utils.files import atomic_path


def compose(
    width: int,
    height: int,
    background: tuple[tuple[int, int, int], tuple[int, int, int]],
    x: NDArray[np.uint16],
    y: NDArray[np.uint16],
    blended: NDArray[np.bool_],
    light: NDArray[np.uint8],
    colours: NDArray[np.uint8],
) -> NDArray[np.uint8]:
    """The picture uint8 [height, width, 3] of fragments [m] with their ``colours`` [m, 4], in order."""
    top, horizon = (np.array(colour, float) for colour in background)
    down = np.minimum(np.arange(height) / max(1, height / 2), 1)[:, None]
    rows = np.rint(top + (horizon - top) * down).astype(np.uint8)
    picture = np.repeat(rows[:, None], width, axis=1)
    _compose(x, y, blended, light, colours, picture)
    return picture


@kernel
def _compose(
    x: NDArray[np.uint16],
    y: NDArray[np.uint16],
    blended: NDArray[np.bool_],
    light: NDArray[np.uint8],
    colours: NDArray[np.uint8],
    picture: NDArray[np.uint8],
) -> None:
    """Fragments over the picture, in order: solid ones replace, blended ones are mixed by their alpha."""
    for i in range(len(x)):
        alpha = np.int64(colours[i, 3]) if blended[i] else 255
        for channel in range(3):
            below = np.int64(picture[y[i], x[i], channel])
            above = (np.int64(colours[i, channel]) * np.int64(light[i]) + 127) // 255
            picture[y[i], x[i], channel] = below + ((above - below) * alpha + 127) // 255


def write_png(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write a picture, whole or not at all. Raises :class:`UserError` for another kind of file."""
    if path.suffix.lower() != ".png":
        raise UserError(f"{path}: pictures are written as .png")
    with atomic_path(path) as temporary:
        Image.fromarray(picture).save(temporary)
