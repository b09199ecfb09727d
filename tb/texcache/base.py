# SPDX-License-Identifier: Apache-2.0
"""What the tests of the texture cache share: the table at the start, and short words for traffic."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.texcache import FOOTPRINT
from tb.common.components.base_test import BaseTest
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.stream import StreamItem
from tb.common.components.transactions import Observation
from tb.common.components.virtual_sequence import VirtualSequence
from tb.texcache.env import TexcacheEnv
from tb.texcache.items import LutItem
from tb.texcache.scoreboard import Completed
from tb.texcache.sequences import FootprintSequence, random_table


class TexcacheTest(BaseTest):
    """Starts a virtual sequence on the environment of the texture cache."""

    env_class = TexcacheEnv


class TexcacheSequence(VirtualSequence):
    """Writes a random look-up table, then runs ``traffic``."""

    test_class = TexcacheTest
    own_method = "traffic"

    async def body(self) -> None:
        """Table, then traffic."""
        self.sent = 0
        self.table = self.make_table()
        await self.write_table(self.table)
        await self.traffic()

    @property
    def completed(self) -> list[Completed]:
        """Footprints that have been compared, in order."""
        return self.responses

    def matched(self, channel: str) -> list[Observation]:
        """What was observed on a channel of the scoreboard and compared since reset, in order."""
        return self.env.scoreboard.by_name[channel].matched

    def make_table(self) -> NDArray[np.uint32]:
        """The look-up table [textures, levels] at the start."""
        return random_table(self.cfg, self.rng)

    async def traffic(self) -> None:
        """What the test is about."""
        raise NotImplementedError

    async def write_table(self, table: NDArray[np.uint32]) -> None:
        """Write all of the look-up table."""
        tex, level = np.indices(table.shape)
        await self.play("lut", LutItem(self.cfg, tex.reshape(-1), level.reshape(-1), table.reshape(-1)))

    async def send(self, footprints: Any, pacing: Pacing = ALWAYS) -> None:
        """Announce and send FOOTPRINT array [n] (or a list of tuples); returns when the last was accepted."""
        array = np.array(footprints, FOOTPRINT)
        self.env.scoreboard.announce("res", len(array))
        sequence = FootprintSequence(self.cfg, array, self.rng, self.sent, pacing)
        self.sent += len(array)
        await sequence.start(self.env.agents["req"].sequencer)

    async def invalidate(self) -> None:
        """Invalidate; returns when it was taken."""
        await self.play("inv", StreamItem("inv", [0]))

    async def answer(self, footprint: Any) -> Completed:
        """Send one footprint, wait until it is answered and compared, and return what came of it."""
        await self.send([footprint])
        await self.settle()
        return self.completed[-1]

    async def latency(self, footprint: Any) -> int:
        """Cycles from the request of one footprint to its result."""
        return int((await self.answer(footprint)).latency[-1])
