# SPDX-License-Identifier: Apache-2.0
"""Restart with the word where memory fails: whose own beat does hears of it, and the line is not kept."""

import cocotb
import numpy as np

from configs.icache.schema import FETCH, INVALIDATE, POLICY, STATUS
from tb.common.components.pacing import ALWAYS
from tb.common.components.testcase import testcase
from tb.icache.base import IcacheSequence
from tb.icache.tests.early import early, first_words, new_lines, some, stays


@early
async def failing_beats(run: IcacheSequence) -> None:
    """Each beat alone: it fails the fetch of its own instruction alone, and the line is read again."""
    beats, beat_words = run.cfg.beats, run.cfg.beat_words
    pc = run.pc(1, 4)
    line = pc >> run.cfg.cache.offset_bits
    for word in first_words(run):
        first = word // beat_words
        for failing in sorted({*some(run, beats), first}):
            await run.result(INVALIDATE)
            run.poison_beats(line, [failing])
            behind = pc + 4 * beat_words * ((first + 1) % beats)
            results = await run.results((FETCH, pc + 4 * word), (FETCH, behind), (STATUS,))
            own = [int(failing == first), int(failing == (first + 1) % beats)]
            run.expect("errors", own, results["err"][:2].tolist())
            run.expect("hits", [0, 1 - own[1]], results["hit"][:2].tolist())
            where = pc + 4 * word if own[0] else behind if own[1] else 0
            run.expect("told", (int(any(own)), where), (int(results["err"][2]), int(results["inst"][2])))
            run.env.heal()
            results = await run.results(*run.fetches([pc + 4 * word, behind]))
            run.expect("lines asked for, once more", [1, 0], results["fill"].tolist())
            run.expect("errors", 0, int(results["err"].sum()))


