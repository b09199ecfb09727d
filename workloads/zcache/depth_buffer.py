# SPDX-License-Identifier: Apache-2.0
"""The depth buffer without a cache: each tile tested and stored at once; and its picture."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.depth import (
    ALWAYS,
    CLEAR,
    D16,
    D24X8,
    EQUAL,
    GEQUAL,
    GREATER,
    LEQUAL,
    LESS,
    NEVER,
    PIXELS,
    SIDE,
    TILE,
)
from configs.raster.schema import PASS
from models.kernels import kernel
from workloads.raster.vertices import VertexFrame
from workloads.zcache.tiles import TileFrame


def final_depths(frame: TileFrame) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """The words [rows, pitch, 16] of the surface after all tiles, and the pixels of each that passed [n].

    The words of ``frame`` begin with a base and a clear.
    """
    rows, pitch = frame.vertices.rows, frame.vertices.pitch
    stored = np.zeros((rows * pitch, PIXELS), np.uint32)
    passed = np.zeros(len(frame.tiles), np.uint16)
    _test(frame.tiles, frame.kill, pitch, stored, passed)
    return stored.reshape(rows, pitch, PIXELS), passed


@kernel
def _test(
    tiles: NDArray[Any], kill: NDArray[np.uint16], pitch: int, stored: NDArray[np.uint32], passed: Any
) -> None:
    for i in range(len(tiles)):
        tile = tiles[i]
        if tile.op == CLEAR:
            stored[:] = tile.depth[0]
        elif tile.op == TILE:
            words = stored[np.int64(tile.y) * pitch + np.int64(tile.x)]
            live = tile.mask & ~kill[i]
            for pixel in range(PIXELS):
                if live >> pixel & 1 and (not tile.test or test_passes(tile, pixel, words[pixel])):
                    passed[i] |= 1 << pixel
                    if tile.test and tile.write:
                        words[pixel] = merged(words[pixel], tile.depth[pixel], tile.format)


@kernel
def depth_bits(format: int) -> int:
    """The bits of a word that are depth."""
    if format == D24X8:
        return 0xFFFFFF
    return 0xFFFF if format == D16 else 0xFFFFFFFF


@kernel
def merged(word: int, depth: int, format: int) -> Any:
    """``word`` with another depth; the rest of it stays."""
    mask = depth_bits(format)
    return (np.int64(word) & ~mask) | (np.int64(depth) & mask)


@kernel
def test_passes(tile: Any, pixel: int, word: int) -> Any:
    """Whether the pixel's depth compares with the stored one as the tile's function says."""
    mask = depth_bits(tile.format)
    new, old, func = np.int64(tile.depth[pixel]) & mask, np.int64(word) & mask, tile.func
    if func in (NEVER, ALWAYS):
        return func == ALWAYS
    if func in (LESS, LEQUAL):
        return new < old or (func == LEQUAL and new == old)
    if func in (GREATER, GEQUAL):
        return new > old or (func == GEQUAL and new == old)
    return (new == old) == (func == EQUAL)


def picture(vertices: VertexFrame, stored: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """The words [rows, pitch, 16] of a surface in grey: near is light, what nothing was drawn on is black.

    Greys are spread evenly over the depths that there are, as most of them lie close together.
    """
    rows, pitch = stored.shape[:2]
    pixels = stored.reshape(rows, pitch, SIDE, SIDE).swapaxes(1, 2).reshape(rows * SIDE, pitch * SIDE)
    depths = pixels[: vertices.height, : vertices.width] & np.uint32(depth_bits(vertices.format))
    clear = vertices.words["z"][(vertices.words["op"] == PASS) & (vertices.words["command"] == CLEAR)][0]
    levels, number = np.unique(depths, return_inverse=True)
    rank = np.linspace(0, 1, len(levels))[number].reshape(depths.shape)
    nearness = rank if clear == 0 else 1 - rank  # reversed depth is larger nearby
    grey = np.rint(np.where(depths == clear, 0, 40 + 215 * nearness)).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)
