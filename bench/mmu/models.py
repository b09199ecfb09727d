# SPDX-License-Identifier: Apache-2.0
"""Speed of the golden model of ``mmu`` beside pycachesim, on the same fetches, loads and stores.

Both caches replace first in, first out here, as pycachesim (C) does, whose LRU overlooks stores; it has one
simulator for each and knows of no shared RAM, no data and no control port. It must hit as often in the code,
and write back as many lines.
"""

import numpy as np

from bench import golden, oracle
from bench.benchmark import Benchmark
from bench.dcache.models import accesses as data_accesses
from bench.icache.models import accesses as code_accesses
from bench.mmu.replay import PATTERNS, asked
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from configs.dcache.schema import STORE
from configs.mmu.schema import Config
from models.memory import Memory
from models.mmu import MmuModel
from tb.mmu.prediction import asked_of

FEW = 2000  # requests that are given one by one


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Requests of both caches per second; see :class:`bench.benchmark.Measure`."""
    say("compiling")
    cfg = cfg.with_(icache={"cache": golden.FIFO}, dcache={"cache": golden.FIFO})
    sides = asked_of(asked(cfg, pattern, count).sides)
    sides[1] = sides[1][sides[1]["op"] <= STORE]  # without the clean behind them, which pycachesim has not
    words = code_accesses(cfg.icache, sides[0]), data_accesses(cfg.dcache, sides[1])
    few = [np.split(side[: FEW // 2], min(FEW // 2, len(side))) for side in sides]
    did: dict[str, tuple[int, int]] = {}

    def pycachesim() -> None:
        counts = []
        for geometry, of_one in zip((cfg.icache.cache, cfg.dcache.cache), words, strict=True):
            simulator, cache = oracle.simulator(geometry, "FIFO")
            oracle.feed(simulator, of_one)
            counts.append(cache.stats())
        did["pycachesim"] = counts[0]["HIT_count"], counts[1]["EVICT_count"]

    def model() -> None:
        machine = MmuModel(cfg, Memory())
        machine.fetch(sides[0])
        machine.access(sides[1])
        did["golden model"] = machine.icache.counters["hits"], machine.dcache.counters["writes"]

    def one_by_one() -> None:
        machine = MmuModel(cfg, Memory())
        for fetch, access in zip(*few, strict=False):
            machine.fetch(fetch)
            machine.access(access)

    ways = {
        "pycachesim": (pycachesim, sum(len(one.addresses) for one in words), "hits, lines written"),
        "golden model": (model, sum(map(len, sides)), "the same, with all data"),
        "golden model, one by one": (one_by_one, 2 * min(map(len, few)), ""),
    }
    taken = fastest({name: timed(way) for name, (way, _, _) in ways.items()}, rounds, say)
    assert did["pycachesim"] == did["golden model"], did
    return rows([(name, work, taken[name], remark) for name, (_, work, remark) in ways.items()])


BENCHMARK = Benchmark(
    "golden model", "requests", preset="paper", patterns=tuple(PATTERNS), count=40_000, measure=measure
)
