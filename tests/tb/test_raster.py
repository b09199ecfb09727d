# SPDX-License-Identifier: Apache-2.0
"""What takes so many words of ``raster`` that only a replay gets there: numbers that wrap around, volume."""

import numpy as np
import pytest

from configs import load
from configs.raster.schema import POINTS, VERTEX
from models.raster import VERTEX as WORD
from tb.common.replay.traffic import Traffic
from tb.raster.items import Distribution, begin
from tb.raster.replay import verified


@pytest.mark.slow
def test_numbers_of_primitives_wrap_around() -> None:
    cfg, count = load("raster", "tiny"), (1 << 16) + 5
    words = np.zeros(count + 1, WORD)
    words[0] = begin(POINTS, 32, 32)
    words["op"][1:] = VERTEX
    words["x"][1:] = words["y"][1:] = 256 * (np.arange(count) % 30)
    rtl, _, wrong = verified(cfg, words)
    assert not wrong, wrong[0].text
    assert rtl.tiles["prim"][-6:].tolist() == [65535, 0, 1, 2, 3, 4]


@pytest.mark.parametrize("preset", ["base", "visited", "tiny"])
@pytest.mark.parametrize("seed", [1, 2])
def test_scenes_in_volume(preset: str, seed: int) -> None:
    cfg, rng = load("raster", preset), np.random.default_rng(seed)
    traffic = Traffic.random(seed, "request", result=0.2)
    for distribution in (Distribution(size=2, round=0.8, again=0.2), Distribution(window=200, size=100)):
        words = distribution.draw(cfg, rng, 8000)
        rtl, model, wrong = verified(cfg, words, seed, traffic=traffic)
        assert not wrong, wrong[0].text
        assert len(rtl.tiles) == len(model.tiles) > 4000
