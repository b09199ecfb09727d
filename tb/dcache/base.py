# SPDX-License-Identifier: Apache-2.0
"""What the tests of ``dcache`` share: short words for requests."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from pyuvm import uvm_factory

from configs.dcache.schema import LANES, LOAD, POLICY, STORE, Config
from configs.simt import LRU, POLICIES, WORD_BYTES
from models.dcache import REQUEST, by_lane
from tb.common.components.base_test import BaseTest
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.requests import RequestSequence
from tb.common.components.simt import in_turn, line_at
from tb.common.running import settings
from tb.dcache.env import DcacheEnv, OvertakingEnv

#: options of ``testcase`` for tests of one kind of cache
BLOCKING: dict[str, Any] = {
    "needs": lambda cfg: not cfg.nonblocking,
    "why": "a cache in which a miss stops all",
}
UNDER_MISS: dict[str, Any] = {"needs": lambda cfg: cfg.nonblocking, "why": "hits under misses: mshrs"}

WHOLE = (1 << WORD_BYTES) - 1
#: a lane of an access: an address, or (address, value), or (address, value, strobe); None: not taken
Lane = int | tuple[int, ...] | None
#: an op, then its lanes; of a policy its number
Request = tuple[Any, ...]


class DcacheTest(BaseTest):
    """Starts a virtual sequence on the environment of ``dcache``."""

    env_class = DcacheEnv

    def build_phase(self) -> None:
        """See :class:`BaseTest`; the environment is the one that fits the configuration."""
        if settings.current().cfg.nonblocking:
            uvm_factory().set_type_override_by_type(DcacheEnv, OvertakingEnv)
        super().build_phase()


class DcacheSequence(RequestSequence):
    """A request is a tuple of op and lanes; a store's strobe is whole if it is left out."""

    test_class = DcacheTest
    cfg: Config
    warp = 0  # of the next request; warps take turns

    def place(self, index: int, tag: int, word: int = 0) -> int:
        """The address of a word."""
        return line_at(self.cfg.cache, index, tag) << self.cfg.cache.offset_bits | WORD_BYTES * word

    async def fill_in_turn(self) -> None:
        """A policy under which an empty set holds as many lines as it has ways once they were filled."""
        if not in_turn(self.cfg.cache):
            await self.result(POLICY, LRU)

    def line(self, address: int) -> int:
        """The line of an address."""
        return address >> self.cfg.cache.offset_bits

    def lines(self, requests: Any) -> Any:
        """See :meth:`RequestSequence.lines`: that of the lowest lane in the mask."""
        lowest = np.log2(np.maximum(requests["mask"] & -requests["mask"].astype(np.int64), 1)).astype(
            np.int64
        )
        return by_lane(requests, "addr")[np.arange(len(requests)), lowest] >> self.cfg.cache.offset_bits

    async def send(self, requests: Any, pacing: Pacing = ALWAYS) -> None:
        """Announce and send a REQUEST array [n] or a list of tuples; returns when the last was taken."""
        drawn = self.records(requests) if isinstance(requests, list) else requests
        await self.send_records(drawn, pacing)

    def records(self, requests: Sequence[Request]) -> Any:
        """Tuples as a REQUEST array [n]."""
        drawn = np.zeros(len(requests), REQUEST)
        for record, (op, *lanes) in zip(drawn, requests, strict=True):
            self._fill(record, op, lanes)
        return drawn

    def _fill(self, record: Any, op: int, lanes: Sequence[Lane]) -> None:
        record["op"], record["warp"] = op, self.warp % self.cfg.warps
        self.warp += 1
        for number, lane in enumerate(lanes):
            if lane is None:
                continue
            fields = lane if isinstance(lane, tuple) else (lane,)
            address, value, strobe = (*fields, *(0, WHOLE)[len(fields) - 1 :])
            record["mask"] |= 1 << number
            record[f"addr{number}"], record[f"data{number}"] = address, value
            record[f"strobe{number}"] = strobe

    async def results(self, *requests: Request) -> Any:
        """Send requests in a row; their RESULT records [n], in their order, once they are compared."""
        return await self.served(self.records(requests))

    async def served(self, requests: Any) -> Any:
        """The same for a REQUEST array [n]."""
        before = len(self.responses)
        await self.send(requests)
        await self.settle()
        new = self.responses[before:]
        order = np.argsort([taken.cycle for response in new for taken in response.taken])
        return np.concatenate([response.results for response in new])[order][-len(requests) :]

    async def result(self, *request: Any) -> Any:
        """Send one request; its RESULT record."""
        [result] = await self.results(request)
        return result

    def loads(self, addresses: Any, lanes: int = 1) -> list[Request]:
        """Loads of addresses, so many lanes at a time."""
        listed = list(addresses)
        return [(LOAD, *listed[at : at + lanes]) for at in range(0, len(listed), lanes)]

    def stores(self, addresses: Any, lanes: int = LANES) -> list[Request]:
        """Stores of random words."""
        listed = [(address, int(self.rng.integers(1 << 32))) for address in addresses]
        return [(STORE, *listed[at : at + lanes]) for at in range(0, len(listed), lanes)]

    @property
    def policies(self) -> range:
        """The numbers of all policies."""
        return range(len(POLICIES))
