# SPDX-License-Identifier: Apache-2.0
"""What the tests of ``simple`` share: short words for requests."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.simple.schema import FLUSH, INVALIDATE, LOAD, STORE, Config
from models.simple import REQUEST
from tb.common.components.base_test import BaseTest
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.stream import StreamItem
from tb.common.components.virtual_sequence import VirtualSequence
from tb.simple.env import SimpleEnv
from tb.simple.items import request_words

ITEM = 500  # requests of a sequence item


class SimpleTest(BaseTest):
    """Starts a virtual sequence on the environment of ``simple``."""

    env_class = SimpleEnv


class SimpleSequence(VirtualSequence):
    """Runs ``body``."""

    test_class = SimpleTest
    cfg: Config

    async def send(self, requests: Any, pacing: Pacing = ALWAYS) -> None:
        """Announce and send REQUEST array [n] (or a list of tuples); returns when the last was taken."""
        array: NDArray[Any] = np.array(requests, REQUEST)
        self.env.scoreboard.announce("res", len(array))
        words, gaps = request_words(self.cfg, array), pacing.gaps(self.rng, len(array))
        parts = [slice(at, at + ITEM) for at in range(0, len(words), ITEM)]
        await self.play("req", *(StreamItem("req", words[part], gaps[part]) for part in parts))

    async def result(self, *request: int) -> Any:
        """Send one request (op, word, value, strobe, id); the RESULT record of it, once it is compared."""
        await self.send([(*request, *(0,) * (5 - len(request)))])
        await self.settle()
        return self.responses[-1].results[-1]

    async def load(self, word: int) -> Any:
        """Load a word."""
        return await self.result(LOAD, word)

    async def store(self, word: int, value: int) -> Any:
        """Store a whole word."""
        return await self.result(
            STORE, word, value & ((1 << self.cfg.word_bits) - 1), (1 << self.cfg.word_bytes) - 1
        )

    async def flush(self) -> Any:
        """Write all dirty lines back."""
        return await self.result(FLUSH)

    async def invalidate(self) -> Any:
        """Forget all lines."""
        return await self.result(INVALIDATE)

    def word(self, index: int, tag: int, slot: int = 0) -> int:
        """The address of a word."""
        return (tag << self.cfg.cache.set_bits | index) << self.cfg.slot_bits | slot
