# SPDX-License-Identifier: Apache-2.0
"""Lines under way: hits under misses, misses at once, groups that wait, what is read ahead."""

from collections.abc import Sequence
from itertools import product
from typing import Any

from configs.dcache.schema import CLEAN, FLUSH, INVALIDATE, LANES, LOAD, POLICY, STATUS, STORE
from configs.simt import LRU
from tb.common.components.pacing import ALWAYS
from tb.common.components.testcase import testcase
from tb.dcache.base import DcacheSequence, Request
from tb.dcache.tests.accesses import cycles_of

FAR = 40  # tags from here on are used by nothing else in these tests


def _of_warps(run: DcacheSequence, warps: Sequence[int], *requests: Request) -> Any:
    """A REQUEST array [n] of these warps."""
    drawn = run.records(requests)
    drawn["warp"] = warps
    return drawn


@testcase(needs=lambda cfg: cfg.nonblocking, why="hits under misses")
async def hit_under_miss(run: DcacheSequence) -> None:
    """A warp whose line is there is answered while others wait for theirs; of one warp the order stays."""
    here, away = run.place(0, 1), run.place(1, FAR)
    await run.result(LOAD, here)
    for op in (LOAD, STORE):
        await run.result(FLUSH)
        await run.result(LOAD, here)
        before = len(run.responses)
        await run.served(_of_warps(run, [0, 1, 1], (op, (away, 5)), (op, (here, 6)), (LOAD, here)))
        order = [int(request["warp"]) for response in run.responses[before:] for request in response.requests]
        run.expect("warps in the order of their results", [1, 1, 0], order)


@testcase(needs=lambda cfg: cfg.mshrs > 1, why="more than one line under way")
async def misses_at_once(run: DcacheSequence) -> None:
    """As many lines as there can be are asked for before the first has come; the rest follows."""
    cfg, timing = run.cfg, run.cfg.memory
    lines = min(cfg.mshrs, LANES, cfg.cache.sets * cfg.cache.ways)
    places = [run.place(n % cfg.cache.sets, FAR + 2 * n) for n in range(lines)]
    for _ in range(3):
        await run.result(INVALIDATE)
        most = timing.latency + lines * (cfg.beats * (1 + timing.gap) + 1) + 7
        took = await cycles_of(run, [(LOAD, *places)])
        run.expect(f"cycles of {lines} lines at once, {most} at most", True, took[0] <= most)


@testcase(needs=lambda cfg: cfg.nonblocking, why="groups that wait for a line")
async def merged(run: DcacheSequence) -> None:
    """Loads and stores of one line while it is read: it is read once, each sees those before it."""
    cfg = run.cfg
    for count in (2, cfg.targets, cfg.targets + 1, 3 * cfg.targets):
        await run.result(FLUSH)
        place, before = run.place(1, FAR + count, 1), run.env.reference.asked
        acts = [(STORE, (place, n)) if n % 2 else (LOAD, place, place) for n in range(count)]
        results = await run.results(*acts, (LOAD, place))
        last = max(n for n in range(count) if n % 2 or n == 0)
        run.expect("the word stored last", last, int(results[-1]["data"][0]) if count > 1 else last)
        run.expect("lines that were read", 1 + run.cfg.prefetch, run.env.reference.asked - before)


@testcase(needs=lambda cfg: cfg.nonblocking, why="victims that are under way")
async def victim_under_way(run: DcacheSequence) -> None:
    """More lines of one set than it has ways, all at once, loaded and stored: none gets lost."""
    ways = run.cfg.cache.ways
    for op in (LOAD, STORE):
        for policy in run.policies:
            places = [run.place(0, FAR + 2 * tag) for tag in range(2 * ways + 1)]
            await run.send([(POLICY, policy), *((op, (place, policy + n)) for n, place in enumerate(places))])
            await run.send(run.loads(reversed(places), LANES))
            await run.settle()


