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
        self.lines = [
            (int(cycle), channel, parse_fields(cfg.streams[channel], fields))
            for cycle, channel, *fields in map(str.split, path.read_text().splitlines())
            if channel in cfg.streams
        ]

    def script(self) -> dict[str, Any]:
        """The words that bare cocotb plays: of each port, and of tables with those of the first port."""
        ports: list[dict[str, Any]] = []
        states = {port.state for port in self.roles.ports}
        tables = [name for name in self.roles.writable(self.cfg) if name not in states]
        for port in self.roles.ports:
            channels = {port.request, port.state, *(tables if not ports else ())}
            words = [(name, word) for _, name, word in self.lines if name in channels]
            runs = [(name, [word for _, word in run]) for name, run in groupby(words, lambda entry: entry[0])]
            results = sum(name == port.result for _, name, _ in self.lines)
            ports.append({"main": port.request, "play": runs, "result": port.result, "results": results})
        counted = [name for name in self.roles.counted if name]
        return {"ports": ports, "counters": "perf" if "perf" in counted else counted[0]}

    def cycles(self) -> int:
        """Cycles from the first request at the first port to the last result there, both included."""
        port = self.roles.ports[0]
        first = next(cycle for cycle, name, _ in self.lines if name == port.request)
        return next(cycle for cycle, name, _ in reversed(self.lines) if name == port.result) - first + 1


@contextmanager
def ways(benchmark: Benchmark, cfg: Any, pattern: str, count: int) -> Iterator[dict[str, Way]]:
    """See :meth:`bench.benchmark.Benchmark.measure`. The folder of the runs stays if they fail."""
    place, test = builds.BUILD / "bench" / cfg.block, testcase.cases(cfg.block)[pattern]
    place.mkdir(parents=True, exist_ok=True)
    whole = Path(tempfile.mkdtemp(dir=place))

    def log(simulator: str) -> Log:
        return Log(whole / f"{simulator}-{pattern}" / f"{pattern}.log", cfg)

    def run(simulator: str, test: TestCase) -> tuple[dict[str, int], float]:
        """The counts that must agree, or sums of them, and seconds; a test may have some by other names."""
        folder = whole / f"{simulator}-{test.name}"
        outcome = runner.run(builds.build(cfg, simulator), [test], seed=1, count=count, folder=folder)
        assert outcome.passed, outcome.outcomes[0].message
        counted = dict(outcome.kept[test.name]["summary"])
        counted |= {} if test is BARE else {"cycles": log(simulator).cycles()}
        cycles[simulator, test.name] = counted["cycles"]
        parts = {name: [part for part in name.split("+") if part in counted] for name in benchmark.same}
        assert all(parts.values()), f"{parts}: not among {', '.join(counted)}"
        sums = {name: sum(counted[part] for part in listed) for name, listed in parts.items()}
        return sums, float(counted["seconds"])

    cycles: dict[tuple[str, str], float] = {}
    run("verilator", test)
    write_atomic(whole / SCRIPT, json.dumps(log("verilator").script()))
    listed = {}
    for simulator in builds.SIMULATORS:
        bare = f"bare cocotb, {simulator}"
        for name, what in ((bare, BARE), (f"pyuvm, {simulator}", test)):
            took = partial(cycles.__getitem__, (simulator, what.name))
            beside = "" if what is BARE else bare
            listed[name] = Way(partial(run, simulator, what), count, beside=beside, cycles=took)
    yield listed
    shutil.rmtree(whole)
