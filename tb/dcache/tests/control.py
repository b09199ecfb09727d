# SPDX-License-Identifier: Apache-2.0
"""Clean, flush, invalidation, resets, and nothing at all."""

from itertools import product

from configs.dcache.schema import CLEAN, FLUSH, INVALIDATE, LANES, LOAD, POLICY, STORE
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.request_tests import RESETS, quiet, register
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.dcache.base import DcacheSequence
from tb.dcache.items import Distribution

register(__name__, DcacheSequence, quiet, silent=True)


@testcase()
async def clean_and_flush(run: DcacheSequence) -> None:
    """Both write every dirty line once, be it none, one of any or all; only a flush forgets."""
    sets, ways, back = run.cfg.cache.sets, run.cfg.cache.ways, run.cfg.write_back
    used = sorted({0, min(1, sets - 1), sets - 1})
    every = [run.place(index, 1 + tag) for index in used for tag in range(ways)]
    await run.fill_in_turn()
    for op in (CLEAN, FLUSH):
        for dirty in ([], *([place] for place in every), every[:ways], every[:: max(1, ways - 1)], every):
            await run.send([(FLUSH,), *run.loads(every, LANES), *run.stores(dirty)])
            results = await run.results((op,), (op,), *run.loads(dirty, LANES))
            run.expect("lines written", [len(dirty) if back else 0, 0], results["tries"][:2].tolist())
            hits = sum(int(hit).bit_count() for hit in results["hit"])
            run.expect("hits", len(dirty) if op == CLEAN else 0, hits)


@testcase()
async def invalidate(run: DcacheSequence) -> None:
    """All lines of all sets are forgotten, dirty ones too: loads see what memory had before."""
    word, sets = run.place(0, 1), run.cfg.cache.sets
    kept = run.cfg.write_back and sets * run.cfg.cache.ways > 1  # the second store, until it is forgotten
    await run.send(
        [(STORE, (word, 1)), (CLEAN,), (STORE, (word, 2)), (STORE, run.place(1, 1)), (INVALIDATE,)]
    )
    result = await run.result(LOAD, word)
    run.expect("word", 1 if kept else 2, int(result["data"][0]))
    lines = [run.place(index, tag) for tag in range(4) for index in range(sets)]
    for policy in run.policies[:: 1 if sets < 64 else 3]:
        await run.send([(POLICY, policy), *run.loads(lines, LANES), *run.stores(lines[::3])])
        await run.send([(INVALIDATE,), *run.loads(lines, LANES)])
    results = await run.results((INVALIDATE,), (CLEAN,), (INVALIDATE,), (FLUSH,))
    run.expect("lines written", 0, int(results["tries"].sum()))


@testcase()
async def reset_at_every_cycle(run: DcacheSequence) -> None:
    """A reset in each cycle of a miss that writes back: what memory was asked for happens, no more."""
    burst = 3 + run.cfg.memory.latency + run.cfg.beats
    kinds: tuple[Kind, ...] = ("design", "memory", "all")
    others = [run.place(1, 2 + tag) for tag in range(run.cfg.cache.ways)]
    ranges = (range(1, 14), range(burst - 3, burst + 8), range(2 * burst - 6, 2 * burst + 4))
    for cycle, kind in product((cycle for part in ranges for cycle in part), kinds):
        await run.send([(POLICY, cycle % 4), *run.stores(others), (STORE, (run.place(0, 1), cycle))])
        await run.settle()
        await run.send([(LOAD, run.place(1, 1), run.place(1, 2)), (STORE, (run.place(0, 1), 3))])
        await run.clocking.cycles(cycle)
        await run.reset(1, kind)
        await run.send([(LOAD, run.place(0, 1), run.place(1, 2), run.place(1, 3))])


@testcase()
async def reset_in_a_walk(run: DcacheSequence) -> None:
    """A reset in each cycle in which sets are cleared or cleaned, and again while that goes on."""
    places = [run.place(0, 1), run.place(1, 1)]
    for op in (INVALIDATE, POLICY, CLEAN, FLUSH):
        for cycle in (*range(min(run.cfg.cache.sets, 16) + 8), 40, 60):
            await run.send([*run.stores(places), (op, 1)])
            await run.clocking.cycles(cycle)
            await run.reset(1)
            await run.clocking.cycles(1 + cycle // 2)
            await run.reset(1)
            await run.send([(LOAD, *places), (LOAD, *places)])


@testcase(needs=lambda cfg: cfg.write_back, why="a write-back cache")
async def reset_before_dirty_sets(run: DcacheSequence) -> None:
    """A clean or flush that a reset meets on its way to dirty lines never comes to them."""
    sets = run.cfg.cache.sets
    places = [run.place(sets // 2, 3), run.place(sets - 1, 3)]
    for op, cycle in product(
        (CLEAN, FLUSH), sorted({*range(1, min(sets, 12) + 4), sets // 2, max(0, sets - 2)})
    ):
        await run.result(STORE, *((place, cycle) for place in places))
        await run.send([(op,)])
        await run.clocking.cycles(cycle)
        await run.reset(1)
        await run.send([(LOAD, *places)])
    await run.settle()


register(__name__, DcacheSequence, *RESETS, distribution=Distribution(sets=1, cleans=0.05, flushes=0.05))


@testcase()
async def reset_while_memory_holds(run: DcacheSequence) -> None:
    """Bursts that memory has not even accepted when reset comes go before all later ones."""
    memory, ways = run.env.axi["m_axi"].memory, run.cfg.cache.ways
    places = [run.place(1, 1 + tag) for tag in range(ways)]
    for channel, op, pulses in product(("ar", "aw", "w", "r", "b"), (LOAD, STORE), (1, 2)):
        await run.results(*run.stores(places), *run.loads(places, LANES))
        memory.hold(channel)
        await run.send([(op, run.place(1, 9))])
        await run.clocking.cycles(3 * (run.cfg.memory.latency + run.cfg.beats))
        run.env.scoreboard.steady = False
        for _ in range(pulses):
            await run.reset()
            await run.clocking.cycles(7)
        memory.release(channel)
        await run.send([(LOAD, *places[:2]), (LOAD, run.place(1, 9))])
        await run.settle()


@testcase()
async def stalls(run: DcacheSequence) -> None:
    """Results that wait freeze all stages, behind hits, stores, misses and all that comes behind them."""
    for pacing in (Pacing(1, 1), Pacing(1, 3), Pacing(2, 9), Pacing(1, 40)):
        run.pace(pacing)
        for tag in range(6):
            places = [
                run.place(0, 1),
                run.place(0, tag),
                run.place(0, tag, 1),
                run.place(1, tag),
                run.place(0, 1),
            ]
            await run.send([*run.loads(places), *run.stores(places[::2], 1), (2 + tag % 5, tag % 4)])
            await run.send([*run.loads(places[::-1], 3), *run.stores(places, 2), (LOAD,), *run.loads(places)])
    run.pace(ALWAYS)
