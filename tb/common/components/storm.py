# SPDX-License-Identifier: Apache-2.0
"""Resets at random times, again and again, each in whatever the one before has left."""

from collections.abc import Awaitable, Callable

from tb.common.components.virtual_sequence import VirtualSequence


async def storm(
    sequence: VirtualSequence, pulses: int, longest: int, reset: Callable[[], Awaitable[None]]
) -> None:
    """``pulses`` times wait, then ``reset()``, which also offers again what the reset has lost.

    Waits are up to ``longest`` cycles and of all sizes alike (uniform logarithms): many resets meet one that
    has hardly ended, many a design long at work.
    """
    for _ in range(pulses):
        await sequence.clocking.cycles(int(longest ** sequence.rng.random()))
        await reset()
