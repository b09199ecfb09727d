# SPDX-License-Identifier: Apache-2.0
"""Memory that answers with errors: the word is not served, no store is lost, the first address stays."""

from itertools import product

from configs.dcache.schema import CLEAN, FLUSH, INVALIDATE, LOAD, POLICY, STATUS, STORE
from configs.simt import LRU
from tb.common.components.pacing import ALWAYS
from tb.common.components.request_tests import random_errors, register
from tb.common.components.testcase import testcase
from tb.dcache.base import BLOCKING, DcacheSequence
from tb.dcache.items import Distribution


@testcase(**BLOCKING)
async def fill_errors(run: DcacheSequence) -> None:
    """A line of which any beat fails is not kept: the next word, and only that, asks memory again."""
    word, other = run.place(1, 4, 1), run.place(0, 4)
    await run.result(LOAD, other)
    for beat in range(run.cfg.beats):
        run.env.axi["m_axi"].memory.faults.beat = beat
        for op in (LOAD, STORE) if run.cfg.write_back else (LOAD,):
            run.env.poison([run.line(word)])
            for _ in range(2):
                result = await run.result(op, other, (word, 9, 1), other, word)
                run.expect(
                    "lanes that failed, word", (0b1010, 0), (int(result["err"]), int(result["data"][1]))
                )
            run.env.heal()
            results = await run.results((op, word), (LOAD, word))
            run.expect("errors, hits", ([0, 0], [0, 1]), (results["err"].tolist(), results["hit"].tolist()))
            await run.results((INVALIDATE,), (LOAD, other))


@testcase(
    needs=lambda cfg: cfg.write_back and not cfg.nonblocking,
    why="a write-back cache in which a miss stops all",
)
async def refused_write_back(run: DcacheSequence) -> None:
    """A victim that memory refuses stays, dirty and readable; who would have replaced it is not served."""
    ways = run.cfg.cache.ways
    places = [run.place(1, 1 + tag) for tag in range(ways)]
    others = places[1:3]
    for op in (LOAD, STORE):
        await run.results(
            (FLUSH,), (POLICY, LRU), *run.loads(places), (STORE, (places[0], 77)), *run.loads(places[1:])
        )
        run.env.poison([run.line(places[0])])
        result = await run.result(op, run.place(1, 40), (places[0], 77))
        run.expect("lanes that failed, hits", (1, 2), (int(result["err"]), int(result["hit"])))
        kept = await run.result(LOAD, places[0])
        run.expect("kept: hit, word", (1, 77), (int(kept["hit"]), int(kept["data"][0])))
        result = await run.result(STATUS)
        run.expect("the victim's address", places[0], int(result["data"][0]))
        for act in (CLEAN, FLUSH, FLUSH, CLEAN):
            await run.send(run.stores(others))
            results = await run.results((act,), (LOAD, places[0]))
            run.expect("error, then a hit", [1, 0, 1], [*results["err"].tolist(), int(results["hit"][1])])
            run.expect(
                "written, refused",
                (len(others), 1 + len(others)),
                (int(results["writes"][0]), int(results["tries"][0])),
            )
        run.env.heal()
        results = await run.results((FLUSH,), (LOAD, places[0]), (STATUS,), (STATUS,))
        run.expect("errors", [0, 0, 1, 0], results["err"].tolist())
        run.expect("from memory: hit, word", (0, 77), (int(results["hit"][1]), int(results["data"][1][0])))


@testcase(needs=lambda cfg: cfg.write_back, why="a write-back cache")
async def clean_behind_refusals(run: DcacheSequence) -> None:
    """Behind lines that memory refuses, clean and flush go on with all ways of the sets that follow."""
    sets, ways = run.cfg.cache.sets, run.cfg.cache.ways
    used = sorted({0, min(1, sets - 1), sets - 1})
    every = [run.place(index, 1 + tag) for index in used for tag in range(ways)]
    first = every[:ways]
    await run.fill_in_turn()
    for op, refused in product((CLEAN, FLUSH), ([first[0]], [first[-1]], first)):
        await run.send([(FLUSH,), *run.loads(every), *run.stores(every)])
        await run.settle()
        run.env.poison([run.line(place) for place in refused])
        result = await run.result(op)
        written = len(every) - len(refused)
        run.expect("written, tried", (written, len(every)), (int(result["writes"]), int(result["tries"])))
        run.env.heal()
        result = await run.result(CLEAN)
        run.expect("written now", len(refused), int(result["writes"]))


