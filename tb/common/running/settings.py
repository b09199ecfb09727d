# SPDX-License-Identifier: Apache-2.0
"""What a simulation is told by whoever starts it: one JSON file, named by one environment variable."""

import json
import os
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from configs.base import schema
from utils.files import write_atomic

VARIABLE = "CACHEFORGE_RUN"
VERDICTS = "verdicts.txt"
SIMULATORS = ("verilator", "icarus")


@dataclass(frozen=True)
class Settings:
    """One run of the simulator: which configuration, how much traffic, where results go."""

    block: str
    config: str  # the configuration as JSON, whatever it was made from
    name: str  # its name, for people
    simulator: str
    seed: int
    count: int  # transactions of a volume test
    folder: str  # results of the run
    repro: str  # the command that repeats the run, with {test} for the test
    steer: dict[str, str] = field(default_factory=dict)  # knob -> option, see tb/<block>/knobs.py
    counter_start: int = 0  # what the design's performance counters begin with
    mutants: dict[str, list[int]] = field(default_factory=dict)  # test -> it runs once with each of these
    once: bool = False  # a mutant that has failed a test is not looked at in those behind it

    @cached_property
    def cfg(self) -> Any:
        """The configuration."""
        return schema(self.block).model_validate_json(self.config)

    def save(self) -> Path:
        """Write ``settings.json`` into the run's folder."""
        path = Path(self.folder) / "settings.json"
        write_atomic(path, json.dumps(asdict(self), indent=1))
        return path

    def note(self, test: str, verdict: str) -> None:
        """Let whoever started the run know at once that a test has ended."""
        with (Path(self.folder) / VERDICTS).open("a") as file:
            file.write(f"{test} {verdict}\n")


def verdicts(folder: Path) -> dict[str, str]:
    """The tests of a run that have ended so far, in that order, and how."""
    path = folder / VERDICTS
    lines = path.read_text().splitlines() if path.is_file() else []
    return dict(line.split() for line in lines)


def inside() -> bool:
    """Whether this process is a simulation that was started with settings."""
    return VARIABLE in os.environ


def current() -> Settings:
    """The settings of the simulation that this process is."""
    return Settings(**json.loads(Path(os.environ[VARIABLE]).read_text()))