@testcase(needs=lambda cfg: cfg.nonblocking, why="a write buffer")
async def read_behind_a_write_back(run: DcacheSequence) -> None:
    """A line that has just gone into the write buffer is read from memory once it is there."""
    ways, word = run.cfg.cache.ways, run.cfg.line_words - 1
    for number in range(4):
        places = [run.place(1, FAR + 2 * tag, word) for tag in range(ways + 1)]
        for distance in range(ways + 1):
            stores = [(STORE, (place, 0x100 * number + n)) for n, place in enumerate(places)]
            loads = run.loads(places[distance:] + places[:distance])
            results = await run.results((POLICY, number), *stores, *loads)
            want = [0x100 * number + (distance + n) % (ways + 1) for n in range(ways + 1)]
            run.expect("words", want, [int(result["data"][0]) for result in results[-ways - 1 :]])


@testcase(needs=lambda cfg: cfg.nonblocking, why="requests that wait at the door")
async def same_warp(run: DcacheSequence) -> None:
    """A warp asks again before it was answered, hits behind misses: its results keep their order."""
    here = [run.place(0, tag) for tag in range(2)]
    for number in range(8):
        await run.result(INVALIDATE)
        away = run.place(1, FAR + number)
        await run.result(LOAD, *here)
        acts = [(LOAD, away), *run.loads(here), (STORE, (away, number)), (LOAD, away)]
        results = await run.served(_of_warps(run, [1] * len(acts), *acts))
        run.expect("word", number, int(results[-1]["data"][0]))
    await run.result(LOAD, *here)
    hits = [(LOAD, here[0]), (LOAD, None, here[1]), (STORE, (here[0], 5)), (LOAD, *here), (LOAD,)]
    for pair in product(hits, repeat=2):  # from a rest, one right behind the other
        await run.served(_of_warps(run, [1, 1], *pair))


@testcase(needs=lambda cfg: cfg.nonblocking, why="lines that come whatever becomes of results")
async def results_held(run: DcacheSequence) -> None:
    """No result is taken: all that has been let in comes to its end, and waits."""
    warps, cfg = run.cfg.warps, run.cfg
    for op in (LOAD, STORE):
        await run.result(FLUSH)
        run.hold()
        before = len(run.env.scoreboard.by_name["res"].matched)
        places = [run.place(n % cfg.cache.sets, FAR + 3 * n) for n in range(warps)]
        acts = [(op, (place, n)) for n, place in enumerate(places)]
        await run.send(_of_warps(run, range(warps), *acts))
        alone = cfg.memory.latency + cfg.beats * (1 + cfg.memory.gap) + 12
        await run.clocking.cycles(2 * (warps + 2) * alone)
        run.expect("results", 0, len(run.env.scoreboard.by_name["res"].matched) - before)
        run.expect("bursts under way", 0, run.env.bursts)
        run.pace(ALWAYS)
        await run.settle()
        first, *_, last = run.env.scoreboard.by_name["res"].matched[-warps:]
        run.expect("cycles of all results", warps - 1, last.cycle - first.cycle)


@testcase(needs=lambda cfg: cfg.nonblocking, why="groups of lanes")
async def groups(run: DcacheSequence) -> None:
    """Each way in which eight lanes can lie in two lines, loads and stores: values, and exact cycles."""
    places = [run.place(0, 1), run.place(1, 2)]
    await run.result(LOAD, *places)
    for split in range(1 << LANES):
        lanes = [
            (places[split >> lane & 1] + 4 * (lane % run.cfg.line_words), 0x100 * split + lane)
            for lane in range(LANES)
        ]
        op = STORE if split % 3 == 0 else LOAD
        [took] = await cycles_of(run, [(op, *lanes)])
        count = (1 if split in (0, 255) else 2) if run.cfg.coalescing else LANES
        run.expect(f"cycles of lanes {split:08b}", 3 + count, took)
    for strobes in run.rng.integers(1, 16, (64, LANES)):  # all in one word
        words = [(places[0], int(run.rng.integers(1 << 32)), int(strobe)) for strobe in strobes]
        await run.send([(STORE, *words), (LOAD, places[0])])


