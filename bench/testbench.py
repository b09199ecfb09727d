# SPDX-License-Identifier: Apache-2.0
"""What the testbench benchmarks of all blocks share: runs of the pyuvm testbench and of plain cocotb.

The same accesses, with the same memory timing:

- bare model: Verilated for speed, driven from C++, nothing looked at;
- bare cocotb: plain coroutines drive and answer, nothing is compared;
- pyuvm, on the very build that bare cocotb has: everything is compared, and coverage sampled.
"""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bench.bare_cocotb import SCRIPT
from bench.timing import Row, Say, Way, fastest, rows, timed
from configs import BlockConfig
from tb.common.components.testcase import TestCase
from tb.common.components.transactions import parse_fields
from tb.common.running import builds, runner
from utils.files import write_atomic

BARE = TestCase("bare", "bench.bare_cocotb", "", lambda cfg: True, "", builds.SIMULATORS)
REPEATS = 20  # of the bare model, which is so much faster than the others

#: what must be equal, by name
Work = dict[str, int]


@dataclass
class Log:
    """The transaction log of a test of the pyuvm testbench: (cycle, channel, packed word) in order, of the
    block's own streams.
    """

    path: Path
    cfg: BlockConfig
    lines: list[tuple[int, str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        streams = self.cfg.streams
        for line in self.path.read_text().splitlines():
            cycle, channel, *fields = line.split()
            if channel in streams:
                self.lines.append((int(cycle), channel, parse_fields(streams[channel], fields)))

    def words(self, channel: str) -> list[int]:
        """The words of one channel."""
        return [word for _, name, word in self.lines if name == channel]

    def play(self, *channels: str) -> list[tuple[str, list[int]]]:
        """Runs of words of these channels, in order."""
        found: list[tuple[str, list[int]]] = []
        for _, name, word in self.lines:
            if name in channels:
                if not found or found[-1][0] != name:
                    found.append((name, []))
                found[-1][1].append(word)
        return found

    def cycles(self, first: str, last: str) -> int:
        """Cycles from the first word of one channel to the last of another, both included."""
        start = next(cycle for cycle, name, _ in self.lines if name == first)
        return next(cycle for cycle, name, _ in reversed(self.lines) if name == last) - start + 1


@dataclass
class Runs:
    """Runs tests in subfolders of ``folder``, and keeps what work each of them did, as ``work`` says it.

    ``work`` is told a run's summary, and its log if it has one.
    """

    cfg: BlockConfig
    count: int
    folder: Path
    work: Callable[[dict[str, Any], Log | None], Work]
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
        self.works[f"bare cocotb, {simulator}"] = self.work(summary, None)
        return float(summary["seconds"])

    def checked(self, simulator: str, test: TestCase) -> float:
        """Seconds in a test of the pyuvm testbench."""
        found, summary = self.run(simulator, test)
        log = Log(found.folder / f"{test.name}.log", self.cfg)
        self.works[f"pyuvm, {simulator}"] = self.work(summary, log)
        return float(summary["seconds"])


@contextmanager
def scratch(block: str) -> Iterator[Path]:
    """A folder for runs, nobody else's; it stays if they fail."""
    place = builds.BUILD / "bench" / block
    place.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=place))
    yield folder
    shutil.rmtree(folder)


def measure(
    cfg: BlockConfig,
    test: TestCase,
    count: int,
    work: Callable[[dict[str, Any], Log | None], Work],
    script: Callable[[Log], dict[str, Any]],
    bare_model: Callable[[Log], Callable[[], Work]],
    rounds: int,
    say: Say,
) -> list[Row]:
    """:func:`compare` in a folder of its own."""
    with scratch(cfg.block) as folder:
        return compare(Runs(cfg, count, folder, work), test, script, bare_model, rounds, say)


def compare(
    runs: Runs,
    test: TestCase,
    script: Callable[[Log], dict[str, Any]],
    bare_model: Callable[[Log], Callable[[], Work]],
    rounds: int,
    say: Say,
) -> list[Row]:
    """Accesses per second of the bare model, bare cocotb and pyuvm.

    ``script`` is what bare cocotb plays, ``bare_model`` gives a run of the Verilated library, which says its
    work. Raises AssertionError unless all did the same work.
    """
    say("building")
    log = Log(runs.run("verilator", test)[0].folder / f"{test.name}.log", runs.cfg)
    write_atomic(runs.folder / SCRIPT, json.dumps(script(log)))
    once = bare_model(log)
    runs.works["bare model"] = once()
    many = timed(lambda: [once() for _ in range(REPEATS)])
    ways: dict[str, Way] = {"bare model": lambda: many() / REPEATS}
    for simulator in builds.SIMULATORS:
        ways[f"bare cocotb, {simulator}"] = partial(runs.bare, simulator)
        ways[f"pyuvm, {simulator}"] = partial(runs.checked, simulator, test)
    taken = fastest(ways, rounds, say)
    first = runs.works["bare model"]
    assert all(work == first for work in runs.works.values()), f"{runs.cfg.name}, {test.name}: {runs.works}"
    return rows([(name, runs.count, taken[name], remark(name, taken)) for name in ways])


def remark(name: str, taken: dict[str, float]) -> str:
    """The testbench beside bare cocotb on the same simulator."""
    kind, _, simulator = name.partition(", ")
    return f"{taken[f'bare cocotb, {simulator}'] / taken[name]:.2f} of bare cocotb" if kind == "pyuvm" else ""
