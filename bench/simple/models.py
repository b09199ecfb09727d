# SPDX-License-Identifier: Apache-2.0
"""Speed of the golden model beside pycachesim, on the same loads and stores, with the same lines written."""

from bench import oracle
from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from configs.simple.schema import STORE, Config
from models.memory import Memory
from models.simple import REQUEST, SimpleModel
from tb.common.components.packing import records
from workloads.simple.patterns import columns


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Requests per second; pycachesim (C) is fed one by one, as it must be to keep their order."""
    say("compiling")
    asked = records(REQUEST, columns(cfg, pattern, count))
    calls = list(zip(asked["op"].tolist(), (asked["word"] * cfg.word_bytes).tolist(), strict=True))
    few, lines = min(2000, len(asked)), dict[str, int]()

    def pycachesim() -> None:
        simulator, cache = oracle.simulator(cfg.cache)
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

    ways = {
        "pycachesim": (pycachesim, len(asked), "hits and lines written"),
        "golden model": (model, len(asked), "the same, with all data"),
        "golden model, one by one": (one_by_one, few, ""),
    }
    taken = fastest({name: timed(way) for name, (way, _, _) in ways.items()}, rounds, say)
    assert lines["pycachesim"] == lines["golden model"], lines
    return rows([(name, work, taken[name], remark) for name, (_, work, remark) in ways.items()])


BENCHMARK = Benchmark(
    "golden model", "requests", preset="base", patterns=("copy", "matrix", "scatter"), count=300_000,
    measure=measure,
)  # fmt: skip
