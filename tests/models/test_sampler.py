# SPDX-License-Identifier: Apache-2.0
"""The golden sampler against Mesa's llvmpipe, live and headless, and against scipy's exact filter."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates

from configs import UserError
from models.sampler import FILTERS, sample
from workloads.textures.llvmpipe import Llvmpipe

SIDE = 128  # of the square of samples


@pytest.fixture(scope="module")
def gl() -> Llvmpipe:
    """Fails, rather than skips, where Mesa is missing: 'make test' installs it."""
    return Llvmpipe()


def chain(rng: np.random.Generator, width: int, height: int) -> list[NDArray[np.uint8]]:
    """Levels of independent noise."""
    count = max(width, height).bit_length()
    return [
        rng.integers(0, 256, (max(height >> m, 1), max(width >> m, 1), 4), dtype=np.uint8)
        for m in range(count)
    ]


def draw(rng: np.random.Generator, levels: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Coordinates s16.16 [n, 2], edges and texel borders among them, and levels of detail [n]."""
    uv = rng.integers(-3 << 16, 3 << 16, (SIDE * SIDE, 2))
    uv[::7] &= ~0xFFF
    uv[::31] &= ~0xFFFF
    lod = rng.integers(-256, levels * 256, SIDE * SIDE) / 256
    lod[lod % 1 == 0.5] += 1 / 256  # llvmpipe rounds a tie to even
    return uv, lod.astype("f4")


def llvmpipe(
    gl: Llvmpipe, levels: list[NDArray[np.uint8]], uv: NDArray[Any], lod: NDArray[Any], clamp: bool,
    filtering: str,
) -> NDArray[np.uint8]:  # fmt: skip
    """RGBA [n, 4] of the same samples."""
    modes, quads = (int(clamp), int(clamp)), uv.reshape(-1, 4, 2)
    samples = gl.quads(gl.texture(levels), quads, modes=modes, filtering=filtering, lod=lod.reshape(-1, 4))
    return samples.reshape(-1, 4)


@pytest.mark.parametrize("filtering", FILTERS)
@pytest.mark.parametrize("clamp", [False, True])
@pytest.mark.parametrize(("width", "height"), [(64, 64), (256, 16), (4, 128), (1, 32), (16, 1), (1, 1)])
def test_llvmpipe_gives_the_same_bits(
    gl: Llvmpipe, filtering: str, clamp: bool, width: int, height: int
) -> None:
    rng = np.random.default_rng([width, height, clamp])
    levels = chain(rng, width, height)
    uv, lod = draw(rng, len(levels))
    modes = (1, 1) if clamp else (0, 0)
    ours = sample(levels, uv, lod, modes=modes, filtering=filtering)
    assert (ours == llvmpipe(gl, levels, uv, lod, clamp, filtering)).all()


@pytest.mark.parametrize(("mode", "scipys"), [(0, "grid-wrap"), (1, "nearest"), (2, "reflect")])
def test_within_two_steps_of_the_exact_filter(mode: int, scipys: str) -> None:
    rng = np.random.default_rng(mode)
    levels = chain(rng, 32, 16)[:1]
    uv = rng.integers(-2 << 16, 2 << 16, (5000, 2))
    places = [uv[:, 1] / 65536 * 16 - 0.5, uv[:, 0] / 65536 * 32 - 0.5]
    exact = [
        map_coordinates(levels[0][..., channel].astype(float), places, order=1, mode=scipys)
        for channel in range(4)
    ]
    difference = np.abs(sample(levels, uv, modes=(mode, mode)).astype(float) - np.stack(exact, axis=1))
    assert difference.max() <= 2.0
    assert difference.mean() < 0.5


def test_bad_input_is_named() -> None:
    with pytest.raises(UserError, match="unknown filter 'cubic'"):
        sample([np.zeros((4, 4, 4), np.uint8)], [(0, 0)], filtering="cubic")
    with pytest.raises(UserError, match="sides must be powers of two"):
        sample([np.zeros((3, 4, 4), np.uint8)], [(0, 0)])
