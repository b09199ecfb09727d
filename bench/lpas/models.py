# SPDX-License-Identifier: Apache-2.0
"""Speed of the golden model of ``lpas`` beside pycachesim, on the same loads and stores.

The caches together are one direct-mapped cache of all their lines: home and line lie side by side in an
address. pycachesim (C) is given the accesses in the order in which the model's caches granted them, and so
must miss as often and write back as many lines; it knows of no cycles, PEs and arbiters.
"""

import numpy as np
from numpy.typing import NDArray

from bench import oracle
from bench.benchmark import Benchmark
from bench.lpas.replay import requests
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from configs.lpas.schema import STORE, WORD_BYTES, Config
from configs.parts import CacheGeometry
from models.lpas import LpasModel
from models.memory import Memory


def as_one(cfg: Config) -> CacheGeometry:
    """All caches as one."""
    return CacheGeometry(sets=cfg.pes * cfg.cache.sets, ways=1, line_bytes=cfg.cache.line_bytes)


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Accesses per second; see :class:`bench.benchmark.Measure`."""
    say("compiling")
    asked = requests(cfg, pattern, count)
    found = LpasModel(cfg, Memory()).replay(asked)
    order: NDArray[np.int64] = np.argsort(found["granted"], kind="stable")
    stores = (asked["op"][order] == STORE).tolist()
    accesses = oracle.Accesses(stores, (asked["word"][order] * WORD_BYTES).tolist(), WORD_BYTES)
    did: dict[str, tuple[int, int]] = {}
    cycles = int(found["done"].max()) + 1

    def pycachesim() -> None:
        simulator, cache = oracle.simulator(as_one(cfg))
        oracle.feed(simulator, accesses)
        stats = cache.stats()
        did["pycachesim"] = stats["MISS_count"], stats["EVICT_count"]

    def model() -> None:
        machine = LpasModel(cfg, Memory())
        machine.replay(asked)
        did["golden model"] = machine.counters["misses"], machine.counters["write_backs"]

    taken = fastest({"pycachesim": timed(pycachesim), "golden model": timed(model)}, rounds, say)
    assert did["pycachesim"] == did["golden model"], did
    speed = f"cycle by cycle, {cycles / taken['golden model'] / 1e6:.2f} M cycles/s"
    return rows(
        [
            ("pycachesim", len(asked), taken["pycachesim"], "one by one, in the order of the grants"),
            ("golden model", len(asked), taken["golden model"], speed),
        ]
    )


BENCHMARK = Benchmark(
    "golden model", "accesses", preset="paper", patterns=("own", "scatter", "histogram"), count=300_000,
    measure=measure,
)  # fmt: skip
