# SPDX-License-Identifier: Apache-2.0
"""Speed of the pyuvm testbench beside bare cocotb and the bare model: ``python -m bench.tb``.

The same footprints, from the same seed, with the same memory timing: through the bare Verilated model (no Python
in the cycle loop, nothing looked at), through plain cocotb coroutines (nothing compared), and through the pyuvm
environment (every look-up, texel, line address and cycle compared, coverage sampled). Verilator and Icarus.
"""

import os

import numpy as np

import configs
from bench import _bare_cocotb
from bench.replay import bare_run
from bench.timing import Row, medians, rows, show
from configs import cli
from configs.texcache.schema import Config
from tb.common import builds, runner, testcase
from tb.common.bench import random_stream
from tb.common.testcase import TestCase
from workloads.patterns import find

PATTERNS = ("magnified", "minified")
COUNT = 10_000
ROUNDS = 2
BARE = TestCase("bare", "bench._bare_cocotb", "", lambda cfg: True, "", builds.SIMULATORS)


def simulated(cfg: Config, simulator: str, test: TestCase, pattern: str, count: int) -> tuple[float, int]:
    """Seconds inside the test, and hits. Raises AssertionError if it fails."""
    os.environ[_bare_cocotb.PATTERN] = pattern
    made = builds.build(cfg, simulator)
    folder = builds.BUILD / "bench" / cfg.block / f"{simulator}-{test.name}-{pattern}"
    found = runner.run(made, [test], seed=1, count=count, folder=folder)
    assert found.passed, found.outcomes[0].message
    figures = found.kept[test.name]["summary"]
    assert figures["checked"] == count
    return figures["seconds"], figures["hits"]


def measure(cfg: Config, pattern: str, count: int = COUNT, rounds: int = ROUNDS) -> list[Row]:
    """Footprints per second. Raises AssertionError unless all have the same hits."""
    trace = find(pattern).make(cfg, count, random_stream(1, "test"))
    checked = testcase.cases(cfg.block)[f"pattern_{pattern.replace('-', '_')}"]
    hits: set[int] = {bare_run(cfg, trace)["hits"]}  # builds what is missing
    taken = {"bare model": medians({"": lambda: bare_run(cfg, trace)}, rounds)[""]}
    for simulator in builds.SIMULATORS:
        for name, test in (("bare cocotb", BARE), ("pyuvm, checked", checked)):
            runs = [simulated(cfg, simulator, test, pattern, count) for _ in range(rounds)]
            taken[f"{name}, {simulator}"] = float(np.median([seconds for seconds, _ in runs]))
            hits |= {found for _, found in runs}
    assert len(hits) == 1, f"{pattern}: {hits}"
    return rows([(what, count, seconds, "") for what, seconds in taken.items()])


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`configs.UserError`."""
    parser = cli.Parser(prog="python -m bench.tb", description="Measure the speed of the testbench.")
    parser.add_argument("--count", type=int, default=COUNT, help=f"footprints (default: {COUNT})")
    arguments = parser.parse_args(argv)
    cfg = configs.load("texcache")
    assert isinstance(cfg, Config)
    for pattern in PATTERNS:
        show(
            f"testbench, {cfg.block} {cfg.name}, {pattern}",
            "footprints",
            measure(cfg, pattern, arguments.count),
        )
    return 0


if __name__ == "__main__":
    cli.run(main)
