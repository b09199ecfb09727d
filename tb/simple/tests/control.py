# SPDX-License-Identifier: Apache-2.0
"""Flush, invalidate, resets, and nothing at all."""

from configs.simple.schema import FLUSH, INVALIDATE, LOAD, STORE
from tb.common.components.testcase import testcase
from tb.simple.base import SimpleSequence
from tb.simple.items import Distribution


@testcase()
class Quiet(SimpleSequence):
    """Without requests nothing happens."""

    silent = True

    async def body(self) -> None:
        """Wait, then look at what the monitors saw."""
        await self.clocking.cycles(200)
        offered = {agent.monitor.offered for agent in self.env.agents.values()}
        self.expect("cycles with valid", ({0}, 0), (offered, self.env.bursts))


@testcase()
class Flush(SimpleSequence):
    """A flush writes every dirty line once, be it none, the first, the last or all; they stay valid."""

    async def body(self) -> None:
        """Then loads hit, and another flush has nothing to do."""
        sets = self.cfg.cache.sets
        for dirty in ((), (0,), (sets - 1,), (1, 2), range(sets)):
            for index in dirty:
                await self.store(self.word(index, 1), 100 + index)
            flushed = await self.flush()
            expected = len(dirty) if self.cfg.policy == "write-back" else 0
            self.expect("lines written", expected, int(flushed["tries"]))
            self.expect("lines written again", 0, int((await self.flush())["tries"]))
            for index in dirty:
                await self.load(self.word(index, 1))


@testcase()
class Invalidate(SimpleSequence):
    """All lines are forgotten, dirty ones too: loads see what memory had before."""

    async def body(self) -> None:
        """A line that was flushed, one that was not, and every set once more."""
        await self.store(self.word(0, 1), 1)
        await self.flush()
        await self.store(self.word(0, 1), 2)
        await self.store(self.word(1, 1), 3)
        await self.invalidate()
        again = await self.load(self.word(0, 1))
        self.expect("value", 1 if self.cfg.policy == "write-back" else 2, int(again["value"]))
        lines = [(LOAD, self.word(index, 7), 0, 0, 0) for index in range(self.cfg.cache.sets)]
        await self.send([*lines, (INVALIDATE, 0, 0, 0, 0), *lines])
        await self.send(
            [(op, 0, 0, 1, 0) for op in (INVALIDATE, FLUSH, FLUSH, INVALIDATE, INVALIDATE, STORE, FLUSH)]
        )
        await self.send(
            [(op, 0, 0, 1, 0) for op in (INVALIDATE, LOAD, FLUSH, LOAD, INVALIDATE, STORE, INVALIDATE)]
        )


@testcase()
class ResetAtEveryCycle(SimpleSequence):
    """A reset in each cycle of a miss that writes back: what memory was asked for happens."""

    async def body(self) -> None:
        """One, two, three ... cycles after the request was taken; afterwards the cache is empty and works."""
        burst = 4 + self.cfg.memory.latency + self.cfg.beats
        for cycles in (
            *range(1, 14),
            burst,
            *range(burst + 3, burst + 9),
            2 * burst + 3,
            *range(2 * burst + 5, 2 * burst + 9),
        ):
            await self.store(self.word(3, 1), cycles)
            await self.send([(LOAD, self.word(3, 2), 0, 0, 0)])
            await self.clocking.cycles(cycles)
            await self.reset(1 + cycles % 3)
            await self.load(self.word(3, 1))


@testcase()
class Resets(SimpleSequence):
    """Resets again and again, while idle and in the midst of all that goes on, flushes too."""

    async def body(self) -> None:
        """After a random number of cycles, for one to four."""
        await self.reset()
        for _ in range(max(30, self.count // 20)):
            drawn = Distribution(sets=4, flushes=0.1).draw(self.cfg, self.rng, 12)
            await self.send(drawn[: int(self.rng.integers(1, 12))])
            await self.clocking.cycles(int(self.rng.integers(1, 60)))
            await self.reset(int(self.rng.integers(1, 5)))


@testcase()
class ResetWhileMemoryHolds(SimpleSequence):
    """Bursts that memory has not even accepted when reset comes go before all later ones."""

    async def body(self) -> None:
        """AR, AW or W held through the reset; requests wait behind it."""
        memory = self.env.axi["m_axi"].memory
        for channel in ("ar", "aw", "w"):
            for op in (LOAD, STORE):
                await self.store(self.word(1, 1), 7 + op)
                memory.hold(channel)
                await self.send([(op, self.word(1, 2), 3, 1, 0)])
                await self.clocking.cycles(3 * (self.cfg.memory.latency + self.cfg.beats))  # the victim first
                self.env.scoreboard.steady = False
                await self.reset()
                await self.send([(INVALIDATE, 0, 0, 0, 0), (LOAD, self.word(2, op), 0, 0, 0)])
                await self.clocking.cycles(10)
                memory.release(channel)
                await self.load(self.word(1, 1))
