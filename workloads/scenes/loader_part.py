# SPDX-License-Identifier: Apache-2.0
"""What the readers of model files hand over: parts of one material each."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from workloads.scenes.scene import OPAQUE, REPEAT

GREY = (200, 200, 200)  # of what has no material


class Look(NamedTuple):
    """How a material is drawn; ``image`` is the number of its base colour image, ``name`` the image's."""

    image: int | None = None
    name: str = ""
    wrap_u: int = REPEAT
    wrap_v: int = REPEAT
    draw: int | None = OPAQUE
    two_sided: bool = False


class Part(NamedTuple):
    """Triangles of one material in world space.

    ``positions`` [n, 3, 3]; ``uv`` [n, 3, 2], v downwards, or None where there is none. ``image``: a file
    that ``where`` names, or Pillow's; None for a material of one ``colour`` (RGB).
    """

    name: str
    positions: NDArray[np.float64]
    uv: NDArray[np.float64] | None
    look: Look
    image: Path | Image.Image | None = None
    where: str = ""
    colour: tuple[int, int, int] = GREY
