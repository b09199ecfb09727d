# SPDX-License-Identifier: Apache-2.0
"""Reads what ``python -m tb measure texcache`` wrote, and refuses what does not add up.

A workload's arrays are its footprints and, for pictures, each footprint's pixel and weights; a run's are what
the RTL did with each footprint and when, and for scenes the picture of its texels.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError, schema
from configs.texcache.schema import Config
from models.texcache import RESULT
from report.results import AGAIN, Arrays, read_content, read_index, read_json


@dataclass(frozen=True)
class Workload:
    """Footprints and where they come from; ``meta`` has what its ``kind`` needs (scene, filter, ...)."""

    id: str
    kind: str
    meta: Mapping[str, Any]
    path: Path = field(repr=False)
    digest: str = field(repr=False)

    @cached_property
    def columns(self) -> Arrays:
        """``footprints``, ``sides`` (side of each texture) and, for scenes, the columns of a trace."""
        return Arrays(read_content(self.path, self.digest))

    @property
    def footprints(self) -> NDArray[Any]:
        """FOOTPRINT [n]."""
        return self.columns["footprints"]

    @property
    def pixels(self) -> int:
        """Pixels that the footprints belong to; two footprints of a trilinear sample share one."""
        return int(self.meta["pixels"])


@dataclass(frozen=True)
class StoredRun:
    """One workload through one configuration: arrays of shape [footprints], times in cycles."""

    workload: Workload
    role: str
    cfg: Config
    lut: NDArray[np.uint32]
    result: Mapping[str, NDArray[Any]]  # the fields of RESULT
    t_request: NDArray[np.uint32]
    t_result: NDArray[np.uint32]
    counters: Mapping[str, int]
    summary: Mapping[str, Any] = field(repr=False)
    arrays: Mapping[str, NDArray[Any]] = field(repr=False)

    @property
    def name(self) -> str:
        """Workload and configuration."""
        return f"{self.workload.id} on {self.cfg.name}"

    @property
    def footprints(self) -> NDArray[Any]:
        """FOOTPRINT [n]."""
        return self.workload.footprints

    @property
    def pixels(self) -> int:
        """Pixels of the workload."""
        return self.workload.pixels

    @property
    def picture(self) -> NDArray[np.uint8]:
        """Picture of the delivered texels, [height, width, 3]; of scenes on the base alone."""
        return self.arrays["picture"]

    @property
    def latency(self) -> NDArray[np.int64]:
        """Cycles from a request's acceptance to its result."""
        return self.t_result.astype(np.int64) - self.t_request.astype(np.int64)


class TexcacheResults:
    """All measured results of one folder. Raises :class:`UserError` if there are none."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index = read_index(folder, "texcache")
        self.base: Config = schema("texcache").model_validate(self.index["base"])  # type: ignore[assignment]
        self.workloads = {
            entry["id"]: Workload(
                entry["id"], entry["kind"], entry["meta"], (folder / entry["file"]).with_suffix(".npz"),
                entry["sha256"],
            )
            for entry in self.index["workloads"]
        }  # fmt: skip
        self.entries = {
            (entry["workload"], entry["role"]): folder / entry["file"] for entry in self.index["runs"]
        }

    def of_kind(self, kind: str, **meta: Any) -> list[Workload]:
        """Workloads of a kind whose ``meta`` has these values, in measured order."""
        return [
            workload
            for workload in self.workloads.values()
            if workload.kind == kind and meta.items() <= workload.meta.items()
        ]

    def roles(self, workload: Workload) -> list[str]:
        """The roles in which configurations ran this workload."""
        return [role for name, role in self.entries if name == workload.id]

    def run(self, workload: Workload, role: str = "base") -> StoredRun:
        """Read and check one run. Raises :class:`UserError` for a damaged file."""
        path = self.entries[workload.id, role]
        summary = read_json(path)
        content = read_content(path.with_suffix(".npz"), summary["sha256"])
        arrays, fields = Arrays(content), Arrays(content, "result_")
        if set(fields) != set(RESULT.names or ()):
            raise UserError(f"{path}: records of another version; {AGAIN}")
        cfg: Any = schema("texcache").model_validate(summary["config"])
        times = {name: arrays[name] for name in ("lut", "t_request", "t_result")}
        run = StoredRun(workload, role, cfg, result=fields, counters=summary["counters"], summary=summary,
                  arrays=arrays, **times)  # fmt: skip
        check(run, path)
        return run

    def each(self, kind: str, role: str = "base", **meta: Any) -> list[Workload]:
        """Workloads of a kind that were run in this role."""
        return [workload for workload in self.of_kind(kind, **meta) if (workload.id, role) in self.entries]


def recount(run: StoredRun) -> dict[str, int]:
    """The counters that follow from the records, by the RTL's names."""
    valid, hit = (run.result[name].sum(axis=1, dtype=np.int64) for name in ("valid", "hit"))
    return {
        "footprints": len(valid),
        "footprint_hits": int((valid == hit).sum()),
        "lookups": int(valid.sum()),
        "hits": int(hit.sum()),
        "misses": int((valid - hit).sum()),
        "evictions": int(run.result["evict"].sum(dtype=np.int64)),
        "conflict_cycles": int((run.result["beats"].astype(np.int64) - 1).sum()),
    }


def check(run: StoredRun, path: Path) -> None:
    """Counters against records, order and times of results. Raises :class:`UserError` for the first fault."""

    def demand(good: bool, problem: str) -> None:
        if not good:
            raise UserError(f"{path}: {problem}; the result is damaged: {AGAIN}")

    count = len(run.workload.footprints)
    columns = {name: run.result[name] for name in ("valid", "hit", "evict", "beats")}
    columns |= {"t_request": run.t_request, "t_result": run.t_result}
    for name, column in columns.items():
        demand(len(column) == count, f"{len(column)} of {name} for {count} footprints")
    demand(run.summary["workload"] == run.workload.id, f"it belongs to {run.summary['workload']}")
    for name, value in recount(run).items():
        counter = run.counters.get(name)
        demand(counter == value, f"counter {name}={counter}, the records say {value}")
    demand(bool((run.t_result[1:] > run.t_result[:-1]).all()), "results are not in order")
    demand(bool((run.t_request[1:] > run.t_request[:-1]).all()), "requests are not in order")
    least = int(run.latency.min())
    demand(least >= 2, f"a result {least} cycles after its request")
