# SPDX-License-Identifier: Apache-2.0
"""What a request sees of those before it: small programs on few words, in every order and distance."""

from itertools import product

from configs.dcache.schema import CLEAN, FLUSH, INVALIDATE, LANES, LOAD, POLICY, STATUS, STORE
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.testcase import testcase
from tb.dcache.base import DcacheSequence
from tb.dcache.items import Distribution

ACTS = (LOAD, STORE, CLEAN, FLUSH)


@testcase()
async def store_then_load(run: DcacheSequence) -> None:
    """A load sees the store before it: up to three requests later, hit or miss, any byte."""
    word, cases = run.place(1, 3, 1), product((True, False), range(4), (15, 1, 8, 6, 0))
    for number, (hit, between, strobe) in enumerate(cases):
        await run.send([] if hit else [(FLUSH,)])
        gap = run.loads([run.place(0, 1)] * between)
        await run.send([(STORE, (word, 0x01010101 * number, strobe)), *gap, (LOAD, word)])
        results = await run.results((LOAD, word), (STORE, (word, number)), *gap, (LOAD, word))
        run.expect("word", number, int(results[-1]["data"][0]))


@testcase()
async def lanes_of_one_word(run: DcacheSequence) -> None:
    """Of lanes that store to the same word the highest wins, byte by byte; loads behind see that."""
    word = run.place(1, 3, 1)
    for mask in range(1, 1 << LANES, 7):
        stores = [(word, 0x11111111 * lane) if mask >> lane & 1 else None for lane in range(LANES)]
        results = await run.results((STORE, *stores), (LOAD, word), (STORE, *stores), (LOAD, *[word] * LANES))
        run.expect("word", 0x11111111 * (mask.bit_length() - 1), int(results[-1]["data"][LANES - 1]))
    bytes_ = [(word, 0x01010101 * (lane + 1), 1 << lane % 4) for lane in range(LANES)]
    results = await run.results((STORE, *bytes_), (LOAD, word))
    run.expect("word", 0x08070605, int(results[-1]["data"][0]))


@testcase()
async def every_interleaving(run: DcacheSequence) -> None:
    """Each sequence of four of load, store, clean and flush on one word, as fast as it goes."""
    word = run.place(0, 2, 1)
    for number, acts in enumerate(product(ACTS, repeat=4)):
        await run.send([(act, (word, 4 * number + at, 1 << number % 4)) for at, act in enumerate(acts)])
        if number % 64 == 63:
            await run.settle()
    await run.result(LOAD, word)


@testcase()
async def message_passing(run: DcacheSequence) -> None:
    """Data, then a flag, then both read both ways round; in lines of one set, of two, in one line."""
    ways = run.cfg.cache.ways
    others = [run.place(0, 10 + tag) for tag in range(ways)]
    for number, (data, flag) in enumerate(
        (
            (run.place(0, 1), run.place(0, 2)),
            (run.place(0, 1), run.place(1, 1)),
            (run.place(1, 1), run.place(1, 1, 1)),
        )
    ):
        for crowd in ([], others[:1], others):
            value = 0x100 * number + len(crowd) + 1
            results = await run.results(
                (STORE, (data, value)), *run.loads(crowd), (STORE, (flag, 1 + value)), *run.loads(crowd),
                (LOAD, flag, data), (LOAD, data, flag),
            )  # fmt: skip
            run.expect("flag, data", [value + 1, value], results[-2]["data"][:2].tolist())
            run.expect("data, flag", [value, value + 1], results[-1]["data"][:2].tolist())


@testcase()
async def replaced_and_read(run: DcacheSequence) -> None:
    """A dirty line that is replaced, by the lane or the request before, is read back as stored."""
    ways = run.cfg.cache.ways
    for policy in run.policies:
        await run.send([(POLICY, policy), (FLUSH,)])
        places = [run.place(0, tag, tag % run.cfg.line_words) for tag in range(ways + 2)]
        for _ in range(3):
            await run.send(run.stores(places) + run.loads(places, LANES) + run.loads(places[::-1]))
            await run.send([(STORE, (place, tag), place) for tag, place in enumerate(places)])
    await run.result(CLEAN)


@testcase()
async def random_words(run: DcacheSequence) -> None:
    """Loads and stores at random on eight words of one set, some bytes, many lanes, at several paces."""
    few = Distribution(sets=1, tags=2, words=2, again=0.5, full=0.5, uncached=0, states=0)
    for pacing in (ALWAYS, Pacing(1, 1), Pacing(3, 2)):
        run.pace(pacing)
        await run.send(few.draw(run.cfg, run.rng, max(40, run.count // 4)))
    run.pace(ALWAYS)


@testcase()
async def all_after_all(run: DcacheSequence) -> None:
    """Every kind of request after every other, right behind it, with one dirty line and a miss about."""
    kinds = (LOAD, STORE, CLEAN, FLUSH, INVALIDATE, STATUS, POLICY)
    for first, second in product(kinds, repeat=2):
        acts = [(STORE, (run.place(0, 1), first)), (first, run.place(0, second)), (second, run.place(0, 1))]
        await run.send([*acts, (LOAD, run.place(0, 1), run.place(1, 2))])
