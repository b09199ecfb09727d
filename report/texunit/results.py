# SPDX-License-Identifier: Apache-2.0
"""Reads the measured files of ``texunit`` and checks what they say against itself."""

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from models.texunit_timing import HIT_CYCLES, REPEAT_CYCLES

FORMAT = 1
STAGES = ("lod", "repeat", "hit", "miss", "filter")


class Run:
    """One scene on one configuration, its figures checked as they are read. Raises :class:`UserError`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.figures: dict[str, Any] = json.loads(path.read_text())
        except (OSError, ValueError) as error:
            raise UserError(f"{path}: cannot be read ({error}); run make report again") from None
        self._check()

    def _check(self) -> None:
        try:
            f, counters = self.figures, self.figures["counters"]
            parts = counters["repeats"] + counters["hits"] + counters["misses"]
            sums = {
                "quads": (f["quads"], counters["quads"]),
                "pixels": (f["pixels"], counters["pixels"]),
                "queries": (counters["queries"], parts),
                "lines": (f["lines"], counters["misses"]),
                "hit_rate": (f["hit_rate"], (parts - counters["misses"]) / parts),
                "pixels_per_clock": (round(f["pixels"] / f["pixels_per_clock"]), f["cycles"]),
            }
        except (KeyError, TypeError, ZeroDivisionError) as error:
            raise self._bad(f"{error!r}") from None
        for name, (one, other) in sums.items():
            if one != other:
                raise self._bad(f"{name} is {one} in one place and {other} in another")

    def _bad(self, what: str) -> UserError:
        return UserError(f"{self.path}: does not add up, {what}; delete it and run make report again")

    def __getitem__(self, name: str) -> Any:
        return self.figures[name]

    @cached_property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Pictures and maps. Raises :class:`UserError` for damaged ones."""
        path = self.path.with_suffix(".npz")
        try:
            data = path.read_bytes()
        except OSError as error:
            raise UserError(f"{path}: cannot be read ({error}); run make report again") from None
        if hashlib.sha256(data).hexdigest() != self.figures["sha256"]:
            raise UserError(
                f"{path}: the checksum differs, it is damaged; delete it and run make report again"
            )
        with np.load(path) as file:
            found = dict(file)
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
        path = folder / "index.json"
        if not path.is_file():
            raise UserError(f"{path}: no measured results there; run make report")
        try:
            self.index: dict[str, Any] = json.loads(path.read_text())
        except ValueError as error:
            raise UserError(f"{path}: not JSON ({error}); run make report again") from None
        if self.index.get("format") != FORMAT or self.index.get("block") != "texunit":
            raise UserError(f"{path}: not a measurement of texunit of format {FORMAT}; run make report again")
        self.runs = {one["id"]: Run(folder / one["file"]) for one in self.index["runs"]}
        missing = [name for name in STAGES if name not in self.index["stages"]]
        if missing:
            raise UserError(f"{path}: stage {missing[0]} was not timed; run make report again")

    @property
    def scenes(self) -> Sequence[str]:
        """Measured scenes."""
        return list(self.index["scenes"])

    @property
    def units(self) -> int:
        """Units of the base configuration."""
        return int(self.index["base"]["units"])

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
