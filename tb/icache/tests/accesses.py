# SPDX-License-Identifier: Apache-2.0
"""Fetches one by one: every line, way, word and bit of the tag, and how long they take."""

import numpy as np

from configs.icache.schema import BASE, FETCH, POLICY, SIGNS
from tb.common.components.aliases import alias_rounds
from tb.common.components.requests import latencies
from tb.common.components.testcase import testcase
from tb.icache.base import IcacheSequence

LONG = 32  # beats of a line from which on not all lines of a test can be read


@testcase()
async def every_line(run: IcacheSequence) -> None:
    """Under each policy every way of every set is filled, hit, replaced and read again, in all words."""
    sets, ways, words = run.cfg.cache.sets, run.cfg.cache.ways, run.cfg.line_words
    for policy in run.policies:
        await run.send([(POLICY, policy)])
        for number in range(2):
            tags = range(1 + ways * number, 1 + ways * (number + 1))
            pcs = [run.pc(index, tag, (index + tag) % words) for tag in tags for index in range(sets)]
            await run.send(run.fetches(pcs + pcs[::-1]))
        await run.settle()
    await run.send(run.fetches(run.pc(0, 1, word) for word in range(words)))


@testcase()
async def every_word(run: IcacheSequence) -> None:
    """Each word of a line as the one that misses, with another of its line right behind."""
    words = run.cfg.line_words
    for word in range(words):
        tag = 1 + word
        await run.send(run.fetches([run.pc(1, tag, word), run.pc(1, tag, (5 * word + 3) % words)]))


@testcase()
async def edge_words(run: IcacheSequence) -> None:
    """In each way of each set the first word, the last, and those of one bit: of one line after the other.

    No tag is in two sets: a look-up in the wrong one finds nothing.
    """
    cache, words = run.cfg.cache, run.cfg.line_words
    sets = min(cache.sets, 4)
    lines = [(number % sets, 1 + number) for number in range(cache.ways * sets)]
    await run.send(run.fetches(run.pc(*line) for line in lines))
    for word in (0, words - 1, *(1 << bit for bit in range(words.bit_length() - 1))):
        await run.send(run.fetches(run.pc(*line, word) for line in lines))


@testcase()
async def tag_bits(run: IcacheSequence) -> None:
    """Lines that differ in one bit of tag or set are told apart, for each bit, in each way."""
    cache = run.cfg.cache
    for number, lines in enumerate(alias_rounds(cache, run.rng)):
        if run.cfg.beats < LONG or number % 24 == 0:
            await run.send([(4, number % 4), (3,), *run.fetches(line << cache.offset_bits for line in lines)])
    for bit in range(cache.tag_bits):  # the victim's tag is told right as well
        tag = int(run.rng.integers(1 << cache.tag_bits))
        pcs = [run.pc(0, tag), *(run.pc(0, tag ^ 1 << bit ^ 1 << other) for other in _others(run, bit))]
        await run.send([(4, 0), (3,), *run.fetches([*pcs, run.pc(0, tag ^ 1 << bit)])])


def _others(run: IcacheSequence, bit: int) -> list[int]:
    """Bits that give as many other lines as fill the ways but one."""
    bits = [other for other in range(run.cfg.cache.tag_bits) if other != bit]
    return bits[: run.cfg.cache.ways - 1]


@testcase()
async def bases(run: IcacheSequence) -> None:
    """Each block has its own base, of any bits; an address goes on from 0 behind the last."""
    bits = run.cfg.cache.address_bits
    chosen = [int(base) for base in run.rng.integers(1 << bits, size=run.cfg.blocks)]
    await run.send([(BASE, base, block) for block, base in enumerate(chosen)])
    for bit in range(bits):
        block = bit % run.cfg.blocks
        await run.send([(FETCH, 1 << bit, block), (BASE, chosen[block] ^ 1 << bit, block)])
    await run.send([(BASE, (1 << bits) - 1, 1), (FETCH, 1, 1), (FETCH, 5, 1), (FETCH, 1, 0), (FETCH, 1, 1)])


@testcase()
async def sidebands(run: IcacheSequence) -> None:
    """Warp, kind and address come back with their own instruction, from hits and from misses."""
    requests = []
    for number in range(4 * run.cfg.warps):
        warp, sign = number % run.cfg.warps, number // 2 % len(SIGNS)
        requests.append((FETCH, run.pc(number % 2, 1 + number // 7, number % 3), 0, warp, sign))
    await run.send(requests)


@testcase()
async def same_line(run: IcacheSequence) -> None:
    """Walks through a line and from line to line and back: what is repeated and what is looked up."""
    words = run.cfg.line_words
    walk = [run.pc(index, tag, word) for tag in (1, 2) for index in (0, 1) for word in range(min(words, 8))]
    await run.send(run.fetches(walk + walk))
    steps = run.rng.integers(3, size=300)
    await run.send(run.fetches(run.pc(int(step) % 2, 1 + int(step) // 2, int(step)) for step in steps))


@testcase()
async def no_repeat(run: IcacheSequence) -> None:
    """Lines that differ in one bit of their address, both here, in turn: neither repeats the other."""
    cache = run.cfg.cache
    for bit in range(cache.line_bits):
        line = int(run.rng.integers(1 << cache.line_bits))
        await run.send(run.fetches([line << cache.offset_bits, (line ^ 1 << bit) << cache.offset_bits] * 3))


@testcase()
async def maximum_rate(run: IcacheSequence) -> None:
    """Fetches that hit are answered one each cycle: in a line, and in another line each time."""
    here, there = run.pc(0, 9), run.pc(1, 9)
    if run.cfg.cache.sets * run.cfg.cache.ways == 1:
        there = here
    await run.send(run.fetches([here, there]))
    await run.settle()
    for pcs in ([here] * 64, [here, there] * 32):
        await run.send(run.fetches(pcs))
        await run.settle()
        answered = [transfer.cycle for transfer in run.env.scoreboard.by_name["res"].matched[-64:]]
        run.expect("cycles of all results", 63, int(np.ptp(answered)))


@testcase(needs=lambda cfg: cfg.blocking, why="restart=line")
async def cycles(run: IcacheSequence) -> None:
    """The cycles that docs/icache.md gives, from a rest and behind a miss."""
    timing, cache = run.cfg.memory, run.cfg.cache
    miss = 3 + timing.latency + (run.cfg.beats - 1) * (1 + timing.gap)
    behind = ("a miss and a hit behind it", [miss, miss + 2], run.fetches([run.pc(1, 3), run.pc(0, 2)]))
    for what, expected, requests in (
        ("a miss", [miss], [(FETCH, run.pc(0, 1))]),
        ("a hit", [3], [(FETCH, run.pc(0, 1, 1))]),
        ("a miss and one behind it in its line", [miss, miss], run.fetches([run.pc(0, 2), run.pc(0, 2, 1)])),
        *([behind] if cache.sets * cache.ways > 1 else []),
        ("two misses", [miss, 2 * miss - 1], run.fetches([run.pc(0, 4), run.pc(1, 4)])),
        ("a base", [3], [(BASE, 0, 1)]),
        ("an invalidation", [2 + run.cfg.cache.sets], [(3,)]),
        ("another policy", [2 + run.cfg.cache.sets], [(POLICY, 3)]),
    ):
        run.expect(f"cycles of {what}", expected, latencies(await run.answers(run.send(requests))))
