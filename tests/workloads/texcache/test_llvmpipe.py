# SPDX-License-Identifier: Apache-2.0
"""Rasterizer and sampler against Mesa's llvmpipe, live and headless, which nobody here wrote."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from models.depth import ALWAYS
from models.rasterizer import FRAGMENT, rasterize
from tests.models.llvmpipe_depth import GlDepth
from workloads.scenes.scene import CLAMP, REPEAT
from workloads.texcache.sampling import fetch, filtered, sample
from workloads.texcache.texture_memory import words
from workloads.textures.llvmpipe import Llvmpipe

SIZE = WIDTH, HEIGHT = 320, 240
SIDES = (64, 16)


def drawn(clip: NDArray[Any], size: tuple[int, int], uv: Any = None, side: int = 1) -> NDArray[Any]:
    n = len(clip)
    coordinates = np.zeros((n, 3, 2)) if uv is None else uv.astype(float)
    return rasterize(clip.astype(float), coordinates, np.full(n, side), np.zeros(n, np.uint8), *size)


def crowd(rng: np.random.Generator) -> NDArray[Any]:
    """Triangles of all sizes and depths, in perspective, some reaching beyond the screen."""
    size = rng.choice([0.01, 0.05, 0.3], (700, 1, 1), p=[0.5, 0.35, 0.15])
    clip = np.ones((700, 3, 4))
    clip[..., :2] = rng.uniform(-1, 1, (700, 1, 2)) + rng.normal(0, 1, (700, 3, 2)) * size
    clip[..., 2] = rng.uniform(-0.9, 0.9, (700, 3))
    return clip * rng.uniform(0.3, 5, (700, 3, 1))


def ties(rng: np.random.Generator) -> NDArray[Any]:
    """Triangles with corners on pixel centres and borders, all within the screen.

    Across its border llvmpipe clips, and snaps the cuts; ties on a cut side then fall as they may.
    """
    screen = 2 * np.array(SIZE)
    corners = rng.integers(0, screen, (500, 1, 2)) + rng.integers(-30, 30, (500, 3, 2))
    clip = np.ones((500, 3, 4))
    clip[..., :2] = np.clip(corners, 0, screen) / (screen / 2) - 1
    clip[..., 2] = 0
    return clip


def mesh(rng: np.random.Generator) -> NDArray[Any]:
    """An irregular net of triangles over the whole screen, without gaps."""
    line = np.linspace(-1.1, 1.1, 14)
    x, y = (values + rng.normal(0, 0.4 / 14, values.shape) for values in np.meshgrid(line, line))
    w = rng.uniform(0.5, 3, x.shape)
    p = np.stack([x * w, y * w, 0 * x, w], -1)
    a, b, c, d = p[:-1, :-1], p[1:, :-1], p[1:, 1:], p[:-1, 1:]
    return np.stack([np.stack([a, b, c], 2), np.stack([a, c, d], 2)], 2).reshape(-1, 3, 4)


@pytest.mark.parametrize("make, pixels", [(crowd, 100_000), (ties, 10_000), (mesh, 70_000)])
def test_coverage_is_llvmpipes_in_every_pixel(make: Any, pixels: int) -> None:
    """How often each pixel is drawn, and by which triangle last."""
    clip = make(np.random.default_rng(7)).astype("f4")
    flags, functions = np.zeros(len(clip), np.uint8), np.full(len(clip), ALWAYS, np.uint8)
    count, last, _ = GlDepth().triangles(clip, flags, functions, 0, SIZE)
    fragments = drawn(clip, SIZE)
    ours_count, ours_last = np.zeros(count.shape, int), np.zeros(count.shape, int)
    np.add.at(ours_count, (fragments["y"], fragments["x"]), 1)
    ours_last[fragments["y"], fragments["x"]] = fragments["prim"] + 1
    assert count.sum() > pixels
    assert (ours_count == count).all()
    assert (ours_last == last).all()


def noise(rng: np.random.Generator, side: int) -> list[NDArray[np.uint8]]:
    """Levels of independent noise."""
    return [rng.integers(0, 256, (side >> i, side >> i, 4), np.uint8) for i in range(side.bit_length())]


def colours(fragments: NDArray[Any], levels: list[NDArray[np.uint8]], mode: int, mip: str) -> NDArray[Any]:
    """RGBA of ``fragments``, all of one texture."""
    prims, side = int(fragments["prim"].max()) + 1, len(levels[0])
    modes = np.full((prims, 2), mode, np.uint8)
    zeros, sides = np.zeros(prims, np.int64), np.full(prims, side)
    samples = sample(fragments, zeros, sides, modes, mip == "trilinear")
    sizes = [level.shape[0] ** 2 for level in levels]
    starts = np.concatenate([np.zeros(11 - len(levels)), np.cumsum([0, *sizes[:-1]])]).astype(np.int64)[None]
    four = np.empty((len(samples.footprints), 4), np.uint32)
    fetch(words(np.concatenate([level.reshape(-1, 4) for level in levels])), starts, samples.footprints, four)
    rgba = np.zeros((len(fragments), 4), np.uint8)
    filtered(samples, four, rgba)
    return rgba


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("mip", ["bilinear", "trilinear"])
@pytest.mark.parametrize("mode", [REPEAT, CLAMP])
def test_samples_are_llvmpipes_bit_by_bit(mode: int, mip: str, side: int) -> None:
    rng, gl = np.random.default_rng(side), Llvmpipe()
    levels, uv = noise(rng, side), rng.integers(round(-2.3 * 65536), round(3.1 * 65536), (600, 4, 2))
    lod = rng.uniform(-1, side.bit_length(), (600, 4)).astype("f4")
    theirs = gl.quads(gl.texture(levels), uv, modes=(mode, mode), filtering=mip, lod=lod)
    fragments = np.zeros(2400, FRAGMENT)
    fragments["u"], fragments["v"] = uv.reshape(-1, 2).T / 65536
    fragments["lod"] = lod.reshape(-1)
    assert (colours(fragments, levels, mode, mip) == theirs.reshape(-1, 4)).all()