@early
async def before_and_after_a_failure(run: IcacheSequence) -> None:
    """In each cycle around the failure of a beat a fetch in its line, and more behind it."""
    latency, beats, lines = run.cfg.memory.latency, run.cfg.beats, new_lines(run)
    near = run.pc(1, 1)
    await run.result(FETCH, near)
    for failing in some(run, beats, 6):
        for cycle in range(-4, 5):
            pc = next(lines) + 4 * run.cfg.beat_words * (beats // 2)
            line, first = pc >> run.cfg.cache.offset_bits, beats // 2
            beat = pc - 4 * run.cfg.beat_words * (first - failing)  # the one that fails
            run.poison_beats(line, [failing])
            await run.send([(FETCH, pc)])
            await run.clocking.cycles(max(0, 1 + latency + (failing - first) % beats + cycle))
            behind = ([pc, beat], [near, beat], [beat, beat], [beat, near], [near, near])[cycle % 5]
            await run.send(run.fetches([*behind, pc, beat, near]))
            await run.settle()
            run.env.heal()
            await run.send([(STATUS,)])
            await run.settle()


@early
async def failures_while_held(run: IcacheSequence) -> None:
    """A beat fails while results wait: of the fetch in the first stage, in the second, and of none there."""
    latency, beats, lines, cache = run.cfg.memory.latency, run.cfg.beats, new_lines(run), run.cfg.cache
    near = run.pc(1, 1)
    await run.result(FETCH, near)
    for number, failing in enumerate(some(run, beats)):
        for first in {0, (failing - 1) % beats, failing}:
            line = next(lines)
            pc, beat = (line + 4 * run.cfg.beat_words * place for place in (first, failing))
            run.poison_beats(line >> run.cfg.cache.offset_bits, [failing])
            if not stays(cache):
                await run.result(FETCH, near)
            run.env.agents["res"].sink.hold()
            await run.send(run.fetches([near, pc, beat]))
            await run.clocking.cycles(latency + beats // (1 + number % 2))
            run.pace(ALWAYS)
            own = int(failing == first), 1
            results = await run.results((FETCH, beat), (STATUS,))
            run.expect("told", (1, pc if own[0] else beat), (int(results["err"][1]), int(results["inst"][1])))
            run.env.heal()


@early
async def failures_of_several(run: IcacheSequence) -> None:
    """Several beats of a line fail, and its way was that of another: neither is there behind it."""
    beats, ways = run.cfg.beats, run.cfg.cache.ways
    for number in range(12):
        await run.result(INVALIDATE)
        lines = [run.pc(0, 1 + tag) for tag in range(ways)]
        await run.send(run.fetches(lines))
        await run.settle()
        pc = run.pc(0, 60)
        failing = run.rng.choice(beats, 1 + number % 3, replace=False).tolist()
        run.poison_beats(pc >> run.cfg.cache.offset_bits, failing)
        words = run.rng.integers(run.cfg.line_words, size=4).tolist()
        pcs = [pc + 4 * word for word in words]
        [missed, *_] = await run.results(*run.fetches([*pcs[:2], lines[1 % ways], *pcs[2:]]))
        victim = int(missed["victim"]) << run.cfg.cache.offset_bits
        run.env.heal()
        results = await run.results(*run.fetches([pc, victim, *lines]), (STATUS,), (STATUS,))
        run.expect("lines asked for once more", [1, 1], results["fill"][:2].tolist())


@early
async def back_in_the_line(run: IcacheSequence) -> None:
    """A fetch goes back to the line that comes, behind one in another line of its set, and is held over its
    end, whichever beat fails: it is answered from what came, and the policy knows of it.
    """
    beats, ways, latency = run.cfg.beats, run.cfg.cache.ways, run.cfg.memory.latency
    held = latency + beats * (1 + run.cfg.memory.gap) + 8
    there = [run.pc(0, 1 + tag) for tag in range(ways)]
    for failing in (*some(run, beats), None):
        for policy in run.policies:
            await run.send([(POLICY, policy), (INVALIDATE,), *run.fetches(there)])
            await run.settle()
            line = run.pc(0, 50)
            if failing is not None:
                run.poison_beats(line >> run.cfg.cache.offset_bits, [failing])
            word = int(run.rng.integers(run.cfg.line_words))
            await run.send([(FETCH, line)])
            await run.clocking.cycles(latency + 4)
            run.env.agents["res"].sink.hold()
            sending = cocotb.start_soon(run.send(run.fetches([there[-1], line + 4 * word])))
            await run.clocking.cycles(held)
            run.pace(ALWAYS)
            await sending
            await run.settle()
            run.env.heal()
            await run.send([*run.fetches(run.pc(0, 60 + tag) for tag in range(ways)), (STATUS,)])
            await run.settle()


@testcase(
    needs=lambda cfg: cfg.early and cfg.cache.sets * cfg.cache.ways > 1, why="restart=word, 2 lines at least"
)
async def failures_beside_each_line(run: IcacheSequence) -> None:
    """A beat fails while the last fetch was in another line, which differs in one bit: the next one in there
    repeats it as if nothing had been.
    """
    cache, beats, latency = run.cfg.cache, run.cfg.beats, run.cfg.memory.latency
    apart = cache.set_bits if cache.ways == 1 else cache.line_bits  # lines are there together
    for bit in range(cache.offset_bits, cache.offset_bits + apart):
        line = run.pc(1, 5)
        other = line ^ 1 << bit
        await run.send([(INVALIDATE,), (FETCH, other)])
        await run.settle()
        run.poison_beats(line >> cache.offset_bits, [beats - 1])
        before = len(run.responses)
        await run.send(run.fetches([line, other]))
        await run.clocking.cycles(latency + beats * (1 + run.cfg.memory.gap) + 4)
        await run.send(run.fetches([other + 4, line]))
        await run.settle()
        run.env.heal()
        results = np.concatenate([response.results for response in run.responses[before:]])
        run.expect("repeats", [0, 0, 1, 0], results["repeat"].tolist())
        run.expect("lines asked for", [1, 0, 0, 1], results["fill"].tolist())
