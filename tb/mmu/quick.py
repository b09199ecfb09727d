# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``mmu`` within milliseconds: for mutants."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.mmu.schema import Config
from models.memory import Memory
from models.mmu.traffic import FIRST_OF_DCACHE, sides, stream
from tb.common.replay.machine import Check
from tb.common.replay.requests import Columns
from tb.common.replay.traffic import Traffic
from tb.mmu.items import CODE, DATA, Distribution
from tb.mmu.prediction import predict
from tb.mmu.replay import check
from tb.mmu.replay import replay as replayed
from tb.mmu.sides import SIDES

COUNT = 300  # requests of each cache
CHANNELS = ("address", "data", "write_address", "write_data", "response")


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares every request with the golden model. Raises ``ReplayError`` if the RTL stops."""
    busy = Traffic.random(seed, "request", request=0.3, result=0.4, **dict.fromkeys(CHANNELS, 0.3))
    local = Distribution(replace(CODE, sets=1, tags=2, bases=0.05), replace(DATA, sets=1, flushes=0.03))
    kinds = (
        ("calm", Traffic(), Distribution(), 0, MemoryTiming()),
        ("busy", busy, local, 0, MemoryTiming(latency=3)),
        ("errors", busy, local, 3, MemoryTiming(latency=5, gap=1)),
        ("shared", Traffic(), Distribution(shared=1.0, rows=1), 0, MemoryTiming(latency=1)),
    )
    found: dict[str, Check] = {}
    for number, (name, traffic, distribution, failing, timing) in enumerate(kinds):
        if failing and cfg.dcache.nonblocking:  # which of several failures was the first only cycles tell
            distribution = replace(distribution, data=replace(distribution.data, states=0))
        drawn = distribution.draw(cfg, np.random.default_rng(seed + number), COUNT)
        region = max(inner.cache.offset_bits for inner in (cfg.icache, cfg.dcache))
        code, data = drawn["icache"]["pc"] >> region, drawn["dcache"]["addr0"] >> region
        poisoned = [*np.unique(code)[:failing].tolist(), *np.unique(data)[: 2 * failing : 2].tolist()]
        options = {"timing": timing, "traffic": traffic, "patience": 4_000}
        found[f"replay {number + 1}: {name}"] = MmuCheck(
            cfg, in_turns(cfg, drawn), Memory(seed, poisoned=poisoned), options
        )
    return found


def in_turns(cfg: Config, drawn: NDArray[Any]) -> Columns:
    """The fetches and the accesses of ``drawn``, a PAIR array [n], as columns [2n]."""
    columns: Columns = {}
    for field in stream(cfg).fields:
        column = np.zeros(2 * len(drawn), np.int64)
        for place, side in enumerate(SIDES):
            if field.name in (drawn[side].dtype.names or ()):
                column[place::2] = drawn[side][field.name]
        columns[field.name] = column
    columns["op"][1::2] += FIRST_OF_DCACHE
    return columns


@dataclass(frozen=True)
class MmuCheck:
    """Compares the RTL of a folder with what the model says of ``columns``; ``options`` of the replay."""

    cfg: Config
    columns: Columns
    memory: Memory
    options: dict[str, Any]

    def __call__(self, folder: Path, plusarg: str) -> str:
        """The first difference, or nothing. Raises ``ReplayError`` if the RTL stops."""
        both, memory = sides(self.cfg, self.columns), self.memory
        predicted = predict(self.cfg, both, Memory(memory.seed, poisoned=memory.poisoned))
        rtl = replayed(
            self.cfg, self.columns, both, predicted, Memory(memory.seed, poisoned=memory.poisoned),
            memory.seed, rtl_dir=folder, plusarg=plusarg, **self.options,
        )  # fmt: skip
        wrong = check(self.cfg, self.columns, predicted, rtl)
        return wrong[0].text if wrong else ""
