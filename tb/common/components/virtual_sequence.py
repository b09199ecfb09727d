# SPDX-License-Identifier: Apache-2.0
"""Virtual sequences: what a test does on all streams of a block, and how it reacts to answers."""

import importlib
from collections.abc import Awaitable, Sequence
from typing import Any, ClassVar

import numpy as np
from pyuvm import uvm_component, uvm_sequence, uvm_sequencer

from tb.common.components.bench import KEY, Bench
from tb.common.components.clocking import Clocking
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.reset import Kind
from tb.common.components.stream import ItemSequence, StreamItem
from tb.common.components.transactions import AnalysisImp, Observation

ITEM = 500  # words of a sequence item


class VirtualSequencer(uvm_sequencer):
    """Where virtual sequences run: through it they reach the environment that it stands in.

    ``completed`` takes what the scoreboard has compared; sequences find it in ``responses``, in order.
    """

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.responses: list[Any] = []
        self.completed = AnalysisImp("completed", self, self.responses.append)

    def build_phase(self) -> None:
        """One random stream for all sequences of a test."""
        self.bench: Bench = self.cdb_get(KEY)
        self.rng = self.bench.rng("test")


class VirtualSequence(uvm_sequence):
    """Base of all virtual sequences; ``body`` of a subclass says what happens.

    It sends items to the agents (:meth:`play`), waits for a transfer (:meth:`transfer`), for the next
    compared response (:meth:`response`) or for everything (:meth:`settle`). It drives nothing itself: agents
    do. Another virtual sequence is started on the same ``sequencer``.
    """

    sequencer: VirtualSequencer
    test_class: ClassVar[type]  # a block's test, which starts it
    own_method: ClassVar[str] = "body"  # the method that the function of a test becomes
    silent: ClassVar[bool] = False  # a test in which nothing is compared passes only if it says so
    at_once = False  # memory does in every second round of short_resets, so that resets meet results

    def __init__(self, name: str = "") -> None:
        super().__init__(name or type(self).__name__)

    @property
    def env(self) -> Any:
        """The environment, with its agents."""
        return self.sequencer.get_parent()

    @property
    def bench(self) -> Bench:
        """The design under test and its settings."""
        return self.sequencer.bench

    @property
    def cfg(self) -> Any:
        """The design's configuration."""
        return self.sequencer.bench.cfg

    @property
    def rng(self) -> np.random.Generator:
        """The test's random stream."""
        return self.sequencer.rng

    @property
    def clocking(self) -> Clocking:
        """The main clock."""
        return self.sequencer.bench.clocking

    @property
    def count(self) -> int:
        """Transactions that a test of volume is to send."""
        return self.sequencer.bench.settings.count

    @property
    def clearing(self) -> int:
        """Cycles after a reset in which the design clears itself, and does little else."""
        return 0

    @property
    def responses(self) -> list[Any]:
        """All that was compared so far."""
        return self.sequencer.responses

    async def play(self, stream: str, *items: StreamItem) -> None:
        """Send items to an agent; returns when the last word has been taken."""
        await ItemSequence(stream, items).start(self.env.agents[stream].sequencer)

    async def send_words(self, stream: str, words: Sequence[int], pacing: Pacing = ALWAYS) -> None:
        """Send packed words to an agent; returns when the last has been taken."""
        gaps = pacing.gaps(self.rng, len(words))
        parts = [slice(at, at + ITEM) for at in range(0, len(words), ITEM)]
        await self.play(stream, *(StreamItem(stream, words[part], gaps[part]) for part in parts))

    async def transfer(self, stream: str) -> Observation:
        """The next transfer of ``stream``."""
        observation: Observation = await self.env.agents[stream].transfers.next()
        return observation

    async def response(self) -> Any:
        """The next response that is compared."""
        before = len(self.responses)
        while len(self.responses) == before:
            await self.clocking.cycles(1)
            self.env.reference.flush()
        return self.responses[before]

    async def settle(self, every: int = 2) -> None:
        """Wait until all is answered and compared, looking every so many cycles. May be driven then."""
        while True:
            await self.clocking.cycles(every)
            if self.env.idle():
                break
        self.env.reference.flush()

    async def answers(self, sending: Awaitable[object]) -> list[Any]:
        """Wait for what is being sent, and until all is answered and compared; the responses since."""
        before = len(self.responses)
        await sending
        await self.settle()
        return self.responses[before:]

    async def reset(self, cycles: int = 2, kind: Kind = "design") -> None:
        """Reset the design, in whatever it is doing. Call it while driving is allowed."""
        await self.env.resets.pulse(cycles, kind)

    def pace(self, pacing: Pacing) -> None:
        """How fast all sinks take results."""
        for sink in self.env.sinks:
            sink.pace(pacing)

    def hold(self) -> None:
        """Take no results until :meth:`pace`."""
        for sink in self.env.sinks:
            sink.hold()

    def choose(self, knob: str) -> Any:
        """An option of ``tb/<block>/knobs.py``: the one that the run is steered to, else any."""
        options = importlib.import_module(f"tb.{self.cfg.block}.knobs").KNOBS[knob]
        steered = self.bench.settings.steer.get(knob)
        return options[steered] if steered else list(options.values())[self.rng.integers(len(options))]

    def expect(self, what: str, want: Any, got: Any) -> None:
        """Fail, with the command that repeats the test, unless ``got`` equals ``want``."""
        if want != got:
            self.bench.fail(f"{what}, in cycle {self.clocking.cycle}: expected {want}, got {got}")
