# SPDX-License-Identifier: Apache-2.0
"""Speed of the texture unit's testbench beside bare cocotb and the bare Verilated model, on the same quads.

Their clocks start in other phases, so that cycles may differ by a few; queries and their kinds do not.
"""

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from bench import testbench
from bench.benchmark import Benchmark
from bench.testbench import Log, Work
from bench.texunit.replay import bare_run
from bench.timing import ROUNDS, Row, Say, silent
from configs.texunit.schema import Units
from models.memory import Memory
from models.texunit import PRIM, QUAD
from tb.common.components import testcase
from tb.texunit import replay
from tb.texunit.items import prim_of, quad_of
from tb.texunit.units import work as packed
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
    """Cache queries, or lines looked up, and those of them that read no memory."""
    if "queries" in summary:
        return {"queries": summary["queries"], "hits": summary["hits"] + summary["repeats"]}
    return {"queries": summary["lookups"], "hits": summary["hits"]}


def script(log: Log) -> dict[str, Any]:
    """Primitives and quads in order."""
    return {"play": log.play("prim0", "quad0"), "result": "res0", "counters": "perf0"}


def bare_model(rtl: ModuleType, cfg: Any, log: Log) -> Callable[[], Work]:
    """A run of the Verilated library on words packed beforehand."""
    lanes = packed(cfg, 0, traffic(cfg, log))

    def once() -> Work:
        return work(bare_run(rtl.machine(cfg, Memory(1)), lanes), None)

    return once


def measure(
    rtl: ModuleType, cfg: Any, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent
) -> list[Row]:
    """Quads per second, each run from reset on; ``rtl``: the module ``replay`` of the block's testbench."""
    test = testcase.cases(cfg.block)[pattern]
    bare = partial(bare_model, rtl, cfg)
    return testbench.measure(cfg, test, count, work, script, bare, rounds, say)


def benchmark(rtl: ModuleType) -> Benchmark:
    """The testbench of the RTL that the module ``rtl`` runs."""
    return Benchmark("testbench", "quads", "one-unit", ("random_traffic",), 360, partial(measure, rtl))


BENCHMARK = benchmark(replay)
