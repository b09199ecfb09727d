# SPDX-License-Identifier: Apache-2.0
"""Speed of the pipelined unit's testbench beside bare cocotb and the bare Verilated model, on the same quads.

Their clocks start in other phases, so that cycles may differ by a few; look-ups do not.
"""

from collections.abc import Callable
from typing import Any

from bench import testbench
from bench.benchmark import Benchmark
from bench.testbench import Log, Work
from bench.texpipe.replay import bare_run
from bench.texunit.tb import script, traffic
from bench.timing import ROUNDS, Row, Say, silent
from configs.texpipe.schema import Config
from models.memory import Memory
from tb.common.components import testcase
from tb.texunit.replay import work as packed


def work(summary: dict[str, Any], _: Log | None) -> Work:
    """Look-ups, and those that read no memory."""
    return {"lookups": summary["lookups"], "hits": summary["hits"]}


def bare_model(cfg: Config, log: Log) -> Callable[[], Work]:
    """A run of the Verilated library on words packed beforehand."""
    lanes = packed(cfg, 0, traffic(cfg, log))

    def once() -> Work:
        return work(bare_run(cfg, [lanes], Memory(1)), None)

    return once


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Quads per second, each run from reset on."""
    test = testcase.cases(cfg.block)[pattern]
    return testbench.measure(cfg, test, count, work, script, lambda log: bare_model(cfg, log), rounds, say)


BENCHMARK = Benchmark(
    "testbench", "quads", preset="one-unit", patterns=("random_traffic",), count=360,
    measure=measure,
)  # fmt: skip
