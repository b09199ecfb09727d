# SPDX-License-Identifier: Apache-2.0
"""Speed of trace replay beside the bare Verilated model, on the same requests, in the same cycles."""

from typing import Any

from numpy.typing import NDArray

from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from configs.simple.schema import Config
from models.memory import Memory
from tb.common.components.packing import Lanes
from tb.common.replay.machine import Replay, Work
from tb.simple.replay import check, predict, replay, words
from workloads.simple.patterns import requests


def bare_run(cfg: Config, packed: Lanes) -> dict[str, int]:
    """Run packed requests and throw away what comes out; the RTL's counters."""
    machine = Replay(cfg, Memory(1), cfg.cache.line_bytes)
    for _ in machine.run(Work(packed)):
        pass
    return machine.counters()


def compared(cfg: Config, asked: NDArray[Any]) -> None:
    """Replay and golden model. Raises AssertionError for the first difference."""
    model, result = predict(cfg, asked)
    wrong = check(cfg, asked, model, result, replay(cfg, asked))
    assert not wrong, wrong[0].text


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Requests per second."""
    say("building")
    asked = requests(cfg, pattern, count)
    packed, whole = words(cfg, asked), replay(cfg, asked)
    predict(cfg, asked[:1])  # compiles
    assert bare_run(cfg, packed) == whole.counters, f"{cfg.name}, {pattern}: the runs differ"
    ways = {
        "bare model": timed(lambda: bare_run(cfg, packed)),
        "replay": timed(lambda: replay(cfg, asked)),
        "replay, compared": timed(lambda: compared(cfg, asked)),
    }
    taken = fastest(ways, rounds, say)
    remark = f"{whole.cycles / len(asked):.2f} cycles each"
    return rows([(way, len(asked), taken[way], remark * (way == "bare model")) for way in ways])


BENCHMARK = Benchmark(
    "trace replay", "requests", preset="base", patterns=("copy", "scatter"), count=100_000, measure=measure
)
