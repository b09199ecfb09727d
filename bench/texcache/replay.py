# SPDX-License-Identifier: Apache-2.0
"""Speed of trace replay beside the bare Verilated model, on the same footprints: see :mod:`bench.replays`."""

import numpy as np

from bench import replays
from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, silent
from configs.texcache.schema import Config
from tb.common.components.packing import Lanes
from tb.common.replay.machine import Replay
from tb.common.replay.work import Work
from tb.texcache.replay import check, lut_words, memory_of, predict, replay, request_words
from workloads.texcache.patterns import find
from workloads.texcache.trace import Trace


def bare_run(cfg: Config, trace: Trace, words: Lanes) -> dict[str, int]:
    """Run the footprints, packed as ``words``, and throw away what comes out; the RTL's counters."""
    machine = Replay(cfg, memory_of(trace), cfg.cache.line_bytes)
    machine.feed("lut", lut_words(cfg, trace.lut))
    for _ in machine.run(Work(words)):
        pass
    return machine.counters()


def compared(cfg: Config, trace: Trace) -> None:
    """Replay and golden model. Raises AssertionError for the first difference."""
    found = check(cfg, trace, predict(cfg, trace), replay(cfg, trace))
    assert not found, found[0].text


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Footprints per second."""
    say("building")
    trace = find(pattern).make(cfg, count, np.random.default_rng(1))
    words = request_words(cfg, trace.footprints)
    whole = replay(cfg, trace)
    predict(cfg, trace.first(1))  # compiles the model
    assert bare_run(cfg, trace, words) == whole.counters, f"{cfg.name}, {pattern}: the runs differ"
    return replays.compare(
        lambda: bare_run(cfg, trace, words), lambda: replay(cfg, trace), lambda: compared(cfg, trace),
        count, whole.cycles, rounds, say,
    )  # fmt: skip


BENCHMARK = Benchmark(
    "trace replay",
    "footprints",
    preset="paper",
    patterns=("magnified", "minified", "random-everywhere"),
    count=300_000,
    measure=measure,
)
