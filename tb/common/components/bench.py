# SPDX-License-Identifier: Apache-2.0
"""What the components of one test share, in one typed object instead of many ConfigDB keys."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from cocotb.types import Logic

from tb.common.components.clocking import Clocking
from tb.common.components.transactions import TransactionLog
from tb.common.engine.engine import Engine
from tb.common.running.settings import Settings

KEY = "BENCH"
HIGH, LOW = Logic(1), Logic(0)

#: a pin now: "0", "1", "X", "Z", or all bits of a vector so, the highest first
Look = Callable[[], str]


def look(signal: Any) -> Look:
    """A function that gives a signal's value as text, the highest bit first.

    ``signal.value`` makes an object of each value: 0.5 us a bit, and 2 us a word of 640; what stands below it
    gives the text alone, in a fifth or half of that (measured, cocotb 2.1).
    """
    text: Look = signal._handle.get_signal_val_binstr
    return text


class Mismatch(AssertionError):
    """Design and model differ, or a rule is broken: what, where, expected, got, and how to repeat the run."""


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
    engine: Engine

    @property
    def clocking(self) -> Clocking:
        """The main clock."""
        return next(iter(self.clockings.values()))

    def rng(self, name: str) -> np.random.Generator:
        """A random stream of its own for each name: what one component draws does not shift another's."""
        return np.random.default_rng([self.seed, zlib.crc32(name.encode())])

    def component_rng(self, name: str) -> np.random.Generator:
        """The random stream of a component of the environment, e.g. ``res_sink``.

        It goes by what the component is, not by where it hangs: another hierarchy leaves traffic as it was.
        """
        return self.rng(f"uvm_test_top.env.{name}")

    def fail(self, text: str) -> NoReturn:
        """Raises :class:`Mismatch` with the command that repeats the run."""
        raise Mismatch(f"{text}\n  repeat with: {self.repro}")
