# SPDX-License-Identifier: Apache-2.0
"""Random traffic on both sides."""

from configs.dcache.schema import LANES
from configs.mmu.schema import BANKS, WORD_BYTES
from tb.common.components.pacing import MemoryPacing, Pacing
from tb.common.components.testcase import testcase
from tb.dcache.items import Distribution as DcacheDistribution
from tb.mmu.base import MmuSequence
from tb.mmu.items import Distribution

ANY = Distribution()
FULL = DcacheDistribution(full=0.8, states=0.0)


async def both(run: MmuSequence, count: int, distribution: Distribution = ANY) -> None:
    """Random requests of both sides at once."""
    draws = (distribution.fetches, distribution.accesses)
    fetches, accesses = (draw(run.cfg, run.rng, count) for draw in draws)
    await run.send_both(fetches, accesses)


@testcase()
async def smoke(run: MmuSequence) -> None:
    """A few hundred random requests of both sides: does it live?"""
    await both(run, min(run.count, 300))


@testcase()
async def slow_results(run: MmuSequence) -> None:
    """Results of both sides are taken in bursts, and memory stalls on every channel."""
    run.pace(Pacing(4, 5))
    stalls = Pacing(2, 4)
    run.env.pace_memory(MemoryPacing(9, stalls, stalls, stalls, stalls, stalls))
    await both(run, run.count)


@testcase()
async def shared_only(run: MmuSequence) -> None:
    """Most lanes in the window of the shared RAM, in few banks or many: conflicts of all depths."""
    for banks in (1, 2, 4, 8):
        await both(run, run.count, Distribution(data=FULL, shared=1.0, rows=64 // banks, banks=banks))


@testcase()
async def past_the_window(run: MmuSequence) -> None:
    """Words at both ends of the window of the shared RAM, and right before and behind it, from each lane."""
    ram = run.cfg.data_ram
    last = ram.base + ram.capacity_bytes
    places = (ram.base - 4, ram.base, last - 4, last)
    for shift in range(LANES):
        words = [(places[(lane + shift) % len(places)], 16 * shift + lane) for lane in range(LANES)]
        await run.store(*words)
        await run.load(*(address for address, _ in words))


@testcase()
async def bank_conflicts(run: MmuSequence) -> None:
    """From one to eight words of each bank, in some order: stored, then loaded, each in as many passes."""
    ram = run.cfg.data_ram
    for bank in range(BANKS):
        for count in range(1, LANES + 1):
            rows = run.rng.permutation(min(LANES, ram.rows))[:count]
            places = [ram.base + WORD_BYTES * (BANKS * int(row) + bank) for row in rows]
            await run.store(*((place, int(run.rng.integers(1 << 32))) for place in places))
            await run.load(*places)
