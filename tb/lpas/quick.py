# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``lpas`` within milliseconds: for mutants."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.lpas.schema import Config
from models.memory import Memory
from tb.common.replay.machine import Check
from tb.lpas.items import Distribution
from tb.lpas.replay import verified

COUNT = 600


@dataclass(frozen=True)
class Quick:
    """Compares the RTL of a folder with the golden model, cycles included, on REQUEST [n]."""

    cfg: Config
    requests: NDArray[Any]
    memory: Memory
    timing: MemoryTiming

    def __call__(self, folder: Path, plusarg: str) -> str:
        """The first difference, or nothing. Raises ``ReplayError`` if the RTL stops."""
        where: dict[str, Any] = {"rtl_dir": folder, "plusarg": plusarg}
        wrong = verified(self.cfg, self.requests, self.memory, self.memory.seed, self.timing, **where)[2]
        return wrong[0].text if wrong else ""


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name: full load, gaps between requests, lines that memory refuses, a memory that is near."""
    kinds = (
        ("full load", Distribution(tags=1, outside=0.02, flushes=0.005), 0, 26, 0, 0),
        ("gaps", Distribution(sets=1, tags=2), 4_000, 26, 0, 0),
        ("errors", Distribution(sets=1, tags=7, outside=0.3), 0, 60, 1, 3),
        ("near", Distribution(tags=7, flushes=0.05), 2_000, 1, 0, 0),
    )
    found: dict[str, Check] = {}
    for number, (name, distribution, spread, latency, gap, failing) in enumerate(kinds):
        rng = np.random.default_rng(seed + number)
        asked = distribution.draw(cfg, rng, COUNT)
        if spread:
            asked["at"] = np.sort(rng.integers(spread, size=COUNT))
        lines = np.unique(asked["word"] >> cfg.slot_bits)[: 2 * failing : 2]
        memory = Memory(seed, poisoned=lines.tolist())
        found[f"replay {number + 1}: {name}"] = Quick(
            cfg, asked, memory, MemoryTiming(latency=latency, gap=gap)
        )
    return found
