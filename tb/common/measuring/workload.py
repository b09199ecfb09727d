# SPDX-License-Identifier: Apache-2.0
"""What a block gives to be measured: a :class:`Measurement`, which plans the :class:`Workload` list."""

import argparse
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from configs import BlockConfig, load, presets
from tb.common.measuring.stored import Order
from tb.common.replay.library import Roles, load_library
from tb.common.running.builds import BUILD

O = TypeVar("O", bound=Order)  # noqa: E741
C = TypeVar("C", bound=BlockConfig)


class DisagreementError(RuntimeError):
    """RTL and model differ; the message says where."""


class MeasuredRun(NamedTuple):
    """A run as the index lists it: a workload on the configuration in a role; accesses ``checked``."""

    workload: str
    role: str
    checked: int
    file: str


class Measured(NamedTuple):
    """What became of a workload: its entry in the index, and its runs."""

    entry: dict[str, Any]
    runs: list[MeasuredRun]


@dataclass(frozen=True)
class Workload(ABC, Generic[O]):
    """Traffic, measured by one process on several configurations one after the other; picklable.

    ``id`` is its own; ``cfgs`` by role: what the report calls them.
    """

    id: str
    cfgs: dict[str, Any]

    @abstractmethod
    def measure(self, order: O) -> Measured:
        """Measure what is not measured yet. Raises :class:`DisagreementError`, ``ReplayError``."""


class Measurement(ABC, Generic[O]):
    """What is measured of a block. ``accesses``: what the accesses of its runs are called."""

    accesses = "accesses"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Options of the block's own."""

    def folder(self, block: str, arguments: argparse.Namespace) -> Path:
        """Where results are kept unless the arguments say it."""
        return BUILD / "measure" / block

    def variables(self, arguments: argparse.Namespace) -> dict[str, object]:
        """What ``make report`` is given besides the configuration, to measure the same; None: nothing."""
        seed = arguments.seed if arguments.seed != 1 else None
        return {"SEED": seed, "QUICK": 1 if arguments.quick else None}

    @abstractmethod
    def order(self, arguments: argparse.Namespace, base: BlockConfig, command: str) -> O:
        """What the arguments ask for. Raises :class:`UserError`."""

    @abstractmethod
    def plan(self, order: O) -> Sequence[Workload[O]]:
        """All workloads, the longest first."""

    def roles(self, cfg: Any) -> Roles:
        """The parts that its streams play in a replay."""
        return Roles()

    def extra(self, order: O) -> dict[str, Any]:
        """What else the index says."""
        return {}


def preset_of(cfg: C) -> C:
    """The preset that is the same hardware and memory, if there is one: it shares its build."""
    for name in presets(cfg.block):
        preset = load(cfg.block, name)
        if preset.hash == cfg.hash and preset.memory == cfg.memory:
            return preset
    return cfg


def hardware(cfg: C) -> C:
    """The configuration whose build serves ``cfg``: other timing of the memory is the same hardware."""
    return preset_of(cfg.with_(memory=load(cfg.block, cfg.preset).memory.model_dump()))


def library_name(cfg: BlockConfig, roles: Roles) -> str:
    """The stamp of the Verilated library of ``cfg``: a hash of Verilog, harness, flags and tool."""
    return Path(load_library(hardware(cfg), None, roles)._name).stem
