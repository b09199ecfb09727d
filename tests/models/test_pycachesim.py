# SPDX-License-Identifier: Apache-2.0
"""Hits of texture caches against pycachesim, which nobody here wrote (AGPL: in tests and benchmarks only)."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bench import oracle
from configs import load
from configs.parts import CacheGeometry
from models.memory import Memory
from models.texcache import TexcacheModel, allocate
from models.texpipe import PRIM, TexpipeModel
from models.texpipe.banks import BANKS, set_of
from tb.texunit.items import Distribution
from tests.models.strategies import random_footprints


def assert_hits(
    cache: CacheGeometry, lines: NDArray[Any], sets: NDArray[Any], hits: NDArray[Any], bank: int
) -> None:
    """Look-ups [n] of a bank, with hits and misses among them, hit as often as in an LRU cache.

    The simulator gets other line numbers, whose lowest bits are their sets.
    """
    names = np.unique(lines, return_inverse=True)[1].astype(np.int64)
    simulator, simulated = oracle.simulator(CacheGeometry(sets=cache.sets, ways=cache.ways, line_bytes=64))
    simulator.load(((names * cache.sets + sets) * 64).tolist(), length=1)
    stats = simulated.stats()
    assert (stats["HIT_count"], stats["MISS_count"]) == (hits.sum(), len(lines) - hits.sum()), f"bank {bank}"
    assert 0 < hits.sum() < len(lines), f"bank {bank}"


@pytest.mark.parametrize(
    ("preset", "overrides"),
    [
        ("paper", ()), ("conflict-free", ()), ("single-port", ("layout=morton",)), ("single-bank", ()),
        ("single-bank", ("ways=1",)), ("single-bank", ("ways=8", "sets=8")),
        ("single-bank", ("ways=2", "line_bytes=64")),
    ],
)  # fmt: skip
def test_each_bank_of_texcache(preset: str, overrides: tuple[str, ...]) -> None:
    """With small levels in the last one, or by parity; one bank is a cache over the whole stream."""
    cfg = load("texcache", preset, overrides)
    lut = allocate(cfg, [1024] * cfg.textures)[0]
    results = TexcacheModel(cfg, Memory(), lut).replay(random_footprints(cfg, 20_000, 23, span=64))
    for bank in range(cfg.banks):
        mine = (results["valid"] == 1) & (results["bank"] == bank)
        assert_hits(cfg.cache, results["line"][mine], results["set"][mine], results["hit"][mine], bank)


@pytest.mark.parametrize("preset", ["one-unit", "narrow"])
def test_each_bank_of_texpipe(preset: str) -> None:
    cfg: Any = load("texpipe", preset)
    rng, drawn = np.random.default_rng(5), Distribution()
    prims = np.array([drawn.prim(cfg, rng) for _ in range(300)], PRIM)
    prims["invalidate"] = 0
    prims["base"] %= 64  # textures that overlap: lines are used again
    quads = np.concatenate([drawn.quads(rng, prim, 10) for prim in prims])
    _, beats = TexpipeModel(cfg, Memory(3)).replay(prims, quads, np.repeat(np.arange(len(prims)), 10))
    for bank in range(BANKS):
        mine = beats["valid"][:, bank] == 1
        lines = beats["line"][mine, bank].astype(np.int64)
        sets = np.array([set_of(line, cfg.cache.set_bits) for line in lines.tolist()])
        assert_hits(cfg.cache, lines, sets, beats["hit"][mine, bank], bank)
