# SPDX-License-Identifier: Apache-2.0
"""Image files as RGBA8 pictures whose sides are powers of two."""

import io
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError
from PIL.Image import DecompressionBombError, DecompressionBombWarning

from configs import UserError
from utils.errors import shortened
from utils.files import is_file
from workloads.textures.mipmaps import Rgba

MAX_SIDE = 2048  # the largest that a block samples


class Picture(NamedTuple):
    """``pixels`` uint8 [height, width, 4]; ``note`` says what was changed to get there, empty if nothing."""

    pixels: Rgba
    note: str


def load_image(path: Path | str, max_side: int = MAX_SIDE, sides: tuple[int, int] | None = None) -> Picture:
    """Reads any image file that Pillow reads, :func:`fitted`. Raises :class:`UserError` for missing and
    unreadable ones.
    """
    path = Path(path)
    return fitted(open_image(path), path.name, max_side, sides)


def open_image(source: Path | bytes, name: str = "") -> Image.Image:
    """An image file, or the bytes of one called ``name``, with all its pixels.

    Raises :class:`UserError` for missing, unreadable and too large ones.
    """
    shown = name if isinstance(source, bytes) else source
    if isinstance(source, Path) and not is_file(source):
        raise UserError(f"image {source}: no such file")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DecompressionBombWarning)  # large, but it can be done
            with Image.open(io.BytesIO(source) if isinstance(source, bytes) else source) as image:
                image.load()
    except DecompressionBombError:
        most = 2 * (Image.MAX_IMAGE_PIXELS or 0)
        raise UserError(
            f"image {shown}: has too many pixels; scale it down to at most {most:,} (of these at most "
            f"{MAX_SIDE} a side are used)"
        ) from None
    except Exception as error:  # whatever a damaged file makes of a decoder
        unknown = isinstance(error, UnidentifiedImageError)
        problem = "unknown format" if unknown else shortened(str(error))
        raise UserError(f"image {shown}: cannot be read as an image ({problem}); use PNG or JPEG") from None
    return image


def fitted(
    image: Image.Image, name: str, max_side: int = MAX_SIDE, sides: tuple[int, int] | None = None
) -> Picture:
    """``image`` with other ``sides`` (width, height).

    By default each is the next power of two; the larger one is ``max_side`` at most, the other follows it.
    """
    if image.width < 1 or image.height < 1:
        raise UserError(f"image {name}: is empty ({image.width}x{image.height})")
    upright = to_rgba(ImageOps.exif_transpose(image))
    width, height = upright.size
    powers = [1 << (side - 1).bit_length() for side in (width, height)]
    scale = max(1, max(powers) // max_side)
    across, down = sides or (max(1, powers[0] // scale), max(1, powers[1] // scale))
    if (width, height) == (across, down):
        return Picture(np.array(upright), "")
    resized = upright.resize((across, down), Image.Resampling.BICUBIC, reducing_gap=3.0)
    return Picture(np.array(resized), f"{name}: resized from {width}x{height} to {across}x{down}")


def to_rgba(image: Image.Image) -> Image.Image:
    """Any mode as RGBA; 16- and 32-bit grey is scaled to 8 bits, not cut off."""
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        grey = np.asarray(image, dtype=np.float64)
        largest = 65535.0 if image.mode != "F" else max(1.0, float(grey.max()))
        image = Image.fromarray(np.clip(np.rint(grey / largest * 255), 0, 255).astype(np.uint8))
    return image.convert("RGBA")
