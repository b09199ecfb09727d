# SPDX-License-Identifier: Apache-2.0
"""What the components of one test share, in one typed object instead of many ConfigDB keys."""

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from tb.common.components.clocking import Clocking
from tb.common.components.transactions import TransactionLog
from tb.common.running.settings import Settings

KEY = "BENCH"


@dataclass(frozen=True)
class Bench:
    """The design under test with its configuration, clock, seed and log."""

    dut: Any
    cfg: Any
    settings: Settings
    clockings: dict[str, Clocking]  # by name of the clock, the main one first
    log: TransactionLog
    seed: int
    repro: str  # the command that repeats the test

    @property
    def clocking(self) -> Clocking:
        """The main clock."""
        return next(iter(self.clockings.values()))

    def rng(self, name: str) -> np.random.Generator:
        """A random stream of its own for each name: what one component draws does not shift another's."""
        return np.random.default_rng([self.seed, zlib.crc32(name.encode())])
