# SPDX-License-Identifier: Apache-2.0
"""Speed of the texture unit's testbench beside bare cocotb and the bare Verilated model, on the same quads.

Their clocks start in other phases, so that cycles may differ by a few; queries and their kinds do not.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from bench import testbench
from bench.benchmark import Benchmark
from bench.testbench import Log, Work
from bench.texunit.replay import bare_run
from bench.timing import ROUNDS, Row, Say, silent
from configs.texunit.schema import Config, Units
from models.memory import Memory
from models.texunit import PRIM, QUAD
from tb.common.components import testcase
from tb.texunit.items import prim_of, quad_of
from tb.texunit.replay import work as packed
from workloads.texunit.quads import QuadStream


def traffic(cfg: Units, log: Log) -> QuadStream:
    """Primitives and quads of a log."""
    prims, quads, prim_of_quad = [], [], []
    for name, words in log.play("prim0", "quad0"):
        for word in words:
            if name == "prim0":
                prims.append(prim_of(cfg, word))
            else:
                quads.append(quad_of(cfg, word))
                prim_of_quad.append(len(prims) - 1)
    return QuadStream(np.array(prims, PRIM), np.array(quads, QUAD), np.array(prim_of_quad, np.int64))


def work(summary: dict[str, Any], _: Log | None) -> Work:
    """Cache queries, and those that read no memory."""
    if "queries" in summary:
        return {"queries": summary["queries"], "hits": summary["hits"] + summary["repeats"]}
    return {"queries": summary["lookups"], "hits": summary["hits"]}


def script(log: Log) -> dict[str, Any]:
    """Primitives and quads in order."""
    return {"play": log.play("prim0", "quad0"), "result": "res0", "counters": "perf0"}


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