@testcase(needs=lambda cfg: cfg.nonblocking, why="lines that memory failed, and that stay")
async def poison(run: DcacheSequence) -> None:
    """A line that memory failed stays and fails who uses it, without being read again, until it is gone."""
    word, ways = run.place(0, FAR, 1), run.cfg.cache.ways
    others = [run.place(0, FAR + 2 * tag) for tag in range(1, ways + 1)]
    for leave in ("replace", "flush", "invalidate"):
        await run.results((INVALIDATE,), (STATUS,))
        run.env.poison([run.line(word)])
        result = await run.result(LOAD, word, word)
        run.expect("lanes that failed", 3, int(result["err"]))
        run.env.heal()
        before = run.env.reference.asked
        results = await run.results((STORE, (word, 7)), (LOAD, word), (STATUS,), (LOAD, word), (STATUS,))
        run.expect("errors", [1, 1, 1, 1, 1], results["err"].tolist())
        run.expect("address", run.line(word) << run.cfg.cache.offset_bits, int(results[2]["data"][0]))
        run.expect("lines that were read", 0, run.env.reference.asked - before)
        if leave == "replace":
            await run.results((POLICY, LRU), *run.loads(others))
        else:
            await run.result(FLUSH if leave == "flush" else INVALIDATE)
        results = await run.results((STATUS,), (LOAD, word), (STATUS,))
        run.expect("errors", [0, 0], results["err"][1:].tolist())


@testcase(needs=lambda cfg: cfg.prefetch, why="lines that are read ahead")
async def ahead(run: DcacheSequence) -> None:
    """Behind a request for one line the next is read, and the one behind at its first use; no other."""
    line, reference = run.cfg.cache.line_bytes, run.env.reference
    first, last = run.place(0, FAR), (1 << run.cfg.cache.address_bits) - line

    async def reads(*request: int) -> int:
        before = reference.asked
        await run.result(LOAD, *request)
        return int(reference.asked - before)

    for what, want, request in (
        ("a miss", 2, (first,)),
        ("the first use of what was read ahead", 1, (first + line, first + line + 4)),
        ("its second use", 0, (first + line,)),
        ("a hit", 0, (first,)),
        ("a request for two lines", 2, (run.place(0, FAR + 9), run.place(1, FAR + 19))),
        ("the last line", 1, (last,)),
        ("the line before the last", 1, (last - line,)),
    ):
        run.expect(f"lines read by {what}", want, await reads(*request))


@testcase(needs=lambda cfg: cfg.nonblocking, why="lines that are written behind their requests' backs")
async def refused_lines(run: DcacheSequence) -> None:
    """Clean and flush keep a line that memory refuses, dirty; one that was replaced is lost, and told."""
    word, ways = run.place(0, FAR, 1), run.cfg.cache.ways
    line, others = run.line(word), [run.place(0, FAR + 2 * tag) for tag in range(1, ways + 1)]
    address = line << run.cfg.cache.offset_bits
    await run.results((POLICY, LRU), (STORE, (word, 77)))
    run.env.poison([line])
    for op in (CLEAN, FLUSH, FLUSH, CLEAN):
        results = await run.results((op,), (STATUS,), (STATUS,), (LOAD, word))
        run.expect("errors, a hit", [1, 1, 0, 0, 1], [*results["err"].tolist(), int(results[-1]["hit"])])
        run.expect("address, word", (address, 77), (int(results[1]["data"][0]), int(results[-1]["data"][0])))
    run.env.heal()
    results = await run.results((CLEAN,), (INVALIDATE,), (STATUS,), (LOAD, word))
    run.expect("errors, word", ([0] * 4, 77), (results["err"].tolist(), int(results[-1]["data"][0])))
    await run.result(STORE, (word, 78))
    run.env.poison([line])
    results = await run.results(*run.loads(others))
    run.expect("errors", [0] * ways, results["err"].tolist())
    run.env.heal()
    results = await run.results((STATUS,), (LOAD, word))
    run.expect("address, word", (address, 77), (int(results[0]["data"][0]), int(results[1]["data"][0])))
