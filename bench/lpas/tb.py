# SPDX-License-Identifier: Apache-2.0
"""Speed of the testbench beside bare cocotb and the bare Verilated model, on the same requests of all PEs.

Who meets whom, and so which lines stay, hangs on the cycle of each request; what is asked does not.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from bench import testbench
from bench.benchmark import Benchmark
from bench.lpas.replay import bare_run
from bench.testbench import Log, Work
from bench.timing import ROUNDS, Row, Say, silent
from configs.lpas.schema import Config
from models.lpas import REQUEST
from tb.common.components import testcase
from tb.common.components.packing import unpack_words
from tb.lpas.replay import works

SAME = ("loads", "stores", "outside", "errors")


def work(counted: dict[str, Any], _: Log | None = None) -> Work:
    """What must agree."""
    return {name: counted[name] for name in SAME}


def script(cfg: Config, log: Log) -> dict[str, Any]:
    """The words of each PE, played at once."""
    ports = [[f"req{pe}", log.words(f"req{pe}"), f"res{pe}"] for pe in range(cfg.pes)]
    return {"ports": ports, "counters": "perf"}


def bare_model(cfg: Config, log: Log) -> Callable[[], Work]:
    """A run of the Verilated library on words packed beforehand."""
    asked = []
    for pe in range(cfg.pes):
        fields = unpack_words(cfg.streams[f"req{pe}"], log.words(f"req{pe}"))
        mine = np.zeros(len(fields["op"]), REQUEST)
        mine["pe"] = pe
        for name, column in fields.items():
            mine[name] = column
        asked.append(mine)
    packed, _ = works(cfg, np.concatenate(asked))
    return lambda: work(bare_run(cfg, packed))


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Requests per second, each run from reset on; the test has the pattern's name."""
    test = testcase.cases(cfg.block)[pattern]
    return testbench.measure(
        cfg, test, count, work, lambda log: script(cfg, log), lambda log: bare_model(cfg, log), rounds, say
    )


BENCHMARK = Benchmark(
    "testbench", "requests", preset="paper", patterns=("random_traffic",), count=1_000, measure=measure
)
