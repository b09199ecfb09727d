# SPDX-License-Identifier: Apache-2.0
"""Lets events of a block's ports meet: each pair in one cycle, and in two that follow one another, again and
again, in whatever state the block is then; resets too.

``coincidences`` is the test of blocks that answer requests. ``docs/testing.md`` says what it is for,
:mod:`tb.common.coverage.meetings` counts what met.
"""

from collections.abc import Awaitable, Callable, Sequence
from itertools import combinations_with_replacement
from typing import Any, ClassVar, NamedTuple

import cocotb
import numpy as np

from configs import MemoryTiming
from tb.common.components.acting import Actor, Offering, actors
from tb.common.components.pacing import MemoryPacing
from tb.common.components.reset import Kind
from tb.common.components.virtual_sequence import VirtualSequence

ALONE = 0.5  # share of aims at what is seldom in which nothing else is offered
ENOUGH = 4  # tries, without success, after which an actor is hardly waited for


class Aim(NamedTuple):
    """``second`` happens ``later`` cycles after ``first``, or in the same; None is a reset."""

    first: Actor | None
    second: Actor | None
    later: int


def aims(several: list[Actor]) -> list[Aim]:
    """All pairs of actors of one clock, in each order; and each of them before a reset and after one."""
    pairs = []
    for first, second in combinations_with_replacement(several, 2):
        if first.clock == second.clock:
            pairs += [Aim(first, second, 1)]
            pairs += [Aim(first, second, 0), Aim(second, first, 1)] if first is not second else []
    for actor in several:
        pairs += [Aim(actor, None, 1), Aim(None, actor, 0), Aim(None, actor, 1)]
    return pairs


