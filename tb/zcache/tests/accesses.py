# SPDX-License-Identifier: Apache-2.0
"""Tiles one by one: functions, formats, masks, every line, tags, and how fast they go."""

from itertools import product

import numpy as np

from configs.depth import D16, D24X8, D32, FORMATS, FUNCTIONS, PIXELS
from configs.zcache.schema import HIT, MISS, NONE
from tb.common.components.pacing import Pacing
from tb.common.components.testcase import testcase
from tb.zcache.base import ZcacheSequence
from tb.zcache.items import ALL, Surface, set_of
from tb.zcache.oracle import MASKS
from tb.zcache.plan import alias_bits

#: whether (less, equal, greater) passes, by function: from the page, not from the model
PASSES = ("000", "100", "010", "110", "001", "101", "011", "111")
EQUAL = FUNCTIONS.index("equal")


@testcase()
async def functions(run: ZcacheSequence) -> None:
    """Each function in each format with a depth below, equal to, above the stored one; and at the ends."""
    await run.send([run.wide()])
    for function, (form, mask) in product(range(len(FUNCTIONS)), enumerate(MASKS)):
        half = int(run.rng.integers(2, mask - 1))
        stored = [half] * 12 + [0, mask, 0, mask]
        new = [half - 1, half, half + 1] * 4 + [0, mask, mask, 0]
        order = [1 + (b > a) - (b < a) for a, b in zip(stored, new, strict=True)]
        passed = sum(1 << pixel for pixel in range(PIXELS) if PASSES[function][order[pixel]] == "1")
        free = [int(word) for word in run.rng.integers(1 << 32, size=PIXELS)]  # bits that do not count
        beside = [word & ~mask | depth for word, depth in zip(free, new, strict=True)]
        first, second = await run.outcomes(
            run.tile(0, 0, stored), run.tile(0, 0, beside, func=function, format=form)
        )
        run.expect("passed", (ALL, passed), (first.result["passed"], second.result["passed"]))
    await run.outcome(run.flush())


@testcase()
async def formats(run: ZcacheSequence) -> None:
    """A store changes the bits of its format and leaves the others of the word as they were."""
    await run.send([run.wide()])
    for form in (D24X8, D32, D16):
        await run.outcomes(run.tile(3, 1, 0xA5A5A5A5), run.tile(3, 1, 0x5A5A5A5A, format=form))
        await run.outcome(run.tile(3, 1, 0x5A5A5A5A, format=form, mask=0x0F0F))
        kept = 0xA5A5A5A5 & ~MASKS[form] | 0x5A5A5A5A & MASKS[form]
        equal = await run.outcome(run.tile(3, 1, kept, func=EQUAL, write=0))
        run.expect(f"pixels of {FORMATS[form]}", ALL, equal.result["passed"])


@testcase()
async def masks(run: ZcacheSequence) -> None:
    """Each pixel alone, all but each, none: what is covered and not discarded is stored, nothing else."""
    await run.send([run.wide(), run.tile(2, 2, 7)])
    for pixel in range(PIXELS):
        for mask, kill in ((1 << pixel, 0), (ALL & ~(1 << pixel), 0), (ALL, 1 << pixel), (ALL, ALL)):
            [outcome] = await run.outcomes(run.tile(2, 2, 100 + pixel, mask=mask, kill=kill))
            want = mask & ~kill if run.cfg.given else mask
            run.expect("passed", want, outcome.result["passed"])
            run.expect("stored", int(want != 0), outcome.event["dirty"])
    await run.outcomes(run.tile(2, 2, 9, mask=0), run.tile(2, 2, 9, write=0), run.flush())


@testcase()
async def untested(run: ZcacheSequence) -> None:
    """A tile without a test passes where it is covered, whatever its depths, and memory is not touched."""
    for mask in (ALL, 0, 0x1248):
        for place in run.rivals(3):
            outcome = await run.outcome(run.at(place, 5, mask=mask, test=0))
            run.expect("passed, kind", (mask, NONE), (outcome.result["passed"], outcome.event["kind"]))
    counted = run.counted()
    run.expect("lines asked for", (0, 0), (counted["fills"], counted["prefetches"]))


@testcase()
async def every_line(run: ZcacheSequence) -> None:
    """Each way of each set is filled, hit, replaced clean and dirty, and read again."""
    sets, ways = run.cfg.cache.sets, run.cfg.cache.ways
    await run.send([run.wide()])
    places = {index: run.rivals(2 * ways, index) for index in range(sets)}
    for first in range(0, 2 * ways, ways):
        for index in range(sets):
            await run.send([run.at(place, index + 1) for place in places[index][first : first + ways]])
        for index in range(sets):
            again = places[index][first : first + ways]
            await run.send([run.at(place, index, func=FUNCTIONS.index("less"), write=0) for place in again])
    for index in range(sets):
        await run.send([run.at(place, index, func=EQUAL) for place in places[index]])
    await run.outcome(run.flush())


@testcase()
async def tag_bits(run: ZcacheSequence) -> None:
    """Two tiles of a set whose numbers differ in one bit are told apart, for each bit; from either side."""
    bits, ways = run.cfg.coordinate_bits, run.cfg.cache.ways
    side = (1 << bits) - 1
    for bit in alias_bits(run.cfg):
        await run.send([run.wide(tiles=0)])
        number = int(run.rng.integers(1 << run.cfg.tile_bits))
        x, y = number & side, number >> bits
        other = number ^ 1 << bit
        index = int(set_of(run.cfg, run.surface, x, y))
        taken = {(x, y), (other & side, other >> bits)}
        fill = [place for place in run.rivals(ways + 1, index) if place not in taken][: ways - 1]
        await run.outcomes(run.tile(x, y, bit + 1), *(run.at(place, 3) for place in fill))
        await run.outcome(run.tile(other & side, other >> bits, bit + 2))
        outcome = await run.outcome(run.tile(x, y, bit + 1, func=EQUAL))
        run.expect("still there", ALL, outcome.result["passed"])
        outcome = await run.outcome(run.tile(other & side, other >> bits, bit + 2, func=2))
        run.expect("and the other", ALL, outcome.result["passed"])


