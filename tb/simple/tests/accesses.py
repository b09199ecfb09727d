# SPDX-License-Identifier: Apache-2.0
"""Loads and stores one by one: every line, word, byte and bit of the tag, and how long they take."""

import numpy as np

from configs.simple.schema import FLUSH, LOAD, STORE
from tb.common.components.testcase import testcase
from tb.simple.base import SimpleSequence
from tb.simple.items import Distribution


@testcase()
async def every_line(run: SimpleSequence) -> None:
    """Each set is filled, stored to, hit, replaced and read again, in all places of a line."""
    slots, requests = range(1 << run.cfg.slot_bits), []
    for number, tag in enumerate((1, 0, 2, 1)):
        for index in range(run.cfg.cache.sets):
            word = run.word(index, tag, (index + number) % len(slots))
            value = int(run.rng.integers(1 << run.cfg.word_bits))
            requests += [(LOAD, word), (STORE, word, value), (LOAD, word)]
    await run.send(requests)
    await run.send([(op, run.word(0, 0, slot), 5) for slot in slots for op in (LOAD, STORE)])
    await run.result(FLUSH)


@testcase()
async def byte_enables(run: SimpleSequence) -> None:
    """A store changes the bytes that its strobe names and no others, in every word of a line."""
    slots, requests = 1 << run.cfg.slot_bits, list[tuple[int, ...]]()
    for slot in range(slots):
        for strobe in range(run.whole + 1):
            value = int(run.rng.integers(1 << run.cfg.word_bits))
            requests.append((STORE, run.word(1, 5, slot), value, strobe))
            requests += [(LOAD, run.word(1, 5, (slot + k) % slots)) for k in range(min(slots, 3))]
    await run.send(requests)
    await run.send([(LOAD, run.word(1, 6))])  # out with it, and in again
    await run.send([(LOAD, run.word(1, 5, slot)) for slot in range(slots)])


@testcase()
async def tag_bits(run: SimpleSequence) -> None:
    """Two lines that differ in one bit of the tag are told apart, for each bit, in first set and last."""
    for index in (0, run.cfg.cache.sets - 1):
        tag, requests = int(run.rng.integers(1 << run.cfg.cache.tag_bits)), []
        for bit in range(run.cfg.cache.tag_bits):
            word, other = run.word(index, tag), run.word(index, tag ^ 1 << bit)
            requests += [(STORE, word, bit + 1), (LOAD, other), (LOAD, word), (LOAD, other)]
        await run.send(requests)


@testcase()
async def same_word(run: SimpleSequence) -> None:
    """A request right after another of the same word sees what that one did: all pairs, a random walk."""
    word, pairs = run.word(0, 3, 1), [(STORE, STORE), (STORE, LOAD), (LOAD, STORE), (LOAD, LOAD)]
    await run.send([(op, word, 17 * number) for number, pair in enumerate(pairs * 4) for op in pair])
    requests = Distribution(flushes=0, invalidations=0).draw(run.cfg, run.rng, 200)
    requests["word"] = word + run.rng.integers(2, size=200)
    await run.send(requests)


@testcase()
async def maximum_rate(run: SimpleSequence) -> None:
    """Loads that hit are answered one each cycle, stores that are not written through one in two."""
    word, count = run.word(2, 9), 64
    await run.result(LOAD, word)
    for op, cycles in ((LOAD, 1), (STORE, 2)):
        await run.send([(op, word, 3)] * count)
        await run.settle()
        answered = [transfer.cycle for transfer in run.env.scoreboard.by_name["res"].matched[-count:]]
        if op == LOAD or run.cfg.write_back:
            run.expect("cycles of all results", (count - 1) * cycles, int(np.ptp(answered)))


@testcase()
async def cycles(run: SimpleSequence) -> None:
    """The cycles that docs/simple.md gives for each kind of request, from a rest."""
    timing, beats, back = run.cfg.memory, run.cfg.beats, run.cfg.write_back
    miss, store = 7 + timing.latency + (beats - 1) * (1 + timing.gap), 5 + timing.latency
    word, other = run.word(1, 2), run.word(1, 3)
    for what, expected, op, address in (
        ("a load that misses", miss, LOAD, word),
        ("a load that hits", 1, LOAD, word),
        ("a store that hits", 1 if back else store, STORE, word),
        ("a load that replaces it", 2 * miss - 4 if back else miss, LOAD, other),
    ):
        await run.result(op, address, 1, 1)
        [taken], [answered] = run.responses[-1].taken, run.responses[-1].answered
        run.expect(f"cycles of {what}", expected, answered.cycle - taken.cycle)
