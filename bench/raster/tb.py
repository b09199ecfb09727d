# SPDX-License-Identifier: Apache-2.0
"""Speed of the testbench beside bare cocotb and the bare Verilated model, on the same words of ``vtx``.

A walk that finds no more tiles goes on after the last one, so that tiles looked at are not compared.
"""

from collections.abc import Callable
from typing import Any

from bench import testbench
from bench.benchmark import Benchmark
from bench.raster.replay import bare_run
from bench.testbench import Log, Work
from bench.timing import ROUNDS, Row, Say, silent
from configs.raster.schema import Config
from tb.common.components import testcase
from tb.common.components.packing import pack_lanes, unpack_words

SAME = ("vertices", "tiles", "pixels")
PATIENCE = 1_000_000  # cycles: a walk through the largest window, without a tile


def work(counted: dict[str, Any], _: Log | None = None) -> Work:
    """What must agree."""
    return {name: counted[name] for name in SAME}


def script(log: Log) -> dict[str, Any]:
    """The words of ``vtx``, and how many of ``tile`` come of them."""
    results = len(log.words("tile"))
    return {"play": log.play("vtx"), "result": "tile", "results": results, "counters": "perf"}


def bare_model(cfg: Config, log: Log) -> Callable[[], Work]:
    """A run of the Verilated library on words packed beforehand."""
    words, tiles = log.words("vtx"), len(log.words("tile"))
    stream = cfg.streams["vtx"]
    lanes = pack_lanes(stream, unpack_words(stream, words), len(words))
    return lambda: work(bare_run(cfg, lanes, tiles, PATIENCE))


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Words of ``vtx`` per second, each run from reset on; the test has the pattern's name."""
    test = testcase.cases(cfg.block)[pattern]
    return testbench.measure(cfg, test, count, work, script, lambda log: bare_model(cfg, log), rounds, say)


BENCHMARK = Benchmark(
    "testbench", "words of vtx", preset="base", patterns=("random_scenes",), count=1_000, measure=measure
)
