# SPDX-License-Identifier: Apache-2.0
"""Rasterizer and sampler against Mesa llvmpipe, which nobody here wrote; its answers are in ``oracle/``.

``oracle/llvmpipe.py`` made them and says how.
"""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from models.rasterizer import FRAGMENT, rasterize
from workloads.scenes.scene import CLAMP, REPEAT
from workloads.texcache.sampling import fetch, filtered, sample
from workloads.texcache.texture_memory import words

SIDES = (64, 16)


@cache
def oracle() -> dict[str, NDArray[Any]]:
    with np.load(Path(__file__).with_name("oracle") / "llvmpipe.npz") as stored:
        return dict(stored)


def drawn(clip: NDArray[Any], picture: NDArray[Any], uv: Any = None, side: int = 1) -> NDArray[Any]:
    n = len(clip)
    coordinates = np.zeros((n, 3, 2)) if uv is None else uv.astype(float)
    height, width = picture.shape[:2]
    return rasterize(clip.astype(float), coordinates, np.full(n, side), np.zeros(n, np.uint8), width, height)


@pytest.mark.parametrize("name, pixels", [("crowd", 100_000), ("ties", 10_000), ("mesh", 70_000)])
def test_coverage_is_llvmpipes_in_every_pixel(name: str, pixels: int) -> None:
    count, last = oracle()[f"{name}_count"], oracle()[f"{name}_last"]
    found = drawn(oracle()[f"{name}_clip"], count)
    ours_count, ours_last = np.zeros(count.shape, int), np.zeros(count.shape, int)
    np.add.at(ours_count, (found["y"], found["x"]), 1)
    ours_last[found["y"], found["x"]] = found["prim"] + 1
    assert count.sum() > pixels
    assert (ours_count == count).all()
    assert (ours_last == last).all()


def colours(
    fragments: NDArray[Any], texels: NDArray[np.uint8], side: int, mode: int, mip: str
) -> NDArray[Any]:
    """RGBA of ``fragments``, all of one texture whose levels lie one after the other in ``texels``."""
    prims = int(fragments["prim"].max()) + 1
    modes = np.full((prims, 2), mode, np.uint8)
    zeros, sides = np.zeros(prims, np.int64), np.full(prims, side)
    samples = sample(fragments, zeros, sides, modes, mip == "trilinear")
    first = 11 - side.bit_length()
    sizes = [(side >> level) ** 2 for level in range(side.bit_length())]
    starts = np.concatenate([np.zeros(first), np.cumsum([0, *sizes[:-1]])]).astype(np.int64)[None]
    four = np.empty((len(samples.footprints), 4), np.uint32)
    fetch(words(texels), starts, samples.footprints, four)
    found = np.zeros((len(fragments), 4), np.uint8)
    filtered(samples, four, found)
    return found


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("mip", ["bilinear", "trilinear"])
@pytest.mark.parametrize("mode, wrap", [(REPEAT, "repeat"), (CLAMP, "clamp")])
def test_samples_are_llvmpipes_bit_by_bit(mode: int, wrap: str, mip: str, side: int) -> None:
    key = f"sample_{wrap}_{mip}_{side}"
    where = oracle()[f"{key}_where"]
    fragments = np.zeros(len(where), FRAGMENT)
    fragments["u"], fragments["v"], fragments["lod"] = where.T
    found = colours(fragments, oracle()[f"{key}_texels"], side, mode, mip)
    assert (found == oracle()[f"{key}_rgba"]).all()


@pytest.mark.parametrize("mip, near, far", [("bilinear", 2, 255), ("trilinear", 12, 12)])
def test_a_textured_plane_in_perspective(mip: str, near: int, far: int) -> None:
    """Interpolation and derivatives are float32 there and lambda is approximate (0.043 off at most).

    So weights differ a little, and now and then, at a lambda of k + 0.5, the nearest level.
    """
    picture = oracle()[f"plane_{mip}_rgba"]
    found = drawn(oracle()[f"plane_{mip}_clip"], picture, oracle()[f"plane_{mip}_uv"], 64)
    ours = colours(found, oracle()[f"plane_{mip}_texels"], 64, REPEAT, mip)
    assert len(found) == (picture != 0).any(axis=-1).sum() > 5000
    off = np.abs(ours.astype(int) - picture[found["y"], found["x"]]).max(axis=1)
    assert off.max() <= far
    assert (off > near).mean() < 0.002
    assert len(np.unique(np.rint(found["lod"]))) >= 5
