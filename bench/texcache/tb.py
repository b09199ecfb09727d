# SPDX-License-Identifier: Apache-2.0
"""Speed of the texture cache's testbench beside bare cocotb and the bare Verilated model, cycle for cycle."""

from collections.abc import Callable
from typing import Any

import numpy as np

from bench import testbench
from bench.benchmark import Benchmark
from bench.testbench import Log, Work
from bench.texcache.replay import bare_run
from bench.timing import ROUNDS, Row, Say, silent
from configs.texcache.schema import Config
from tb.common.components import testcase
from tb.common.components.packing import unpack_words
from tb.texcache.items import requests
from tb.texcache.replay import replay, request_words
from workloads.texcache.trace import Trace


def traffic(cfg: Config, log: Log) -> Trace:
    """Table and footprints of a log."""
    entries = unpack_words(cfg.streams["lut"], log.words("lut"))
    lut = np.zeros((cfg.textures, cfg.levels), np.uint32)
    lut[entries["tex"], entries["level"]] = entries["base"]
    return Trace(requests(cfg, log.words("req"))[0], lut, name="bench")


def work(summary: dict[str, Any], log: Log | None) -> Work:
    """Cycles from the first request to the last result, look-ups and hits."""
    cycles = log.cycles("req", "res") if log else summary["cycles"]
    return {"cycles": cycles, "lookups": summary["lookups"], "hits": summary["hits"]}


def script(log: Log) -> dict[str, Any]:
    """The table, then the footprints."""
    return {"play": log.play("lut", "req"), "result": "res", "counters": "perf"}


def bare_model(cfg: Config, log: Log) -> Callable[[], Work]:
    """A run of the Verilated library on words packed beforehand."""
    trace = traffic(cfg, log)
    cycles, words = replay(cfg, trace).cycles, request_words(cfg, trace.footprints)

    def once() -> Work:
        counters = bare_run(cfg, trace, words)
        return {"cycles": cycles, "lookups": counters["lookups"], "hits": counters["hits"]}

    return once


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Footprints per second, each run from reset on with the table written first."""
    test = testcase.cases(cfg.block)[f"pattern_{pattern.replace('-', '_')}"]
    return testbench.measure(cfg, test, count, work, script, lambda log: bare_model(cfg, log), rounds, say)


BENCHMARK = Benchmark(
    "testbench",
    "footprints",
    preset="paper",
    patterns=("magnified", "minified"),
    count=8_000,
    measure=measure,
)
