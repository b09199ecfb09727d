# SPDX-License-Identifier: Apache-2.0
"""Memory that answers with errors: a request that meets one is not performed, and no store is lost."""

from itertools import product

import numpy as np

from configs.lpas.schema import FLUSH, LDM, LOAD, STM, STORE
from tb.common.components.request_tests import random_errors, register
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.lpas.base import LpasSequence


def poison(run: LpasSequence, *words: int) -> None:
    """The lines of these words fail."""
    run.env.poison([word >> run.cfg.slot_bits for word in words])


@testcase()
async def fill_errors(run: LpasSequence) -> None:
    """A line of which any beat fails is not kept: the next access, and only that, asks memory again."""
    word = run.word(1, 1, 1)
    for beat in range(run.cfg.beats):
        run.env.axi["m_axi"].memory.faults.beat = beat
        for op in (LOAD, STORE):
            poison(run, word)
            for _ in range(2):
                run.expect("value, error", (0, 1), (await run.answered(0, op, word, 9))[1:])
            run.env.heal()
            run.expect("error", 0, (await run.answered(0, op, word, 9))[2])
            await run.answered(run.last, FLUSH)


@testcase()
async def refused_write_back(run: LpasSequence) -> None:
    """A victim that memory refuses stays, dirty and readable; who wanted its place is told."""
    for cache in range(run.cfg.pes):
        word, other = run.word(cache, 1, 1), run.word(cache, 1, 0)
        await run.answered(0, STORE, word, 77 + cache)
        poison(run, word)
        for op in (LOAD, STORE):
            run.expect("error", 1, (await run.answered(run.last, op, other, 5))[2])
            run.expect("kept", (77 + cache, 0), (await run.answered(0, LOAD, word))[1:])
        run.env.heal()
        run.expect("error", 0, (await run.answered(run.last, LOAD, other))[2])


@testcase()
async def refused_flush(run: LpasSequence) -> None:
    """A flush goes on with other lines and caches; what memory refused stays, and is written by the next."""
    for index in (0, run.cfg.cache.sets - 1):
        for cache in (0, run.cfg.pes - 1):
            words = [run.word(cache, place, 1) for place in {0, index, run.cfg.cache.sets - 1}]
            for number, word in enumerate(words):
                await run.answered(1, STORE, word, 10 + number)
            bad = run.word(cache, index, 1)
            poison(run, bad)
            run.expect("error of the flush", 1, (await run.answered(run.last, FLUSH))[2])
            run.expect("error of an access", 0, (await run.answered(0, LOAD, bad))[2])
            run.env.heal()
            run.expect("error of the next flush", 0, (await run.answered(run.last, FLUSH))[2])
            for number, word in enumerate(words):
                run.expect("in memory", 10 + number, (await run.answered(run.last, LDM, word))[1])


@testcase()
async def outside_errors(run: LpasSequence) -> None:
    """LDM and STM that memory fails are told so, and the next ones are not."""
    word = run.word(2, 0, 1)
    for op in (LDM, STM):
        poison(run, word)
        run.expect("value, error", (0, 1), (await run.answered(run.last, op, word, 3))[1:])
        run.env.heal()
        run.expect("error", 0, (await run.answered(run.last, op, word, 3))[2])


register(__name__, LpasSequence, random_errors)


@testcase()
async def errors_of_each(run: LpasSequence) -> None:
    """An error of each PE, at each cache, is its own: others hit beside it, and its next requests do.

    The line fails that it wants, or memory refuses the one whose place that would take.
    """
    cfg, pes = run.cfg, run.cfg.pes
    longest = 2 * (cfg.memory.latency + (cfg.beats + 1) * (1 + cfg.memory.gap)) + 12
    shifts = range(4) if pes == 4 else (5,)  # all caches for each PE, or one of another row and column
    for pe, shift, fails in product(range(pes), shifts, (1, 0)):
        cache, op = (pe + shift) % pes, (LOAD, STORE)[(pe + shift) % 2]
        await run.warm()
        await run.answered(pe, (STORE, LOAD)[shift % 2 if fails else 0], run.word(cache, 1, 0), 3)
        bad, good = run.word(cache, 1, 1), run.word(cache)
        poison(run, run.word(cache, 1, fails))
        rows = [(pe, op, bad, 9), (pe, STORE, good, 5), (pe, LOAD, good), (pe, op, bad, 9)]
        for beside in (1, pes - 1):  # PEs before and behind it, each on a cache of its own
            other, home = (pe + beside) % pes, run.word((cache + beside) % pes)
            stores = (beside + shift) % 2 == 0
            rows += [
                (other, STORE if stores else LOAD, home, n)
                for n in range(longest if stores else longest // 2)
            ]
        await run.send(rows)
        await run.settle()
        run.env.heal()


@testcase()
async def flush_behind_refusal(run: LpasSequence) -> None:
    """A flush waits for a miss whose victim memory refuses, and writes that then: it has no error."""
    index = run.cfg.cache.sets - 1
    for cache in range(run.cfg.pes):
        word, other = run.word(cache, index), run.word(cache, index, 1)
        await run.answered(1, STORE, word, 40 + cache)
        poison(run, word)
        acknowledged = run.env.scoreboard.by_name["res0"]
        before = acknowledged.observed
        await run.send([(0, LOAD, other)])
        await run.clocking.cycles(3)
        await run.send([(run.last, FLUSH)])
        while acknowledged.observed == before:
            await run.clocking.cycles(1)
        run.env.axi["m_axi"].heal()
        await run.settle()
        words = [run.env.scoreboard.by_name[f"res{pe}"].matched[-1].word for pe in (0, run.last)]
        run.expect("error of the miss, of the flush", [1 << 16, 0], words)
        run.expect("in memory", 40 + cache, (await run.answered(run.last, LDM, word))[1])
        run.env.heal()


@testcase(needs=lambda cfg: cfg.pes == 16, why="an array of 4x4")
async def flush_beside_error(run: LpasSequence) -> None:
    """A flush ends while a line fails that was asked for behind it, by another cache: it has no error."""
    bad = run.word(0, 1)
    poison(run, bad)
    run.env.axi["m_axi"].memory.faults.beat = run.cfg.beats  # all
    for cycle in range(7):
        # the flush waits for the cache of PE 1, while the one of PE 0 has gone through its lines and misses
        rows = [(1, LOAD, run.word(1, tag=cycle)), (run.last, FLUSH), (0, LOAD, bad)]
        await run.send(rows, gaps=np.array([0, cycle, cycle + 2]))
        await run.settle()
        words = [run.env.scoreboard.by_name[f"res{pe}"].matched[-1].word for pe in (0, run.last)]
        run.expect("error of the load, of the flush", [1 << 16, 0], words)
    run.env.heal()


@testcase()
async def errors_of_forgotten(run: LpasSequence) -> None:
    """What was asked for before a reset fails behind it: nobody is told, and what comes next is fine."""
    bad = run.word(1, 1, 1)
    kinds: tuple[Kind, ...] = ("design", "memory", "all")
    poison(run, bad)
    for kind, op, cycles in product(kinds, (LOAD, LDM, STM), (3, 12, 28)):
        await run.send([(run.last, op, bad, cycles)])
        await run.clocking.cycles(cycles)
        await run.reset(1, kind)
        await run.send([(0, LOAD, run.word(2)), (run.last, LDM, run.word(3, 1))])
        await run.settle()
        errors = [run.env.scoreboard.by_name[f"res{pe}"].matched[-1].word >> 16 for pe in (0, run.last)]
        run.expect("errors", [0, 0], errors)
    run.env.heal()
