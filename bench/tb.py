# SPDX-License-Identifier: Apache-2.0
"""Speed of the pyuvm testbench beside bare cocotb and the bare model: ``python -m bench.tb``.

The same footprints, from the same seed, with the same memory timing: through the bare Verilated model (no
Python in the cycle loop, nothing looked at), through plain cocotb coroutines (nothing compared), and through
the pyuvm environment (every look-up, texel, line address and cycle compared, coverage sampled).
"""

import os
import statistics
from pathlib import Path

import numpy as np

from bench._bare_cocotb import LOG, logged
from bench.replay import bare_run
from bench.timing import Benchmark, Row, rows, seconds
from configs import cli
from configs.texcache.schema import Config
from tb.common import builds, runner, testcase
from tb.common.packing import unpack_words
from tb.common.testcase import TestCase
from tb.texcache.items import requests
from workloads.trace import Trace

PATTERNS = ("magnified", "minified")
COUNT = 10_000
ROUNDS = 2
BARE = TestCase("bare", "bench._bare_cocotb", "", lambda cfg: True, "", builds.SIMULATORS)


def simulated(cfg: Config, simulator: str, test: TestCase, count: int) -> runner.RunResult:
    """The run of one test. Raises AssertionError if it fails."""
    made = builds.build(cfg, simulator)
    folder = builds.BUILD / "bench" / cfg.block / f"{simulator}-{test.name}"
    found = runner.run(made, [test], seed=1, count=count, folder=folder)
    assert found.passed, found.outcomes[0].message
    assert found.kept[test.name]["summary"]["checked"] == count
    return found


def traffic(cfg: Config, log: Path) -> Trace:
    """Table and footprints of a transaction log."""
    entries = unpack_words(cfg.streams["lut"], logged(log, "lut"))
    lut = np.zeros((cfg.textures, cfg.levels), np.uint32)
    lut[entries["tex"], entries["level"]] = entries["base"]
    return Trace(requests(cfg, logged(log, "req"))[0], lut, name="bench")


def measure(cfg: Config, pattern: str, count: int = COUNT, rounds: int = ROUNDS) -> list[Row]:
    """Footprints per second. Raises AssertionError unless all have the same hits."""
    checked = testcase.cases(cfg.block)[f"pattern_{pattern}"]
    log = simulated(cfg, "verilator", checked, count).folder / f"{checked.name}.log"
    os.environ[LOG] = str(log)
    trace = traffic(cfg, log)
    hits: set[int] = {bare_run(cfg, trace)["hits"]}  # builds what is missing
    taken: dict[str, list[float]] = {}
    for _ in range(rounds):
        taken.setdefault("bare model", []).append(seconds(lambda: bare_run(cfg, trace)))
        for simulator in builds.SIMULATORS:
            for name, test in (("bare cocotb", BARE), ("pyuvm, checked", checked)):
                figures = simulated(cfg, simulator, test, count).kept[test.name]["summary"]
                taken.setdefault(f"{name}, {simulator}", []).append(figures["seconds"])
                hits.add(figures["hits"])
    assert len(hits) == 1, f"{pattern}: {hits}"
    return rows([(what, count, statistics.median(times), "") for what, times in taken.items()])


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`configs.UserError`."""
    return Benchmark("bench.tb", "testbench", "footprints", "paper", PATTERNS, COUNT, measure).run(argv)


if __name__ == "__main__":
    cli.run(main)