@testcase(needs=lambda cfg: cfg.write_back, why="a write-back cache")
async def refused_in_each_set(run: DcacheSequence) -> None:
    """Lines that memory refuses stay dirty where they are: first set, last set, each bit of a set alone."""
    sets = sorted({0, run.cfg.cache.sets - 1} | {1 << bit for bit in range(run.cfg.cache.set_bits)})
    words = [run.place(index, 40) for index in sets]
    for op in (CLEAN, FLUSH):
        await run.send([(FLUSH,), *run.stores(words)])
        await run.settle()
        run.env.poison([run.line(word) for word in words])
        result = await run.result(op)
        run.expect("written, tried", (0, len(words)), (int(result["writes"]), int(result["tries"])))
        run.env.heal()
        run.expect("written now", len(words), int((await run.result(CLEAN))["writes"]))


@testcase(needs=lambda cfg: not cfg.write_back, why="a write-through cache")
async def refused_store(run: DcacheSequence) -> None:
    """A store that memory refuses changes nothing; the line, if it is there, is read from memory again.

    Once its result is taken at once, once it waits behind another that nobody takes while memory refuses.
    """
    word, other = run.place(1, 1), run.place(0, 1)
    await run.results((STORE, (word, 3)), (LOAD, word))
    for pair, held in product(([word, other], [other, word]), (False, True)):
        run.env.poison([run.line(word), run.line(other)])
        store = (STORE, *((place, 44) for place in pair))
        if held:
            run.hold()
            await run.send([(LOAD, word), store])
            await run.clocking.cycles(2 * (run.cfg.memory.latency + 12))
            run.expect("stores under way", 0, run.env.bursts)
            run.pace(ALWAYS)
            await run.settle()
        else:
            run.expect("lanes that failed", 3, int((await run.result(*store))["err"]))
        run.env.heal()
        results = await run.results((STATUS,), (LOAD, word), (LOAD, word))
        run.expect("address", pair[0], int(results["data"][0][0]))
        run.expect(
            "words, hits", ([3, 3], [0, 1]), (results["data"][1:, 0].tolist(), results["hit"][1:].tolist())
        )
    results = await run.results((STORE, (word, 5)), (LOAD, word))
    run.expect("word", 5, int(results["data"][1][0]))


@testcase(needs=lambda cfg: cfg.uncached_bits, why="a window that is not cached")
async def uncached_errors(run: DcacheSequence) -> None:
    """A word of the window that memory refuses, alone or between others."""
    cfg = run.cfg
    word = (1 << cfg.cache.address_bits) - cfg.cache.line_bytes + 4
    cached = run.place(0, 1)
    run.env.poison([run.line(word)])
    for op in (LOAD, STORE):
        results = await run.results((op, cached, (word, 7), cached), (STATUS,), (LOAD, cached, word))
        run.expect("lanes that failed", [2, 1, 2], results["err"].tolist())
        run.expect("address", word, int(results["data"][1][0]))
    run.env.heal()
    results = await run.results((STORE, (word, 8)), (LOAD, word))
    run.expect("word", 8, int(results["data"][1][0]))


@testcase(**BLOCKING)
async def status(run: DcacheSequence) -> None:
    """The first address that failed is kept until it is asked for, over an invalidation, not over a reset."""
    words = [run.place(1, 5, 1), run.place(0, 6)]
    run.env.poison([run.line(word) for word in words])
    for some, kept in ((words, words[0]), (words[::-1], words[1]), (words[1:], words[1])):
        await run.send([*run.loads(some), (LOAD, *some), (INVALIDATE,), (POLICY, 2)])
        results = await run.results((STATUS,), (STATUS,))
        run.expect("address, then none", [kept, 0], results["data"][:, 0].tolist())
        run.expect("told", [1, 0], results["err"].tolist())
    await run.result(LOAD, words[0] + 3)
    run.expect("of its word", words[0], int((await run.result(STATUS))["data"][0]))
    await run.result(LOAD, words[0])
    await run.reset()
    run.expect("after a reset", 0, int((await run.result(STATUS))["err"]))
    run.env.heal()


@testcase()
async def resets_around_an_error(run: DcacheSequence) -> None:
    """A reset in each cycle around that in which memory fails a word: the status behind it knows nothing."""
    word, burst = run.place(1, 5, 1), run.cfg.memory.latency + run.cfg.beats
    run.env.poison([run.line(word)])
    for op, cycle in product((LOAD, STORE), range(burst - 4, burst + 12)):
        await run.send([(op, word)])
        await run.clocking.cycles(cycle)
        await run.reset(1)
        run.expect(f"error after a reset in cycle {cycle}", 0, int((await run.result(STATUS))["err"]))
    run.env.heal()


register(
    __name__, DcacheSequence, random_errors, distribution=Distribution(sets=1, flushes=0.05, states=0.05)
)
