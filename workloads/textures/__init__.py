# SPDX-License-Identifier: Apache-2.0
"""Textures with their mip chains: the built-in set of 20, and image files.

Sixteen of the set are procedural (made here from a seed, under this project's licence); four are photographs
that scikit-image carries inside its package, all free of copyright restrictions (see :data:`PHOTOGRAPHS`).
"""

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from configs import UserError
from utils.sources import sources_key
from workloads.store import cached
from workloads.textures import procedural, procedural_shapes
from workloads.textures.images import fitted, load_image
from workloads.textures.mipmaps import Rgba, mip_chain

OURS = "Apache-2.0"
_FREE = "no copyright restrictions"


@dataclass(frozen=True, eq=False)
class Texture:
    """A texture: ``levels`` uint8 [height, width, 4] from the largest to 1 x 1, rows from the top."""

    name: str
    levels: tuple[Rgba, ...]
    source: str = ""
    licence: str = ""
    note: str = field(default="", compare=False)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the largest level in texels."""
        height, width = self.levels[0].shape[:2]
        return width, height

    @property
    def side(self) -> int:
        """The larger side of the largest level in texels."""
        return max(self.size)

    @property
    def is_square(self) -> bool:
        """Whether width and height are the same."""
        return self.size[0] == self.size[1]

    @property
    def has_alpha(self) -> bool:
        """Whether any texel is less than opaque."""
        return bool((self.levels[0][..., 3] < 255).any())

    def limited(self, max_side: int) -> "Texture":
        """The texture without levels larger than ``max_side``."""
        skip = sum(max(level.shape[:2]) > max_side for level in self.levels)
        return Texture(self.name, self.levels[skip:], self.source, self.licence, self.note) if skip else self

    def squared(self) -> "Texture":
        """The texture stretched to a square of its larger side, for machines that know no other ones."""
        if self.is_square:
            return self
        image, side = Image.fromarray(self.levels[0], "RGBA"), self.side
        pixels = fitted(image, self.name, sides=(side, side)).pixels
        return Texture(self.name, mip_chain(pixels), self.source, self.licence, self.note)


class Photograph(NamedTuple):
    """A file in scikit-image's data folder, where it comes from, and how it becomes a texture."""

    file: str
    side: int
    author: str
    licence: str
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)


#: as documented by scikit-image 0.26 in skimage.data
PHOTOGRAPHS = {
    "gravel": Photograph("gravel.png", 512, "CC0Textures, Gravel04", "CC0-1.0", (1.0, 0.95, 0.87)),
    "coffee": Photograph("coffee.png", 512, "Rachel Michetti, courtesy of Pikolo Espresso Bar", "CC0-1.0"),
    "chelsea": Photograph("chelsea.png", 256, "Stefan van der Walt", "CC0-1.0"),
    "astronaut": Photograph("astronaut.png", 512, "NASA Great Images", f"public domain, {_FREE}"),
}

#: maker and side of each procedural texture
PROCEDURAL: dict[str, tuple[Callable[[np.random.Generator, int], NDArray[np.float32]], int]] = {
    "brick": (procedural.brick, 512),
    "wood": (procedural.wood, 512),
    "marble": (procedural.marble, 512),
    "noise": (procedural.noise, 256),
    "checker": (procedural.checker, 64),
    "grass": (procedural.grass, 512),
    "tiles": (procedural.tiles, 256),
    "letters": (procedural_shapes.letters, 256),
    "gradient": (procedural_shapes.gradient, 128),
    "metal": (procedural.metal, 256),
    "concrete": (procedural.concrete, 1024),
    "crate": (procedural.crate, 128),
    "door": (procedural_shapes.door, 256),
    "tree": (procedural_shapes.tree, 512),
    "blades": (procedural_shapes.blades, 128),
    "splat": (procedural_shapes.splat, 64),
}

#: names of the built-in set
NAMES = (*PROCEDURAL, *PHOTOGRAPHS)


def texture(name: str) -> Texture:
    """A built-in texture, made on first use and kept in ``build/workloads``. Raises :class:`UserError`."""
    if name not in NAMES:
        raise UserError(f"unknown texture {name!r}: choose one of {', '.join(NAMES)}, or give an image file")
    key = sources_key(__name__)
    stored = cached(f"texture-{name}", key, lambda: {str(i): level for i, level in enumerate(_make(name))})
    levels = tuple(stored[str(i)] for i in range(len(stored)))
    if name in PROCEDURAL:
        return Texture(name, levels, "procedural", OURS)
    photograph = PHOTOGRAPHS[name]
    return Texture(
        name, levels, f"{photograph.author}; scikit-image, data/{photograph.file}", photograph.licence
    )


def load_texture(source: str | Path, sides: tuple[int, int] | None = None) -> Texture:
    """A built-in texture by name, or an image file, which may be given ``sides`` (width, height); ``note``
    tells of resizing. Raises :class:`UserError`.
    """
    if isinstance(source, str) and source in NAMES:
        return texture(source)
    path = Path(source)
    if not path.is_file() and not path.suffix:
        return texture(str(source))  # a misspelt name: says which there are
    picture = load_image(path, sides=sides)
    return Texture(path.stem, mip_chain(picture.pixels), str(path), "yours", picture.note)


def from_pixels(name: str, pixels: Rgba, note: str = "") -> Texture:
    """A texture of ``pixels`` uint8 [height, width, 4]."""
    return Texture(name, mip_chain(pixels), note=note)


def _make(name: str) -> tuple[Rgba, ...]:
    if name in PHOTOGRAPHS:
        return mip_chain(_photograph(PHOTOGRAPHS[name]))
    maker, side = PROCEDURAL[name]
    rng = np.random.default_rng([ord(letter) for letter in name])
    colour = np.clip(maker(rng, side), 0, 1)
    pixels = np.full((side, side, 4), 255, np.uint8)
    pixels[..., : colour.shape[-1]] = np.rint(colour * 255)
    return mip_chain(pixels)


def _photograph(photograph: Photograph) -> Rgba:
    package = importlib.util.find_spec("skimage")
    if package is None or package.origin is None:
        raise UserError(
            "scikit-image, which has the photographs, is not installed: run `make setup`, or install it"
        )
    path = Path(package.origin).parent / "data" / photograph.file
    if not path.is_file():
        raise UserError(f"{path}: missing from scikit-image; reinstall the pinned version with `make setup`")
    with Image.open(path) as image:
        pixels = fitted(image, photograph.file, sides=(photograph.side, photograph.side)).pixels
    pixels[..., :3] = np.rint(pixels[..., :3] * np.array(photograph.tint))
    return pixels
