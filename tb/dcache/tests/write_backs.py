# SPDX-License-Identifier: Apache-2.0
"""Dirty lines everywhere, and that what they hold reaches memory where it belongs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import CLEAN, FLUSH, LANES, Config
from models.dcache import WROTE
from tb.common.components.testcase import testcase
from tb.dcache.base import DcacheSequence

GENERATIONS = 3  # of lines, each as many as the cache has


def tag_bits(cfg: Config) -> int:
    """Bits of the tag of a cached line that can be 0 and 1."""
    return cfg.cache.tag_bits - (cfg.uncached_bits == 1)


def lowest_tag(cfg: Config) -> int:
    """The lowest tag whose complement in :func:`tag_bits` is cached, too."""
    return 1 << tag_bits(cfg) - cfg.uncached_bits if cfg.uncached_bits > 1 else 0


def tags(cfg: Config, rng: np.random.Generator) -> NDArray[np.int64]:
    """Different tags [sets, generations, ways] for each set; behind each one its complement."""
    cache, bits = cfg.cache, tag_bits(cfg)
    needed = GENERATIONS * cache.ways
    pairs = (needed + 1) // 2
    first = rng.integers(lowest_tag(cfg), (1 << bits - 1) - pairs + 1, size=(cache.sets, 1)) + np.arange(
        pairs
    )
    both = np.stack([first, (1 << bits) - 1 - first], axis=-1)
    return both.reshape(cache.sets, -1)[:, :needed].reshape(cache.sets, GENERATIONS, cache.ways)


def enough_tags(cfg: Config) -> bool:
    """Whether there are as many."""
    return (1 << tag_bits(cfg) - 1) - lowest_tag(cfg) >= (GENERATIONS * cfg.cache.ways + 1) // 2


@testcase(
    needs=lambda cfg: cfg.write_back and enough_tags(cfg), why="a write-back cache, and tags for its lines"
)
async def dirty_everywhere(run: DcacheSequence) -> None:
    """A line of every set and way, made dirty by a store that misses to each of its words, or by one that
    hits, is written back whole when it is replaced, and by a clean; each bit of its address is 0 and 1.
    """
    cache, words = run.cfg.cache, run.cfg.line_words
    everywhere = cache.sets * cache.ways
    await run.fill_in_turn()
    for first in range(0, words, cache.sets + cache.ways - 1):  # a miss to, and a hit of, each word
        initial, stored, loaded = np.moveaxis(tags(run.cfg, run.rng), 1, 0)
        await run.results((FLUSH,), *run.stores(_places(run, initial, first)))
        _check(run, "stores", await run.results(*run.stores(_places(run, stored, first))))
        results = await run.results((CLEAN,), *run.stores(_places(run, stored, first + 1)))
        run.expect("lines cleaned behind stores that missed", everywhere, int(results["tries"].sum()))
        _check(run, "loads", await run.results(*run.loads(_places(run, loaded, first), LANES)))
        results = await run.results(*run.stores(_places(run, loaded, first + 1)), (CLEAN,))
        run.expect("lines cleaned behind stores that hit", everywhere, int(results["tries"].sum()))


def _places(run: DcacheSequence, chosen: NDArray[np.int64], first: int) -> list[int]:
    """A word of each line of tags [sets, ways], set by set; other words in other sets and ways."""
    return [
        run.place(index, int(chosen[index, way]), (first + index + way) % run.cfg.line_words)
        for way in range(run.cfg.cache.ways)
        for index in range(run.cfg.cache.sets)
    ]


def _check(run: DcacheSequence, what: str, results: NDArray[Any]) -> None:
    """Every line was replaced, and each bit of the addresses of what was written 0 and 1."""
    written = results["victim"][results["burst"] & WROTE != 0]
    run.expect(f"lines that {what} replaced", run.cfg.cache.sets * run.cfg.cache.ways, len(written))
    if run.cfg.cache.ways == 1:
        return  # no complement is in the same set
    bits = tag_bits(run.cfg) + run.cfg.cache.set_bits
    toggled = np.bitwise_or.reduce(written) & ~np.bitwise_and.reduce(written)
    run.expect("bits of their addresses that were 0 and 1", (1 << bits) - 1, int(toggled))
