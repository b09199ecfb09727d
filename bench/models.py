# SPDX-License-Identifier: Apache-2.0
"""Speed of the golden model beside pycachesim: ``python -m bench.models``.

Both see the same look-ups of the single-bank texture cache and must count the same hits. The golden model
starts from footprints: it wraps coordinates, computes addresses, reads texels and returns a record per
footprint. pycachesim (C behind a Python list) starts from the addresses of the lines, and counts.
"""

from collections.abc import Callable

import cachesim
import numpy as np

from bench.timing import ROUNDS, Benchmark, Row, medians, rows
from configs import cli
from configs.texcache.schema import Config
from models.memory import Memory
from models.stack import sweep
from models.texcache import TexcacheModel
from models.texlookups import lookups
from workloads.patterns import find

PATTERNS = ("magnified", "minified", "random-everywhere")
COUNT = 1_000_000
SINGLE = 200  # one in so many footprints goes through the per-access function
GEOMETRIES = 16  # of a sweep: as many sizes and ways, one after the other in pycachesim


def measure(cfg: Config, pattern: str, count: int = COUNT, rounds: int = ROUNDS) -> list[Row]:
    """Look-ups per second. Raises AssertionError unless both count the same hits."""
    trace = find(pattern).make(cfg, count, np.random.default_rng(1))
    lines = lookups(cfg, trace.footprints, trace.lut).line
    addresses = (lines * cfg.line_bytes).tolist()
    few = trace.footprints[: max(1, count // SINGLE)]
    hits: dict[str, int] = {}

    def model() -> None:
        machine = TexcacheModel(cfg, Memory(), trace.lut)
        machine.replay(trace.footprints)
        hits["model"] = machine.counters["hits"]

    def oracle() -> None:
        cache, memory = cachesim.Cache("L1", cfg.sets, cfg.ways, cfg.line_bytes, "LRU"), cachesim.MainMemory()
        memory.load_to(cache)
        memory.store_from(cache)
        cachesim.CacheSimulator(cache, memory).load(addresses, length=1)
        hits["oracle"] = cache.stats()["HIT_count"]

    def single() -> None:
        machine = TexcacheModel(cfg, Memory(), trace.lut)
        for footprint in few:
            machine.access(footprint)

    geometries: list[Config] = [cfg.with_(sets=16 << n % 4, ways=1 << n // 4) for n in range(GEOMETRIES)]

    def sweeping() -> None:
        sweep(geometries, trace.footprints, trace.lut)

    ways: dict[str, Callable[[], None]] = {
        "oracle": oracle,
        "model": model,
        "sweep": sweeping,
        "single": single,
    }
    model()  # compiles
    sweeping()
    taken = medians(ways, rounds)
    assert hits["model"] == hits["oracle"], f"{pattern}: {hits}"
    share = len(lookups(cfg, few, trace.lut).line)
    return rows(
        [
            ("pycachesim", len(lines), taken["oracle"], "line addresses to hits"),
            (
                "golden model",
                len(lines),
                taken["model"],
                f"{count / taken['model'] / 1e6:.1f} M footprints/s",
            ),
            ("sweep", len(lines) * GEOMETRIES, taken["sweep"], f"{GEOMETRIES} geometries in few passes"),
            ("one by one", share, taken["single"], "the scoreboard's way: access() from Python"),
        ]
    )


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`configs.UserError`."""
    return Benchmark("bench.models", "golden model", "look-ups", "single-bank", PATTERNS, COUNT, measure).run(
        argv
    )


if __name__ == "__main__":
    cli.run(main)
