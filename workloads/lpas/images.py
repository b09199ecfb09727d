# SPDX-License-Identifier: Apache-2.0
"""Grey pictures of 64 x 64 pixels: a built-in texture, or an image file, smaller and without colour."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from workloads.textures import Texture, load_texture

SIDE = 64
DEFAULT = "gravel"  # a photograph of scikit-image's
#: what the report shows: two photographs, and two of our own making
BUILT_IN = (DEFAULT, "coffee", "brick", "checker")


class Grey:
    """``pixels`` uint8 [64, 64]; ``note`` says what was changed to get there."""

    def __init__(self, source: str) -> None:
        """A built-in texture's name or an image file. Raises :class:`UserError`."""
        self.texture: Texture = load_texture(source, (SIDE, SIDE))
        colour = Image.fromarray(self.texture.levels[0], "RGBA").convert("RGB")
        grey = colour.convert("L")
        width, height = self.texture.size
        notes = [self.texture.note] if self.texture.note else []
        if (width, height) != (SIDE, SIDE):
            grey = grey.resize((SIDE, SIDE), Image.Resampling.BOX)
            notes.append(f"{self.texture.name}: {width}x{height}, resized to {SIDE}x{SIDE}")
        self.note = "; ".join(notes)
        self.pixels: NDArray[np.uint8] = np.array(grey)

    @property
    def words(self) -> str:
        """Where it comes from."""
        return f"{self.texture.name} ({self.texture.source}; {self.texture.licence})"
