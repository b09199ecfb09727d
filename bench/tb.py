# SPDX-License-Identifier: Apache-2.0
"""Speed of the pyuvm testbench beside bare cocotb and the bare Verilated model.

The same table and footprints, with the same memory timing, taking the same cycles:

- bare model: Verilated for speed, driven from C++, nothing looked at;
- bare cocotb: plain coroutines drive and answer, nothing is compared;
- pyuvm, on the very build that bare cocotb has: every look-up, texel, line address and cycle is compared, and
  coverage sampled.
"""

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench._bare_cocotb import WORDS
from bench.benchmark import Benchmark
from bench.replay import bare_run
from bench.timing import ROUNDS, Row, Say, Way, fastest, rows, silent, timed
from configs.files import write_atomic
from configs.texcache.schema import Config
from tb.common import builds, runner, testcase
from tb.common.packing import unpack_words
from tb.common.testcase import TestCase
from tb.texcache.items import requests
from tb.texcache.replay import replay, request_words
from workloads.trace import Trace

BARE = TestCase("bare", "bench._bare_cocotb", "", lambda cfg: True, "", builds.SIMULATORS)
REPEATS = 20  # of the bare model, which is so much faster than the others

#: what must be equal: cycles from the first request to the last result, look-ups, hits
Work = tuple[int, int, int]


@dataclass
class Log:
    """The transaction log of a test of the pyuvm testbench: per channel, its (cycle, word)."""

    path: Path
    channels: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for line in self.path.read_text().splitlines():
            cycle, channel, word = line.split()
            self.channels.setdefault(channel, []).append((int(cycle), int(word, 16)))

    def words(self, channel: str) -> list[int]:
        """The words of one channel."""
        return [word for _, word in self.channels[channel]]

    @property
    def cycles(self) -> int:
        """Cycles from the first request to the last result, both included."""
        return self.channels["res"][-1][0] - self.channels["req"][0][0] + 1


@dataclass
class Runs:
    """Runs tests in subfolders of ``folder``, and keeps what work each of them did."""

    cfg: Config
    count: int
    folder: Path
    works: dict[str, Work] = field(default_factory=dict)

    def run(self, simulator: str, test: TestCase) -> tuple[runner.RunResult, dict[str, Any]]:
        """One run and its summary. Raises AssertionError if it fails."""
        made = builds.build(self.cfg, simulator)
        folder = self.folder / f"{simulator}-{test.name}"
        found = runner.run(made, [test], seed=1, count=self.count, folder=folder)
        assert found.passed, found.outcomes[0].message
        return found, found.kept[test.name]["summary"]

    def bare(self, simulator: str) -> float:
        """Seconds in the bare cocotb test."""
        summary = self.run(simulator, BARE)[1]
        self.works[f"bare cocotb, {simulator}"] = summary["cycles"], summary["lookups"], summary["hits"]
        return float(summary["seconds"])

    def checked(self, simulator: str, test: TestCase) -> float:
        """Seconds in a test of the pyuvm testbench."""
        found, summary = self.run(simulator, test)
        assert summary["checked"] == self.count, summary
        cycles = Log(found.folder / f"{test.name}.log").cycles
        self.works[f"pyuvm, {simulator}"] = cycles, summary["lookups"], summary["hits"]
        return float(summary["seconds"])


def traffic(cfg: Config, log: Log) -> Trace:
    """Table and footprints of a log."""
    entries = unpack_words(cfg.streams["lut"], log.words("lut"))
    lut = np.zeros((cfg.textures, cfg.levels), np.uint32)
    lut[entries["tex"], entries["level"]] = entries["base"]
    return Trace(requests(cfg, log.words("req"))[0], lut, name="bench")


@contextmanager
def scratch(block: str) -> Iterator[Path]:
    """A folder for runs, nobody else's; it stays if they fail."""
    place = builds.BUILD / "bench" / block
    place.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=place))
    yield folder
    shutil.rmtree(folder)


def bare_model(cfg: Config, trace: Trace) -> Way:
    """Runs of the Verilated library on words packed beforehand; seconds of one."""
    words = request_words(cfg, trace.footprints)
    many = timed(lambda: [bare_run(cfg, trace, words) for _ in range(REPEATS)])
    return lambda: many() / REPEATS


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Footprints per second, each run from reset on with the table written first."""
    say("building")
    test = testcase.cases(cfg.block)[f"pattern_{pattern.replace('-', '_')}"]
    with scratch(cfg.block) as folder:
        runs = Runs(cfg, count, folder)
        log = Log(runs.run("verilator", test)[0].folder / f"{test.name}.log")
        words = {channel: log.words(channel) for channel in ("lut", "req")}
        write_atomic(folder / WORDS, json.dumps(words))
        trace = traffic(cfg, log)
        rtl = replay(cfg, trace)
        runs.works["bare model"] = rtl.cycles, rtl.counters["lookups"], rtl.counters["hits"]
        ways: dict[str, Way] = {"bare model": bare_model(cfg, trace)}
        for simulator in builds.SIMULATORS:
            ways[f"bare cocotb, {simulator}"] = partial(runs.bare, simulator)
            ways[f"pyuvm, {simulator}"] = partial(runs.checked, simulator, test)
        taken = fastest(ways, rounds, say)
        assert len(set(runs.works.values())) == 1, f"{cfg.name}, {pattern}: {runs.works}"
    return rows([(name, count, taken[name], remark(name, taken)) for name in ways])


def remark(name: str, taken: dict[str, float]) -> str:
    """The testbench beside bare cocotb on the same simulator."""
    kind, _, simulator = name.partition(", ")
    return f"{taken[f'bare cocotb, {simulator}'] / taken[name]:.2f} of bare cocotb" if kind == "pyuvm" else ""


BENCHMARK = Benchmark(
    "texcache",
    "testbench",
    "footprints",
    preset="paper",
    patterns=("magnified", "minified"),
    count=8_000,
    measure=measure,
)
