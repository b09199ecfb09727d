# SPDX-License-Identifier: Apache-2.0
"""What the tests of ``icache`` share: short words for requests."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from configs.icache.schema import BASE, FETCH, Config
from configs.simt import POLICIES
from models.icache import REQUEST
from tb.common.components.base_test import BaseTest
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.requests import RequestSequence
from tb.common.components.simt import line_at
from tb.icache.env import IcacheEnv


class IcacheTest(BaseTest):
    """Starts a virtual sequence on the environment of ``icache``."""

    env_class = IcacheEnv


class IcacheSequence(RequestSequence):
    """A request is a tuple of op, pc, block, warp, sign; what is left out is 0."""

    test_class = IcacheTest
    cfg: Config

    def pc(self, index: int, tag: int, word: int = 0) -> int:
        """The address of an instruction, its block's base being 0."""
        return line_at(self.cfg.cache, index, tag) << self.cfg.cache.offset_bits | 4 * word

    def fetches(self, pcs: Iterable[int]) -> list[tuple[int, ...]]:
        """A fetch of each address."""
        return [(FETCH, pc) for pc in pcs]

    def lines(self, requests: Any) -> Any:
        """See :meth:`RequestSequence.lines`; bases begin as they are now."""
        bases, lines = self.env.reference.model.bases.tolist(), np.zeros(len(requests), np.int64)
        for row, request in enumerate(requests):
            if request["op"] == BASE:
                bases[request["block"]] = int(request["pc"])
            address = bases[request["block"]] + int(request["pc"])
            lines[row] = address % (1 << self.cfg.cache.address_bits) >> self.cfg.cache.offset_bits
        return lines

    async def send(self, requests: Any, pacing: Pacing = ALWAYS) -> None:
        """Announce and send a REQUEST array [n] or a list of tuples; returns when the last was taken."""
        if isinstance(requests, list):
            requests = np.array([self._request(*request) for request in requests], REQUEST)
        await self.send_records(requests, pacing)

    def _request(self, op: int, pc: int = 0, block: int = 0, warp: int = 0, sign: int = 0) -> Any:
        return op, block, pc, warp, sign

    async def results(self, *requests: tuple[int, ...]) -> Any:
        """Send requests in a row; their RESULT records [n], once they are compared."""
        responses = await self.answers(self.send(list(requests)))
        return np.concatenate([response.results for response in responses])[-len(requests) :]

    async def result(self, *request: int) -> Any:
        """Send one request; its RESULT record."""
        [result] = await self.results(request)
        return result

    def poison(self, lines: Iterable[int]) -> None:
        """Lines fail, and each fetch that asks for them: with restart at the word in all beats."""
        if self.cfg.early:
            self.env.axi["m_axi"].memory.faults.beat = self.cfg.beats
        self.env.poison(list(lines))

    def poison_beats(self, line: int, beats: Iterable[int]) -> None:
        """A line fails in these beats, as long as no other line does."""
        port, step = self.env.axi["m_axi"], self.cfg.axi.strobe_bits
        self.env.reference.poison([line])
        port.memory.faults.beat = self.cfg.beats  # all that are poisoned
        port.poison([line * self.cfg.beats + beat for beat in beats], step)

    @property
    def policies(self) -> range:
        """The numbers of all policies."""
        return range(len(POLICIES))
