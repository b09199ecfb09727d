# SPDX-License-Identifier: Apache-2.0
"""Whatever can meet at the ports meets."""

from collections.abc import Awaitable, Callable
from typing import Any

import numpy as np

from tb.common.components.aiming import Aiming
from tb.common.components.testcase import testcase
from tb.texcache.base import TexcacheSequence
from tb.texcache.items import LutItem
from tb.texcache.sequences import Distribution, random_table
from tb.texcache.shapes import Shapes, lines_of

CHUNK = 6  # footprints
TABLES = 4  # that entries are taken from
DISTRIBUTION = Distribution(textures=2, span=24)


class TexcacheAiming(TexcacheSequence, Aiming):
    """Words that go beside each other on all streams."""

    seldom = ("inv",)
    pool: Any
    tables: list[Any]
    writes: int

    def sending(self) -> list[Callable[[], Awaitable[None]]]:
        return [self.footprints, self.entry, self.invalidate]

    async def footprints(self) -> None:
        """Some."""
        await self.send(self.rng.choice(self.pool, CHUNK))

    async def entry(self) -> None:
        """Write one, of the table that comes next for all of them."""
        self.writes += 1
        entries = DISTRIBUTION.textures * self.cfg.levels
        tex, level = divmod(self.writes % entries, self.cfg.levels)
        base = self.tables[self.writes // entries % TABLES][tex, level]
        await self.play("lut", LutItem(self.cfg, tex, level, base, [int(self.rng.integers(8))]))

    def fail_some(self) -> None:
        used = [Shapes(self.cfg, table, self.rng).replay(self.pool) for table in self.tables]
        lines = np.concatenate([lines_of(results) for results in used])
        self.env.poison(lines[self.rng.random(len(lines)) < 0.2].tolist())


@testcase()
async def coincidences(run: TexcacheAiming) -> None:
    """Each pair of events of the ports in one cycle, and one after the other; resets too.

    Each write changes its entry, to that of another table, while requests use it.
    """
    run.env.latency.steady, run.env.latency.timing = False, None
    run.pool = DISTRIBUTION.draw(run.cfg, run.rng, 40 * CHUNK)
    run.tables = [random_table(run.cfg, run.rng) for _ in range(TABLES)]
    run.writes = 0
    await run.aim()