@testcase()
async def surfaces(run: ZcacheSequence) -> None:
    """A base, a pitch, bits of them that do not count, the end of memory; what each leaves was written."""
    bits = run.cfg.coordinate_bits
    for base, pitch, tiles in (
        (0xFFFFFFC0, 3, 2), (0x1234567F, (1 << bits) + 5, 0), (0x80000000, 1 << bits, 1), (0x40, 1, 3),
        (0xABCDEF00, (2 << bits) - 1, 5), (0, 5, 2),
    ):  # fmt: skip
        high = run.rng.integers(1 << 8) << 24
        await run.send([run.base(Surface(base, pitch | int(high) & -(2 << bits), tiles))])
        run.surface = Surface(base & -64, pitch, tiles)
        places = [(x, y) for y in range(3) for x in range(min(pitch, 4))]
        await run.send([run.at(place, base & 0xFFFF) for place in places])
        again = [run.at(place, base & 0xFFFF, func=EQUAL) for place in places]
        outcomes = await run.outcomes(*again)
        run.expect("passed", {ALL}, {outcome.result["passed"] for outcome in outcomes})


@testcase()
async def far_rows(run: ZcacheSequence) -> None:
    """The last rows that have numbers, of surfaces whose rows are odd and longer than a row can be."""
    bits = run.cfg.coordinate_bits
    side = 1 << bits
    for pitch in (side + 1, 2 * side - 1, side | int(run.rng.integers(1, side, endpoint=False)) | 1):
        await run.send([run.base(Surface(int(run.rng.integers(1 << 26)) << 6, pitch, 1))])
        last = (side * side - 4) // pitch  # and 4 tiles of it
        places = [(x, y) for y in sorted({1, side // 2, last - 1, last}) for x in (0, 3)]
        outcomes = await run.outcomes(*(run.at(place, pitch) for place in places))
        again = await run.outcomes(*(run.at(place, pitch, func=EQUAL) for place in places))
        run.expect("passed", {ALL}, {outcome.result["passed"] for outcome in outcomes + again})


@testcase()
async def same_tile(run: ZcacheSequence) -> None:
    """A tile right after itself sees what the one before stored, whatever both did: a random walk."""
    await run.send([run.wide()])
    items = []
    for number in range(max(200, run.count // 2)):
        stored = {"write": int(run.rng.integers(2)), "func": int(run.rng.integers(1, 8))}
        depths = run.rng.integers(4, size=PIXELS).tolist()
        items.append(
            run.tile(int(run.rng.random() < 0.2), 0, depths, mask=int(run.rng.integers(1 << 16)), **stored)
        )
        items[-1]["test"] = number % 7 != 3
    await run.send(items)
    await run.outcome(run.flush())


@testcase()
async def maximum_rate(run: ZcacheSequence) -> None:
    """Tiles whose lines are there are answered one each cycle, those that store as well."""
    await run.outcomes(run.wide(), run.tile(0, 0, 1), run.tile(1, 0, 1))
    count = min(64, run.cfg.shading.tiles) if not run.cfg.given else 64
    for write in (0, 1):
        outcomes = await run.outcomes(
            *(run.tile(number % 2, 0, number, write=write) for number in range(count))
        )
        answered = [outcome.answered.cycle for outcome in outcomes]
        run.expect("cycles of all results", count - 1, int(np.ptp(answered)))


@testcase()
async def kinds(run: ZcacheSequence) -> None:
    """What is there is hit, what is not is missed, unless it was fetched ahead in the meantime."""
    await run.send([run.wide()])
    place = run.rivals(1)[0]
    await run.outcomes(run.at(place, 1))
    again = await run.outcome(run.at(place, 2))
    run.expect("kind of the second", HIT, again.event["kind"])
    run.expect("not its first use", 0, again.event["first"])
    if not run.cfg.prefetching:
        other = await run.outcome(run.at(run.rivals(2)[1], 1))
        run.expect("kind without prefetch", MISS, other.event["kind"])


@testcase()
async def in_flight(run: ZcacheSequence) -> None:
    """So many tiles are taken as may be in flight, no more; then one for each result."""
    await run.outcomes(run.wide(), run.tile(0, 0, 1))
    tiles = run.cfg.shading.tiles
    run.hold()
    before = run.env.outcomes.taken
    sent = run.begin(run.items([run.tile(0, 0, number) for number in range(tiles + 3)]))
    await run.clocking.cycles(2 * tiles + run.latency + (0 if run.cfg.given else run.cfg.shading.cycles))
    run.expect("taken", tiles, run.env.outcomes.taken - before)
    for taken in range(1, 4):
        run.env.agents["res"].sink.play([True])
        await run.clocking.cycles(6)
        run.expect("taken", tiles + taken, run.env.outcomes.taken - before)
    run.pace_all()
    await sent
    for pacing in (Pacing(2, 1), Pacing(max(2, tiles // 2), 1)):
        await run.send_records(run.items([run.tile(0, 0, n) for n in range(6 * tiles)]), pacing)
    await run.settle()
