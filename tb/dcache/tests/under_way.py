# SPDX-License-Identifier: Apache-2.0
"""Much under way at once: memory in any order, refused lines, resets, rates and cycles."""

from itertools import product
from typing import Any

import cocotb
import numpy as np

from configs.dcache.schema import CLEAN, FLUSH, INVALIDATE, LANES, LOAD, POLICY, STATUS, STORE
from configs.simt import LRU
from tb.common.components.pacing import MemoryPacing, Pacing
from tb.common.components.request_tests import one_round
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.dcache.base import UNDER_MISS, DcacheSequence, Request
from tb.dcache.items import Distribution
from tb.dcache.knobs import KNOBS
from tb.dcache.tests.accesses import cycles_of

#: for tests that choose all lines of a set
CHOSEN_LINES: dict[str, Any] = {
    "needs": lambda cfg: cfg.nonblocking and cfg.ahead_elsewhere,
    "why": "hits under misses: mshrs; with prefetch two sets",
}
SCATTERED = Distribution(sets=0, tags=3, again=0.3, cleans=0.003, flushes=0.003, policies=0.005)
TURN = 5  # cycles from a warp's request that hits to its next one


@testcase(**UNDER_MISS)
async def memory_orders(run: DcacheSequence) -> None:
    """Lines come in any order, beats of several mingle: each word finds its line, each group its line."""
    memory = run.env.memory
    for interleave, pacing in product((False, True), (MemoryPacing(40), MemoryPacing(9, beat=Pacing(2, 2)))):
        memory.mix(reorder=True, interleave=interleave)
        run.env.pace_memory(pacing)
        for share in (SCATTERED, Distribution(sets=1, tags=3)):
            await run.send(share.draw(run.cfg, run.rng, max(40, run.count // 5)))
        await run.result(CLEAN)


@testcase(**UNDER_MISS)
async def mixed_everything(run: DcacheSequence) -> None:
    """Traffic, paces, errors and resets at random, while lines come in any order."""
    run.env.memory.mix(reorder=True, interleave=True)
    for _ in range(max(8, run.count // 25)):
        chosen = {knob: run.choose(knob) for knob in KNOBS}
        await one_round(run, 25, chosen | {"distribution": SCATTERED})


@testcase(**CHOSEN_LINES)
async def write_buffer_full(run: DcacheSequence) -> None:
    """Memory takes no address, no data, or answers nothing: so many lines leave as there is room for."""
    cfg, memory, reference = run.cfg, run.env.memory, run.env.reference
    ways, room = cfg.cache.ways, cfg.write_buffer
    lines = min(room + 2, ways * cfg.cache.sets)
    for number, channel in enumerate(("aw", "w", "b")):
        old = [run.place(n % cfg.cache.sets, 1 + n // cfg.cache.sets) for n in range(lines)]
        fill = [run.place(n % cfg.cache.sets, 50 + tag) for tag in range(ways - 1) for n in range(lines)]
        await run.results((POLICY, LRU), (FLUSH,), *run.stores(old), *run.loads(fill, LANES))
        new = [run.place(n % cfg.cache.sets, 100 + 10 * number + n) for n in range(lines)]
        memory.hold(channel)
        begun, reads = reference.writes.begun, reference.asked
        sending = cocotb.start_soon(run.send(run.loads(new)))
        await run.clocking.cycles(6 * (cfg.memory.latency + cfg.beats))
        taken = {"aw": 0, "w": 1, "b": room}[channel]
        run.expect(f"addresses of writes taken, {channel} held", taken, reference.writes.begun - begun)
        run.expect("some reads went on", True, reference.asked > reads)
        memory.release(channel)
        await sending
        await run.settle()
        results = await run.results(*run.loads(old))
        run.expect("errors", 0, int(results["err"].sum()))


@testcase(**UNDER_MISS)
async def refusals_in_a_row(run: DcacheSequence) -> None:
    """All lines in the write buffer are answered in cycles that follow one another, some refused, while the
    next dirty line waits for room: those that were refused are dirty afterwards, and no others.
    """
    cfg, memory = run.cfg, run.env.memory
    room, ways = cfg.write_buffer, cfg.cache.ways
    count = min(room + 2, ways * cfg.cache.sets)
    words = [run.place(n // ways, 40 + n % ways) for n in range(count)]
    await run.fill_in_turn()
    for op, bad in product((CLEAN, FLUSH), (*([n] for n in range(min(room, count))), range(count))):
        await run.send([(FLUSH,), *run.stores(words)])
        await run.settle()
        run.env.poison([run.line(words[n]) for n in bad])
        memory.hold("b")
        await run.send([(op,)])
        await run.clocking.cycles(2 * cfg.cache.sets + (room + 2) * (cfg.beats + 2) + cfg.memory.latency)
        memory.release("b")
        await run.settle()
        run.env.heal()
        run.expect("written now", len(bad), int((await run.result(CLEAN))["writes"]))


@testcase(**UNDER_MISS)
async def read_beside_a_write_back(run: DcacheSequence) -> None:
    """A line whose address differs in one bit from that of one in the write buffer is read at once."""
    cfg, memory, results = run.cfg, run.env.memory, run.env.scoreboard.by_name["res"]
    bits, ways = cfg.cache.line_bits, cfg.cache.ways
    await run.result(POLICY, LRU)
    for bit in range(bits):
        old = 1 | int(run.rng.integers(1 << bits))  # odd: what is read ahead of its set is in another one
        new = old ^ 1 << bit
        crowd: list[int] = []
        while len(crowd) < ways:  # of the same set, none of them next to the new one
            rival = old ^ int(run.rng.integers(1 << cfg.cache.tag_bits)) << cfg.cache.set_bits
            if not {rival, rival + 1} & {old, new, *crowd}:
                crowd.append(rival)
        places = [line << cfg.cache.offset_bits for line in (old, *crowd, new)]
        await run.results((STORE, (places[0], bit)), *run.loads(places[1:-2]))
        memory.hold("b")
        before = results.observed
        await run.send(run.loads(places[-2:]))
        await run.clocking.cycles(2 * (cfg.memory.latency + 6 * cfg.beats * (1 + cfg.memory.gap)))
        run.expect("results while memory owes the answer to a write", 2, results.observed - before)
        memory.release("b")
        await run.settle()


@testcase(**CHOSEN_LINES)
async def poison_stays(run: DcacheSequence) -> None:
    """Stores into a line that memory failed are lost with it: no clean, flush or replacement writes it."""
    word, ways = run.place(0, 40, 1), run.cfg.cache.ways
    others = [run.place(0, 50 + 2 * tag) for tag in range(ways)]
    for leave in (CLEAN, FLUSH, INVALIDATE, LOAD):
        await run.results((FLUSH,), (POLICY, LRU), (STATUS,))
        run.env.poison([run.line(word)])
        results = await run.results((STORE, (word, 1)), (STORE, (word, 2)), (LOAD, word), (STATUS,))
        run.expect("lanes that failed", [1, 1, 1, 1], results["err"].tolist())
        run.env.heal()
        results = await run.results(*(run.loads(others) if leave == LOAD else [(leave,)]))
        run.expect("writes", 0, int(results["tries"].sum()))
        run.expect("victims told", int(leave == LOAD), int(results["evict"].sum()))
        results = await run.results((CLEAN,), (LOAD, word), (LOAD, word))
        kept = int(leave == CLEAN)
        run.expect("errors", [0, kept, kept], results["err"].tolist())


@testcase(
    needs=lambda cfg: cfg.mshrs > 1 and cfg.ahead_elsewhere,
    why="several lines under way, none of them read ahead into its set",
)
async def first_failure(run: DcacheSequence) -> None:
    """Reads and a write-back that fail, in either order and in one cycle: the first in time is kept."""
    cfg, memory = run.cfg, run.env.memory
    old, bad, far = run.place(0, 1), run.place(1, 41), run.place(0, 101)
    fill = [run.place(0, 10 + 2 * tag) for tag in range(cfg.cache.ways - 1)]
    addresses = set()
    for early in range(14):
        run.env.heal()
        await run.results((FLUSH,), (POLICY, LRU), (STORE, (old, early)), *run.loads(fill), (STATUS,))
        run.env.poison([run.line(old), run.line(bad)])
        memory.hold("b", "r")
        await run.send([(LOAD, far), (LOAD, bad)])
        await run.clocking.cycles(2 * (cfg.memory.latency + 3 * cfg.beats))
        memory.release("r")
        await run.clocking.cycles(2 * cfg.beats + early - 4)
        memory.release("b")
        await run.settle()
        result = await run.result(STATUS)
        run.expect("an error", 1, int(result["err"]))
        addresses.add(int(result["data"][0]))
    size = cfg.cache.line_bytes
    run.expect("addresses", {old // size * size, bad // size * size}, addresses)
    run.env.heal()


@testcase(**UNDER_MISS)
async def control_among(run: DcacheSequence) -> None:
    """Each operation among loads and stores that miss, of several warps, right behind one another."""
    sets, ways = run.cfg.cache.sets, run.cfg.cache.ways
    for op, count in product((CLEAN, FLUSH, INVALIDATE, STATUS, POLICY), (1, 3, 8)):
        acts: list[Request] = []
        for number in range(count):
            places = [run.place((number + lane) % sets, 5 + lane * (1 + number)) for lane in range(ways)]
            acts += [(STORE, *((place, number) for place in places[::2])), (LOAD, *places[1::2])]
            acts += [(op, number % 4)] if number % 3 == count % 3 else []
        await run.send([*acts, (op, count % 4), *acts[:3], (op, 2)])
    await run.result(CLEAN)


@testcase(**UNDER_MISS)
async def reset_under_way(run: DcacheSequence) -> None:
    """A reset in each cycle while lines go both ways: bursts end, and what comes behind is not theirs."""
    cfg = run.cfg
    kinds: tuple[Kind, ...] = ("design", "memory", "all")
    sets, count = cfg.cache.sets, min(LANES, cfg.cache.ways * cfg.cache.sets)
    old = [run.place(n % sets, 1 + n // sets) for n in range(cfg.cache.ways * min(sets, 4))]
    burst = cfg.memory.latency + cfg.beats
    run.env.memory.mix(reorder=True, interleave=True)
    for cycle, kind in product((*range(1, 12, 2), *range(burst - 2, 2 * burst, 5)), kinds):
        await run.results(*run.stores(old, LANES))
        new = [run.place(n % sets, 20 + 8 * (cycle % 7) + n) for n in range(count)]
        await run.send([(LOAD, *new), (STORE, *((place, cycle) for place in new)), (LOAD, *old[:LANES])])
        await run.clocking.cycles(cycle)
        await run.reset(1 + cycle % 2, kind)
        await run.send([(LOAD, *old[:LANES]), (LOAD, *new)])
    await run.settle()


@testcase(**UNDER_MISS)
async def reset_at_a_write_back(run: DcacheSequence) -> None:
    """A reset of one cycle in each in which a victim may go to the write buffer: later lines are whole."""
    ways = run.cfg.cache.ways
    old, later = ([run.place(0, tag + way) for way in range(ways)] for tag in (1, 70))
    for cycle in range(12):
        await run.results(*run.stores(old, 1))
        await run.send([(LOAD, run.place(0, 60))])
        await run.clocking.cycles(cycle)
        await run.reset(1)
        for _ in range(2):
            await run.results(*run.stores(later, 1), (CLEAN,))


@testcase(**UNDER_MISS)
async def reset_at_a_policy(run: DcacheSequence) -> None:
    """A reset of one cycle in each in which a policy may take effect: behind it that of the configuration."""
    ways = run.cfg.cache.ways
    tags = (*range(1, ways + 1), 1, 3, ways + 1, 2, ways + 2, 1, 4, ways + 3, ways + 4, 2)
    for policy, cycle in product(run.policies, range(8)):
        await run.settle()
        await run.send([(POLICY, policy)])
        await run.clocking.cycles(cycle)
        await run.reset(1)
        await run.send(run.loads(run.place(0, tag) for tag in tags))


@testcase(**UNDER_MISS)
async def nobody_starves(run: DcacheSequence) -> None:
    """Warps whose words are there ask without end: a warp that misses is answered as if it were alone."""
    here, away = run.place(0, 1), run.place(1, 60)
    await run.result(LOAD, here)
    [alone] = await cycles_of(run, [(LOAD, away)])
    await run.results((INVALIDATE,), (LOAD, here))
    acts = run.records([(LOAD, away), *run.loads([here] * 200)])
    acts["warp"][1:] = 1 + np.arange(200) % (run.cfg.warps - 1)
    acts["warp"][0] = 0
    before = len(run.responses)
    await run.served(acts)
    took = {
        int(request["warp"]): answered.cycle - taken.cycle
        for response in run.responses[before:]
        for request, taken, answered in zip(response.requests, response.taken, response.answered, strict=True)
    }
    run.expect("cycles of the miss, at most", True, took[0] <= alone + 2)


@testcase(**UNDER_MISS)
async def rates(run: DcacheSequence) -> None:
    """Groups that hit move one each cycle, loads and stores, as long as there are warps to ask."""
    here, there = run.place(0, 9), run.place(1, 19)
    await run.results((LOAD, here, there), (LOAD, here, there))
    for op, places in product((LOAD, STORE), ((here,), (here, here + 4), (here, there), (here, there) * 4)):
        groups = len({run.line(place) for place in places}) if run.cfg.coalescing else len(places)
        await run.send([(op, *places)] * 32)
        await run.settle()
        answered = [transfer.cycle for transfer in run.env.scoreboard.by_name["res"].matched[-32:]]
        stalled = max(0, TURN + groups - 1 - run.cfg.warps * groups)
        want = 31 * groups + 31 // run.cfg.warps * stalled
        run.expect(f"cycles of all results of {groups} groups", want, int(np.ptp(answered)))


@testcase(**UNDER_MISS)
async def cycles_under_miss(run: DcacheSequence) -> None:
    """The cycles that docs/dcache.md gives, from a rest."""
    cfg, timing = run.cfg, run.cfg.memory
    sets, ways = cfg.cache.sets, cfg.cache.ways
    line = timing.latency + (cfg.beats - 1) * (1 + timing.gap)
    miss = 7 + line
    full = [run.place(0, 1 + 2 * tag) for tag in range(ways)]
    await run.result(POLICY, LRU)
    for what, expected, requests in (
        ("a miss", miss, [(LOAD, full[0])]),
        ("a hit", 4, [(LOAD, full[0])]),
        ("a store that hits", 4, [(STORE, full[0])]),
        ("no lane", 4, [(STORE,)]),
        ("a status", 6, [(STATUS,)]),
        ("another policy", 6 + sets, [(POLICY, LRU)]),
        ("an invalidation", 6 + sets, [(INVALIDATE,)]),
        ("clean, nothing dirty", 8 + sets, [(CLEAN,)]),
        ("flush, nothing dirty", 8 + 2 * sets, [(FLUSH,)]),
    ):
        run.expect(f"cycles of {what}", [expected], await cycles_of(run, requests))
    await run.results(*run.loads(full), *run.stores(full, 1))
    dirty = [(LOAD, run.place(0, 1 + 2 * ways))]
    run.expect("cycles of a miss with a dirty victim", [miss], await cycles_of(run, dirty))
    for op in (CLEAN, FLUSH):
        await run.results((FLUSH,), (POLICY, LRU), (STORE, (run.place(sets - 1, 5), 1)))
        walk = sets if op == FLUSH else 0
        took = await cycles_of(run, [(op,)])
        run.expect(f"cycles of op {op}, one line dirty", [12 + sets + walk + line], took)
