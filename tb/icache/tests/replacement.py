# SPDX-License-Identifier: Apache-2.0
"""The policies: which way gives way, and what comes behind a fetch that waits for its line."""

from configs.icache.schema import BASE, FETCH, INVALIDATE, POLICY, STATUS
from configs.simt import LFU, LRU, PSEUDO_LRU
from tb.common.components.simt import cold_order, in_turn, kept
from tb.common.components.testcase import testcase
from tb.icache.base import IcacheSequence

LONG = 32  # beats of a line from which on not all ways are tried


@testcase()
async def cold_fill(run: IcacheSequence) -> None:
    """An empty set is filled in the order of the policy, or from way 0 on if invalid ones go first."""
    ways = run.cfg.cache.ways
    for policy in run.policies:
        await run.send([(POLICY, policy), (INVALIDATE,)])
        order = cold_order(run.cfg.cache, policy)
        results = await run.results(*run.fetches(run.pc(1, tag) for tag in range(ways)))
        run.expect(f"ways filled under policy {policy}", order, results["way"].tolist())
        results = await run.results(*run.fetches(run.pc(1, tag) for tag in range(ways)))
        if policy != PSEUDO_LRU or in_turn(run.cfg.cache):
            run.expect("hits", ways, int(results["hit"].sum()))


@testcase()
async def policies(run: IcacheSequence) -> None:
    """Under each policy lines that compete for a set, used now and then: each victim as the model has it."""
    ways = run.cfg.cache.ways
    for policy in run.policies:
        await run.send([(POLICY, policy)])
        drawn = run.rng.integers(ways + 2, size=max(60, 6 * ways)).tolist()
        await run.send(run.fetches(run.pc(0, tag) for tag in drawn))


@testcase()
async def policy_of_any_block(run: IcacheSequence) -> None:
    """A policy is the one that is asked for, whatever is added to the addresses of that block."""
    ways = run.cfg.cache.ways
    for policy in run.policies:
        for base in (1, 3):
            await run.send([(BASE, base, 1), (POLICY, policy, 1), (INVALIDATE,)])
            await run.send(run.fetches(run.pc(0, tag) for tag in (*range(ways), 0, 2, 1, ways, ways + 1, 0)))


@testcase(needs=lambda cfg: cfg.cache.ways > 1, why="2 ways at least")
async def consecutive_updates(run: IcacheSequence) -> None:
    """Hits of one set in cycles that follow one another all count: the victim is the one not used."""
    ways = run.cfg.cache.ways
    step = 1 if run.cfg.beats < LONG else 5
    for policy in (LFU, LRU, PSEUDO_LRU):
        for spared in range(0, ways, step):
            await run.send(
                [(INVALIDATE,), (POLICY, policy), *run.fetches(run.pc(0, tag) for tag in range(ways))]
            )
            used = [(spared + 1 + number) % ways for number in range(ways - 1)]
            await run.send(run.fetches(run.pc(0, tag) for tag in used))
            await run.send(run.fetches([run.pc(0, ways), run.pc(0, used[-1])]))


@testcase()
async def switches(run: IcacheSequence) -> None:
    """From each policy to each other one: lines stay, the order begins anew."""
    ways, pairs = run.cfg.cache.ways, [(old, new) for old in run.policies for new in run.policies]
    lines = kept(run.cfg.cache)
    anew = [] if lines == 3 else [(INVALIDATE,)]
    for number, (old, new) in enumerate(pairs):
        bit = 1 << 2 + number % (run.cfg.cache.address_bits - 2)  # the policy is pc modulo 4
        await run.send([(POLICY, old | bit), *anew, *run.fetches(run.pc(1, tag) for tag in range(lines))])
        results = await run.results((POLICY, new | bit), *run.fetches(run.pc(1, tag) for tag in range(lines)))
        run.expect("hits after the switch", lines, int(results["hit"].sum()))
        await run.send(run.fetches(run.pc(1, ways + new + tag) for tag in range(2)))
        await run.send(run.fetches(run.pc(1, tag) for tag in (1, 0, 2)))


@testcase()
async def no_use(run: IcacheSequence) -> None:
    """A base or status that names a line, by base or pc, is no use of it, and ends no repeat."""
    ways = run.cfg.cache.ways
    step = 1 if run.cfg.beats < LONG else 5
    for policy in run.policies:
        await run.send([(INVALIDATE,), (POLICY, policy), *run.fetches(run.pc(0, tag) for tag in range(ways))])
        for tag in range(0, ways, step):
            line, other, new = (run.pc(0, number) for number in (tag, (tag + 1) % ways, ways + tag))
            await run.send([(BASE, line, 1), (STATUS, other), (BASE, 0, 1), (STATUS, line), (FETCH, new)])
            await run.settle()
            await run.send([(FETCH, new), (BASE, other, 1), (BASE, 0, 1), (FETCH, new + 4), (STATUS, other)])
            await run.send([(FETCH, new)])


@testcase()
async def behind_a_miss(run: IcacheSequence) -> None:
    """What comes right behind a fetch that waits for its line sees what that has done."""
    ways = run.cfg.cache.ways
    full = run.fetches(run.pc(0, tag) for tag in range(ways))
    await run.send([(POLICY, LRU), *full, (FETCH, run.pc(1, 1))])
    for number, behind in enumerate(
        (
            (FETCH, run.pc(0, 100, 1)), (FETCH, run.pc(1, 1)), (FETCH, run.pc(0, ways - 1)), (BASE, 4, 1),
            (STATUS,), (POLICY, LRU), (INVALIDATE,),
        )
    ):  # fmt: skip
        for _ in range(2):
            await run.send([*full, (FETCH, run.pc(0, 100 + number)), behind, (FETCH, run.pc(0, 100, 2))])
        await run.send([(INVALIDATE,), (POLICY, LRU), *full, (FETCH, run.pc(1, 1))])
        results = await run.results((FETCH, run.pc(0, 200)), (FETCH, run.pc(0, 0)))
        run.expect("the victim is behind its successor: evictions", [1, 1], results["evict"].tolist())
