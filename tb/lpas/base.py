# SPDX-License-Identifier: Apache-2.0
"""What the tests of ``lpas`` share: short words for requests of all PEs."""

from collections.abc import Sequence
from typing import Any

import cocotb
import numpy as np
from numpy.typing import NDArray

from configs.lpas.schema import LOAD, STORE, Config
from models.lpas import REQUEST
from tb.common.components.base_test import BaseTest
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.packing import pack_words
from tb.common.components.stream import StreamItem
from tb.common.components.virtual_sequence import VirtualSequence
from tb.lpas.env import LpasEnv
from tb.lpas.items import Distribution

Rows = NDArray[Any] | Sequence[tuple[int, ...]]


class LpasTest(BaseTest):
    """Starts a virtual sequence on the environment of ``lpas``."""

    env_class = LpasEnv


class LpasSequence(VirtualSequence):
    """A request is a tuple of pe, op, word, value; what is left out is 0."""

    test_class = LpasTest
    cfg: Config
    distribution = Distribution()

    @property
    def last(self) -> int:
        """The PE that reaches the outside."""
        return self.cfg.pes - 1

    def word(self, cache: int, index: int = 0, tag: int = 0, slot: int = 0) -> int:
        """The address of a word."""
        line = (tag << self.cfg.cache.set_bits | index) << self.cfg.array.pe_bits | cache
        return line << self.cfg.slot_bits | slot

    def homes_apart(self) -> list[int]:
        """A cache for each PE, so that no two meet: its own, or where a PE column has one link to each cache
        column, one of its row in another column for each row.
        """
        columns = self.cfg.array.columns
        if self.cfg.switch != "lr2ss-b":
            return list(range(self.cfg.pes))
        return [pe // columns * columns + (pe + pe // columns) % columns for pe in range(self.cfg.pes)]

    def lines(self, requests: NDArray[Any]) -> NDArray[Any]:
        """The line of memory [n] that each of requests [n] needs."""
        return requests["word"] >> self.cfg.slot_bits

    def draw(self, count: int) -> NDArray[Any]:
        """Requests [count] at random."""
        return self.distribution.draw(self.cfg, self.rng, count)

    async def send(self, requests: Rows, pacing: Pacing = ALWAYS, gaps: NDArray[Any] | None = None) -> None:
        """Announce and send, on all PEs at once, each in its order; returns when the last was taken.

        ``gaps`` [n]: idle cycles before each, of its PE, in place of those of ``pacing``.
        """
        if not isinstance(requests, np.ndarray):
            requests = np.array([(*row, *(0, 0, 0)[len(row) - 2 :]) for row in requests], REQUEST)
        tasks = []
        for pe in range(self.cfg.pes):
            mine = np.nonzero(requests["pe"] == pe)[0]
            if len(mine):
                rests = pacing.gaps(self.rng, len(mine)) if gaps is None else gaps[mine].tolist()
                tasks.append(cocotb.start_soon(self._send(pe, requests[mine], rests)))
        for task in tasks:
            await task

    async def _send(self, pe: int, requests: NDArray[Any], gaps: list[int]) -> None:
        stream = self.cfg.streams[f"req{pe}"]
        self.env.scoreboard.announce(f"res{pe}", len(requests))
        words = pack_words(stream, {name: requests[name] for name in ("op", "word", "value")})
        await self.play(stream.name, StreamItem(stream.name, words, gaps))

    async def send_records(self, requests: NDArray[Any], pacing: Pacing = ALWAYS) -> None:
        await self.send(requests, pacing)

    async def warm(self, index: int = 0, tag: int = 0) -> None:
        """Line ``index`` of each cache comes in; the pointer of each cache's own area stands behind the
        PE of the cache's number.
        """
        for op in (STORE, LOAD):
            await self.send([(pe, op, self.word(pe, index, tag), pe) for pe in range(self.cfg.pes)])
        await self.settle()

    async def answered(self, *request: int) -> tuple[int, int, int]:
        """Send one request, alone; its latency, value and whether it failed, once it is compared."""
        pe = request[0]
        channel, taken = self.env.scoreboard.by_name[f"res{pe}"], self.transfers(pe)
        before, index = len(channel.matched), len(taken)
        await self.send([request])
        await self.settle()
        self.expect(f"acknowledges of PE {pe}", 1, len(channel.matched) - before)
        answer, word = channel.matched[-1], channel.matched[-1].word
        return answer.cycle - taken[index].cycle + 1, word & 0xFFFF, word >> 16

    def transfers(self, pe: int) -> list[Any]:
        """All requests of a PE that were taken since the test began."""
        taken: list[Any] = self.env.requests[pe]
        return taken

    async def latencies(self, requests: Rows) -> dict[int, int]:
        """Send one request of each of some PEs, all in the same cycle: the latency of each."""
        pes = [int(row[0]) for row in requests]
        before = {pe: len(self.transfers(pe)) for pe in pes}
        await self.send(requests)
        await self.settle()
        answers = {pe: self.env.scoreboard.by_name[f"res{pe}"].matched[-1].cycle for pe in pes}
        firsts = {pe: self.transfers(pe)[before[pe]].cycle for pe in pes}
        self.expect("one cycle for all", 1, len(set(firsts.values())))
        return {pe: answers[pe] - firsts[pe] + 1 for pe in pes}
