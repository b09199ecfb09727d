# SPDX-License-Identifier: Apache-2.0
"""Reads the measured files of ``zcache`` and checks what they say against itself."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from configs import UserError, schema
from configs.zcache.counters import CAUSES
from configs.zcache.schema import Config
from models.zcache.figures import DROPS, FATES, hit_rate
from report.results import AGAIN, Arrays, Figures, Runs, Sums, read_content, read_json
from report.words import counted, mean

AHEAD, OFF, PLAIN = "prefetch", "off", "plain PLRU"
SERIAL, SERIAL_OFF, GAINS, GAINS_OFF = "serial", "serial off", "two reads", "two reads off"  # scarce reads
MARKS, BOUNDS, BOTH, EARLY = "marks", "bounds", "marks and bounds", "early"  # beyond the source


def fates_of(figures: Figures) -> list[int]:
    """Lines that were asked for ahead, in the order of FATES."""
    return [figures[f"fate_{name}"] for name in FATES]


def drops_of(figures: Figures) -> list[int]:
    """Requests that were dropped, in the order of DROPS."""
    return [figures[f"dropped_{name}"] for name in DROPS]


def sums(figures: Figures) -> Sums:
    """Figures of a run that must be the same in two places."""
    counters = figures["counters"]
    return {
        "tiles": (figures["tiles"], figures["hits"] + figures["lates"] + figures["misses"]),
        "hits": (figures["hits"], counters["hits"]),
        "lines": (figures["lines"], counters["fills"] + counters["prefetches"]),
        "issued": (figures["issued"], sum(fates_of(figures))),
        "prefetches": (figures["issued"], counters["prefetches"]),
        "requests": (
            figures["requests"], figures["issued"] + sum(drops_of(figures)) + figures["dropped_hopeless"]
        ),
        "passed": (figures["passed_pixels"], counters["passed"]),
        "waits": (counters["wait_cycles"], sum(counters[f"{cause}_wait_cycles"] for cause in CAUSES)),
        "pixels": (figures["used_pixels"], min(figures["used_pixels"], figures["line_pixels"])),
    }  # fmt: skip


def gain(ahead: Figures, off: Figures, unit: str) -> float:
    """Added to the hit rate, as a share of 1."""
    return hit_rate(ahead, unit) - hit_rate(off, unit)


def reduction(ahead: Figures, off: Figures, name: str = "latency") -> float:
    """Share by which a latency is less."""
    return float(1 - ahead[name] / off[name])


class ZcacheResults(Runs):
    """A folder of measured results. Raises :class:`UserError` for missing or damaged ones."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "zcache", sums)
        self.base: Config = schema("zcache").model_validate(self.index["base"])  # type: ignore[assignment]
        listed = self.index["workloads"]
        drawn = [workload for workload in listed if not {"surface", "adapting"} & workload.keys()]
        self.about = {workload["scene"]: read_json(folder / workload["file"]) for workload in drawn}
        self._abouts = {workload["scene"]: folder / workload["file"] for workload in drawn}
        self.surface: dict[str, list[Figures]] = {
            workload["scene"]: workload["surface"] for workload in listed if "surface" in workload
        }
        self.adapting: dict[str, Figures] = {
            workload["scene"]: workload["adapting"] for workload in listed if "adapting" in workload
        }
        for scene in self.scenes:
            ahead, off = self.run(scene, AHEAD), self.run(scene, OFF)
            if (ahead["tiles"], ahead["rows"]) != (off["tiles"], off["rows"]):
                raise UserError(f"{ahead['path']}: other tiles than without prefetch; {AGAIN}")
            for role in (MARKS, BOUNDS, BOTH) if scene in self.bounded else (MARKS,):
                run = self.run(scene, role)
                if run["tiles"] + run["counters"].get("rejected", 0) != ahead["tiles"]:
                    raise UserError(f"{run['path']}: other tiles than with none; {AGAIN}")

    @property
    def scenes(self) -> list[str]:
        """Measured scenes, those with a surface first."""
        return list(self.about)

    @property
    def deep(self) -> Sequence[str]:
        """Scenes with a surface: the depth scenes, or a user's."""
        return list(self.surface)

    @property
    def early(self) -> Sequence[str]:
        """Scenes that were tested before the shader, too: those of which no shader discards pixels."""
        return [scene for scene in self.scenes if (scene, EARLY) in self.runs]

    @property
    def bounded(self) -> Sequence[str]:
        """Scenes that were measured with bounds: the same ones."""
        return [scene for scene in self.scenes if (scene, BOUNDS) in self.runs]

    @property
    def bound_bits(self) -> int:
        """Bits of a depth that bounds have."""
        return self.base.hierarchical.bits

    def views(self, scenes: Sequence[str]) -> str:
        """How many scenes there are, or views of a user's one."""
        name, of = ("view", f" of {self.own['source']}") if self.own else ("scene", "")
        return f"{counted(len(scenes), name)}{of}"

    def traffic(self, scenes: Sequence[str]) -> str:
        """Words for the traffic of the runs in RTL."""
        width, height = self.index["size"]
        run = self.run(self.scenes[0], AHEAD)
        return (
            f"{self.views(scenes)}, {width} × {height} pixels, a clear, all tiles, a flush; "
            f"a tile each {run['pace']} cycles at most, shaded in {run['delay']}; memory answers after "
            f"{run['latency_of_memory']} cycles; "
            f"{run['in_flight']} tiles in flight, {run['reads']} reads under way"
        )

    def run(self, scene: str, role: str) -> Figures:
        """A run by what it is."""
        return self.runs[scene, role]

    def maps(self, scene: str) -> Arrays:
        """``depth`` and ``drawn`` of a scene."""
        path = self._abouts[scene].with_suffix(".npz")
        return Arrays(read_content(path, self.about[scene]["sha256"]))

    def missed(self, scene: str) -> Any:
        """How often each tile [rows, pitch] missed without prefetch."""
        return self.arrays(self.run(scene, OFF))["missed"]

    def at(self, **place: Any) -> list[tuple[Figures, Figures]]:
        """Runs with and without prefetch at a point of the surface, of each scene that has one."""
        pairs = []
        for scene in self.deep:
            [row] = [point for point in self.surface[scene] if place.items() <= point.items()]
            pairs.append((row["ahead"], row["off"]))
        return pairs

    def axis(self, name: str, **place: Any) -> list[int]:
        """The values of an axis among the points of the surface that are at ``place``, sorted."""
        rows = self.surface[self.deep[0]] if self.deep else []
        return sorted({row[name] for row in rows if place.items() <= row.items()})

    def mean_gain(self, unit: str, **place: Any) -> float:
        """Mean over the scenes at a point of the surface."""
        return mean(gain(ahead, off, unit) for ahead, off in self.at(**place))

    def mean_reduction(self, name: str = "latency", **place: Any) -> float:
        """Mean over the scenes at a point of the surface."""
        return mean(reduction(ahead, off, name) for ahead, off in self.at(**place))
