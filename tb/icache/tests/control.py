# SPDX-License-Identifier: Apache-2.0
"""Invalidation, resets, and nothing at all."""

from collections import deque
from itertools import product

from configs.icache.schema import BASE, FETCH, INVALIDATE, POLICY, STATUS
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.request_tests import RESETS, offered_in_resets, quiet, register
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.icache.base import IcacheSequence
from tb.icache.items import Distribution

HELD = 12  # rounds of each kind: six cycles, two words

register(__name__, IcacheSequence, quiet, silent=True)


@testcase()
async def invalidate(run: IcacheSequence) -> None:
    """All lines of all sets are forgotten; a fetch in the line before it is looked up again."""
    cache = run.cfg.cache
    lines = [run.pc(index, tag) for tag in range(min(cache.ways, 4)) for index in range(cache.sets)]
    for policy in run.policies:
        await run.send([(POLICY, policy), *run.fetches(lines)])
        results = await run.results((INVALIDATE,), *run.fetches(lines[::-1]))
        run.expect("hits", 0, int(results["hit"].sum()))
    results = await run.results((FETCH, lines[0]), (INVALIDATE,), (FETCH, lines[0]), (FETCH, lines[0]))
    run.expect("hits", [0, 0, 1], results["hit"][1:].tolist())
    ops = (3, 4, 1, 2, 0, 4, 4, 3, 3, 1, 1, 2, 2, 0, 0, 3, 2, 3, 0, 2, 4, 2, 1, 4, 0, 1, 3, 1, 0)
    await run.send([(op,) for op in ops])


@testcase()
async def reset_at_every_cycle(run: IcacheSequence) -> None:
    """A reset in each cycle of a miss and of the two behind it; bases and policy are gone, too."""
    end = 4 + run.cfg.memory.latency + run.cfg.beats
    for cycle, count in product((*range(14), *range(end - 8, end + 8)), (1, 2)):
        await run.send([(INVALIDATE,), (POLICY, cycle % 4), (BASE, 64, 1), (FETCH, run.pc(0, 1, 1))])
        await run.settle()
        await run.send(run.fetches([run.pc(0, 2), run.pc(0, 1)][:count]))
        await run.clocking.cycles(cycle)
        await run.reset(1)
        await run.send([(FETCH, run.pc(0, 1), 1), (FETCH, run.pc(0, 2), 1)])
        await run.settle()


@testcase()
async def reset_in_an_error(run: IcacheSequence) -> None:
    """A reset of either side in each cycle around the end of a line that fails: nothing is told of it."""
    end, pc = run.cfg.memory.latency + run.cfg.beats, run.pc(1, 2)
    kinds: tuple[Kind, ...] = ("design", "memory")
    for kind, behind, cycle in product(kinds, (0, 1), range(end - 3, end + 5)):
        await run.results((INVALIDATE,))
        run.env.poison([pc >> run.cfg.cache.offset_bits])
        await run.send(run.fetches([pc, pc + 4][: 1 + behind]))
        await run.clocking.cycles(cycle)
        await run.reset(1, kind)
        run.env.heal()
        results = await run.results((STATUS,), (FETCH, pc), (FETCH, pc + 4), (STATUS,))
        run.expect("told", [0, 0, 0, 0], results["err"].tolist())


@testcase()
async def reset_in_a_walk(run: IcacheSequence) -> None:
    """A reset in each cycle in which sets are cleared, and again while that goes on after it."""
    for op in (INVALIDATE, POLICY):
        for cycle in range(min(run.cfg.cache.sets, 16) + 6):
            await run.send([*run.fetches([run.pc(0, 1), run.pc(1, 1)]), (op, 1)])
            await run.clocking.cycles(cycle)
            await run.reset(1)
            await run.clocking.cycles(1 + cycle // 2)
            await run.reset(1)
            await run.send(run.fetches([run.pc(0, 1), run.pc(1, 1), run.pc(0, 1)]))


register(__name__, IcacheSequence, *RESETS, distribution=Distribution(sets=1))
register(
    __name__, IcacheSequence, offered_in_resets,
    distribution=Distribution(sets=1, tags=-2, bases=0.3, invalidations=0.1, policies=0.1),
)  # fmt: skip


@testcase()
async def reset_while_memory_holds(run: IcacheSequence) -> None:
    """A burst that memory has not even accepted when reset comes goes before all later ones."""
    memory = run.env.axi["m_axi"].memory
    for channel in ("ar", "r"):
        for pulses in (1, 2):
            await run.send([(FETCH, run.pc(1, 1))])
            await run.settle()
            memory.hold(channel)
            await run.send([(FETCH, run.pc(1, 2)), (FETCH, run.pc(1, 1))])
            await run.clocking.cycles(3 * run.cfg.memory.latency)
            run.env.scoreboard.steady = False
            for _ in range(pulses):
                await run.reset()
                await run.clocking.cycles(7)
            memory.release(channel)
            await run.send(run.fetches([run.pc(1, 1), run.pc(1, 2)]))
            await run.settle()


@testcase()
async def held_fills(run: IcacheSequence) -> None:
    """A result waits until the line behind it is there, or nearly: edge words, and each kind right behind.

    Under round robin, so that a line may be asked for right behind the one that takes its way.
    """
    ways, words, latency = run.cfg.cache.ways, run.cfg.line_words, run.cfg.memory.latency
    lines = deque(run.pc(0, tag) for tag in range(ways))  # of set 0, in the order in which they were filled
    await run.send([(POLICY, 0), (INVALIDATE,), *run.fetches(lines), (FETCH, run.pc(1, 1))])
    for number in range(6 * HELD):
        await run.settle()
        word, last = (0, words - 1)[:: 1 if number // 6 % 2 else -1]
        new, old, near = run.pc(0, 2 * ways + number, word), lines.popleft(), run.pc(1, 1, word)
        lines.append(run.pc(0, 2 * ways + number))
        same = run.pc(0, 2 * ways + number, last)
        kinds = ((FETCH, same), (FETCH, old), (FETCH, near), (BASE, 4, 1), (STATUS,), (POLICY, 0))
        behind = kinds[number // HELD]
        if behind[1:] == (old,):
            lines.popleft()
            lines.append(old)
        if not run.cfg.several_sets:
            await run.result(FETCH, near)
        run.env.agents["res"].sink.hold()
        await run.send([(FETCH, near), (FETCH, new), behind])
        await run.clocking.cycles(latency + run.cfg.beats + number % 6 - 2)
        run.pace(ALWAYS)
        await run.send(run.fetches([near, same]))


@testcase()
async def stalls(run: IcacheSequence) -> None:
    """Results that wait freeze all stages, behind hits, misses and all that comes behind them."""
    for pacing in (Pacing(1, 1), Pacing(1, 3), Pacing(2, 9), Pacing(1, 40)):
        run.pace(pacing)
        for tag in range(6):
            pcs = [run.pc(0, 1), run.pc(0, tag), run.pc(0, tag, 1), run.pc(1, tag), run.pc(0, 1)]
            await run.send([*run.fetches(pcs), (1 + tag % 4, tag % 4), *run.fetches(pcs[::-1])])
    run.pace(ALWAYS)
