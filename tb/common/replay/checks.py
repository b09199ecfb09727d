# SPDX-License-Identifier: Apache-2.0
"""Short replays that judge mutants of a block that answers requests."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import BlockConfig, MemoryTiming
from models.memory import Memory
from tb.common.components.packing import columns
from tb.common.replay.machine import Check
from tb.common.replay.requests import Columns, Model, Requester
from tb.common.replay.traffic import Traffic


class Kind(NamedTuple):
    """A short replay: requests of ``distribution``, of which memory fails for some lines if ``failing``."""

    name: str
    traffic: Traffic
    distribution: Any
    failing: int
    timing: MemoryTiming


def usual_kinds(
    seed: int, channels: Iterable[str], everything: Any, local: Any, *, near: Any = None, dense: bool = False
) -> tuple[Kind, ...]:
    """Requests of ``everything`` at rest; of ``local``, few lines, with back-pressure of the AXI ``channels``
    too, then also with errors, then (or of ``near``) with a fast memory.

    ``dense``: where lines fail, requests are offered in each cycle.
    """
    slow = dict.fromkeys(channels, 0.3)
    busy = Traffic.random(seed, "request", request=0.3, result=0.4, **slow)
    failing = Traffic.random(seed, "request", result=0.4, **slow) if dense else busy
    return (
        Kind("calm", Traffic(), everything, 0, MemoryTiming()),
        Kind("busy", busy, local, 0, MemoryTiming(latency=3)),
        Kind("errors", failing, local, 3, MemoryTiming(latency=5, gap=1)),
        Kind("near", Traffic(), near or local, 0, MemoryTiming(latency=1)),
    )


@dataclass(frozen=True)
class RequestCheck:
    """Compares the RTL of a folder with what the model says of ``columns``; ``options`` of the replay."""

    cfg: BlockConfig
    requester: Requester
    predict: Callable[[Any, Columns, Memory], Model]
    columns: Columns
    memory: Memory
    options: dict[str, Any]

    def __call__(self, folder: Path, plusarg: str) -> str:
        """The first difference, or nothing. Raises ``ReplayError`` if the RTL stops."""
        where: dict[str, Any] = {"rtl_dir": folder, "plusarg": plusarg, **self.options}
        rtl = self.requester.replay(self.cfg, self.columns, self.memory, self.memory.seed, **where)
        model = self.predict(self.cfg, self.columns, self.memory)
        wrong = self.requester.check(self.cfg, self.columns, model, rtl)
        return wrong[0].text if wrong else ""


def request_checks(
    cfg: Any,
    seed: int,
    kinds: Iterable[Kind],
    requester: Callable[[Any], Requester],
    predict: Callable[[Any, Columns, Memory], Model],
    asked: Callable[[Kind, np.random.Generator], tuple[NDArray[Any], NDArray[Any]]],
    patience: int = 600,
) -> dict[str, Check]:
    """A check of each kind, by name: of the requests [n] that ``asked`` gives, and the lines that fail."""
    found: dict[str, Check] = {}
    for number, kind in enumerate(kinds):
        requests, lines = asked(kind, np.random.default_rng(seed + number))
        memory = Memory(seed, poisoned=lines.tolist())
        options = {"timing": kind.timing, "traffic": kind.traffic, "patience": patience}
        check = RequestCheck(cfg, requester(cfg), predict, columns(requests), memory, options)
        found[f"replay {number + 1}: {kind.name}"] = check
    return found
