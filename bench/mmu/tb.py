# SPDX-License-Identifier: Apache-2.0
"""Speed of the testbench beside bare cocotb and the bare Verilated model, on the same requests of both sides.

Which cache waits for the other hangs on the cycle of each request; what the shared RAM does does not.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from bench import testbench
from bench.benchmark import Benchmark
from bench.mmu.replay import bare_run, packed
from bench.testbench import Log, Work
from bench.timing import ROUNDS, Row, Say, silent
from configs.mmu.schema import Config
from tb.common.components import testcase
from tb.common.components.packing import unpack_words
from tb.mmu.sides import SIDES
from workloads.mmu.trace import Side

SAME = ("shared", "passes", "conflicts")


def work(counted: dict[str, Any], _: Log | None = None) -> Work:
    """What must agree."""
    return {name: counted[name] for name in SAME}


def script(log: Log) -> dict[str, Any]:
    """The words of both ports, played at once."""
    return {
        "ports": [[f"{side}_req", log.words(f"{side}_req"), f"{side}_res"] for side in SIDES],
        "counters": "perf",
    }


def bare_model(cfg: Config, log: Log) -> Callable[[], Work]:
    """A run of the Verilated library on words packed beforehand."""
    fields = [unpack_words(cfg.streams[f"{side}_req"], log.words(f"{side}_req")) for side in SIDES]
    fetches, accesses = (Side(np.arange(len(columns["op"])), columns) for columns in fields)
    asked = packed(cfg, (fetches, accesses))
    return lambda: work(bare_run(cfg, asked))


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Pairs of requests per second, each run from reset on; the test has the pattern's name."""
    test = testcase.cases(cfg.block)[pattern]
    return testbench.measure(cfg, test, count, work, script, lambda log: bare_model(cfg, log), rounds, say)


BENCHMARK = Benchmark(
    "testbench", "pairs of requests", preset="paper", patterns=("smoke",), count=300, measure=measure
)
