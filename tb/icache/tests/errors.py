# SPDX-License-Identifier: Apache-2.0
"""Memory that answers with errors: the line is not kept, who waits for it hears of it, the address stays."""

from configs.icache.schema import BASE, FETCH, INVALIDATE, POLICY, STATUS
from tb.common.components.request_tests import random_errors, register
from tb.common.components.testcase import testcase
from tb.icache.base import IcacheSequence
from tb.icache.items import Distribution

LONG = 32  # beats of a line from which on fewer fetches are tried after each


@testcase(needs=lambda cfg: cfg.blocking, why="restart=line")
async def fill_errors(run: IcacheSequence) -> None:
    """A line of which any beat fails is not kept: the next fetch, and only that, asks memory again."""
    pc, line = run.pc(1, 4, 1), run.pc(1, 4) >> run.cfg.cache.offset_bits
    brief = run.cfg.beats >= LONG
    for beat in range(run.cfg.beats):
        run.env.axi["m_axi"].memory.faults.beat = beat
        run.env.poison([line])
        for _ in range(1 if brief else 2):
            result = await run.result(FETCH, pc)
            run.expect("error, instruction", (1, 0), (int(result["err"]), int(result["inst"])))
        run.env.heal()
        if not brief or beat % LONG == LONG - 1:
            results = await run.results((FETCH, pc), (FETCH, pc))
            run.expect("errors, hits", ([0, 0], [0, 1]), (results["err"].tolist(), results["hit"].tolist()))
            await run.result(INVALIDATE)


@testcase()
async def behind_an_error(run: IcacheSequence) -> None:
    """One right behind in the line that fails fails as well; the one after that asks memory anew."""
    pc, other = run.pc(0, 3), run.pc(1, 3)
    await run.send([(FETCH, other)])
    await run.settle()
    for policy in run.policies:
        await run.result(POLICY, policy)
        run.poison([pc >> run.cfg.cache.offset_bits])
        results = await run.results(*run.fetches([pc, pc + 4, pc + 4, pc]))
        run.expect("lines asked for", [1, 0, 1, 0], results["fill"].tolist())
        run.expect("errors", 4, int(results["err"].sum()))
        for behind in ((FETCH, other), (BASE, 0, 1), (STATUS,), (POLICY, policy), (INVALIDATE,)):
            results = await run.results(
                (FETCH, pc), behind, (FETCH, pc + 4), (FETCH, other), (FETCH, other + 4)
            )
            run.expect("errors of fetches", [1, 1, 0, 0], results["err"][[0, 2, 3, 4]].tolist())
        run.env.heal()
        results = await run.results(*run.fetches([pc, pc + 4]))
        run.expect("hits", [0, 1], results["hit"].tolist())
        await run.result(INVALIDATE)


@testcase()
async def status(run: IcacheSequence) -> None:
    """The first address that failed is kept until it is asked for, over an invalidation, not over a reset."""
    pcs = [run.pc(1, 5, 1), run.pc(0, 6, 2)]
    run.poison([pc >> run.cfg.cache.offset_bits for pc in pcs])
    for some, kept in ((pcs, pcs[0]), (pcs[::-1], pcs[1]), (pcs[1:], pcs[1])):
        await run.send([*run.fetches(some), (INVALIDATE,), (POLICY, 2)])
        results = await run.results((STATUS,), (STATUS,))
        run.expect("address, then none", [kept, 0], results["inst"].tolist())
        run.expect("told", [1, 0], results["err"].tolist())
    await run.send([(BASE, 12, 1), (FETCH, pcs[0] - 12, 1), (BASE, 0, 1)])
    run.expect("address with base", pcs[0], int((await run.result(STATUS))["inst"]))
    await run.result(FETCH, pcs[0])
    await run.reset()
    run.expect("after a reset", 0, int((await run.result(STATUS))["err"]))
    run.env.heal()


@testcase()
async def failed_addresses(run: IcacheSequence) -> None:
    """Status gives the first address that failed, whatever its bits, also right behind another that did."""
    cache, before = run.cfg.cache, -1
    single = [1 << bit | bit % 4 for bit in range(2, cache.address_bits)]
    addresses = [0, *single, (1 << cache.address_bits) - 1]
    run.poison({address >> cache.offset_bits for address in addresses})
    for number, address in enumerate(addresses):
        if run.cfg.blocking:
            run.env.axi["m_axi"].memory.faults.beat = (0, run.cfg.beats - 1)[number % 2]
        results = await run.results((FETCH, address), (STATUS,))
        run.expect("status right behind", [address, 1], [int(results[name][1]) for name in ("inst", "err")])
        results = await run.results((FETCH, address), (FETCH, address ^ 4), (STATUS,))
        run.expect("errors, also of one in its line", [1, 1, 1], results["err"].tolist())
        if address >> cache.offset_bits != before >> cache.offset_bits and before >= 0:
            results = await run.results((FETCH, before), (FETCH, address), (STATUS,), (STATUS,))
            run.expect("the first, then none", [before, 0], results["inst"][2:].tolist())
        before = address
    run.env.heal()


register(__name__, IcacheSequence, random_errors, distribution=Distribution(sets=1))
