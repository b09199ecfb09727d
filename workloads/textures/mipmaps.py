# SPDX-License-Identifier: Apache-2.0
"""Mip chains: every level is the 2 x 2 box average of the one above, taken in linear light.

Where one side has come down to 1, it is the average of the two texels beside each other.

Colours are sRGB bytes: they are decoded before averaging and encoded after it; alpha is linear already. A
texel counts by its alpha (premultiplied average), so that the colour of transparent texels does not bleed
into visible ones. Sums stay in float: only the stored bytes are rounded, errors do not add up.
"""

import numpy as np
from numpy.typing import NDArray

Rgba = NDArray[np.uint8]  # [height, width, 4]
_Plane = NDArray[np.float32]


def _decode_table() -> _Plane:
    x = np.arange(256) / 255.0
    return np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4).astype(np.float32)


#: linear light 0..1 of each sRGB byte (IEC 61966-2-1)
LINEAR = _decode_table()


def encode(linear: _Plane) -> NDArray[np.uint8]:
    """The nearest sRGB bytes of linear light 0..1, the inverse of :data:`LINEAR`."""
    x = np.clip(linear, 0.0, 1.0)
    srgb = np.where(x <= 0.0031308, x * 12.92, 1.055 * np.power(x, 1 / 2.4) - 0.055)
    return np.asarray(np.rint(srgb * 255.0), dtype=np.uint8)


def mip_chain(image: Rgba) -> tuple[Rgba, ...]:
    """All levels of ``image`` [height, width, 4], itself first, down to 1 x 1. Sides are powers of two."""
    sides = image.shape[:2]
    powers = len(sides) == 2 and all(side >= 1 and not side & (side - 1) for side in sides)
    if not powers or image.shape != (*sides, 4) or image.dtype != np.uint8:
        raise ValueError(f"image of {image.dtype} {image.shape}: needs uint8 RGBA, sides powers of two")
    levels = [np.ascontiguousarray(image)]
    plain, alpha = LINEAR[image[..., :3]], image[..., 3:].astype(np.float32) / np.float32(255)
    weighted = plain * alpha
    while max(alpha.shape) > 1:
        plain, alpha, weighted = halve(plain), halve(alpha), halve(weighted)
        colour = np.where(alpha > 0, weighted / np.maximum(alpha, np.float32(1e-12)), plain)
        opacity = np.asarray(np.rint(alpha * 255), dtype=np.uint8)
        levels.append(np.concatenate([encode(colour), opacity], axis=-1))
    return tuple(levels)


def halve(plane: _Plane) -> _Plane:
    """Box average of ``plane`` [2m, 2n, channels] to [m, n, channels]; a side of 1 stays."""
    scale = np.float32(1)
    if plane.shape[0] > 1:
        plane, scale = plane[0::2] + plane[1::2], scale / 2
    if plane.shape[1] > 1:
        plane, scale = plane[:, 0::2] + plane[:, 1::2], scale / 2
    return np.asarray(plane * scale, dtype=np.float32)
