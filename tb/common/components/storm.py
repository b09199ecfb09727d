# SPDX-License-Identifier: Apache-2.0
"""Resets again and again: in whatever the one before has left, or while some ends of the ports are held."""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import cocotb

from tb.common.components.acting import Actor, Waiting, actors
from tb.common.components.reset import Kind
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


def hold_some(sequence: VirtualSequence) -> list[Actor]:
    """Hold a quarter of the ports' ends, at random: of what the testbench offers and what it takes."""
    ends = [actor for actor in actors(sequence.env) if not isinstance(actor, Waiting)]
    held = [end for end in ends if sequence.rng.random() < 0.25]
    for end in held:
        end.hold()
    return held


async def held_resets(
    sequence: VirtualSequence, rounds: int, longest: int, send: Callable[[], Coroutine[Any, Any, None]]
) -> None:
    """``rounds`` times some traffic, and a short reset, of any kind, while some of the ports' ends are held.

    So resets meet what waits in the design: results, addresses, lines that nobody takes. Waits before a reset
    are up to ``longest`` cycles, as in :func:`storm`. What follows is answered, mostly.
    """
    kinds: tuple[Kind, ...] = ("design", "memory", "all") if sequence.env.axi else ("design",)
    for turn in range(rounds):
        await sequence.clocking.cycles(1)
        held = hold_some(sequence)
        sending = cocotb.start_soon(send())
        await sequence.clocking.cycles(int(longest ** sequence.rng.random()))
        await sequence.reset(int(sequence.rng.integers(1, 3)), kinds[turn % len(kinds)])
        for end in held:
            end.go()
        await sending
        await send()
        if sequence.rng.random() < 0.7:
            await sequence.settle()
    await sequence.settle()
