# SPDX-License-Identifier: Apache-2.0
"""Compares results and events of both sides of ``mmu`` with the model, and the cycles that requests took."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming, Stream
from tb.common.components.axi.handshake import BurstEvent
from tb.common.components.bench import KEY
from tb.common.components.counters import Bounds
from tb.common.components.requests import FILLS, Prediction
from tb.common.components.scoreboard import Channel, Expected, Scoreboard
from tb.common.components.transactions import AnalysisImp, Observation
from tb.dcache.scoreboard import DcacheTiming
from tb.icache.fills import FillWatch
from tb.icache.scoreboard import timing_of
from tb.mmu.reference import Served
from tb.mmu.sides import CHANNELS, SIDES, fill_channels, side_of


class Asks(Protocol):
    """A cache that asks memory: the beats of its lines."""

    @property
    def beats(self) -> int:
        """Of a line."""


@dataclass
class Waits:
    """Of a side's requests since reset: cycles of waiting for ``memory``, at least, and exactly if ``sure``;
    ``alone``: none waited for the shared RAM.
    """

    memory: int = 0
    sure: bool = True
    alone: bool = True


class MmuScoreboard(Scoreboard):
    """Channels: results, and what became of requests, of both sides; each in order.

    A request takes the cycles of docs/icache.md or docs/dcache.md, and of docs/mmu.md, shared RAM. One that
    waits for memory takes at least these with ``timing``; exactly, if one side alone asks that (``steady``);
    if both do, at most a burst of the other's more for each of its own (``bounded``). Where the lines of
    fetches are watched (``fills``) their cycles are exact in any case.
    """

    steady, bounded = False, False
    fills: FillWatch | None = None

    def build_phase(self) -> None:
        cfg = self.cdb_get(KEY).cfg
        self.fill = fill_channels(cfg)
        self.channels = (*self.fill.values(), *CHANNELS)
        super().build_phase()
        self.reads = AnalysisImp("reads", self, self._read)
        self.predicted = AnalysisImp("predicted", self, self._predicted)
        self.timing: MemoryTiming = cfg.memory
        self._held: set[str] = set()  # channels that may show a read from before the reset
        self.timed = 0  # requests whose cycles were known exactly
        self.delayed = 0  # those that took more than they do alone
        self._dcache = DcacheTiming(cfg.dcache)
        self._no_waits()

    def start_of_simulation_phase(self) -> None:
        """Who watches is known."""
        self._icache = timing_of(self.bench.cfg.icache, self.fills, self.fail)

    def _read(self, event: BurstEvent) -> None:
        """Memory was asked for a line or word."""
        if channel := self.fill.get(side_of(event.burst.id)):
            self.observe(channel, Observation(event.cycle, event.word))

    def explain(self, channel: str, index: int, expected: int, transfer: Observation) -> str:
        """What differs, by field."""
        who = f"{channel} in cycle {transfer.cycle}, of request {index}"
        return "\n".join([who, *self.differences(channel, expected, transfer.word)])

    def stream_of(self, channel: str) -> Stream:
        return FILLS if channel in self.fill.values() else super().stream_of(channel)

    def _compare(self, channel: Channel, expected: Expected, transfer: Observation) -> None:
        if channel.name in self._held and expected.word != transfer.word:
            self._held.discard(channel.name)
            self.expect(channel.name, [expected.word], [expected.transaction])
            return
        super()._compare(channel, expected, transfer)

    def reset(self) -> None:
        """Requests that are lost may have asked for their lines; the last read of each cache may be held
        behind the other's, and come after the reset.
        """
        self._held = set(self.fill.values())
        for channel in self._held:
            self.by_name[channel].forgive()
        super().reset()
        self._icache.reset()
        self._dcache.reset()
        self._no_waits()

    def _no_waits(self) -> None:
        self._waits = {side: Waits() for side in SIDES}

    def check_phase(self) -> None:
        for channel in self._held:
            if len(self.by_name[channel].unexpected) == 1:
                self.by_name[channel].forgive()
        super().check_phase()
        self._icache.check_complete()

    def counted(self, side: str) -> dict[str, int | Bounds]:
        """Cycles that a cache counts since reset: its results wait for the consumer, or for the shared RAM's
        part of them; its requests for memory. See :data:`Witness`.
        """
        held = sum(transfer.waited for transfer in self.by_name[f"{side}_res"].matched)
        total = self._waits[side]
        return {
            "result_wait_cycles": held if total.alone else Bounds(held),
            "memory_wait_cycles": total.memory if total.sure else Bounds(total.memory),
        }

    def _predicted(self, served: Served) -> None:
        cycles, waits, sure = self._cycles(served)
        total = self._waits[served.side]
        total.memory += int(waits.sum())
        total.sure &= bool(sure.all())
        if served.side == "dcache":
            total.alone &= bool((served.results["passes"] <= 1).all())
        for row, (taken, answered) in enumerate(zip(served.taken, served.answered, strict=True)):
            got, least = answered.cycle - answered.waited - taken.cycle, int(cycles[row])
            self.timed += bool(sure[row])
            self.delayed += got > least
            most = least if sure[row] else self._most(served, row, least)
            if got < least or (most is not None and got > most):
                who = f"{served.side} request {served.first + row} of cycle {taken.cycle}"
                limit = "" if most is None else f", at most {most}"
                self.fail(f"{who} took {got} cycles, expected at least {least}{limit}")

    def _cycles(self, served: Served) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Cycles [n] at least, those [n] of waiting for memory in them, and whether they are exact [n]."""
        prediction: Any = Prediction(
            served.first, served.requests, served.results, served.taken, served.answered
        )
        if served.side == "icache":
            cycles, waits = self._icache.cycles(prediction, self.timing)
            # where lines are watched, all follows from what was seen of memory
            return cycles, waits, (waits == 0) | self.steady | (self.fills is not None)
        cached = served.requests.copy()
        cached["mask"] &= ~served.results["shared"]
        passes = np.maximum(served.results["passes"].astype(np.int64), 1)
        if self.bench.cfg.dcache.nonblocking:  # at least what a hit takes
            least = np.maximum(passes + 2, 4)
            return least, np.zeros_like(least), np.zeros(len(least), np.bool_)
        cycles, waits, sure = self._dcache.cycles(
            prediction._replace(requests=cached), self.timing, 1 + passes
        )
        return cycles, waits, sure & ((waits == 0) | self.steady)

    def _most(self, served: Served, row: int, least: int) -> int | None:
        """The most cycles of a request that waits for memory which both sides ask; None: not known."""
        if not self.bounded:
            return None
        other: Asks = getattr(self.bench.cfg, SIDES[served.side == SIDES[0]])
        reads = 1 if served.side == "icache" else int(np.count_nonzero(served.results["burst"][row]))
        return least + max(reads, 1) * (other.beats * (1 + self.timing.gap) + 2)
