# SPDX-License-Identifier: Apache-2.0
"""Reads the measured files of ``texunit`` and checks what they say against itself."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from configs import UserError, schema
from configs.texunit.schema import Config
from models.texunit.timing import HIT_CYCLES, REPEAT_CYCLES
from report.depth import when_tested
from report.results import AGAIN, Arrays, read_content, read_index, read_json
from report.words import counted

STAGES = ("lod", "repeat", "hit", "miss", "filter")


class Run:
    """One scene on one configuration, its figures checked as they are read. Raises :class:`UserError`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.figures: dict[str, Any] = read_json(path)
        self._check()

    def _check(self) -> None:
        try:
            f, counters = self.figures, self.figures["counters"]
            parts = counters["repeats"] + counters["hits"] + counters["misses"]
            sums = {
                "quads": (f["quads"], counters["quads"]),
                "pixels": (f["pixels"], counters["pixels"]),
                "queries": (counters["queries"], parts),
                "lines": (f["lines"], counters["misses"] + f["table_lines"]),
                "hit_rate": (f["hit_rate"], (parts - counters["misses"]) / parts),
                "pixels_per_clock": (round(f["pixels"] / f["pixels_per_clock"]), f["cycles"]),
            }
        except (KeyError, TypeError, ZeroDivisionError) as error:
            raise self._bad(f"{error!r}") from None
        for name, (one, other) in sums.items():
            if one != other:
                raise self._bad(f"{name} is {one} in one place and {other} in another")

    def _bad(self, what: str) -> UserError:
        return UserError(f"{self.path}: does not add up, {what}; {AGAIN}")

    def __getitem__(self, name: str) -> Any:
        return self.figures[name]

    @cached_property
    def arrays(self) -> Arrays:
        """Pictures and maps. Raises :class:`UserError` for damaged ones."""
        found = Arrays(read_content(self.path.with_suffix(".npz"), self.figures["sha256"]))
        if (found["rtl"] != found["golden"]).any():
            raise self._bad("the RTL's picture is not the model's")
        return found

    @property
    def parts(self) -> dict[str, float]:
        """Where the cycles of all units went, in shares of the time."""
        counters, units = self.figures["counters"], self.figures["units"]
        time = self.figures["cycles"] * units
        waiting = counters["memory_wait_cycles"] / time
        hits = counters["hits"] * HIT_CYCLES / time
        repeats = counters["repeats"] * REPEAT_CYCLES / time
        return {"memory": waiting, "hits": hits, "repeats": repeats, "rest": 1 - waiting - hits - repeats}


class Results:
    """A folder of measured results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index = read_index(folder, "texunit")
        self.base: Config = schema("texunit").model_validate(self.index["base"])  # type: ignore[assignment]
        self.runs = {
            f"{entry['workload']}/{entry['role']}": Run(folder / entry["file"])
            for entry in self.index["runs"]
        }
        self.about = {entry["scene"]: entry["about"] for entry in self.index["workloads"]}
        self.sweep = [row for entry in self.index["workloads"] for row in entry["sweep"]]
        missing = [name for name in STAGES if not self.own and name not in self.index["stages"]]
        if missing:
            raise UserError(f"{folder}: stage {missing[0]} was not timed; run make report again")

    @property
    def own(self) -> dict[str, Any]:
        """Of a user's scene its name and notes on it; empty for the built-in ones."""
        found: dict[str, Any] = self.index.get("own", {})
        return found

    @property
    def depth(self) -> str:
        """When depth is tested, but where the report compares: early or late."""
        return str(self.index["depth"])

    def traffic(self, units: str = "one unit") -> str:
        """What the scene runs consisted of."""
        width, height = self.index["size"]
        latency = self.run(self.scenes[0], "one")["latency"]
        return (
            f"{self.views}, {width} × {height} pixels, bilinear, {units}, {when_tested(self.depth)}, "
            f"from a cold cache; memory answers after {latency} cycles"
        )

    @property
    def views(self) -> str:
        """How many scenes there are, or views of a user's one."""
        count = len(self.scenes)
        return f"{counted(count, 'view')} of {self.own['source']}" if self.own else counted(count, "scene")

    @property
    def scenes(self) -> Sequence[str]:
        """Measured scenes."""
        return list(self.index["scenes"])

    @property
    def units(self) -> int:
        """Units of the base configuration."""
        return self.base.units

    def run(self, scene: str, role: str, latency: int | None = None) -> Run:
        """A run by what it is."""
        return self.runs[f"{scene}/{role}" + ("" if latency is None else f"/{latency}")]

    def latencies(self, role: str) -> list[int]:
        """Memory latencies that a role was run with, the configuration's own among them, sorted."""
        own = self.run(self.scenes[0], role)["latency"]
        prefix = f"{self.scenes[0]}/{role}/"
        return sorted({own, *(int(name[len(prefix) :]) for name in self.runs if name.startswith(prefix))})

    def at(self, scene: str, role: str, latency: int) -> Run:
        """The run with this latency."""
        own = self.run(scene, role)
        return own if own["latency"] == latency else self.run(scene, role, latency)
