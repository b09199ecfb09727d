# SPDX-License-Identifier: Apache-2.0
"""Measured results of ``lpas``, checked as they are read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from report.results import AGAIN, Arrays, read_content, read_index, read_json

LPAS, FS, LR2SS = SWITCHES = ("LPAS", "FS", "LR2SS")
STORE, LOAD = 1, 0
SIDE, PES = 4, 16
AREAS = ("LA", "RA1", "RA2", "RA3")  # of the caches of a row, nearest first


@dataclass(frozen=True)
class Found:
    """Measured figures and arrays of a workload in a role."""

    about: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]
    path: Path

    def full_load(self, traffic: str) -> int:
        """Number of the point of ``traffic`` at full load."""
        points = enumerate(self.about["points"])
        [number] = [n for n, point in points if point["traffic"] == traffic and point["offered"] == 1.0]
        return number

    @property
    def model_only(self) -> bool:
        """True if no RTL has run it."""
        return bool(self.about.get("model_only"))


@dataclass(frozen=True)
class Cases:
    """One shot each, of a switch. ``group``, ``kind``, ``op``: of each case; arrays [n] of requests."""

    found: Found

    @cached_property
    def listed(self) -> list[list[Any]]:
        """Group, kind and operation of each case."""
        cases: list[list[Any]] = self.found.about["cases"]
        return cases

    @cached_property
    def _means(self) -> NDArray[np.float64]:
        """Mean latency of each case."""
        count = np.bincount(self["case"], minlength=len(self.listed))
        means: NDArray[np.float64] = np.bincount(self["case"], self["latency"], len(self.listed)) / count
        return means

    def __getitem__(self, name: str) -> NDArray[Any]:
        """An array of requests."""
        return self.found.arrays[name]

    def numbers(self, group: str, kind: str | None = None, op: int = STORE) -> list[int]:
        """The cases of a figure."""
        return [
            number for number, (its, part, its_op) in enumerate(self.listed)
            if its == group and its_op == op and kind in (None, part)
        ]  # fmt: skip

    def means(self, group: str, kind: str | None = None, op: int = STORE) -> NDArray[np.float64]:
        """Mean latency of each of these cases."""
        return self._means[self.numbers(group, kind, op)]

    def mean(self, group: str, kind: str | None = None, op: int = STORE) -> float:
        """The mean of these cases."""
        return float(self.means(group, kind, op).mean())

    def error(self, group: str, kind: str | None = None) -> float:
        """Standard error of that mean of stores, of cases that are drawn."""
        return standard_error(self.means(group, kind))

    def by_area(self, group: str, kind: str) -> list[float]:
        """Mean latency of the PEs of each row, in cases that are about caches of the first row."""
        mine = self.where(group, kind)
        rows, latency = self["pe"][mine] // SIDE, self["latency"][mine]
        return [float(latency[rows == area].mean()) for area in range(SIDE)]

    def where(self, group: str, kind: str | None = None, op: int = STORE) -> NDArray[np.bool_]:
        """Mask of the requests of these cases."""
        return np.isin(self["case"], self.numbers(group, kind, op))


def standard_error(values: NDArray[np.float64]) -> float:
    """Standard error of the mean of values that are drawn."""
    return float(values.std(ddof=1)) / len(values) ** 0.5


def saturation(traffic: str) -> str:
    """The workload of stores at each offered load."""
    return f"load-{traffic.replace(' ', '-')}"


class LpasResults:
    """A folder of results. Raises :class:`UserError` for what is missing, damaged, or does not add up."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.index = folder, read_index(folder, "lpas")
        self._files = {(run["workload"], run["role"]): run["file"] for run in self.index["runs"]}
        for entry in self.index["workloads"]:
            if "role" in entry:
                self._files[entry["id"].removesuffix(f"-{entry['role']}"), entry["role"]] = entry["file"]
        self.cases = {role: Cases(run) for role, run in self.all("cases")}
        for role, cases in self.cases.items():
            self._check(role, cases)

    def all(self, workload: str) -> Iterator[tuple[str, Found]]:
        """All roles of a workload, and what was measured."""
        for name, role in self._files:
            if name == workload:
                yield role, self.get(name, role)

    def beginning(self, words: str) -> Iterator[tuple[str, str, Found]]:
        """Workload, role and what was measured of each workload whose name begins so."""
        for name, role in self._files:
            if name.startswith(words):
                yield name, role, self.get(name, role)

    def get(self, workload: str, role: str) -> Found:
        """Measured figures of one role."""
        if (workload, role) not in self._files:
            raise UserError(f"{self.folder}: nothing of {workload}, {role}; {AGAIN}")
        return self.read(self._files[workload, role])

    def read(self, name: str) -> Found:
        """A file."""
        path = self.folder / name
        about = read_json(path)
        run = Found(about, Arrays(read_content(path.with_suffix(".npz"), about["sha256"])), path)
        for number, point in enumerate(about.get("points", ())):
            if "accepted" in point and (wrong := _point(point, number, run)):
                raise UserError(f"{path}: {wrong}; {AGAIN}")
        return run

    @property
    def programs(self) -> list[tuple[dict[str, Any], list[Found], list[dict[str, Any]]]]:
        """Workload of a program, its runs on RTL and model, its figures of the model alone."""
        listed = []
        for workload in self.index["workloads"]:
            if "image" in workload:
                runs = [
                    self.read(run["file"]) for run in self.index["runs"] if run["workload"] == workload["id"]
                ]
                listed.append((workload, runs, self.read(workload["file"]).about["points"]))
        return listed

    @property
    def quick(self) -> bool:
        """True if less of everything was measured."""
        return bool(self.index["quick"])

    def _check(self, role: str, cases: Cases) -> None:
        """One store of each PE behind one arbiter a cache: 1 + 2 + ... + k where k meet."""
        if role.startswith(LR2SS):
            return
        count = len(cases.listed)
        whole = np.bincount(cases["case"], cases["latency"], count)
        meet = np.bincount(cases["case"] * PES + cases["cache"], minlength=count * PES).reshape(count, PES)
        exact = (meet * (meet + 1) // 2).sum(1)
        for group, kind in (
            ("figure 5", None),
            ("class I", None),
            ("class III", "hot 1"),
            ("class IV", "hot 1"),
        ):
            numbers = cases.numbers(group, kind)
            off = np.flatnonzero(whole[numbers] != exact[numbers])
            if len(off):
                raise UserError(
                    f"{cases.found.path}: latencies of case {numbers[off[0]]} do not add up; {AGAIN}"
                )


def _point(point: Mapping[str, Any], number: int, run: Found) -> str:
    """The first contradiction in a point of load, or nothing."""
    counted = int(run.arrays["latencies"][number].sum())
    if counted != int(run.arrays["stores"][number].sum()) or counted != int(
        run.arrays["by_area"][number].sum()
    ):
        return f"point {number}: stores are not counted once each"
    if not 0 < point["accepted"] <= 1 or point["latency"] < 1 or point["delay"] < point["latency"]:
        return f"point {number}: accepted {point['accepted']}, latency {point['latency']}"
    return ""
