# SPDX-License-Identifier: Apache-2.0
"""What the tests of the texture unit share: short words for primitives and quads, clocks that wander."""

from collections.abc import Iterator
from typing import Any, ClassVar

import cocotb
import numpy as np
from numpy.typing import NDArray

from tb.common.components.base_test import BaseTest
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.reset import Kind
from tb.common.components.stream import StreamItem
from tb.common.components.virtual_sequence import VirtualSequence
from tb.texunit.env import TexunitEnv
from tb.texunit.items import Distribution, prim_word, quad_words
from tb.texunit.resets import Side

ITEM_SIZE = 500  # quads per sequence item


class TexunitTest(BaseTest):
    """Starts a virtual sequence on the environment of the texture units."""

    env_class = TexunitEnv
    env: TexunitEnv
    sequence: "ClassVar[type[TexunitSequence]]"

    def start_of_simulation_phase(self) -> None:
        """Count the clocks."""
        self.env.coverage.hit("clocks", self.sequence.clocks)


class TexunitSequence(VirtualSequence):
    """Short words for primitives and quads."""

    test_class = TexunitTest
    clocks: ClassVar[str] = "published"  # the bin of the coverage
    CYCLES = 100  # for which counters of waits are looked at

    async def reset(self, cycles: int = 8, kind: Kind = "design", side: Side = "both") -> None:
        await self.env.resets.pulse(cycles, kind, side)

    async def settle(self, every: int = 4) -> None:
        await super().settle(every)

    async def begin(self, prim: Any, unit: int = 0) -> None:
        """Send a primitive; returns when it was taken."""
        await self.play(f"prim{unit}", StreamItem("prim", [prim_word(self.cfg, prim)]))

    async def send(self, quads: NDArray[Any], unit: int = 0, pacing: Pacing = ALWAYS) -> None:
        """Announce and send QUAD array [n]; returns when the last was taken."""
        self.env.scoreboard.announce(f"res{unit}", len(quads))
        gaps = pacing.gaps(self.rng, len(quads))
        words = quad_words(self.cfg, quads)
        items = [
            StreamItem("quads", words[at : at + ITEM_SIZE], gaps[at : at + ITEM_SIZE])
            for at in range(0, len(words), ITEM_SIZE)
        ]
        await self.play(f"quad{unit}", *items)

    async def random_quads(
        self, distribution: Distribution, count: int, unit: int = 0, *, each: int = 40
    ) -> None:
        """``count`` random quads on ``unit``, a new primitive every ``each``."""
        for at in range(0, count, each):
            prim = distribution.prim(self.cfg, self.rng)
            await self.begin(prim, unit)
            await self.send(distribution.quads(self.rng, prim, min(each, count - at)), unit)

    async def on_all_units(self, distribution: Distribution, count: int, *, each: int = 40) -> None:
        """``count`` random quads in all, on all units at the same time."""
        share = -(-count // self.cfg.units)
        tasks = [
            cocotb.start_soon(self.random_quads(distribution, share, unit, each=each))
            for unit in range(self.cfg.units)
        ]
        for task in tasks:
            await task

    async def waits(self) -> dict[str, int]:
        """By how much the first unit's counters of cycles grow in ``CYCLES``, those that do."""
        before = self.env.performance[0].counters()
        await self.clocking.cycles(self.CYCLES)
        grown = {name: value - before[name] for name, value in self.env.performance[0].counters().items()}
        return {name: value for name, value in grown.items() if value}

    def near(self, prim: Any) -> list[int]:
        """Some of the first lines of a primitive's texture, its colour table among them."""
        first = int(prim["base"])
        return [line for line in range(first, first + 300) if self.rng.random() < 0.1]


def drifting(rng: np.random.Generator, half: int, spread: float) -> Iterator[int]:
    """Half periods that wander within ``spread`` of ``half`` picoseconds; even numbers."""
    now = float(half)
    while True:
        now = min(
            max(now + float(rng.normal(0, half * spread / 20)), half * (1 - spread)), half * (1 + spread)
        )
        yield int(now) // 2 * 2


class ClocksTest(TexunitTest):
    """Clocks of the sequence's own."""

    sequence: "ClassVar[type[ClocksSequence]]"

    def build_phase(self) -> None:
        """Before the clocks start."""
        super().build_phase()
        halves = {"tex_clk": 1042, "gpu_clk": self.sequence.gpu_half}
        for name, half in halves.items():
            self.bench.clockings[name].drift(drifting(self.bench.rng(name), half, self.sequence.spread))


class ClocksSequence(TexunitSequence):
    """``gpu_half``: half a period of the GPU's clock in picoseconds; ``spread``: how far both wander."""

    test_class = ClocksTest
    gpu_half: ClassVar[int] = 1250
    spread: ClassVar[float] = 0.0
