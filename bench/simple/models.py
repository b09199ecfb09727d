# SPDX-License-Identifier: Apache-2.0
"""Speed of the golden model beside pycachesim, on the same loads and stores, with the same lines written."""

import cachesim

from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from configs.simple.schema import STORE, Config
from models.memory import Memory
from models.simple import SimpleModel
from workloads.simple.patterns import requests


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Requests per second; pycachesim (C) is fed one by one, as it must be to keep their order."""
    say("compiling")
    asked = requests(cfg, pattern, count)
    calls = list(zip(asked["op"].tolist(), (asked["word"] * cfg.word_bytes).tolist(), strict=True))
    lines: dict[str, int] = {}

    def oracle() -> None:
        cache = cachesim.Cache("L1", cfg.cache.sets, 1, cfg.cache.line_bytes, "LRU")
        memory = cachesim.MainMemory()
        memory.load_to(cache)
        memory.store_from(cache)
        simulator = cachesim.CacheSimulator(cache, memory)
        for op, address in calls:
            (simulator.store if op == STORE else simulator.load)(address, length=cfg.word_bytes)
        lines["pycachesim"] = cache.stats()["EVICT_count"]

    def model() -> None:
        machine = SimpleModel(cfg, Memory())
        machine.replay(asked)
        lines["golden model"] = machine.counters["writes"]

    def one_by_one() -> None:
        machine = SimpleModel(cfg, Memory())
        for row in range(few):
            machine.replay(asked[row : row + 1])

    few = min(2000, len(asked))
    ways = (oracle, model, one_by_one)
    taken = fastest({way.__name__: timed(way) for way in ways}, rounds, say)
    assert lines["pycachesim"] == lines["golden model"], lines
    return rows(
        [
            ("pycachesim", len(asked), taken["oracle"], "hits and lines written"),
            ("golden model", len(asked), taken["model"], "the same, with all data"),
            ("golden model, one by one", few, taken["one_by_one"], ""),
        ]
    )


BENCHMARK = Benchmark(
    "golden model", "requests", preset="base", patterns=("copy", "matrix", "scatter"), count=300_000,
    measure=measure,
)  # fmt: skip
