# SPDX-License-Identifier: Apache-2.0
"""Reads the measured files of ``texunit`` and checks what they say against itself."""

from pathlib import Path

from configs import UserError, schema
from configs.texunit.schema import Config
from models.texunit.timing import HIT_CYCLES, REPEAT_CYCLES
from report.depth import when_tested
from report.results import AGAIN, Arrays, Figures, Runs, Sums
from report.words import counted

STAGES = ("lod", "repeat", "hit", "miss", "filter")


def _sums(run: Figures) -> Sums:
    counters = run["counters"]
    parts = counters["repeats"] + counters["hits"] + counters["misses"]
    return {
        "quads": (run["quads"], counters["quads"]),
        "pixels": (run["pixels"], counters["pixels"]),
        "queries": (counters["queries"], parts),
        "lines": (run["lines"], counters["misses"] + run["table_lines"]),
        "hit_rate": (run["hit_rate"], (parts - counters["misses"]) / parts),
        "pixels_per_clock": (round(run["pixels"] / run["pixels_per_clock"]), run["cycles"]),
    }


def parts(run: Figures) -> dict[str, float]:
    """Where the cycles of all units went, in shares of the time."""
    counters, time = run["counters"], run["cycles"] * run["units"]
    waiting = counters["memory_wait_cycles"] / time
    hits, repeats = counters["hits"] * HIT_CYCLES / time, counters["repeats"] * REPEAT_CYCLES / time
    return {"repeats": repeats, "hits": hits, "memory": waiting, "rest": 1 - waiting - hits - repeats}


class TexunitResults(Runs):
    """A folder of measured results."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "texunit", _sums)
        self.base: Config = schema("texunit").model_validate(self.index["base"])  # type: ignore[assignment]
        self.about = {entry["scene"]: entry["about"] for entry in self.index["workloads"]}
        self.sweep = [row for entry in self.index["workloads"] for row in entry["sweep"]]
        missing = [name for name in STAGES if not self.own and name not in self.index["stages"]]
        if missing:
            raise UserError(f"{folder}: stage {missing[0]} was not timed; run make report again")

    def arrays(self, run: Figures) -> Arrays:
        """Pictures and maps. Raises :class:`UserError` if damaged, or if the RTL's is not the model's."""
        arrays = super().arrays(run)
        if (arrays["rtl"] != arrays["golden"]).any():
            raise UserError(f"{run['path']}: the RTL's picture is not the model's; {AGAIN}")
        return arrays

    @property
    def depth(self) -> str:
        """When depth is tested, but where the report compares: early or late."""
        return str(self.index["depth"])

    def traffic(self, units: str = "one unit") -> str:
        """Words for the traffic of the scene runs."""
        width, height = self.index["size"]
        return (
            f"{self.views}, {width} × {height} pixels, bilinear, {units}, {when_tested(self.depth)}, "
            f"from a cold cache; memory answers after {self.of('one')[0]['latency']} cycles"
        )

    @property
    def views(self) -> str:
        """How many scenes there are, or views of a user's one."""
        count = len(self.scenes)
        return f"{counted(count, 'view')} of {self.own['source']}" if self.own else counted(count, "scene")

    @property
    def units(self) -> int:
        """Units of the base configuration."""
        return self.base.units

    def run(self, scene: str, role: str) -> Figures:
        """A run by what it is."""
        return self.runs[scene, role]

    def latencies(self, role: str) -> list[int]:
        """Memory latencies that a role was run with, the configuration's own among them, sorted."""
        first = self.scenes[0]
        roles = {name for scene, name in self.runs if scene == first and name.startswith(f"{role}/")}
        return sorted({self.run(first, role)["latency"], *(int(name.partition("/")[2]) for name in roles)})

    def at(self, scene: str, role: str, latency: int) -> Figures:
        """The run with this latency."""
        own = self.run(scene, role)
        return own if own["latency"] == latency else self.run(scene, f"{role}/{latency}")