class Aiming(VirtualSequence):
    """Aims at all pairs, in rounds of traffic that a block's class beside this one sends.

    ``seldom``: streams on which a word goes only when it is aimed at. ``times``: how often each pair is aimed
    at; ``reset_times``: how many times as often if one of both is a reset, whose kind is each of ``kinds`` in
    turn. ``patience``: cycles until what is held is loaded, or not; ``after``: at most, until the next aim.
    ``stale``: share of aims before which there is a reset: memory still answers what was asked before it.
    ``eager``: words are offered during resets, too. ``rounds``: so often all comes to rest; memory fails here
    and there in every second one, and answers at once in the second half.
    """

    seldom: ClassVar[tuple[str, ...]] = ()
    times: ClassVar[int] = 2
    reset_times: ClassVar[int] = 1
    kinds: ClassVar[tuple[Kind, ...]] = ("design",)
    patience: ClassVar[int] = 40
    after: ClassVar[int] = 12
    stale: ClassVar[float] = 0.25
    eager: ClassVar[bool] = True
    rounds: ClassVar[int] = 4

    def sending(self) -> list[Callable[[], Awaitable[None]]]:
        """What is called again and again, side by side: each sends some words on a stream."""
        raise NotImplementedError

    def fail_some(self) -> None:
        """Let memory fail here and there. The design is idle."""
        raise NotImplementedError

    async def after_round(self) -> None:
        """What a block needs when all has come to rest and memory is well again."""

    def after_reset(self) -> None:
        """What a block needs anew."""

    def change_timing(self, timing: MemoryTiming) -> None:
        """Let memory be as fast as that. The design is idle."""
        for axi in self.env.axi.values():
            axi.memory.set_timing(timing)

    async def aim(self) -> None:
        """All pairs, in an order of the seed's."""
        self.actors = actors(self.env)
        self._tries = dict.fromkeys((actor.name for actor in self.actors), 0)
        for agent in self.env.agents.values():
            if agent.drives:
                agent.driver.eager = self.eager
        self.env.pace_memory(MemoryPacing(jitter=1))  # whoever holds it decides when it answers
        due = [aim for aim in aims(self.actors) for _ in range(self._times(aim))]
        due = [due[number] for number in self.rng.permutation(len(due))]
        share = -(-len(due) // self.rounds)
        for number in range(self.rounds):
            if number % 2:
                self.fail_some()
            if number == self.rounds // 2:
                self.change_timing(MemoryTiming(latency=1))
            self._kind = self.kinds[number * len(self.kinds) // self.rounds]
            await self._round(due[number * share : (number + 1) * share])
            self.env.heal()
            await self.after_round()

    def _times(self, aim: Aim) -> int:
        return self.times * (self.reset_times if None in aim else 1)

    async def _round(self, due: Sequence[Aim]) -> None:
        self._going = True
        self._let_go()
        tasks = [cocotb.start_soon(self._again(send)) for send in self.sending()]
        for aim in due:
            await self._meet(aim)
        self._going = False
        self._let_go()
        for task in tasks:
            await task
        await self.settle()

    async def _again(self, send: Callable[[], Awaitable[None]]) -> None:
        while self._going:
            await send()

    def _let_go(self) -> None:
        for actor in self.actors:
            if actor.name in self.seldom and self._going:
                actor.hold()
            else:
                actor.go()

    async def _meet(self, aim: Aim) -> None:
        """Hold both, wait until both are loaded, let them go."""
        both = [actor for actor in (aim.first, aim.second) if actor is not None]
        await self.clocking.cycles(int(self.rng.integers(self.after)) + 1)
        alone = any(actor.name in self.seldom for actor in both) and self.rng.random() < ALONE
        for actor in self.actors if alone else []:
            if isinstance(actor, Offering):
                actor.hold()
        stale = self.rng.random() < self.stale
        for actor in sorted(both, key=lambda actor: isinstance(actor, Offering)):  # what it feeds comes first
            actor.hold()
            if stale:
                await self.clocking.cycles(int(self.rng.integers(1, self.patience)))
                await self._reset(1)
                stale = False
            await self._loaded(actor)
        await self._happen(aim)
        await self.clocking.cycles(1 + int(self.rng.integers(2)))
        self._let_go()

    async def _loaded(self, actor: Actor) -> None:
        """Wait for ``actor``, for a moment only if it never comes."""
        for _ in range(self.patience if self._tries[actor.name] < ENOUGH else 2):
            if actor.loaded():
                self._tries[actor.name] = -1000
                return
            await self.clocking.cycles(1)
        self._tries[actor.name] += 1

    async def _happen(self, aim: Aim) -> None:
        """Who is let go acts in the next cycle; a reset begins at once."""
        length = max(1, int(self.rng.integers(-2, 4)))  # often one cycle, which is all that meets the other
        if aim.first is None and aim.second is not None:
            if not aim.later:
                aim.second.go()
            await self._reset(length)
            aim.second.go()
        elif aim.first is not None:
            aim.first.go()
            if aim.later:
                await self.clocking.cycles(1)
            if aim.second is not None:
                aim.second.go()
            else:
                await self.clocking.cycles(1)
                await self._reset(length)

    async def _reset(self, cycles: int) -> None:
        await self.reset(cycles, self._kind)
        self.after_reset()


CHUNK = 4  # requests
POOL = 200  # that they are taken from
SOON = 64  # cycles
FAILING = 0.3  # share of their lines, when memory fails


class PoolAiming(Aiming):
    """Random requests, drawn before, while events are aimed at; memory fails in some rounds.

    Of a block that clears itself for more than ``SOON`` cycles after a reset each pair is aimed at but once,
    with so much more patience.
    """

    times, reset_times, rounds = 4, 4, 8
    kinds = ("design", "memory", "design", "all")
    pool: Any  # requests
    draw: Any  # these three are as those of :class:`RequestSequence`
    lines: Any
    send_records: Any

    def sending(self) -> list[Callable[[], Awaitable[None]]]:
        """See :meth:`Aiming.sending`."""
        return [self.requests]

    async def requests(self) -> None:
        """A few."""
        await self.send_records(self.rng.choice(self.pool, CHUNK))

    def change_timing(self, timing: MemoryTiming) -> None:
        """See :meth:`Aiming.change_timing`."""
        super().change_timing(timing)
        self.env.scoreboard.timing = timing

    def fail_some(self) -> None:
        """See :meth:`Aiming.fail_some`."""
        lines = np.unique(self.lines(self.pool))
        self.env.poison(lines[self.rng.random(len(lines)) < FAILING].tolist())


async def coincidences(run: PoolAiming) -> None:
    """Each pair of events of the ports in one cycle, and one after the other; resets too."""
    if run.clearing > SOON:
        run.patience += run.clearing  # type: ignore[misc]
        run.times = run.reset_times = 1  # type: ignore[misc]
    run.env.scoreboard.steady = False
    run.pool = run.draw(POOL)
    await run.aim()
