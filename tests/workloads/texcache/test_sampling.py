# SPDX-License-Identifier: Apache-2.0
"""The sampler: its filter against scipy, its coordinates against the rules of wrapping written down."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.wrapping import wrap
from workloads.scenes.scene import CLAMP, MIRROR, REPEAT
from workloads.texcache.sampling import choose_levels, reduced

COMPILED = settings(deadline=None)


@COMPILED
@given(st.sampled_from([REPEAT, CLAMP, MIRROR]), st.integers(0, 10), st.integers(-9000, 9000))
def test_reduced_coordinates_mean_the_same_texels_and_fit(mode: int, log2_side: int, texel: int) -> None:
    side = 1 << log2_side
    folded = reduced(mode, texel, side)
    assert -1 <= folded <= max(2 * side - 1, 0)
    assert wrap(mode, folded, log2_side) == wrap(mode, texel, log2_side)
    assert wrap(mode, folded + 1, log2_side) == wrap(mode, texel + 1, log2_side)


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
