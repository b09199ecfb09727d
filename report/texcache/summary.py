# SPDX-License-Identifier: Apache-2.0
"""Numbers of each run, computed once: the big arrays are read, checked, reduced and let go."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texcache.schema import TEXEL_BYTES
from report.depth import when_tested
from report.texcache import metrics
from report.texcache.results import StoredRun, TexcacheResults, Workload
from report.words import counted

BASE = "base"
FILTERS = ("bilinear", "trilinear")
ORDERS = {"scan": "scan-line", "tile8": "8 × 8 tiles", "tile16": "16 × 16 tiles", "tile32": "32 × 32 tiles"}
LAYOUTS = {"row-major": "row-major", "tile4x4": "4 × 4 tiles", "morton": "Morton order"}
LONGEST = 160  # cycles; longer latencies are counted there in the histogram


@dataclass(frozen=True)
class Summary:
    """A run in numbers. ``latency`` [LONGEST + 1]: footprints by cycles, the last entry all longer ones."""

    workload: Workload
    role: str
    cfg: Any
    rates: metrics.Rates
    speed: metrics.Speed
    misses: int
    bytes_per_pixel: float
    bytes_without_cache: float
    by_level: NDArray[np.int64]
    by_set: NDArray[np.int64] | None
    latency: NDArray[np.int64]
    counters: dict[str, int]


def reduce(run: StoredRun) -> Summary:
    """The numbers of one run."""
    code, misses = metrics.codes(run.result), int(run.counters["misses"])
    return Summary(
        workload=run.workload,
        role=run.role,
        cfg=run.cfg,
        rates=metrics.rates(np.bincount(code, minlength=256)),
        speed=metrics.speed(run),
        misses=misses,
        bytes_per_pixel=misses * run.cfg.cache.line_bytes / run.pixels,
        bytes_without_cache=4 * TEXEL_BYTES * len(code) / run.pixels,
        by_level=metrics.by_level(run, code),
        by_set=metrics.by_set(run) if run.role == BASE else None,
        latency=np.bincount(np.minimum(run.latency, LONGEST), minlength=LONGEST + 1),
        counters=dict(run.counters),
    )


class Book:
    """Summaries and miss kinds of all runs, each computed when first asked for."""

    def __init__(self, results: TexcacheResults, progress: Callable[[str], None]) -> None:
        self.results = results
        self.progress = progress
        self._summaries: dict[tuple[str, str], Summary] = {}
        self._kinds: dict[tuple[str, str], metrics.Misses] = {}

    @property
    def base(self) -> Any:
        """The configuration that the report is about."""
        return self.results.base

    def read_all(self) -> None:
        """Read, check and reduce every run."""
        runs = list(self.results.entries)
        with ThreadPoolExecutor(2) as pool:  # unpacking and counting leave Python's lock alone
            waiting = pool.map(lambda run: self(self.results.workloads[run[0]], run[1]), runs)
            for number, _ in enumerate(waiting, 1):
                self.progress(f"texcache: reading {number} of {len(runs)} runs")

    def __call__(self, workload: Workload, role: str = BASE) -> Summary:
        """The numbers of one run."""
        key = workload.id, role
        if key not in self._summaries:
            self._summaries[key] = reduce(self.results.run(workload, role))
        return self._summaries[key]

    def kinds(self, workload: Workload, role: str = "base") -> metrics.Misses:
        """Compulsory, capacity and conflict misses, and the optima."""
        key = workload.id, role
        if key not in self._kinds:
            self.progress(f"texcache: misses by kind, {workload.id}")
            self._kinds[key] = metrics.miss_kinds(self.results.run(workload, role))
        return self._kinds[key]

    def has(self, workload: Workload, role: str) -> bool:
        """True if the workload was run in this role."""
        return (workload.id, role) in self.results.entries

    def have(self, workloads: Iterable[Workload], role: str) -> bool:
        """True if all of them were run in this role."""
        return all(self.has(workload, role) for workload in workloads)

    @property
    def own(self) -> dict[str, Any]:
        """Name of a user's scene and notes on it; empty for the built-in ones."""
        notes: dict[str, Any] = self.results.index.get("own", {})
        return notes

    @property
    def depth(self) -> str:
        """When depth is tested, but where the report compares: early or late."""
        return str(self.results.index["depth"])

    @property
    def views(self) -> str:
        """How many scenes there are, or views of a user's one."""
        count = len(self.scenes)
        return f"{counted(count, 'view')} of {self.own['source']}" if self.own else counted(count, "scene")

    def traffic(self, filter: str = "bilinear") -> str:
        """Words for the traffic of the scene runs in scan-line order."""
        first = self.scene(self.scenes[0], filter, "scan").meta
        return (
            f"{self.views}, {first['width']} × {first['height']} pixels, {filter}, {ORDERS['scan']}, "
            f"{when_tested(self.depth)}, from a cold cache"
        )

    @property
    def layout_roles(self) -> dict[str, str]:
        """Role by layout: the base has one of them, the others were measured beside it."""
        return {layout: BASE if layout == self.base.layout else layout for layout in LAYOUTS}

    def roles(self, prefix: str = "") -> list[str]:
        """Roles that begin so, of the scenes in scan-line order."""
        roles = self.results.roles(self.scene(self.scenes[0], "bilinear", "scan"))
        return [role for role in roles if role.startswith(prefix)]

    def drawn(self, role: str = BASE, filter: str = "bilinear") -> list[Summary]:
        """A role's run of each scene in scan-line order."""
        return [self(self.scene(scene, filter, "scan"), role) for scene in self.scenes]

    def by_scene(self, role: str, value: str) -> dict[str, float]:
        """A value of the speed of these runs."""
        return {
            scene: getattr(run.speed, value) for scene, run in zip(self.scenes, self.drawn(role), strict=True)
        }

    @property
    def scenes(self) -> list[str]:
        """Names of the scenes, in measured order."""
        return list(dict.fromkeys(workload.meta["scene"] for workload in self.results.of_kind("scene")))

    def scene(self, name: str, filter: str, order: str) -> Workload:
        """The workload of a scene. Raises KeyError."""
        matches = self.results.of_kind("scene", scene=name, filter=filter, order=order)
        if not matches:
            raise KeyError(f"{name}, {filter}, {order}")
        return matches[0]

    def values(self, kind: str, key: str) -> list[Any]:
        """The different values of ``meta[key]`` among the workloads of a kind, in measured order."""
        return list(dict.fromkeys(workload.meta[key] for workload in self.results.of_kind(kind)))
