# SPDX-License-Identifier: Apache-2.0
"""What the tests of ``simple`` share: short words for requests."""

from typing import Any

import numpy as np

from configs.simple.schema import STORE, Config
from models.simple import REQUEST
from tb.common.components.base_test import BaseTest
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.requests import RequestSequence
from tb.simple.env import SimpleEnv


class SimpleTest(BaseTest):
    """Starts a virtual sequence on the environment of ``simple``."""

    env_class = SimpleEnv


class SimpleSequence(RequestSequence):
    """A request is a tuple of op, word, value, strobe, id; what is left out is 0, a store's strobe whole."""

    test_class = SimpleTest
    cfg: Config

    @property
    def whole(self) -> int:
        """The strobe of a whole word."""
        return (1 << self.cfg.word_bytes) - 1

    def word(self, index: int, tag: int, slot: int = 0) -> int:
        """The address of a word."""
        return (tag << self.cfg.cache.set_bits | index) << self.cfg.slot_bits | slot

    def lines(self, requests: Any) -> Any:
        """See :meth:`RequestSequence.lines`."""
        return requests["word"] >> self.cfg.slot_bits

    async def send(self, requests: Any, pacing: Pacing = ALWAYS) -> None:
        """Announce and send a REQUEST array [n] or a list of tuples; returns when the last was taken."""
        if isinstance(requests, list):
            requests = np.array([self._request(*request) for request in requests], REQUEST)
        await self.send_records(requests, pacing)

    def _request(self, op: int, word: int = 0, value: int = 0, strobe: int = -1, number: int = 0) -> Any:
        whole = self.whole if op == STORE else 0
        return op, word, value & ((1 << self.cfg.word_bits) - 1), whole if strobe < 0 else strobe, number

    async def result(self, *request: int) -> Any:
        """Send one request; the RESULT record of it, once it is compared."""
        await self.send([request])
        await self.settle()
        return self.responses[-1].results[-1]
