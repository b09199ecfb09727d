# SPDX-License-Identifier: Apache-2.0
"""Loads and stores: every line, every bit of the tag, the order at a word, how long they take."""

from itertools import product

import cocotb
import numpy as np

from configs.lpas.schema import FLUSH, LDM, LOAD, STM, STORE
from tb.common.components.counters import LATE
from tb.common.components.testcase import testcase
from tb.lpas.base import LpasSequence


@testcase()
async def every_line(run: LpasSequence) -> None:
    """Each line of each cache is filled, stored to and hit, in all places of a line; and replaced, or of more
    than 8 lines some.
    """
    cfg, slots = run.cfg, 1 << run.cfg.slot_bits
    step = max(1, cfg.cache.sets // 8)
    for tag in (1, 0, 1):
        rows: list[tuple[int, ...]] = []
        for cache, index in product(range(cfg.pes), range(cfg.cache.sets)):
            if cfg.cache.sets > 8 and (index + cache) % step and tag != 1:
                continue
            word = run.word(cache, index, tag, (index + cache + tag) % slots)
            pe = (cache + index) % cfg.pes
            rows += [(pe, STORE, word, int(run.rng.integers(1 << 16))), (pe, LOAD, word)]
        await run.send(rows)
    await run.send([(0, op, run.word(0, 0, 0, slot), 5) for slot in range(slots) for op in (LOAD, STORE)])
    await run.settle()
    await run.answered(run.last, FLUSH)


@testcase()
async def tag_bits(run: LpasSequence) -> None:
    """Lines that differ in one bit of the tag are told apart, in the first place and the last."""
    cfg = run.cfg
    for index in (0, cfg.cache.sets - 1):
        rows: list[tuple[int, ...]] = []
        tag = int(run.rng.integers(1 << cfg.tag_bits))
        for bit, cache in product(range(cfg.tag_bits), range(cfg.pes)):
            word, other = run.word(cache, index, tag), run.word(cache, index, tag ^ 1 << bit)
            rows += [(cache, STORE, word, bit + 1), (cache, LOAD, other), (cache, LOAD, word)]
        await run.send(rows)
    await run.settle()


@testcase()
async def every_home(run: LpasSequence) -> None:
    """Each PE stores to each cache and loads from it: words do not meet."""
    pes = range(run.cfg.pes)
    slots = 1 << run.cfg.slot_bits
    for op in (STORE, LOAD):
        await run.send(
            [(pe, op, run.word(cache, slot=pe % slots), 256 * pe + cache) for pe in pes for cache in pes]
        )
    await run.settle()


@testcase()
async def same_word(run: LpasSequence) -> None:
    """All PEs load and store one word: each load sees the store that was served last."""
    count = max(20, run.count // run.cfg.pes)
    rows = [
        (
            pe,
            int(run.rng.integers(2)),
            run.word(2, slot=int(run.rng.integers(2))),
            int(run.rng.integers(1 << 16)),
        )
        for pe in range(run.cfg.pes)
        for _ in range(count)
    ]
    await run.send(rows)
    await run.settle()


@testcase()
async def maximum_rate(run: LpasSequence) -> None:
    """Without conflict each PE stores in each cycle, and loads in every second one, or in each."""
    await run.warm()
    count, pes, homes = 40, range(run.cfg.pes), run.homes_apart()
    for op, cycles in ((STORE, 1), (LOAD, 1 if run.cfg.read_pipeline else 2)):
        await run.send([(pe, op, run.word(homes[pe]), n) for pe in pes for n in range(count)])
        await run.settle()
        for pe in pes:
            answered = [
                transfer.cycle for transfer in run.env.scoreboard.by_name[f"res{pe}"].matched[-count:]
            ]
            run.expect(f"cycles of PE {pe}", (count - 1) * cycles, int(np.ptp(answered)))


@testcase()
async def granted_once(run: LpasSequence) -> None:
    """A load is held in the cycle of its acknowledge and not granted again: as many grants as requests."""
    await run.warm()
    for shift in range(4):
        await run.send(
            [(pe, LOAD, run.word((pe + shift) // 2)) for pe in range(run.cfg.pes) for _ in range(6)]
        )
        await run.settle()
        shown = run.env.performance.counters()
        run.expect("grants", shown["loads"] + shown["stores"], shown["hits"] + shown["misses"])


@testcase()
async def cycles(run: LpasSequence) -> None:
    """The latencies that docs/lpas.md gives, from a rest."""
    cfg, timing = run.cfg, run.cfg.memory
    beats = 1 + (cfg.beats - 1) * (1 + timing.gap)
    write, extra = beats + timing.latency, int(cfg.read_pipeline)
    fill, other = 4 + timing.latency + beats, run.word(0, 0, 1)
    for what, op, word, latency in (
        ("a store that misses", STORE, run.word(0), fill + extra),
        ("a store that hits", STORE, run.word(0), 1 + extra),
        ("a load that hits", LOAD, run.word(0), 2),
        ("a load with a dirty victim", LOAD, other, fill + 3 + write),
        ("a load that misses", LOAD, run.word(0), fill + 1),
        ("LDM", LDM, run.word(3), 5 + timing.latency),
        ("STM", STM, run.word(3), 6 + timing.latency),
        ("a store again", STORE, run.word(0), 1 + extra),
        ("a flush of one line", FLUSH, 0, 4 + cfg.cache.sets + 3 + write),
        ("a flush of none", FLUSH, 0, 4 + cfg.cache.sets),
    ):
        run.expect(f"latency of {what}", latency, (await run.answered(run.last, op, word, 77))[0])


@testcase()
async def counters_in_time(run: LpasSequence) -> None:
    """A counter shows an event two cycles after it, in each cycle of many."""
    await run.warm()
    results, shown, behind = run.env.scoreboard.by_name["res0"], run.env.performance, []
    before = results.observed - shown.counters()["stores"]  # those of the other PEs
    sending = cocotb.start_soon(run.send([(0, STORE, run.word(0), n) for n in range(60)]))
    await run.clocking.cycles(8)
    for _ in range(20):
        await run.clocking.cycles(1)
        behind.append(results.observed - shown.counters()["stores"] - before)
    run.expect("cycles behind", [LATE - 1 - run.cfg.read_pipeline] * 20, behind)
    await sending


@testcase()
async def counted_when_served(run: LpasSequence) -> None:
    """A load or store whose line is on its way has missed, and is counted as neither before it is served."""
    memory, shown = run.env.axi["m_axi"].memory, run.env.performance
    for op, name in ((LOAD, "loads"), (STORE, "stores")):
        before = shown.counters()
        memory.hold("ar")
        await run.send([(0, op, run.word(1, op))])
        await run.clocking.cycles(12)
        held = shown.counters()
        run.expect("misses while memory holds", 1, held["misses"] - before["misses"])
        run.expect(f"{name} while memory holds", 0, held[name] - before[name])
        memory.release("ar")
        await run.settle()
        await run.clocking.cycles(LATE)
        run.expect(name, 1, shown.counters()[name] - before[name])
