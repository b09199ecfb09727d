# SPDX-License-Identifier: Apache-2.0
"""Misses: whoever missed is served first, caches take turns at memory, others go on."""

import numpy as np

from configs.lpas.schema import FLUSH, LDM, LOAD, STM, STORE
from tb.common.components.testcase import testcase
from tb.lpas.base import LpasSequence


@testcase()
async def served_first(run: LpasSequence) -> None:
    """A far PE and near ones whose lines displace each other: each burst serves who asked for it."""
    count = 12
    rows = [(run.last, STORE, run.word(0, 0, 0), n) for n in range(count)]
    rows += [(pe, STORE, run.word(0, 0, 1 + pe), n) for pe in (0, 1) for n in range(count)]
    await run.send(rows)
    await run.settle()
    shown = run.env.performance.counters()
    run.expect(
        "misses, and hits", (True, 3 * count), (shown["misses"] > count, shown["hits"] + shown["misses"])
    )


@testcase()
async def all_miss(run: LpasSequence) -> None:
    """All caches miss at once, with victims that are dirty or not: each has its turn at memory."""
    pes = range(run.cfg.pes)
    for tag in range(3):
        await run.send(
            [
                (pe, STORE if (pe + tag) % 3 else LOAD, run.word((pe + tag) % run.cfg.pes, 0, tag), pe)
                for pe in pes
            ]
        )
        await run.send([(run.last, LDM, run.word(1, 1)), (run.last, STM, run.word(2, 1), tag)])
    await run.settle()


@testcase()
async def others_go_on(run: LpasSequence) -> None:
    """While one cache waits for memory the others hit, and those who want it wait."""
    await run.warm()
    run.env.axi["m_axi"].memory.hold("ar")
    cache = run.cfg.pes - 1
    await run.send([(0, STORE, run.word(cache, 1, 1), 1), (1, STORE, run.word(cache), 2)])
    others = [(pe, LOAD, run.word(pe)) for pe in range(2, run.cfg.pes - 1) for _ in range(8)]
    if others:
        await run.send(others)
    await run.clocking.cycles(30)
    held = run.env.reference.in_flight
    run.expect("requests that wait", 2, held)
    run.env.axi["m_axi"].memory.release("ar")
    await run.settle()


@testcase()
async def asked_in_each_cycle_of_a_miss(run: LpasSequence) -> None:
    """While a line comes for another PE a cache's own one asks, a cycle later each time: from a wait for all
    of the miss down to none.
    """
    await run.warm(1)
    for cycle in range(32):
        rows = [(run.last, LOAD, run.word(0, 0, 1 + cycle % 2)), (0, STORE, run.word(0, 1), cycle)]
        await run.send(rows, gaps=np.array([0, cycle]))
        await run.settle()
    run.expect("misses", run.cfg.pes + 32, run.env.performance.counters()["misses"])


@testcase()
async def flush_meets_misses(run: LpasSequence) -> None:
    """A flush while caches miss, hit and wait; afterwards memory has all that was stored."""
    for turn in range(max(6, run.count // 60)):
        drawn = run.draw(40)
        drawn["op"][drawn["pe"] == run.last] %= 2
        await run.send(drawn[:30])
        await run.send([(run.last, FLUSH)])
        await run.clocking.cycles(int(run.rng.integers(1, 40)))
        await run.send(drawn[30:])
        if turn % 2:
            await run.settle()
    await run.answered(run.last, FLUSH)


@testcase()
async def flush_in_each_cycle(run: LpasSequence) -> None:
    """A flush that is taken in each cycle of a row of hits and of two misses, one behind the other."""
    for cycle in range(12):
        places = [run.word(0, 1), run.word(1, 1), run.word(2)]
        await run.send([(pe, STORE, word, cycle) for pe, word in enumerate(places)])
        await run.settle()
        rows: list[tuple[int, ...]] = [(0, LOAD, run.word(0, 1, 1)), (1, STORE, run.word(1, 1, 1), 8)]
        rows += [(2, STORE, run.word(2), n) for n in range(24)]
        rows += [(run.last, FLUSH)]
        await run.send(rows, gaps=np.array([0] * (len(rows) - 1) + [cycle]))
        await run.settle()


@testcase()
async def outside(run: LpasSequence) -> None:
    """LDM and STM, each word of a line; past the caches until a flush, which lets both see all."""
    slots = 1 << run.cfg.slot_bits
    for slot in range(slots):
        word = run.word(1, 1, 0, slot)
        await run.answered(run.last, STORE, word, 100 + slot)
        before = (await run.answered(run.last, LDM, word))[1]
        run.expect("not what was stored", True, before != 100 + slot)
    await run.answered(run.last, FLUSH)
    for slot in range(slots):
        word = run.word(1, 1, 0, slot)
        run.expect("what was stored", 100 + slot, (await run.answered(run.last, LDM, word))[1])
        await run.answered(run.last, STM, word, 200 + slot)
    for slot in range(slots):
        word = run.word(1, 1, 0, slot)
        run.expect("what was written", 200 + slot, (await run.answered(0, LOAD, word))[1])
    for op in (STM, LDM):  # right behind the line that a flush writes
        await run.answered(run.last, STORE, run.word(2, 1), 9)
        await run.answered(run.last, FLUSH)
        await run.answered(run.last, op, run.word(2, 1), 10)


@testcase()
async def every_operation(run: LpasSequence) -> None:
    """All eight codes of the last PE's operation: 4 and above are a flush."""
    await run.warm()
    for op in range(8):
        await run.answered(run.last, STORE, run.word(0), op)
        await run.answered(run.last, op, run.word(0, 0, 1), 50 + op)
