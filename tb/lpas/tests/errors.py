# SPDX-License-Identifier: Apache-2.0
"""Memory that answers with errors: a request that meets one is not performed, and no store is lost."""

from configs.lpas.schema import FLUSH, LDM, LOAD, STM, STORE
from tb.common.components.request_tests import random_errors, register
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
