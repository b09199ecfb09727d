# SPDX-License-Identifier: Apache-2.0
"""Hit totals against pycachesim, which nobody here wrote (AGPL: used in tests and benchmarks only)."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bench import oracle as pycachesim
from configs import load
from configs.parts import CacheGeometry
from models.memory import Memory
from models.texcache import TexcacheModel, allocate
from models.texcache.lookups import lookups
from tests.models.strategies import random_footprints


def oracle(lines: NDArray[np.int64], sets: int, ways: int, line_bytes: int) -> tuple[int, int]:
    """Hits and misses of an LRU cache that loads one byte of every line."""
    geometry = CacheGeometry(sets=sets, ways=ways, line_bytes=line_bytes)
    simulator, cache = pycachesim.simulator(geometry)
    simulator.load((lines * line_bytes).tolist(), length=1)
    stats = cache.stats()
    return stats["HIT_count"], stats["MISS_count"]


def in_sets(lines: NDArray[Any], sets: NDArray[Any], count: int) -> NDArray[np.int64]:
    """Other numbers of the same ``lines`` [n], whose lowest bits are their ``sets`` [n]."""
    names = np.unique(lines, return_inverse=True)[1].astype(np.int64)
    return names * count + sets


def walk(cfg: Any, seed: int) -> NDArray[Any]:
    return random_footprints(cfg, 20_000, seed, span=64)


@pytest.mark.parametrize("preset", ["single-bank", "single-port"])
@pytest.mark.parametrize(
    "overrides", [(), ("ways=1",), ("ways=8", "sets=8"), ("ways=2", "line_bytes=64"), ("layout=morton",)]
)
def test_single_bank_totals(preset: str, overrides: tuple[str, ...]) -> None:
    """With one bank the texture cache is a plain LRU cache over its line stream."""
    cfg = load("texcache", preset, overrides)
    lut = allocate(cfg, [1024] * cfg.textures)[0]
    model = TexcacheModel(cfg, Memory(), lut)
    footprints = walk(cfg, seed=21)
    model.replay(footprints)
    hits, misses = oracle(
        lookups(cfg, footprints, lut).line, cfg.cache.sets, cfg.cache.ways, cfg.cache.line_bytes
    )
    assert (model.counters["hits"], model.counters["misses"]) == (hits, misses)
    assert 0 < misses < hits


@pytest.mark.parametrize("preset", ["paper", "conflict-free"])
def test_each_bank_is_a_cache_of_its_own(preset: str) -> None:
    """Every bank's share of the stream, run by itself: with small levels in the last one, or by parity."""
    cfg = load("texcache", preset)
    lut = allocate(cfg, [1024] * cfg.textures)[0]
    footprints = walk(cfg, seed=23)
    results = TexcacheModel(cfg, Memory(), lut).replay(footprints)
    for bank in range(cfg.banks):
        mine = (results["valid"] == 1) & (results["bank"] == bank)
        lines = in_sets(results["line"][mine], results["set"][mine], cfg.cache.sets)
        hits, misses = oracle(lines, cfg.cache.sets, cfg.cache.ways, cfg.cache.line_bytes)
        assert (int(results["hit"][mine].sum()), int(mine.sum())) == (hits, hits + misses), f"bank {bank}"
