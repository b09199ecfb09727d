# SPDX-License-Identifier: Apache-2.0
"""The sampler: its filter against scipy, its coordinates against the rules of wrapping written down."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates

from models.rasterizer import FRAGMENT
from models.wrapping import wrap
from workloads.scenes.scene import CLAMP, MIRROR, REPEAT
from workloads.texcache.sampling import Samples, choose_levels, filtered, reduced, sample
from workloads.textures import Texture, from_pixels

COMPILED = settings(deadline=None)
SCIPY = {REPEAT: "grid-wrap", CLAMP: "nearest", MIRROR: "reflect"}


def noise(side: int, seed: int = 1) -> Texture:
    return from_pixels("noise", np.random.default_rng(seed).integers(0, 256, (side, side, 4), np.uint8))


@COMPILED
@given(st.sampled_from([REPEAT, CLAMP, MIRROR]), st.integers(0, 10), st.integers(-9000, 9000))
def test_reduced_coordinates_mean_the_same_texels_and_fit(mode: int, log2_side: int, texel: int) -> None:
    side = 1 << log2_side
    found = reduced(mode, texel, side)
    assert -1 <= found <= max(2 * side - 1, 0)
    assert wrap(mode, found, log2_side) == wrap(mode, texel, log2_side)
    assert wrap(mode, found + 1, log2_side) == wrap(mode, texel + 1, log2_side)


@pytest.mark.parametrize("mode", SCIPY)
@pytest.mark.parametrize("side", [1, 2, 16, 64])
def test_filtered_colours_are_scipys_within_two_steps(mode: int, side: int) -> None:
    one, rng = noise(side), np.random.default_rng(side)
    fragments = np.zeros(3000, FRAGMENT)
    fragments["u"], fragments["v"] = rng.uniform(-2.5, 3.5, (2, 3000))
    fragments["lod"] = -1
    modes = np.array([[mode, mode]], np.uint8)
    samples = sample(fragments, np.zeros(1, np.int64), np.array([side]), modes, trilinear=False)
    found = np.zeros((3000, 4), np.uint8)
    filtered(samples, texels_of(samples, one), found)
    place = np.stack([fragments["v"], fragments["u"]]).astype(float) * side - 0.5
    for channel in range(4):
        plane = one.levels[0][..., channel].astype(float)
        wanted = map_coordinates(plane, place, order=1, mode=SCIPY[mode])
        assert np.abs(found[:, channel] - wanted).max() <= 2.0


def texels_of(samples: Samples, one: Texture) -> NDArray[np.uint32]:
    """The texels of footprints of one texture, by plain indexing."""
    found = np.empty((len(samples.footprints), 4), np.uint32)
    for i, f in enumerate(samples.footprints):
        level = one.levels[int(f["level"]) - (11 - len(one.levels))]
        for k in range(4):
            u, v = (int(f[name]) + step for name, step in (("u", k & 1), ("v", k >> 1)))
            x, y = (wrap_by_list(int(f[m]), c, len(level)) for m, c in (("mode_u", u), ("mode_v", v)))
            found[i, k] = level[y, x].view("<u4")[0]
    return found


def wrap_by_list(mode: int, c: int, side: int) -> int:
    """The wrapped coordinate, by writing the rule's period down."""
    row = list(range(side))
    if mode == CLAMP:
        return row[0] if c < 0 else row[-1] if c >= side else c
    period = row if mode == REPEAT else row + row[::-1]
    return period[c % len(period)]


@pytest.mark.parametrize(
    "lod, last, bilinear, trilinear",
    [
        (-5.0, 4, (0, 1, 0), (0, 1, 0)),
        (0.0, 4, (0, 1, 0), (0, 1, 0)),
        (0.4, 4, (0, 1, 0), (0, 2, 102)),
        (0.5, 4, (0, 1, 0), (0, 2, 128)),
        (1.5, 4, (2, 1, 0), (1, 2, 128)),
        (2.999, 4, (3, 1, 0), (2, 2, 255)),
        (3.0, 4, (3, 1, 0), (3, 2, 0)),
        (4.0, 4, (4, 1, 0), (4, 1, 0)),
        (99.0, 4, (4, 1, 0), (4, 1, 0)),
        (3.0, 0, (0, 1, 0), (0, 1, 0)),
    ],
)
def test_levels(lod: float, last: int, bilinear: Any, trilinear: Any) -> None:
    assert choose_levels(lod, last, False) == bilinear
    assert choose_levels(lod, last, True) == trilinear
