# SPDX-License-Identifier: Apache-2.0
"""Speed of the testbench beside bare cocotb and the bare Verilated model, on the same requests."""

from collections.abc import Callable
from typing import Any

from bench import testbench
from bench.benchmark import Benchmark
from bench.simple.replay import bare_run, packed
from bench.testbench import Log, Runs, Work
from bench.timing import ROUNDS, Row, Say, silent
from configs.simple.schema import Config
from tb.common.components import testcase
from tb.simple.items import requests_of
from tb.simple.replay import columns


def work(summary: dict[str, Any], _: Log | None) -> Work:
    """Loads and stores, and those that hit."""
    lookups = summary["lookups"] if "lookups" in summary else summary["loads"] + summary["stores"]
    return {"lookups": lookups, "hits": summary["hits"]}


def script(log: Log) -> dict[str, Any]:
    """The requests in order."""
    return {"play": log.play("req"), "result": "res", "counters": "perf"}


def bare_model(cfg: Config, log: Log) -> Callable[[], Work]:
    """A run of the Verilated library on words packed beforehand."""
    words = packed(cfg, columns(requests_of(cfg, log.words("req"))))
    return lambda: work(bare_run(cfg, words), None)


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Requests per second, each run from reset on."""
    test = testcase.cases(cfg.block)[pattern]
    with testbench.scratch(cfg.block) as folder:
        runs = Runs(cfg, count, folder, work)
        return testbench.compare(runs, test, script, lambda log: bare_model(cfg, log), rounds, say)


BENCHMARK = Benchmark(
    "testbench", "requests", preset="base", patterns=("random_traffic",), count=3_000, measure=measure
)
