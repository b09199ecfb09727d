# SPDX-License-Identifier: Apache-2.0
"""Speed of the testbench beside bare cocotb; of the bare Verilated model see :mod:`bench.replay`.

The same words, with the same memory timing, each run from reset on; a pattern is a test of the testbench:

- bare cocotb: plain coroutines drive and answer, nothing is compared;
- pyuvm, on the very build of bare cocotb: everything is compared, and coverage sampled.
"""

import importlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from bench.bare_cocotb import SCRIPT
from bench.benchmark import Benchmark, Way
from configs import BlockConfig
from tb.common.components import testcase
from tb.common.components.testcase import TestCase
from tb.common.components.transactions import parse_fields
from tb.common.replay.library import Roles
from tb.common.running import builds, runner
from utils.files import write_atomic

BARE = TestCase("bare", "bench.bare_cocotb", "", lambda cfg: True, "", builds.SIMULATORS)

#: counters and cycles by name
Counts = dict[str, int]


def roles_of(cfg: BlockConfig) -> Roles:
    """The block's streams in a replay."""
    rtl = importlib.import_module(f"tb.{cfg.block}.replay")
    if hasattr(rtl, "requester"):
        return rtl.requester(cfg).roles
    return rtl.roles(cfg) if hasattr(rtl, "roles") else getattr(rtl, "ROLES", Roles())


class Log:
    """The transaction log of a test: (cycle, channel, packed word) in order, of the block's own streams."""

    def __init__(self, path: Path, cfg: BlockConfig) -> None:
        self.cfg, self.roles = cfg, roles_of(cfg)
        lines = (line.split() for line in path.read_text().splitlines())
        self.lines = [
            (int(cycle), channel, parse_fields(cfg.streams[channel], fields))
            for cycle, channel, *fields in lines
            if channel in cfg.streams
        ]
        states = {port.state for port in self.roles.ports}
        self.tables = [name for name in self.roles.writable(cfg) if name not in states]
        counted = [name for name in self.roles.counted if name]
        self.counters = "perf" if "perf" in counted else counted[0]

    def words(self, channel: str | None) -> list[int]:
        """The words of one channel."""
        return [word for _, name, word in self.lines if name == channel]

    def script(self) -> dict[str, Any]:
        """The words that bare cocotb plays: of each port, and of tables with those of the first port."""
        ports = []
        for number, port in enumerate(self.roles.ports):
            channels = {port.request, port.state, *(() if number else self.tables)}
            words = [(name, word) for _, name, word in self.lines if name in channels]
            runs = [(name, [word for _, word in run]) for name, run in groupby(words, lambda entry: entry[0])]
            results = len(self.words(port.result))
            ports.append({"main": port.request, "play": runs, "result": port.result, "results": results})
        return {"ports": ports, "counters": self.counters}

    def cycles(self) -> int:
        """Cycles from the first request at the first port to the last result there, both included."""
        port = self.roles.ports[0]
        requests, results = (
            [cycle for cycle, name, _ in self.lines if name == channel]
            for channel in (port.request, port.result)
        )
        return results[-1] - requests[0] + 1


@dataclass(frozen=True)
class Runs:
    """Runs of tests in subfolders of ``folder``; ``same``: counts that are returned."""

    cfg: BlockConfig
    count: int
    folder: Path
    same: tuple[str, ...]

    def counts(self, counted: Counts) -> Counts:
        """Those that must agree, or sums of them; a test may have some under other names."""
        parts = {name: [part for part in name.split("+") if part in counted] for name in self.same}
        assert all(parts.values()), f"{parts}: not among {', '.join(counted)}"
        return {name: sum(counted[part] for part in listed) for name, listed in parts.items()}

    def run(self, simulator: str, test: TestCase) -> tuple[Counts, float]:
        """Counts of a test, and seconds in it. Raises AssertionError if it fails."""
        folder = self.folder / f"{simulator}-{test.name}"
        outcome = runner.run(
            builds.build(self.cfg, simulator), [test], seed=1, count=self.count, folder=folder
        )
        assert outcome.passed, outcome.outcomes[0].message
        summary = outcome.kept[test.name]["summary"]
        cycles = {} if test is BARE else {"cycles": self.log(simulator, test).cycles()}
        return self.counts({**summary, **cycles}), float(summary["seconds"])

    def log(self, simulator: str, test: TestCase) -> Log:
        """The log of a run."""
        return Log(self.folder / f"{simulator}-{test.name}" / f"{test.name}.log", self.cfg)


@contextmanager
def ways(benchmark: Benchmark, cfg: Any, pattern: str, count: int) -> Iterator[dict[str, Way]]:
    """See :meth:`bench.benchmark.Benchmark.measure`. The folder of the runs stays if they fail."""
    place, test = builds.BUILD / "bench" / cfg.block, testcase.cases(cfg.block)[pattern]
    place.mkdir(parents=True, exist_ok=True)
    runs = Runs(cfg, count, Path(tempfile.mkdtemp(dir=place)), tuple(benchmark.same))
    runs.run("verilator", test)
    write_atomic(runs.folder / SCRIPT, json.dumps(runs.log("verilator", test).script()))
    listed = {}
    for simulator in builds.SIMULATORS:
        bare = f"bare cocotb, {simulator}"
        listed[bare] = Way(partial(runs.run, simulator, BARE), count)
        listed[f"pyuvm, {simulator}"] = Way(partial(runs.run, simulator, test), count, beside=bare)
    yield listed
    shutil.rmtree(runs.folder)
