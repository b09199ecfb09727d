# SPDX-License-Identifier: Apache-2.0
"""Access patterns: legal for every configuration, repeatable, and doing what they are named after."""

import numpy as np
import pytest
from numpy.typing import NDArray

from configs import UserError, load, presets
from configs.texcache.schema import Config
from models.memory import Memory
from models.texcache import TexcacheModel
from models.texcache.lookups import lookups
from workloads.texcache.patterns import PATTERNS, find
from workloads.texcache.trace import Trace
from workloads.texcache.walks import screen

PAPER: Config = load("texcache")


def make(name: str, n: int = 2000, cfg: Config = PAPER, seed: int = 1, **options: int) -> Trace:
    return find(name).make(cfg, n, np.random.default_rng(seed), **options)


def hit_rate(trace: Trace, cfg: Config = PAPER) -> float:
    model = TexcacheModel(cfg, Memory(1), trace.lut)
    model.replay(trace.footprints)
    return model.counters["hits"] / model.counters["lookups"]


@pytest.mark.parametrize("preset", presets("texcache"))
@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_suit_every_preset(name: str, preset: str) -> None:
    cfg = load("texcache", preset)
    for n in (1, 7, 500):
        trace = make(name, n, cfg).check(cfg)
        assert len(trace) == n
        assert trace.name == name
        assert trace.meta == {"kind": "pattern", "pattern": name}
    assert PATTERNS[name].doc


@pytest.mark.parametrize("name", PATTERNS)
def test_the_seed_decides(name: str) -> None:
    first = make(name).footprints
    assert (make(name).footprints == first).all()
    assert (make(name, seed=2).footprints != first).any()


def test_random_range_stays_in_its_range_and_repeats() -> None:
    trace = make("random-range", 900, texels=3000, loop=300, level=1)
    place = trace.footprints["v"].astype(int) * 512 + trace.footprints["u"]
    assert place.min() >= 0
    assert place.max() < 3000
    assert (place[:300] == place[300:600]).all()
    assert len(np.unique(place)) > 250
    assert (trace.footprints["level"] == 1).all()


@pytest.mark.parametrize("preset", ["paper", "direct", "single-bank", "morton"])
def test_thrashing_never_hits(preset: str) -> None:
    cfg = load("texcache", preset)
    trace = make("thrashing", 300, cfg)
    assert hit_rate(trace, cfg) == 0
    stream = lookups(cfg, trace.footprints, trace.lut)
    left_upper = np.flatnonzero(np.diff(stream.footprint, prepend=-1))
    assert len(np.unique(stream.rows(cfg)[left_upper])) == 1
    assert len(np.unique(stream.line[left_upper])) == cfg.cache.ways + 1


def test_one_line_less_than_thrashing_hits_always() -> None:
    trace = make("thrashing", 300, lines=2)  # two rows each: the four ways are filled
    assert hit_rate(trace) > 0.97


def test_streaming_touches_every_line_once() -> None:
    trace = make("streaming", 20_000)
    stream = lookups(PAPER, trace.footprints, trace.lut)
    assert hit_rate(trace) == pytest.approx(0.75, abs=0.001)  # four footprints of two texels to a line
    _, times = np.unique(stream.line, return_counts=True)
    assert times.max() == 4


def test_levels_edges_and_textures_are_those_of_the_name() -> None:
    side = PAPER.max_side >> make("small-levels").footprints["level"].astype(int)
    assert (side.min(), side.max()) == (1, 16)
    level = make("level-changes").footprints["level"].astype(int)
    assert set(np.abs(np.diff(level)).tolist()) == {0, 1} and len(np.unique(level)) > 4
    edges = make("edges", 5000).footprints
    assert all((edges[name][edges[f"mode_{name}"] == mode] == -1).any() for name in "uv" for mode in range(3))
    pairs = make("trilinear", 1001)
    assert pairs.pixels == 501 and pairs.footprints["level"].tolist() == [0, 1] * 500 + [0]
    assert len(np.unique(make("many-textures", 20_000).footprints["tex"])) == PAPER.textures


def test_walks_move_as_their_scale_says() -> None:
    def step(name: str) -> float:
        """Mean distance from the left to the right pixel of a quad, in texels of the level."""
        trace = make(name, 4096)
        assert trace.fu is not None
        assert trace.fv is not None
        u = trace.footprints["u"] + trace.fu / 256
        v = trace.footprints["v"] + trace.fv / 256
        side = PAPER.max_side >> int(trace.footprints["level"][0])
        du, dv = (np.abs((values[1::4] - values[0::4] + side / 2) % side - side / 2) for values in (u, v))
        return float(np.hypot(du, dv).mean())

    assert step("magnified") == pytest.approx(0.25, abs=0.01)
    assert step("minified") == pytest.approx(1.3, abs=0.01)
    assert step("distant") == pytest.approx(11 / 8, abs=0.01)
    assert step("anisotropic") == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("tile", [0, 8, 16, 32])
def test_screens_are_filled_without_gaps(tile: int) -> None:
    x, y = screen(64 * 64, 64, tile)
    assert len(set(zip(x.tolist(), y.tolist(), strict=True))) == 64 * 64
    assert x.max() == y.max() == 63
    quads = np.stack([x // 2, y // 2]).reshape(2, -1, 4)
    assert (quads == quads[:, :, :1]).all()
    if tile:
        assert changes(y // tile * 99 + x // tile) == (64 // tile) ** 2 - 1


def changes(values: NDArray[np.int64]) -> int:
    return int((np.diff(values) != 0).sum())


def test_unknown_patterns_and_lengths_are_refused() -> None:
    with pytest.raises(UserError, match=r"unknown pattern 'spiral'.*streaming"):
        find("spiral")
    with pytest.raises(UserError, match="0 footprints"):
        make("edges", 0)
