# SPDX-License-Identifier: Apache-2.0
"""Cycles through ``mmu``: those of the caches, of the shared RAM, and of two that share memory."""

import itertools
from typing import Any

import cocotb
import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import LANES, LOAD
from configs.icache.schema import FETCH
from configs.mmu.schema import BANKS, WORD_BYTES
from models.dcache.cycles import memory_cycles as data_cycles
from models.icache import REQUEST
from models.icache.cycles import memory_cycles as fetch_cycles
from tb.common.components.requests import latencies
from tb.common.components.testcase import testcase
from tb.dcache.items import Distribution as DcacheDistribution
from tb.icache.items import Distribution as IcacheDistribution
from tb.mmu.base import MmuSequence
from tb.mmu.items import Distribution
from tb.mmu.sides import SIDES
from tb.mmu.tests.traffic import both

REACH = 6  # cycles between two that ask
TURN = 5  # cycles from a warp's load to its next one, where each has one under way
MISSES = Distribution(
    IcacheDistribution(sets=1), DcacheDistribution(sets=1, tags=4, again=0.2, uncached=0.0), shared=0.2
)


async def took(run: MmuSequence, side: str, requests: NDArray[Any]) -> list[int]:
    """The cycles from each request to its result, of some sent in a row."""
    return latencies(await run.answers(run.send(side, requests)))


@testcase(needs=lambda cfg: cfg.dcache.blocking, why="a data cache of which one miss stops all")
async def cycles(run: MmuSequence) -> None:
    """The cycles of docs/mmu.md, shared RAM, and of the caches' pages, one side at a time."""
    run.env.scoreboard.steady = True
    ram, cfg, timing = run.cfg.data_ram, run.cfg, run.cfg.memory
    for count in range(1, min(LANES, ram.rows) + 1):
        places = [ram.base + WORD_BYTES * BANKS * row for row in range(count)]
        load = run.access(LOAD, [(place, 0) for place in places])
        run.expect(f"cycles of {count} passes", [max(3, count + 1)], await took(run, "dcache", load))
    spread = run.access(LOAD, [(ram.base + WORD_BYTES * bank, 0) for bank in range(BANKS)])
    run.expect("cycles of eight banks", [3], await took(run, "dcache", spread))
    same = run.access(LOAD, [(ram.base, 0)] * LANES)
    run.expect("cycles of one word", [3], await took(run, "dcache", same))
    line = 1 << cfg.axi.address_bits - 2  # of data that is cached
    miss, wait = run.access(LOAD, [(line, 0)]), 2 + data_cycles(cfg.dcache, timing).read
    run.expect("cycles of a miss", [wait], await took(run, "dcache", miss))
    run.expect("cycles of a hit", [3], await took(run, "dcache", miss))
    mixed = run.access(LOAD, [(line, 0), (ram.base, 0)])
    run.expect("cycles of a hit beside a word", [3], await took(run, "dcache", mixed))
    fetch = np.zeros(1, REQUEST)
    fetch["op"] = FETCH
    wait = 2 + fetch_cycles(cfg.icache, timing)
    run.expect("cycles of a fetch that misses", [wait], await took(run, "icache", fetch))
    run.expect("cycles of one that hits", [3], await took(run, "icache", fetch))


@testcase()
async def maximum_rate(run: MmuSequence) -> None:
    """Hits of both sides go on side by side: a result of each in every cycle, as long as there are warps."""
    count, stalled = 64, 0 if run.cfg.dcache.blocking else max(0, TURN - run.cfg.warps)
    fetches = np.zeros(count, REQUEST)
    places = [run.cfg.data_ram.base + WORD_BYTES * bank for bank in range(BANKS)]
    loads = np.repeat(run.access(LOAD, [(place, 0) for place in places]), count)
    loads["warp"] = np.arange(count) % run.cfg.warps
    await run.fetch(0)
    await run.send_both(fetches, loads)
    await run.settle()
    for side, lost in (("icache", 0), ("dcache", (count - 1) // run.cfg.warps * stalled)):
        answered = [transfer.cycle for transfer in run.env.scoreboard.by_name[f"{side}_res"].matched[-count:]]
        run.expect(f"cycles of all results of {side}", count - 1 + lost, int(np.ptp(answered)))


@testcase(needs=lambda cfg: cfg.dcache.blocking, why="a data cache of which one miss stops all")
async def one_burst_of_the_other(run: MmuSequence) -> None:
    """Both sides miss again and again: each read waits for one burst of the other side's at most."""
    run.env.scoreboard.bounded = True
    await both(run, run.count, MISSES)
    await run.settle()
    run.expect("some waited for the other", True, run.env.scoreboard.delayed > 0)


@testcase(needs=lambda cfg: cfg.dcache.blocking, why="a data cache of which one miss stops all")
async def turns(run: MmuSequence) -> None:
    """Both miss: who asks memory first goes first; of two in the same cycle, who did not go last."""
    lates = range(-REACH, REACH + 1)  # cycles from the fetch to the load
    lines, first = itertools.count(), {}
    for side in SIDES:  # behind the clearing of all sets
        await run.served(side, _missing(run, next(lines))[side])
    waited = await _waited(run)
    for last in SIDES:
        for late in lates:
            await run.served(last, _missing(run, next(lines))[last])
            first[last, late] = await _race(run, _missing(run, next(lines)), late)
    ties = [late for late in lates if first["icache", late] != first["dcache", late]]
    run.expect("offsets at which it matters who went last", 1, len(ties))
    run.expect("cycles in which both asked", len(SIDES), (await _waited(run) - waited) % (1 << 32))
    for late in lates:
        for last, other in (SIDES, SIDES[::-1]):
            goes_first = other if late == ties[0] else SIDES[late < ties[0]]
            run.expect(f"who goes first, {last} last, load {late} later", goes_first, first[last, late])


async def _waited(run: MmuSequence) -> int:
    """The counter of cycles in which both asked, as it is shown."""
    await run.clocking.cycles(4)
    shown = {counter: place for place, counter in run.cfg.counters.items()}
    return int((await run.env.control.read(shown["perf", "read_wait_cycles"])).data)


def _missing(run: MmuSequence, number: int) -> dict[str, NDArray[Any]]:
    """A fetch [1] and a load [1] of a line each that no other ``number`` is in."""
    fetch = np.zeros(1, REQUEST)
    fetch["op"], fetch["pc"] = FETCH, number * run.cfg.icache.cache.line_bytes
    place = (1 << run.cfg.axi.address_bits - 2) + number * run.cfg.dcache.cache.line_bytes
    return {"icache": fetch, "dcache": run.access(LOAD, [(place, 0)])}


async def _race(run: MmuSequence, requests: dict[str, NDArray[Any]], late: int) -> str:
    """The side that has its result first, if the load is sent ``late`` cycles behind the fetch, or before."""
    before, (first, second) = len(run.responses), SIDES[:: -1 if late < 0 else 1]
    other = cocotb.start_soon(run.send(first, requests[first]))
    if late:
        await run.clocking.cycles(abs(late))
    await run.send(second, requests[second])
    await other
    await run.settle()
    return min(run.responses[before:], key=lambda response: response.answered[0].cycle).side
