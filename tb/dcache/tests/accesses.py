# SPDX-License-Identifier: Apache-2.0
"""Loads and stores one by one: lines, ways, words, lanes, bytes, bits of the tag, and cycles."""

from collections.abc import Sequence

import numpy as np

from configs.dcache.schema import CLEAN, FLUSH, INVALIDATE, LANES, LOAD, POLICY, STATUS, STORE
from models.dcache.cycles import memory_cycles
from tb.common.components.aliases import alias_rounds
from tb.common.components.testcase import testcase
from tb.dcache.base import BLOCKING, DcacheSequence, Request

STROBES = (15, 1, 4, 0, 10)
MANY = 64  # sets from which on fewer tags of each are tried


@testcase()
async def every_line(run: DcacheSequence) -> None:
    """Under each policy every way of every set is filled, hit, replaced and read again, in all words."""
    sets, ways, words = run.cfg.cache.sets, run.cfg.cache.ways, run.cfg.line_words
    several = run.policies if sets < MANY else run.policies[2:3]
    for policy in several:
        await run.send([(POLICY, policy)])
        for number in range(2):
            tags = range(1 + ways * number, 1 + ways * (number + 1))
            places = [run.place(index, tag, (index + tag) % words) for tag in tags for index in range(sets)]
            await run.send(run.loads(places, LANES))
            await run.send(run.stores(places[:: 1 + number]) + run.loads(places[::-1], LANES))
        await run.settle()
    for op in (LOAD, STORE):
        await run.send([(op, run.place(0, 1, word)) for word in range(words)])
    await run.result(CLEAN)


