# SPDX-License-Identifier: Apache-2.0
"""Random traffic in rounds, beside which something else happens: at random, or as the run is steered.

A block's sequence is a subclass of one of the two at the end and of a class of its own, which gives the
traffic (:meth:`Rounds.start_round`) and what happens beside it (:meth:`Rounds.beside`); its ``knobs.py`` the
options.
"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from cocotb.task import Task

from tb.common.components.pacing import Pacing, random_memory_pacing, random_pacing
from tb.common.components.virtual_sequence import VirtualSequence


class Rounds(VirtualSequence):
    """Base of both. What a seed gives hangs on the ``order`` in which options are drawn."""

    order: ClassVar[tuple[str, ...]] = ("result", "memory", "distribution", "request")
    chunk: int = 60  # transactions of a round
    distribution: Any  # of the round

    async def rounds(self) -> None:
        """All rounds."""
        for count in self.counts():
            await self.before_round()
            tasks = await self.start_round(count)
            await self.beside()
            for task in tasks:
                await task
            await self.after_round()

    def counts(self) -> Iterator[int]:
        """Transactions of each round."""
        raise NotImplementedError

    def request_pacing(self) -> Pacing:
        """How fast transactions of this round are offered."""
        raise NotImplementedError

    async def before_round(self) -> None:
        """What comes first."""

    async def start_round(self, count: int) -> list[Task[None]]:
        """Start to send ``count`` transactions of ``distribution``; returns what sends them."""
        raise NotImplementedError

    async def beside(self) -> None:
        """What happens beside the traffic."""

    async def after_round(self) -> None:
        """What comes when all is sent."""


class RandomRounds(Rounds):
    """New options in each round, whatever they are."""

    least: ClassVar[int] = 6  # rounds
    jitter: ClassVar[int] = 60  # limit of the cycles that memory adds to its latency
    distributions: ClassVar[Mapping[str, Any]]

    def counts(self) -> Iterator[int]:
        """As many whole rounds as the test is to send, but some at least."""
        yield from [self.chunk] * max(self.least, self.count // self.chunk)

    async def before_round(self) -> None:
        """Draw new options."""
        for knob in self.order:
            if knob == "result":
                for sink in self.env.sinks:
                    sink.pace(random_pacing(self.rng))
            elif knob == "memory":
                self.vary_memory()
            elif knob == "distribution":
                options = list(self.distributions.values())
                self.distribution = options[self.rng.integers(len(options))]

    def vary_memory(self) -> None:
        """Draw how the memory answers."""
        self.env.pace_memory(random_memory_pacing(self.rng, self.jitter))

    def request_pacing(self) -> Pacing:
        """Any."""
        return random_pacing(self.rng)


class SteeredRounds(Rounds):
    """Options chosen once, out of those that the run is steered to (or any)."""

    async def rounds(self) -> None:
        """Choose, then go."""
        options = {knob: self.choose(knob) for knob in ("beside", *self.order)}
        self.pace(options["result"])
        self.env.pace_memory(options["memory"])
        self.distribution, self.happening = options["distribution"], options["beside"]
        self._request: Pacing = options["request"]
        await super().rounds()

    def counts(self) -> Iterator[int]:
        """As many transactions as the test is to send."""
        for sent in range(0, self.count, self.chunk):
            yield min(self.chunk, self.count - sent)

    def request_pacing(self) -> Pacing:
        """As chosen."""
        return self._request
