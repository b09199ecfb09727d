# SPDX-License-Identifier: Apache-2.0
"""Restart with the word: what goes on while the rest of a line comes, and how long it takes."""

from collections.abc import Iterator

import cocotb
import numpy as np

from configs.icache.schema import BASE, FETCH, INVALIDATE, POLICY, STATUS
from configs.simt import LRU, SimtCache
from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.common.components.requests import latencies
from tb.common.components.simt import in_turn
from tb.common.components.testcase import testcase
from tb.icache.base import IcacheSequence

LONG = 32  # beats of a line from which on not all of a test are tried
FEW = 8  # of them, then

early = testcase(needs=lambda cfg: cfg.early, why="restart=word")
SLOW_ADDRESSES = MemoryPacing(address=Pacing(1, 60))


def some(run: IcacheSequence, count: int, at_once: int = FEW) -> list[int]:
    """Numbers below ``count``: all, or of a long line the first, the last and some between."""
    if run.cfg.beats < LONG:
        return list(range(count))
    between = run.rng.choice(np.arange(2, count - 2), at_once - 4, replace=False).tolist()
    return [0, 1, *sorted(between), count - 2, count - 1]


def first_words(run: IcacheSequence) -> list[int]:
    """The first words of beats."""
    return [beat * run.cfg.beat_words for beat in some(run, run.cfg.beats)]


