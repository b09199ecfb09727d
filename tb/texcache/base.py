# SPDX-License-Identifier: Apache-2.0
"""What the tests of the texture cache share: the table at the start, and short words for traffic."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.texcache import FOOTPRINT
from tb.common.components.base_test import BaseTest
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.stream import ItemSequence, StreamItem
from tb.texcache.env import TexcacheEnv
from tb.texcache.items import whole_table
from tb.texcache.scoreboard import Completed
from tb.texcache.sequences import FootprintSequence, random_table


class TexcacheTest(BaseTest):
    """Writes a random look-up table, then runs ``traffic``."""

    env_class = TexcacheEnv
    env: TexcacheEnv

    def connect_phase(self) -> None:
        """Listen to what has been compared."""
        self.completed: list[Completed] = []
        self.env.subscribe(self.env.scoreboard.completed, "test", self.completed.append)

    async def body(self) -> None:
        """Table, then traffic."""
        self.sent = 0
        self.table = self.make_table()
        await self.write_table(self.table)
        await self.traffic()

    def make_table(self) -> NDArray[np.uint32]:
        """The look-up table [textures, levels] at the start."""
        return random_table(self.cfg, self.rng)

    async def traffic(self) -> None:
        """What the test is about."""
        raise NotImplementedError

    async def write_table(self, table: NDArray[np.uint32]) -> None:
        """Write all of the look-up table."""
        await self.play("lut", whole_table(self.cfg, table))

    async def play(self, sequencer: str, *items: StreamItem) -> None:
        """Send items to a driver; returns when the last has been taken."""
        await ItemSequence(sequencer, items).start(self.env.sequencers[sequencer])

    async def send(self, footprints: Any, pacing: Pacing = ALWAYS) -> None:
        """Announce and send FOOTPRINT array [n] (or a list of tuples); returns when the last was accepted."""
        array = np.array(footprints, FOOTPRINT)
        self.env.scoreboard.announce("res", len(array))
        sequence = FootprintSequence(self.cfg, array, self.rng, self.sent, pacing)
        self.sent += len(array)
        await sequence.start(self.env.sequencers["req"])

    async def settle(self) -> None:
        """Wait until everything is answered and compared. May be driven then."""
        while True:
            await self.clocking.cycles(2)
            if self.env.idle():
                break
        self.env.reference.flush()

    async def invalidate(self) -> None:
        """Invalidate; returns when it was taken."""
        await self.play("inv", StreamItem("inv", [0]))

    async def one(self, footprint: Any) -> Completed:
        """Send one footprint, wait until it is answered and compared, and return what was seen of it."""
        await self.send([footprint])
        await self.settle()
        return self.completed[-1]

    async def latency(self, footprint: Any) -> int:
        """Cycles from the request of one footprint to its result."""
        return int((await self.one(footprint)).latency[-1])

    def expect(self, what: str, want: Any, got: Any) -> None:
        """Fail, with the command that repeats the test, unless ``got`` equals ``want``."""
        if want != got:
            self.env.scoreboard.fail(f"{what}, in cycle {self.clocking.cycle}: expected {want}, got {got}")
