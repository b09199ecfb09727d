# SPDX-License-Identifier: Apache-2.0
"""Measured runs of ``trilinear`` and of the published cache beside it, checked as they are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from configs import UserError
from report.memory import far_shares
from report.results import AGAIN, check_sums, read_index, read_json
from report.words import counted

OURS, PUBLISHED = "trilinear", "published"
NEAR, FAR = "1 cycle", "100 cycles"
TEXELS = 4  # of a footprint
COUNTERS = ("footprints", "footprint_hits", "lookups", "hits", "misses")
#: what the request port did in a cycle; what far memory adds
PARTS = ("ideal", "second", "conflicts", "misses", "stop", "order", "end")


@dataclass(frozen=True)
class SceneRun:
    """A scene on a configuration: ``total`` are COUNTERS, of both halves together; ``spent``: cycles by PARTS
    up to the last request.
    """

    path: Path
    scene: str
    role: str
    told: Mapping[str, Any]  # as the file has it
    total: Mapping[str, int]
    spent: Mapping[str, int]

    @classmethod
    def read(cls, folder: Path, listed: Mapping[str, str]) -> "SceneRun":
        """A run of the index. Raises :class:`UserError` if it does not add up."""
        path = folder / listed["file"]
        told = read_json(path)
        if not 0 < told["samples"] <= told["requests"] or told["pairs"] > told["samples"]:
            raise UserError(f"{path}: its samples do not add up; {AGAIN}")
        ours = told["machine"] == OURS
        parts = list(told["halves"].values()) if ours else [told["counters"]]
        run = cls(
            path, listed["workload"], listed["role"], told,
            {name: sum(one[name] for one in parts) for name in COUNTERS},
            _ours(told) if ours else _published(told),
        )  # fmt: skip
        run.check(max(one["misses"] - one["footprints"] + one["footprint_hits"] for one in parts))
        return run

    def check(self, asked: int) -> None:
        """Raises :class:`UserError` if it does not add up. ``asked``: lines that another one of their
        footprint went before, of the half that has more of them; each takes a cycle.
        """
        told, total, spent = self.told, self.total, sum(self.spent.values())
        sums: dict[str, tuple[object, object]] = {
            "machine": (self.machine, PUBLISHED if self.role.startswith(PUBLISHED) else OURS),
            "footprints": (told["samples"] + told["pairs"], total["footprints"]),
            "lookups": (total["lookups"], total["hits"] + total["misses"]),
            "lines": (told["lines"], total["misses"]),
        }
        if self.machine == PUBLISHED:  # by its counters; ours by requests and times
            sums["taken"] = told["taken"], spent
        check_sums(self.path, sums)
        waits = told["cycles"] - told["requests"]
        if min(self.spent.values()) < 0 or spent > told["cycles"] or asked > waits:
            raise UserError(f"{self.path}: its cycles do not add up; {AGAIN}")

    @property
    def machine(self) -> str:
        """OURS or PUBLISHED."""
        return OURS if self.told["machine"] == OURS else PUBLISHED

    @property
    def samples(self) -> int:
        """Pixels that were sampled."""
        return int(self.told["samples"])

    @property
    def rate(self) -> float:
        """Samples per clock."""
        return float(self.samples / self.told["cycles"])

    @property
    def fetched(self) -> float:
        """1 - misses / texels."""
        return 1 - self.total["misses"] / (TEXELS * self.total["footprints"])

    def per_sample(self, what: str) -> float:
        """A number of the file's by sample."""
        return float(self.told[what] / self.samples)


def _ours(told: Mapping[str, Any]) -> dict[str, int]:
    """Cycles by cause from requests and times; in a cycle without a request a FIFO is full or not."""
    idle = told["taken"] - told["requests"]
    return {"ideal": told["samples"], "second": 0, "conflicts": 0, "stop": told["full"],
            "order": idle - told["full"]}  # fmt: skip


def _published(told: Mapping[str, Any]) -> dict[str, int]:
    """Cycles by cause from the counters."""
    counters = told["counters"]
    waits = counters["request_wait_cycles"]
    conflicts = min(waits, counters["conflict_cycles"])
    return {"ideal": told["samples"], "second": told["pairs"], "conflicts": conflicts,
            "stop": counters["stop_cycles"], "order": waits - conflicts}  # fmt: skip


class TrilinearResults:
    """A folder of measured results. Raises :class:`UserError` for what does not add up."""

    def __init__(self, folder: Path) -> None:
        self.index = read_index(folder, "trilinear")
        self.runs = [SceneRun.read(folder, listed) for listed in self.index["runs"]]
        self._by = {(run.scene, run.role): run for run in self.runs}
        self.scenes: Sequence[str] = list(dict.fromkeys(run.scene for run in self.runs))

    def of(self, role: str) -> list[SceneRun]:
        """A role's run of each scene."""
        return [self._by[scene, role] for scene in self.scenes]

    def at(self, machine: str, latency: str) -> list[SceneRun]:
        """A machine's run of each scene, with memory NEAR or FAR."""
        return self.of(latency if machine == OURS else f"{PUBLISHED}, {latency}")

    def by_scene(self, machine: str, latency: str) -> dict[str, float]:
        """Its rates."""
        return {run.scene: run.rate for run in self.at(machine, latency)}

    def over(self, key: str, machine: str, word: str) -> dict[float, dict[str, float]]:
        """Rates of a machine by ``key`` and scene, of the roles in which the ``word`` is."""
        rates: dict[float, dict[str, float]] = {}
        for run in self.runs:
            if run.machine == machine and word in run.role:
                rates.setdefault(run.told[key], {})[run.scene] = run.rate
        return rates

    def parts(self, machine: str) -> dict[str, dict[str, float]]:
        """Shares of a machine's cycles by scene and PARTS, with memory FAR. Raises :class:`UserError`."""
        found = {}
        for near, far in zip(self.at(machine, NEAR), self.at(machine, FAR), strict=True):
            shares = far_shares(str(far.path), near.spent, near.told["cycles"], far.told["cycles"])
            found[far.scene] = {name: shares[name] for name in PARTS}
        return found

    @property
    def traffic(self) -> str:
        """Words for the scenes of all figures."""
        samples = sum(run.samples for run in self.of(FAR))
        return f"{counted(len(self.scenes), 'whole picture')} from a cold cache, {samples} samples"
