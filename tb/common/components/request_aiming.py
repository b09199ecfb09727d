# SPDX-License-Identifier: Apache-2.0
"""The test ``coincidences`` of any block that answers requests, on one stream in order or on several."""

from collections.abc import Awaitable, Callable
from typing import Any

import numpy as np

from configs import MemoryTiming
from tb.common.components.aiming import Aiming

CHUNK = 4  # requests
POOL = 200  # that they are taken from
SOON = 64  # cycles
FAILING = 0.3  # share of their lines, when memory fails


class PoolAiming(Aiming):
    """Random requests, drawn before, while events are aimed at; memory fails in some rounds.

    Of a block that clears itself for more than ``SOON`` cycles after a reset each pair is aimed at but once,
    with so much more patience.
    """

    times, reset_times, rounds = 4, 4, 8
    kinds = ("design", "memory", "design", "all")
    pool: Any  # requests
    draw: Any  # these three are as those of :class:`RequestSequence`
    lines: Any
    send_records: Any

    def sending(self) -> list[Callable[[], Awaitable[None]]]:
        """See :meth:`Aiming.sending`."""
        return [self.requests]

    async def requests(self) -> None:
        """A few."""
        await self.send_records(self.rng.choice(self.pool, CHUNK))

    def change_timing(self, timing: MemoryTiming) -> None:
        """See :meth:`Aiming.change_timing`."""
        super().change_timing(timing)
        self.env.scoreboard.timing = timing

    def fail_some(self) -> None:
        """See :meth:`Aiming.fail_some`."""
        lines = np.unique(self.lines(self.pool))
        self.env.poison(lines[self.rng.random(len(lines)) < FAILING].tolist())


async def coincidences(run: PoolAiming) -> None:
    """Each pair of events of the ports in one cycle, and one after the other; resets too."""
    if run.clearing > SOON:
        run.patience += run.clearing  # type: ignore[misc]
        run.times = run.reset_times = 1  # type: ignore[misc]
    run.env.scoreboard.steady = False
    run.pool = run.draw(POOL)
    await run.aim()