@testcase()
async def lanes(run: DcacheSequence) -> None:
    """Every mask, none among them: the lanes named and no others are served, each with its own word."""
    words = run.cfg.line_words
    for op in (LOAD, STORE):
        requests = []
        for mask in range(1 << LANES):
            place = [run.place(lane % 2, 1 + lane // 4, (mask + lane) % words) for lane in range(LANES)]
            lanes = [(place[lane], 256 * mask + lane) if mask >> lane & 1 else None for lane in range(LANES)]
            requests.append((op, *lanes))
        await run.send(requests)
    await run.result(CLEAN)


@testcase(**BLOCKING)
async def line_in_eight_cycles(run: DcacheSequence) -> None:
    """Eight words of a line in eight cycles, from a hit and behind a miss, whatever their order."""
    orders = (range(LANES), range(LANES - 1, -1, -1), [3] * LANES, (5, 1, 6, 0, 7, 2, 4, 3))
    for tag, order in enumerate(orders):
        for _ in range(2):
            await run.send([(LOAD, *(run.place(1, tag, word % run.cfg.line_words) for word in order))] * 3)
            await run.settle()
        answered = [transfer.cycle for transfer in run.env.scoreboard.by_name["res"].matched[-3:]]
        run.expect("cycles of three results", 2 * LANES, int(np.ptp(answered)))


@testcase()
async def byte_enables(run: DcacheSequence) -> None:
    """A store changes the bytes that its strobe names and no others, in every word of a line."""
    words = run.cfg.line_words
    for word in range(words):
        requests: list[Request] = []
        for strobe in range(16):
            here = run.place(1, 5, word)
            requests.append((STORE, (here, int(run.rng.integers(1 << 32)), strobe)))
            requests.append((LOAD, *(run.place(1, 5, (word + k) % words) for k in range(min(words, 3)))))
        await run.send(requests)
    await run.send([(FLUSH,), *run.loads([run.place(1, 5, word) for word in range(words)], LANES)])


@testcase()
async def tag_bits(run: DcacheSequence) -> None:
    """Lines that differ in one bit of tag or set are told apart, for each bit, in each way."""
    cache, bits = run.cfg.cache, range(run.cfg.cache.tag_bits)
    for number, lines in enumerate(alias_rounds(cache, run.rng)):
        places = [line << cache.offset_bits for line in lines]
        await run.send([(POLICY, number % 4), (FLUSH,), *run.stores(places, 1), *run.loads(places, LANES)])
    for bit in bits:  # the victim's tag is told right as well
        tag = int(run.rng.integers(1 << cache.tag_bits - run.cfg.uncached_bits))
        others = [tag ^ 1 << bit ^ 1 << other for other in bits if other != bit][: cache.ways - 1]
        places = [run.place(0, each) for each in (tag, *others, tag ^ 1 << bit)]
        await run.send([(POLICY, 0), (FLUSH,), *run.loads(places), *run.stores(places, 1)])


@testcase()
async def sidebands(run: DcacheSequence) -> None:
    """Each result has the warp of its request, from hits, from misses and without a lane."""
    requests = []
    for number in range(6 * run.cfg.warps):
        requests += [(LOAD, run.place(number % 2, 1 + number // 5)), (STATUS,), (STORE,)][: 1 + number % 3]
    await run.send(requests)


@testcase(needs=lambda cfg: cfg.uncached_bits, why="a window that is not cached")
async def uncached(run: DcacheSequence) -> None:
    """Words of the window go to memory one by one and are never kept; the address right below it is."""
    first = (1 << run.cfg.cache.address_bits) - (1 << run.cfg.cache.address_bits - run.cfg.uncached_bits)
    last = (1 << run.cfg.cache.address_bits) - 4
    for word in range(2 * run.cfg.axi.strobe_bits // 4):
        here, value = first + 4 * word, int(run.rng.integers(1 << 32))
        for strobe in STROBES:
            await run.send([(STORE, (here, value ^ 0x11111111 * strobe, strobe), here + 16), (LOAD, here)])
        results = await run.results((LOAD, here), (LOAD, here, last, first - 4), (LOAD, first - 4))
        run.expect("hits", [0, 0, 1], (results["hit"] & 0b011).tolist())
    for bit in range(run.cfg.uncached_bits):
        below = first ^ 1 << run.cfg.cache.address_bits - 1 - bit
        await run.send([(LOAD, below, first), (STORE, (below, bit), (first, bit + 1)), (LOAD, below, first)])
    await run.result(FLUSH)


@testcase(**BLOCKING)
async def maximum_rate(run: DcacheSequence) -> None:
    """Words that hit move one each cycle, loads and stores, in one line or two sets, together or alone."""
    here, there = run.place(0, 9), run.place(1, 9)
    if run.cfg.cache.sets * run.cfg.cache.ways == 1:
        there = here
    await run.results((LOAD, here, there))
    ops = (LOAD, STORE) if run.cfg.write_back else (LOAD,)
    for op in ops:
        for places in ((here,), (here, here + 4), (here, there) * 4):
            await run.send([(op, *places)] * 32)
            await run.settle()
            answered = [transfer.cycle for transfer in run.env.scoreboard.by_name["res"].matched[-32:]]
            run.expect("cycles of all results", 31 * len(places), int(np.ptp(answered)))


@testcase(**BLOCKING)
async def cycles(run: DcacheSequence) -> None:
    """The cycles that docs/dcache.md gives, from a rest and behind a miss."""
    memory, back, sets = memory_cycles(run.cfg, run.cfg.memory), run.cfg.write_back, run.cfg.cache.sets
    miss, ways = 2 + memory.read, run.cfg.cache.ways
    full = [run.place(0, tag) for tag in range(ways)]
    store = 3 if back else 2 + memory.write_single
    behind = [
        ("a miss and a hit behind it", [miss, miss + 1], run.loads([run.place(1, 3), run.place(0, 0)])),
        ("a miss and a hit in one request", [miss + 2], [(LOAD, run.place(1, 4), run.place(0, 0))]),
    ]
    await run.result(POLICY, 2)
    for what, expected, requests in (
        ("a miss", [miss], [(LOAD, run.place(0, 0))]),
        ("a hit", [3], [(LOAD, run.place(0, 0, 1))]),
        ("eight hits", [10], [(LOAD, *[run.place(0, 0)] * 8)]),
        ("a store that hits", [store], [(STORE, run.place(0, 0))]),
        ("no lane", [3], [(STORE,)]),
        *(
            behind
            if sets * ways > 1
            else [("clean, one line dirty", [4 + sets + memory.write if back else 3], [(CLEAN,)])]
        ),
        ("two misses", [miss, 2 * miss - 2], run.loads([run.place(1, 5), run.place(1, 6)])),
        ("an invalidation", [2 + sets], [(INVALIDATE,)]),
        ("another policy", [2 + sets], [(POLICY, 2)]),
        ("a status", [3], [(STATUS,)]),
        ("clean, nothing dirty", [3 + sets if back else 3], [(CLEAN,)]),
        ("flush, nothing dirty", [3 + sets if back else 2 + sets], [(FLUSH,)]),
    ):
        run.expect(f"cycles of {what}", expected, await cycles_of(run, requests))
    if back:
        await run.results(*run.loads(full), *run.stores(full, 1))
        dirty = [(LOAD, run.place(0, ways))]
        run.expect("cycles of a miss with a dirty victim", [miss + memory.write], await cycles_of(run, dirty))
        for op in (CLEAN, FLUSH):
            took = [3 + sets + (ways - 1) * (1 + memory.write)]
            run.expect(f"cycles of op {op}, {ways - 1} lines dirty", took, await cycles_of(run, [(op,)]))
            await run.results(*run.loads(full), *run.stores(full[1:], 1))


async def cycles_of(run: DcacheSequence, requests: Sequence[Request]) -> list[int]:
    """The cycles from each request to its result, of some sent in a row; in the order of results."""
    before = len(run.responses)
    await run.results(*requests)
    return [
        answered.cycle - taken.cycle
        for response in run.responses[before:]
        for taken, answered in zip(response.taken, response.answered, strict=True)
    ]
