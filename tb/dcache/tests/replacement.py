# SPDX-License-Identifier: Apache-2.0
"""The policies: which way gives way, and what a switch leaves."""

from configs.dcache.schema import CLEAN, FLUSH, INVALIDATE, LANES, LOAD, POLICY, STORE
from configs.simt import LFU, LRU, PSEUDO_LRU
from tb.common.components.simt import cold_order, in_turn, kept
from tb.common.components.testcase import testcase
from tb.dcache.base import DcacheSequence

FEW = 8  # sets, all of which are tried


@testcase(needs=lambda cfg: cfg.ahead_elsewhere, why="with prefetch two sets")
async def cold_fill(run: DcacheSequence) -> None:
    """An empty set is filled in the order of the policy, or from way 0 on if invalid ones go first."""
    ways = run.cfg.cache.ways
    for policy in run.policies:
        await run.send([(POLICY, policy), (INVALIDATE,)])
        places = [run.place(1, tag) for tag in range(ways)]
        results = await run.results(*run.loads(places), *run.loads(places))
        run.expect(
            f"ways filled under policy {policy}",
            cold_order(run.cfg.cache, policy),
            results["way"][:ways, 0].tolist(),
        )
        if policy != PSEUDO_LRU or in_turn(run.cfg.cache):
            run.expect("hits", ways, int(results["hit"].sum()))


@testcase()
async def policies(run: DcacheSequence) -> None:
    """Under each policy lines that compete for a set, used now and then, by loads and by stores."""
    ways = run.cfg.cache.ways
    for policy in run.policies:
        await run.send([(POLICY, policy)])
        drawn = run.rng.integers(ways + 2, size=max(80, 8 * ways)).tolist()
        places = [run.place(0, tag) for tag in drawn]
        await run.send(run.loads(places, 5) + run.stores(places, 3))


@testcase(needs=lambda cfg: cfg.cache.ways > 1, why="2 ways at least")
async def consecutive_updates(run: DcacheSequence) -> None:
    """Hits of one set in cycles that follow one another all count: the victim is the one not used."""
    ways = run.cfg.cache.ways
    for policy in (LFU, LRU, PSEUDO_LRU):
        for spared in range(ways):
            await run.send(
                [(FLUSH,), (POLICY, policy), *run.loads((run.place(0, tag) for tag in range(ways)), LANES)]
            )
            used = [run.place(0, (spared + 1 + number) % ways) for number in range(ways - 1)]
            await run.send(
                [*run.loads(used, LANES), (LOAD, run.place(0, ways), used[-1], run.place(0, spared))]
            )


@testcase()
async def anew_in_each_set(run: DcacheSequence) -> None:
    """What a flush or an invalidation leaves of replacement in a set, the last one too: nothing."""
    ways, sets = run.cfg.cache.ways, run.cfg.cache.sets
    chosen = range(sets) if sets <= FEW else (0, 1, sets // 2 - 1, sets // 2, sets - 2, sets - 1)
    for policy in run.policies:
        for op in (FLUSH, INVALIDATE):
            await run.send([(POLICY, policy)])
            for tags in (range(ways + 2), (*range(ways), 0, 2, ways, ways + 1)):
                for index in chosen:
                    await run.send(run.loads((run.place(index, tag) for tag in tags), 5))
                await run.send([(op,)])


@testcase()
async def switches(run: DcacheSequence) -> None:
    """From each policy to each other one, in mid-run: lines stay, dirty ones too, the order begins anew."""
    ways, pairs = run.cfg.cache.ways, [(old, new) for old in run.policies for new in run.policies]
    places = [run.place(1, tag) for tag in range(kept(run.cfg.cache))]
    for number, (old, new) in enumerate(pairs):
        stores = [(STORE, (place, 16 * old + new)) for place in places]
        bit = 1 << 2 + number % (run.cfg.cache.address_bits - 2)  # the policy is the address modulo 4
        await run.send([(POLICY, old | bit), (FLUSH,), *run.loads(places[::-1]), *stores])
        results = await run.results((POLICY, new | bit), *run.loads(places))
        run.expect("hits after the switch", len(places), int(results["hit"].sum()))
        more = [run.place(1, ways + new + tag) for tag in range(ways - 2)]
        await run.send([*run.loads(more), (LOAD, *places), *stores[:1], (CLEAN,)])


@testcase()
async def behind_a_miss(run: DcacheSequence) -> None:
    """What comes right behind a word that misses sees what that has done, in its request or the next."""
    ways = run.cfg.cache.ways
    full = [run.place(0, tag) for tag in range(ways)]
    for op in (LOAD, STORE):
        for number, behind in enumerate((100, 101, 0, ways - 1)):
            for together in (True, False):
                await run.send([(POLICY, LRU), (FLUSH,), *run.loads(full, LANES), *run.stores(full[1::2])])
                missed, next_ = run.place(0, 100 + number % 2), run.place(0, behind, 1)
                pair = [(op, missed, next_)] if together else [(op, missed), (op, next_)]
                await run.send([*pair, (LOAD, missed, next_)])
        await run.send([(POLICY, LRU), (FLUSH,), *run.loads(full)])
        results = await run.results((LOAD, run.place(0, 200)), (LOAD, run.place(0, 0)))
        run.expect("the victim is behind its successor: evictions", [1, 1], results["evict"].tolist())
