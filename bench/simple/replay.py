# SPDX-License-Identifier: Apache-2.0
"""Speed of trace replay beside the bare Verilated model, on the same requests, in the same cycles."""

from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from configs.simple.schema import Config
from models.memory import Memory
from tb.common.components.packing import Lanes, pack_lanes
from tb.common.replay.machine import Replay
from tb.common.replay.requests import Columns
from tb.common.replay.work import Work
from tb.simple.replay import columns, predict, requester
from workloads.simple.patterns import requests


def packed(cfg: Config, asked: Columns) -> Lanes:
    """Requests as the library takes them."""
    return pack_lanes(cfg.streams["req"], asked, len(asked["op"]))


def bare_run(cfg: Config, words: Lanes) -> dict[str, int]:
    """Run packed requests and throw away what comes out; the RTL's counters."""
    machine = Replay(cfg, Memory(1), cfg.cache.line_bytes)
    for _ in machine.run(Work(words)):
        pass
    return machine.counters()


def compared(cfg: Config, asked: Columns) -> None:
    """Replay and golden model. Raises AssertionError for the first difference."""
    ask, memory = requester(cfg), Memory(1)
    wrong = ask.check(cfg, asked, predict(cfg, asked, memory), ask.replay(cfg, asked, memory))
    assert not wrong, wrong[0].text


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Requests per second."""
    say("building")
    made, ask = requests(cfg, pattern, count), requester(cfg)
    asked = columns(made)
    words, whole = packed(cfg, asked), ask.replay(cfg, asked, Memory(1))
    predict(cfg, columns(made[:1]), Memory(1))  # compiles
    assert bare_run(cfg, words) == whole.counters, f"{cfg.name}, {pattern}: the runs differ"
    ways = {
        "bare model": timed(lambda: bare_run(cfg, words)),
        "replay": timed(lambda: ask.replay(cfg, asked, Memory(1))),
        "replay, compared": timed(lambda: compared(cfg, asked)),
    }
    taken = fastest(ways, rounds, say)
    remark = f"{whole.cycles / len(made):.2f} cycles each"
    return rows([(way, len(made), taken[way], remark * (way == "bare model")) for way in ways])


BENCHMARK = Benchmark(
    "trace replay", "requests", preset="base", patterns=("copy", "scatter"), count=100_000, measure=measure
)
