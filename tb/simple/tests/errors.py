# SPDX-License-Identifier: Apache-2.0
"""Memory that answers with errors: a request that meets one is not performed, and no store is lost."""

from configs.simple.schema import FLUSH, INVALIDATE, LOAD, STORE
from tb.common.components.request_tests import random_errors, register
from tb.common.components.testcase import testcase
from tb.simple.base import SimpleSequence
from tb.simple.items import Distribution


@testcase()
async def fill_errors(run: SimpleSequence) -> None:
    """A line of which any beat fails is not kept: the next access, and only that, asks memory again."""
    word = run.word(2, 4)
    for beat in range(run.cfg.beats):
        run.env.axi["m_axi"].memory.faults.beat = beat
        for op in (LOAD, STORE) if run.cfg.write_back else (LOAD,):
            run.env.poison([word >> run.cfg.slot_bits])
            for _ in range(2):
                result = await run.result(op, word, 9, 1)
                run.expect("error, value", (1, 0), (int(result["err"]), int(result["value"])))
            run.env.heal()
            run.expect("error", 0, int((await run.result(op, word, 9, 1))["err"]))
            await run.result(INVALIDATE)


@testcase(needs=lambda cfg: cfg.write_back, why="a write-back cache")
async def refused_write_back(run: SimpleSequence) -> None:
    """A victim that memory refuses stays, dirty and readable; the load, store or flush is not performed."""
    word, other = run.word(1, 1), run.word(1, 2)
    await run.result(STORE, word, 77)
    run.env.poison([word >> run.cfg.slot_bits])
    for op in (LOAD, STORE):
        run.expect("error", 1, int((await run.result(op, other, 5, 1))["err"]))
        kept = await run.result(LOAD, word)
        run.expect("kept: hit, value", (1, 77), (int(kept["hit"]), int(kept["value"])))
    await run.result(STORE, run.word(2, 1), 5)
    for outcome in ((1, 2), (0, 1)):
        flushed = await run.result(FLUSH)
        run.expect("error, lines tried", outcome, (int(flushed["err"]), int(flushed["tries"])))
        run.env.heal()
    ends = (0, run.cfg.cache.sets - 1)
    for index in ends:  # the first set or the last is refused; the others are written all the same
        await run.send([(STORE, run.word(end, 1), index) for end in ends])
        run.env.poison([run.word(index, 1) >> run.cfg.slot_bits])
        for outcome in ((1, 2), (0, 1)):
            flushed = await run.result(FLUSH)
            run.expect("error, lines tried", outcome, (int(flushed["err"]), int(flushed["tries"])))
            run.env.heal()


@testcase(needs=lambda cfg: not cfg.write_back, why="a write-through cache")
async def refused_store(run: SimpleSequence) -> None:
    """A store that memory refuses changes nothing, in the cache neither, be its line there or not."""
    word, other = run.word(1, 1), run.word(2, 1)
    await run.send([(STORE, word, 3), (LOAD, word)])
    await run.settle()
    run.env.poison([word >> run.cfg.slot_bits, other >> run.cfg.slot_bits])
    for place in (word, other):
        run.expect("error", 1, int((await run.result(STORE, place, 44))["err"]))
    run.expect("value", 3, int((await run.result(LOAD, word))["value"]))
    run.env.heal()
    await run.result(STORE, word, 5)
    run.expect("value", 5, int((await run.result(LOAD, word))["value"]))


register(__name__, SimpleSequence, random_errors, distribution=Distribution(sets=4, flushes=0.05))
