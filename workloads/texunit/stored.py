# SPDX-License-Identifier: Apache-2.0
"""Textures in the memory of texture units: formats, bytes, and the primitives that use them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from models.texunit import PRIM
from models.texunit.address import RGB8, RGBA8, RGBA8_TABLE, pack_texture
from workloads.textures import Texture


class StoredTextures(NamedTuple):
    """A scene's textures from byte address 0 on: words ``image``; of each, the line address ``bases`` [n],
    the format ``kinds`` [n], log2 of its sides ``log2`` [n, 2], and its ``levels`` as they are sampled.
    """

    image: NDArray[np.uint32]
    bases: NDArray[np.int64]
    kinds: NDArray[np.int64]
    log2: NDArray[np.int64]
    levels: list[Sequence[NDArray[np.uint8]]]

    @classmethod
    def of(cls, textures: Sequence[Texture], *, rgb: bool = False, table: bool = False) -> "StoredTextures":
        """Textures one after the other, in the formats of :func:`workloads.texunit.quads.quad_frame`."""
        stored = [_stored(texture, rgb, table) for texture in textures]
        image, bases = _memory(stored)
        log2 = np.array([[side.bit_length() - 1 for side in texture.size] for texture in textures])
        return cls(
            image, bases, np.array([entry.kind for entry in stored]), log2, [entry.levels for entry in stored]
        )

    def prims(self, texture: NDArray[np.int64], wrap: NDArray[Any], bilinear: bool) -> NDArray[Any]:
        """PRIM [p] of textures by number [p] with wrap modes [p, 2]."""
        prims = np.zeros(len(texture), PRIM)
        prims["base"], prims["format"] = self.bases[texture], self.kinds[texture]
        log2 = self.log2[texture]
        prims["log2w"], prims["log2h"], prims["max_lod"] = log2[:, 0], log2[:, 1], log2.max(axis=1)
        prims["mode_u"], prims["mode_v"], prims["bilinear"] = wrap[:, 0], wrap[:, 1], bilinear
        return prims


class _Stored(NamedTuple):
    """A texture in one of the formats: its ``levels`` as they are sampled, and its bytes in memory."""

    kind: int
    levels: Sequence[NDArray[np.uint8]]
    data: bytes


def _stored(texture: Texture, rgb: bool, table: bool) -> _Stored:
    if table:
        indices, palette = reduced(texture.levels)
        return _Stored(
            RGBA8_TABLE, [palette[level] for level in indices], pack_texture(indices, RGBA8_TABLE, palette)
        )
    kind = RGB8 if rgb and not texture.has_alpha else RGBA8
    return _Stored(kind, texture.levels, pack_texture(texture.levels, kind))


def reduced(levels: Sequence[NDArray[np.uint8]]) -> tuple[list[NDArray[np.uint8]], NDArray[np.uint8]]:
    """A chain [h, w, 4] with at most 256 colours: indices [h, w] of each level, and the colours [256, 4]."""
    texels = np.concatenate([level.reshape(-1, 4) for level in levels])
    image = Image.fromarray(texels[None], "RGBA").quantize(256, Image.Quantize.FASTOCTREE)
    colours = np.array(image.getpalette("RGBA"), np.uint8).reshape(-1, 4)
    palette = np.zeros((256, 4), np.uint8)
    palette[: len(colours)] = colours
    ends = np.cumsum([level.shape[0] * level.shape[1] for level in levels])
    parts = np.split(np.asarray(image, np.uint8).reshape(-1), ends[:-1])
    return [part.reshape(level.shape[:2]) for part, level in zip(parts, levels, strict=True)], palette


def _memory(textures: Sequence[_Stored]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The textures one after the other: words, and the line address of each."""
    bases, parts, total = [], [], 0
    for texture in textures:
        bases.append(total // 16)
        parts.append(texture.data + bytes(-len(texture.data) % 16))
        total += len(parts[-1])
    return np.frombuffer(b"".join(parts), "<u4").astype(np.uint32), np.array(bases)
