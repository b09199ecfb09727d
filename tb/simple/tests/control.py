# SPDX-License-Identifier: Apache-2.0
"""Flush, invalidate, resets, and nothing at all."""

from itertools import product

from configs.simple.schema import FLUSH, INVALIDATE, LOAD, STORE
from tb.common.components.request_tests import RESETS, quiet, register
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.simple.base import SimpleSequence
from tb.simple.items import Distribution

KINDS: tuple[Kind, ...] = ("design", "memory", "all")

register(__name__, SimpleSequence, quiet, silent=True)


@testcase()
async def flush(run: SimpleSequence) -> None:
    """A flush writes every dirty line once, be it none, the first, the last or all; they stay valid."""
    sets = run.cfg.cache.sets
    for dirty in ((), (0,), (sets - 1,), (1, 2), range(sets)):
        await run.send([(STORE, run.word(index, 1), 100 + index) for index in dirty])
        expected = len(dirty) if run.cfg.write_back else 0
        run.expect("lines written", expected, int((await run.result(FLUSH))["tries"]))
        run.expect("lines written again", 0, int((await run.result(FLUSH))["tries"]))
        await run.send([(LOAD, run.word(index, 1)) for index in dirty])


@testcase()
async def invalidate(run: SimpleSequence) -> None:
    """All lines are forgotten, dirty ones too: loads see what memory had before."""
    word = run.word(0, 1)
    await run.send([(STORE, word, 1), (FLUSH,), (STORE, word, 2), (STORE, run.word(1, 1), 3), (INVALIDATE,)])
    run.expect("value", 1 if run.cfg.write_back else 2, int((await run.result(LOAD, word))["value"]))
    lines = [(LOAD, run.word(index, 7)) for index in range(run.cfg.cache.sets)]
    await run.send([*lines, (INVALIDATE,), *lines])
    order = (INVALIDATE, FLUSH, FLUSH, INVALIDATE, INVALIDATE, STORE, FLUSH, INVALIDATE, LOAD, FLUSH, LOAD)
    await run.send([(op,) for op in (*order, INVALIDATE, STORE, INVALIDATE)])


@testcase()
async def reset_at_every_cycle(run: SimpleSequence) -> None:
    """A reset in each cycle of a miss that writes back: what memory was asked for happens, no more."""
    burst = 4 + run.cfg.memory.latency + run.cfg.beats  # the result comes after two
    ranges = (range(1, 14), range(burst - 4, burst + 8), range(2 * burst - 9, 2 * burst + 3))
    for cycles, kind in product((cycle for part in ranges for cycle in part), KINDS):
        await run.send([(STORE, run.word(2, 1), cycles)])
        await run.result(STORE, run.word(3, 1), cycles)
        await run.send([(LOAD, run.word(3, 2))])
        await run.clocking.cycles(cycles)
        await run.reset(1, kind)
        await run.send([(LOAD, run.word(2, 2))])
        await run.result(LOAD, run.word(3, 1))


@testcase()
async def reset_at_a_hit(run: SimpleSequence) -> None:
    """A reset in each cycle of a hit, that of its result too: it leaves no report and nothing to write."""
    for op, cycles, kind in product((LOAD, STORE), range(4), KINDS):
        await run.result(LOAD, run.word(1, 1))
        await run.send([(op, run.word(1, 1), 100 + cycles)])
        await run.clocking.cycles(cycles)
        await run.reset(1, kind)
        await run.result(LOAD, run.word(1, 2))


register(__name__, SimpleSequence, *RESETS, distribution=Distribution(sets=4, flushes=0.1))


@testcase()
async def reset_while_memory_holds(run: SimpleSequence) -> None:
    """Bursts that memory has not even accepted when reset comes go before all later ones."""
    memory = run.env.axi["m_axi"].memory
    for channel in ("ar", "aw", "w"):
        for op in (LOAD, STORE):
            await run.result(STORE, run.word(1, 1), 7 + op)
            memory.hold(channel)
            await run.send([(op, run.word(1, 2), 3, 1)])
            await run.clocking.cycles(3 * (run.cfg.memory.latency + run.cfg.beats))  # the victim first
            run.env.scoreboard.steady = False
            await run.reset()
            await run.send([(INVALIDATE,), (LOAD, run.word(2, op))])
            await run.clocking.cycles(10)
            memory.release(channel)
            await run.result(LOAD, run.word(1, 1))
