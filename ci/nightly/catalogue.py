# SPDX-License-Identifier: Apache-2.0
"""What there is to run: the jobs of a tier, from each block's ``regression.toml`` and ``smoke.toml``.

``smoke``: the ranked set; of a block that was never ranked, the test ``smoke`` of each of its runs. ``full``:
all runs and single jobs of ``regression.toml``. ``nightly``: those, and each ``nightly`` row's
configurations x simulators x seeds, with all tests.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import configs
from configs import UserError
from tb.common.components import testcase
from tb.common.running import builds, regression
from utils import cli, keys, sources, toml

TIERS = ("smoke", "full", "nightly")

Work = tuple[str, str, str, str, int]


@dataclass(frozen=True)
class Job:
    """One test of a block on a configuration and a simulator, with a seed. ``count``: see ``N=``."""

    block: str
    config: str
    simulator: str
    test: str
    seed: int
    count: int
    coverage: bool = False
    steer: tuple[tuple[str, str], ...] = field(default=())

    @property
    def build(self) -> tuple[str, str, str, bool]:
        """Jobs of one build have this in common."""
        return self.block, self.config, self.simulator, self.coverage

    @property
    def work(self) -> Work:
        """What it does, whatever its seed: jobs that take about the same time have this in common."""
        return self.block, self.config, self.simulator, self.test, self.count

    @property
    def key(self) -> str:
        """What the job is called; two jobs of one key are one."""
        steer = "".join(f"/{knob}={option}" for knob, option in self.steer)
        name = f"{self.block}/{self.config}/{self.simulator}/{self.test}/{self.seed}/{self.count}"
        return name + ("/cov" if self.coverage else "") + steer


def sources_keys(chosen: Iterable[str]) -> dict[str, str]:
    """Of each block a hash of all sources that decide what its jobs do, as they are now."""
    tree = sources.Tree(cached=keys.kept("sources.json"))
    return {block: sources.Dependencies(tree, ["ci.nightly.job"], block).key for block in sorted(set(chosen))}


def sources_key(chosen: Iterable[str]) -> str:
    """The same of several blocks, in one."""
    return keys.digest(sources_keys(chosen).values())


def blocks() -> list[str]:
    """Blocks that have a regression."""
    return [block for block in configs.blocks() if file_of(block).is_file()]


def file_of(block: str, name: str = "regression.toml") -> Path:
    """A block's catalogue."""
    return builds.ROOT / "tb" / block / name


def smoke_file(block: str) -> Path:
    """The ranked set, see :mod:`ci.nightly.smoke`."""
    return file_of(block, sources.RANKED)


def jobs(tier: str, chosen: Sequence[str], seed: int) -> list[Job]:
    """All jobs of a tier for the blocks, each once. Raises :class:`UserError` if a block has none."""
    by_key: dict[str, Job] = {}
    for block in chosen:
        for job in _smoke(block) if tier == "smoke" else _full(block):
            by_key.setdefault(job.key, job)
        for job in _nightly(block, seed) if tier == "nightly" else ():
            by_key.setdefault(job.key, job)
        if not any(job.block == block for job in by_key.values()):
            raise UserError(f"tier {tier} of {block} has no jobs: name some in {file_of(block)}")
    return list(by_key.values())


def seed_of(number: int) -> int:
    """A seed for any number, so that dates may be seeds, too; the number itself if it may be one."""
    return (number - 1) % cli.LAST_SEED + 1


def _smoke(block: str) -> Iterable[Job]:
    path = smoke_file(block)
    if path.is_file():
        for entry in toml.read(path).get("job", []):
            for test, simulator in product(entry.pop("tests"), entry.pop("simulators")):
                yield Job(block, simulator=simulator, test=test, **entry)
        return
    for run in regression.runs(block):
        yield Job(block, run.config, run.simulator, testcase.FIRST, run.seed, run.count)


def _full(block: str) -> Iterable[Job]:
    for run in regression.runs(block):
        yield from _tests(block, run.config, run.simulator, run.seed, run.count, run.coverage)
    yield from found(block)


def found(block: str) -> list[Job]:
    """Single jobs of ``regression.toml``: seeds that failed once, and must not again."""
    entries = toml.read(file_of(block)).get("job", [])
    return [
        Job(block, **{**entry, "steer": tuple(sorted(entry.get("steer", {}).items()))}) for entry in entries
    ]


def _nightly(block: str, seed: int) -> Iterable[Job]:
    entries: list[dict[str, Any]] = toml.read(file_of(block)).get("nightly", [])
    for entry in entries:
        for config in entry["configs"]:
            for simulator in entry["simulators"]:
                for number in range(entry["seeds"]):
                    coverage = entry.get("coverage", False) and simulator == "verilator"
                    yield from _tests(
                        block, config, simulator, seed_of(seed * 1000 + number), entry["count"], coverage
                    )


def _tests(block: str, config: str, simulator: str, seed: int, count: int, coverage: bool) -> Iterable[Job]:
    cfg = configs.load(block, config)
    for case in testcase.choose(block, [], cfg, simulator):
        yield Job(block, config, simulator, case.name, seed, count, coverage)