def new_lines(run: IcacheSequence) -> Iterator[int]:
    """Addresses of lines of set 0 and set 1 in turns, none of which is there."""
    tags = 1 << run.cfg.cache.tag_bits
    return (run.pc(number % 2, (3 + number // 2) % tags) for number in range(1 << 20))


def stays(cache: SimtCache) -> bool:
    """Whether a line that is used now and then stays while :func:`new_lines` come, under any policy."""
    return cache.sets > 1 and cache.ways > 1 and in_turn(cache)


@early
async def cycles_of_restart(run: IcacheSequence) -> None:
    """The cycles that docs/icache.md gives: from a rest, and right behind a miss, from each beat on."""
    timing, beats, sets, lines = run.cfg.memory, run.cfg.beats, run.cfg.cache.sets, new_lines(run)
    latency, step = timing.latency, 1 + timing.gap
    there = run.pc(1, 1)
    await run.result(FETCH, there)
    for word in first_words(run):
        beat = word // run.cfg.beat_words
        behind, other = next(lines), next(lines)
        end = (beats - 1) * step  # cycles from the first beat to the last
        for what, expected, requests in (
            ("a miss", [3 + latency], [(FETCH, next(lines) + 4 * word)]),
            (
                "a miss and the next beat", [3 + latency, 3 + latency + step - 1],
                run.fetches([behind + 4 * word, behind + 4 * run.cfg.beat_words * ((beat + 1) % beats)]),
            ),
            (
                "a miss and the beat that comes last", [3 + latency, 2 + latency + end],
                run.fetches([other + 4 * word, other + 4 * run.cfg.beat_words * ((beat - 1) % beats)]),
            ),
            ("a miss and a hit behind it", [3 + latency] * 2, run.fetches([next(lines) + 4 * word, there])),
            ("a miss and a base", [3 + latency] * 2, [(FETCH, next(lines) + 4 * word), (BASE, 0, 1)]),
            (
                "two misses", [3 + latency, 4 + latency + end + 1 + latency],
                run.fetches([next(lines) + 4 * word, next(lines)]),
            ),
            (
                "a miss and an invalidation", [3 + latency, 3 + latency + end + sets],
                [(FETCH, next(lines) + 4 * word), (INVALIDATE,)],
            ),
            ("a miss after that", [3 + latency], [(FETCH, there)]),
        ):  # fmt: skip
            took = latencies(await run.answers(run.send(requests)))
            if stays(run.cfg.cache) or "hit" not in what:
                run.expect(f"cycles of {what}, from beat {beat} on", expected, took)


@early
async def every_first_beat(run: IcacheSequence) -> None:
    """From each beat on: fetches of another warp before and behind the one that missed, at any time."""
    words, lines = run.cfg.line_words, new_lines(run)
    for word in first_words(run):
        places = {
            1,
            run.cfg.beat_words,
            words - 1,
            words - run.cfg.beat_words,
            words - word,
            words - word - 1,
        }
        for place in sorted(places):
            for pause in (0, 3, run.cfg.memory.latency + place % 5, run.cfg.memory.latency + run.cfg.beats):
                line = next(lines)
                await run.send([(FETCH, line + 4 * word, 0, 0)])
                await run.clocking.cycles(1 + pause)
                behind = line + 4 * ((word + place) % words)
                await run.send([(FETCH, behind, 0, 1), (FETCH, line + 4 * word, 0, 1)])
                await run.settle()


@early
async def walks_behind_a_miss(run: IcacheSequence) -> None:
    """Through the line from the word that missed on, round its end: one instruction each cycle, none lost."""
    words, lines = run.cfg.line_words, new_lines(run)
    for word in first_words(run):
        line = next(lines)
        walk = [line + 4 * ((word + number) % words) for number in range(words)]
        await run.results(*run.fetches(walk))
        results = run.env.scoreboard.by_name["res"].matched[-words:]
        if run.cfg.memory.gap == 0:  # one is lost, between the second and the third
            run.expect("cycles of all results", words, results[-1].cycle - results[0].cycle)
        line = next(lines)
        await run.results(*run.fetches(line + 4 * ((word - number) % words) for number in range(words)))


@early
async def meanwhile(run: IcacheSequence) -> None:
    """In each cycle of a line's coming each kind of request, and what comes behind it."""
    cache, latency = run.cfg.cache, run.cfg.memory.latency
    near, far = run.pc(1, 1), run.pc(0, 1)
    room = cache.ways - (1 if cache.sets > 1 else 2)  # in the set of far
    there = [*(run.pc(0, 2 + number) for number in range(room)), far, near]
    old = there[0] if cache.sets * cache.ways > 1 else near  # used least recently in its set
    await run.send([(POLICY, LRU)])
    for cycle in some(run, run.cfg.beats + 6):
        kinds = (
            ("its line", FETCH, 4), ("near", FETCH, near), ("far", FETCH, far), ("base", BASE, 4, 1),
            ("status", STATUS), ("victim", FETCH, old), ("miss", FETCH, run.pc(1, 40)),
            ("invalidate", INVALIDATE), ("policy", POLICY, LRU),
        )  # fmt: skip
        for what, *request in kinds:
            await run.send([(INVALIDATE,), *run.fetches(there)])
            await run.settle()
            line = run.pc(0, 50)
            probe = (FETCH, line + request[1]) if what == "its line" else tuple(request)
            before = len(run.responses)
            await run.send([(FETCH, line + 4 * (cycle % run.cfg.line_words))])
            await run.clocking.cycles(1 + latency + cycle - 3)
            last = run.fetches([line + 8, near, line + 12, line])
            await run.send([probe, *last])
            await run.settle()
            results = np.concatenate([response.results for response in run.responses[before:]])
            evicted = int(results["evict"][0]), int(results["victim"][0])
            run.expect("evicted", (1, old >> cache.offset_bits), evicted)
            if what in ("its line", "near", "far", "victim", "miss"):
                here = {near, far} - {old} if cache.sets > 1 or cache.ways > 1 else set()
                hits = what == "its line" or request[1] in here
                run.expect(f"{what} hits", int(hits), int(results["hit"][1]))


@early
async def held_while_a_line_comes(run: IcacheSequence) -> None:
    """Results wait while a line comes and ends; what had come before goes on as if nothing had been."""
    latency, beats, lines = run.cfg.memory.latency, run.cfg.beats, new_lines(run)
    near = run.pc(1, 1)
    await run.send([(FETCH, near)])
    for held in some(run, beats + 8, 20):
        for word in (0, run.cfg.line_words - 1, run.cfg.line_words // 2):
            line = next(lines)
            behind = [line + 4, line + 4 * word, near, line + 8, near, line]
            pcs = [near, line + 4 * word, *behind[held % 3 :]]
            sending = cocotb.start_soon(run.send(run.fetches(pcs)))
            await run.clocking.cycles((3, 4 + latency, 5 + latency + held // 2)[held % 3])
            run.env.agents["res"].sink.hold()
            await run.clocking.cycles(latency + held)
            run.pace(ALWAYS)
            await sending
            await run.settle()


@early
async def late_addresses(run: IcacheSequence) -> None:
    """Memory takes addresses now and then: the beginning of a line is asked for long after its end came."""
    words, lines = run.cfg.line_words, new_lines(run)
    for pacing in (SLOW_ADDRESSES, MemoryPacing(address=Pacing(1, 3)), MemoryPacing(30, beat=Pacing(1, 2))):
        run.env.pace_memory(pacing)
        for word in first_words(run)[-5:]:
            line = next(lines)
            pcs = [line + 4 * place for place in (word, words - 1, 0, 1, word - 1) if place >= 0]
            await run.send([*run.fetches(pcs), (STATUS,), (FETCH, next(lines)), (FETCH, line)])
            await run.settle()


@early
async def reset_in_a_line(run: IcacheSequence) -> None:
    """A reset in each cycle of a line's coming, also between its bursts; nothing of it is left."""
    latency, beats, words, cache = run.cfg.memory.latency, run.cfg.beats, run.cfg.line_words, run.cfg.cache
    for slow in (False, True):
        run.env.pace_memory(SLOW_ADDRESSES if slow else MemoryPacing())
        for cycle in some(run, latency + beats + 8, 24):
            word = (0, words - 1, words // 2, 1)[cycle % 4]
            line, there = run.pc(0, 3), run.pc(1, 3)
            await run.send([(FETCH, there), (FETCH, line + 4 * word)])
            await run.clocking.cycles(cycle * (3 if slow else 1))
            await run.reset(1 + cycle % 2)
            results = await run.results(*run.fetches([line + 4 * word, there, line, line + 4 * word]))
            both = int(cache.sets * cache.ways > 1)  # are there at once
            run.expect("hits", [0, 0, both, 1], results["hit"].tolist())
            await run.reset(1, "memory")


@early
async def reset_between_addresses(run: IcacheSequence) -> None:
    """A reset while memory has taken the first address and not the second, and while it has taken neither."""
    memory, words = run.env.axi["m_axi"].memory, run.cfg.line_words
    line = run.pc(1, 2) + 4 * (words // 2)
    for begun in (0, 1, 2, 3, 4):
        for pulses in (1, 2):
            await run.result(INVALIDATE)
            memory.hold("r", *(["ar"] if not begun else []))
            await run.send([(FETCH, line)])
            await run.clocking.cycles(begun)
            memory.hold("ar")
            await run.clocking.cycles(9)
            for _ in range(pulses):
                await run.reset(1)
                await run.clocking.cycles(5)
            memory.release("ar", "r")
            results = await run.results(*run.fetches([line, line - 4, line]))
            run.expect("hits", [0, 1, 1], results["hit"].tolist())
