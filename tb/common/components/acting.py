# SPDX-License-Identifier: Apache-2.0
"""What makes an event of a block's ports happen in a cycle of choice: whoever holds the other end.

An actor is held until it is loaded, so that its event waits for nothing but for it, and then let go. So two
actors can be let go in one cycle, or one in the cycle after the other, whatever the block does between.
"""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

import cocotb

from tb.common.components.agent import StreamAgent
from tb.common.components.axi.agent import AxiAgent
from tb.common.components.env import BlockEnv
from tb.common.components.pacing import ALWAYS
from tb.common.components.reset import Kind
from tb.common.components.virtual_sequence import VirtualSequence


class Actor(Protocol):
    """One event of a stream or channel. All is called while driving is allowed."""

    name: str
    clock: str

    def hold(self) -> None:
        """From the next cycle on the event does not happen."""

    def loaded(self) -> bool:
        """Whether the event can happen as soon as it is let."""

    def go(self) -> None:
        """From the next cycle on it happens."""


class Offering:
    """A word that the testbench offers on a stream into the block."""

    def __init__(self, agent: StreamAgent) -> None:
        self.name, self.clock, self._driver = agent.stream.name, agent.stream.clock, agent.driver

    def hold(self) -> None:
        """See :class:`Actor`."""
        self._driver.held = True

    def loaded(self) -> bool:
        """See :class:`Actor`."""
        return self._driver.loaded

    def go(self) -> None:
        """See :class:`Actor`."""
        self._driver.held = False


class Taking:
    """A word that the testbench takes from a stream out of the block."""

    def __init__(self, agent: StreamAgent) -> None:
        self.name, self.clock, self._agent = agent.stream.name, agent.stream.clock, agent

    def hold(self) -> None:
        """See :class:`Actor`."""
        self._agent.sink.hold()

    def loaded(self) -> bool:
        """See :class:`Actor`."""
        return self._agent.monitor.waiting

    def go(self) -> None:
        """See :class:`Actor`."""
        self._agent.sink.pace(ALWAYS)


class Channel:
    """A channel of an AXI port, which the memory takes or offers."""

    def __init__(self, axi: AxiAgent, channel: str) -> None:
        stream = axi.port.channels[channel]
        self.name, self.clock = stream.name, stream.clock
        self._axi, self._channel, self._offered = axi, channel, stream.direction == "in"

    def hold(self) -> None:
        """See :class:`Actor`."""
        self._axi.memory.hold(self._channel)

    def loaded(self) -> bool:
        """See :class:`Actor`."""
        if self._offered:
            return self._axi.memory.loaded(self._channel)
        return self._axi.monitor.channel(self._channel).waiting

    def go(self) -> None:
        """See :class:`Actor`."""
        self._axi.memory.release(self._channel)


class Waiting:
    """A word that waits on a stream into the block, because all that leaves the block is held."""

    def __init__(self, agent: StreamAgent, others: list[Taking | Channel]) -> None:
        self.name, self.clock = f"{agent.stream.name} waits", agent.stream.clock
        self._agent, self._others = agent, others

    def hold(self) -> None:
        """See :class:`Actor`."""
        for other in self._others:
            other.hold()

    def loaded(self) -> bool:
        """See :class:`Actor`."""
        return self._agent.monitor.waiting

    def go(self) -> None:
        """It happens as it is."""


def actors(env: BlockEnv) -> list[Actor]:
    """The actors of all streams and channels of ``env`` at whose other end is the testbench."""
    offering = [Offering(agent) for agent in env.meeting if agent.drives]
    taking: list[Any] = [Taking(agent) for agent in env.meeting if agent.sinks]
    channels = [Channel(axi, name) for axi in env.axi.values() for name in axi.port.channels]
    waiting = [Waiting(agent, [*taking, *channels]) for agent in env.meeting if agent.drives]
    return [*offering, *taking, *channels, *env.other_ends(), *waiting]


async def storm(
    sequence: VirtualSequence, pulses: int, longest: int, reset: Callable[[], Awaitable[None]]
) -> None:
    """``pulses`` times wait, then ``reset()``, which also offers again what the reset has lost.

    Waits are up to ``longest`` cycles and of all sizes alike (uniform logarithms): many resets meet one that
    has hardly ended, many a design long at work.
    """
    for _ in range(pulses):
        await sequence.clocking.cycles(int(longest ** sequence.rng.random()))
        await reset()


def hold_some(sequence: VirtualSequence) -> list[Actor]:
    """Hold a quarter of the ports' ends, at random: of what the testbench offers and what it takes."""
    ends = [actor for actor in actors(sequence.env) if not isinstance(actor, Waiting)]
    held = [end for end in ends if sequence.rng.random() < 0.25]
    for end in held:
        end.hold()
    return held


async def held_resets(
    sequence: VirtualSequence, rounds: int, longest: int, send: Callable[[], Coroutine[Any, Any, None]]
) -> None:
    """``rounds`` times some traffic, and a short reset, of any kind, while some of the ports' ends are held.

    So resets meet what waits in the design: results, addresses, lines that nobody takes. Waits before a reset
    are up to ``longest`` cycles, as in :func:`storm`. What follows is answered, mostly.
    """
    kinds: tuple[Kind, ...] = ("design", "memory", "all") if sequence.env.axi else ("design",)
    for turn in range(rounds):
        await sequence.clocking.cycles(1)
        held = hold_some(sequence)
        sending = cocotb.start_soon(send())
        await sequence.clocking.cycles(int(longest ** sequence.rng.random()))
        await sequence.reset(int(sequence.rng.integers(1, 3)), kinds[turn % len(kinds)])
        for end in held:
            end.go()
        await sending
        await send()
        if sequence.rng.random() < 0.7:
            await sequence.settle()
    await sequence.settle()
