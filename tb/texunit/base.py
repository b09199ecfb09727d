# SPDX-License-Identifier: Apache-2.0
"""What the tests of the texture unit share: short words for primitives and quads, resets of either side."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

import cocotb
import numpy as np
from cocotb.triggers import ClockCycles
from numpy.typing import NDArray

from tb.common.components.base_test import BaseTest, Reset
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.stream import HIGH, ItemSequence, StreamItem
from tb.texunit.env import TexunitEnv
from tb.texunit.items import Distribution, prim_word, quad_words

Side = Literal["both", "gpu", "tex"]
ITEM_SIZE = 500  # quads per sequence item
PATIENCE = 400  # cycles until a reset must have ended


class TexunitTest(BaseTest):
    """Runs ``traffic`` after a reset of both sides."""

    env_class = TexunitEnv
    env: TexunitEnv
    _side: Side = "both"
    clocks: ClassVar[str] = "published"

    async def body(self) -> None:
        """Traffic."""
        self.env.coverage.hit("clocks", self.clocks)
        await self.traffic()

    async def traffic(self) -> None:
        """What the test is about."""
        raise NotImplementedError

    async def reset(self, cycles: int = 8, kind: Reset = "block", side: Side = "both") -> None:
        """Reset one side or both for some cycles; returns when the whole design is out of reset.

        The cycles are those of ``tex_clk``; a reset lasts longer if the GPU's side needs that: it must see an
        edge of its clock, and at power-up three.
        """
        self.env.coverage.reset_kind = "tex" if kind == "memory" else side
        self._side = side
        self._reset(kind)
        self._drive_resets(1, kind)
        self.env.reset()
        edges = 3 if kind == "all" else int(kind == "block" and side != "tex")
        seen = cocotb.start_soon(self._gpu_edges(edges))
        await self.clocking.cycles(cycles)
        while not seen.done():
            await self.clocking.cycles(1)
        self._drive_resets(0, kind)
        waited = 0
        while waited < PATIENCE:
            await self.clocking.cycles(1)
            if not self.env.resetting:
                break
            self._nothing_is_taken()
            waited += 1
        else:
            self.env.scoreboard.fail(f"in reset {PATIENCE} cycles after the reset of {side} ended")
        self._release()

    async def _gpu_edges(self, count: int) -> None:
        if count:
            await ClockCycles(self.bench.dut.gpu_clk, count)

    def _nothing_is_taken(self) -> None:
        """A word that was handed over to a side in reset would be lost."""
        dut = self.bench.dut
        if dut.gpu_resetting.value != HIGH:
            return
        for unit in range(self.cfg.units):
            for name in (f"prim{unit}_ready", f"quad{unit}_ready", f"res{unit}_valid"):
                self.expect(f"{name} in reset", "0", str(getattr(dut, name).value))

    def _reset_inputs(self) -> list[str]:
        return [f"{name}_rst" for name in ("gpu", "tex") if self._side in (name, "both")]

    async def start(self, prim: Any, unit: int = 0) -> None:
        """Send a primitive; returns when it was taken."""
        item = StreamItem("prim", [prim_word(self.cfg, prim)])
        await ItemSequence("prim", [item]).start(self.env.sequencers[f"prim{unit}"])

    async def send(self, quads: NDArray[Any], unit: int = 0, pacing: Pacing = ALWAYS) -> None:
        """Announce and send QUAD array [n]; returns when the last was taken."""
        self.env.scoreboard.announce(f"res{unit}", len(quads))
        gaps = pacing.gaps(self.rng, len(quads))
        words = quad_words(self.cfg, quads)
        items = [
            StreamItem("quads", words[at : at + ITEM_SIZE], gaps[at : at + ITEM_SIZE])
            for at in range(0, len(words), ITEM_SIZE)
        ]
        await ItemSequence("quads", items).start(self.env.sequencers[f"quad{unit}"])

    async def settle(self) -> None:
        """Wait until everything is answered and compared. May be driven then."""
        while True:
            await self.clocking.cycles(4)
            if self.env.idle():
                break

    async def play(self, distribution: Distribution, count: int, unit: int = 0, *, each: int = 40) -> None:
        """``count`` random quads on ``unit``, a new primitive every ``each``."""
        for at in range(0, count, each):
            prim = distribution.prim(self.cfg, self.rng)
            await self.start(prim, unit)
            await self.send(distribution.quads(self.rng, prim, min(each, count - at)), unit)

    async def on_all_units(self, distribution: Distribution, count: int, *, each: int = 40) -> None:
        """``count`` random quads in all, on all units at the same time."""
        share = -(-count // self.cfg.units)
        tasks = [
            cocotb.start_soon(self.play(distribution, share, unit, each=each))
            for unit in range(self.cfg.units)
        ]
        for task in tasks:
            await task

    def near(self, prim: Any) -> list[int]:
        """Some of the first lines of a primitive's texture, its colour table among them."""
        first = int(prim["base"])
        return [line for line in range(first, first + 300) if self.rng.random() < 0.1]

    def expect(self, what: str, want: Any, got: Any) -> None:
        """Fail, with the command that repeats the test, unless ``got`` equals ``want``."""
        if want != got:
            self.env.scoreboard.fail(f"{what}, in cycle {self.clocking.cycle}: expected {want}, got {got}")


def drifting(rng: np.random.Generator, half: int, spread: float) -> Iterator[int]:
    """Half periods that wander within ``spread`` of ``half`` picoseconds; even numbers."""
    now = float(half)
    while True:
        now = min(
            max(now + float(rng.normal(0, half * spread / 20)), half * (1 - spread)), half * (1 + spread)
        )
        yield int(now) // 2 * 2
