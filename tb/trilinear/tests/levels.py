# SPDX-License-Identifier: Apache-2.0
"""What samples need: levels and halves, entries of the table, cycles, errors of either half."""

from itertools import pairwise, product
from typing import Any

import cocotb
import numpy as np

from configs.trilinear.schema import HALVES
from models.texcache.timing import fill_cycles, hit_latency
from tb.common.components.counters import LATE
from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.common.components.testcase import testcase
from tb.texcache.sequences import Distribution as Footprints
from tb.texcache.sequences import random_table
from tb.texcache.shapes import lines_of
from tb.trilinear.base import TrilinearSequence, invalidate, sample, write
from tb.trilinear.items import Distribution, table_requests

PAIRS = Distribution(Footprints(textures=3, edges=0.1, far=0), single=0, tables=0, invalidations=0)


@testcase()
async def levels(run: TrilinearSequence) -> None:
    """Every level, alone and with the next one: the last has none, and its samples are of one level."""
    last = run.cfg.last_level
    for level in range(last + 1):
        alone, both = await run.results(sample(level, (3, 5)), sample(level, (3, 5), (1, 2)))
        run.expect("halves", (1 << (level & 1), 3 if level < last else 1 << (last & 1)),
                   (int(alone["needs"]), int(both["needs"])))  # fmt: skip
        run.expect("texels of the level", alone["texel"][:4].tolist(), both["texel"][:4].tolist())
        run.expect(
            "texels of no next level",
            (0, level == last),
            (alone["texel"][4:].any(), not both["texel"][4:].any()),
        )


@testcase()
async def edges(run: TrilinearSequence) -> None:
    """Both levels at and beyond all their edges, and at the ends of what a coordinate can be."""
    half, chosen = run.cfg.half, []
    reach = 2 * half.max_side
    for level in range(run.cfg.last_level):
        side = half.level_side(level)
        near = [base + step for base in (-side, 0, side) for step in (-2, -1, 0, 1)]
        places = np.array([place for place in {*near, -reach, reach - 1} if -reach <= place < reach])
        for mode in range(9):
            u0, v0, u1, v1 = (int(value) for value in run.rng.choice(places, 4))
            chosen.append(sample(level, (u0, v0), (u1, v1), modes=(mode // 3, mode % 3)))
    for place in (-reach, reach - 1):
        for which in range(4):
            at = [0, 0, 0, 0]
            at[which] = place
            chosen.append(sample(0, (at[0], at[1]), (at[2], at[3])))
    await run.send(chosen)


@testcase()
async def table_entries(run: TrilinearSequence) -> None:
    """Every entry is its own, in the half of its level: all are written anew, then each is used."""
    half = run.cfg.half
    for _ in range(2):
        await run.send(table_requests(run.cfg, random_table(half, run.rng)))
        entries = run.rng.permutation(half.textures * half.levels)[:600]
        await run.send(
            [sample(int(n) % half.levels, (0, 0), (0, 0), tex=int(n) // half.levels) for n in entries]
        )


@testcase()
async def table_used_next(run: TrilinearSequence) -> None:
    """A sample sees the entry that the request before it wrote, and none that the one behind it writes."""
    table = random_table(run.cfg.half, run.rng)
    for level in range(run.cfg.last_level):
        for tex, entry in ((0, level), (1, level + 1)):
            first, second = int(table[tex, entry]), int(table[tex + 1, entry])
            use = sample(level, (1, 1), (0, 0), tex)
            await run.send([write(tex, entry, first), use, write(tex, entry, second), use])
    await run.settle()


@testcase()
async def every_line(run: TrilinearSequence) -> None:
    """Through more lines of levels 0 and 1 than both halves have, each sample twice: what every set meets."""
    half = run.cfg.half
    side = min(64, half.level_side(1))
    for v in range(0, 64, 2):
        places = [(u, v) for u in range(0, 64, 4)]
        await run.send(
            [sample(0, (u, v), (u % side, v % side)) for u, v in np.repeat(places, 2, axis=0).tolist()]
        )


@testcase()
async def addresses(run: TrilinearSequence) -> None:
    """Base and offset add up across every bit of the address, in both halves."""
    half = run.cfg.half
    for level in (0, 1):
        room = half.level_side(level) ** 2 // half.line_texels
        for bit in range(room.bit_length(), half.cache.line_bits):
            base = (1 << bit) - int(run.rng.integers(1, room))
            u, v = (run.rng.integers(half.level_side(level), size=6) for _ in range(2))
            await run.send(
                [write(0, level, base), *(sample(level, (int(a), int(b))) for a, b in zip(u, v, strict=True))]
            )


@testcase()
async def cycles(run: TrilinearSequence) -> None:
    """An idle cache: what each request takes, its lines being there or not."""
    here, both = sample(0, (0, 0)), sample(0, (0, 0), (0, 0))
    await run.results(both)
    hit, entry = hit_latency(run.cfg.half, 1), write(0, 0, int(run.table[0, 0]))
    for request, want in ((here, hit), (both, hit), (entry, 1), (invalidate(), 2)):
        run.expect("cycles", [want], await run.cycles_of(request))
    await run.results(sample(1, (0, 0)))
    [behind] = await run.cycles_of(both)
    run.expect("a half waits for memory", True, behind > run.cfg.memory.latency)


@testcase()
async def maximum_rate(run: TrilinearSequence) -> None:
    """A sample of two levels in each cycle, as long as their lines are there; in any order of levels."""
    chosen = [sample(level, (u, u >> 1), (u >> 1, u >> 2)) for level in (0, 1) for u in (0, 1)]
    again = [chosen[n] for n in run.rng.integers(len(chosen), size=200)]
    for requests in (chosen * 3, again, [*again, *chosen] * 2):
        await run.settle()
        before = len(run.responses)
        await run.send(requests)
        await run.settle()
    taken = [transfer.cycle for response in run.responses[before:] for transfer in response.taken]
    answered = [transfer.cycle for response in run.responses[before:] for transfer in response.answered]
    run.expect("cycles between", ({1}, {1}), (set(np.diff(taken).tolist()), set(np.diff(answered).tolist())))


@testcase()
async def one_half_waits(run: TrilinearSequence) -> None:
    """One half waits for memory, the other has its lines: it takes samples behind, answers keep order."""
    for level in (0, 1):
        for missing in (level, level + 1):
            await run.results(invalidate(), sample(level, (0, 0), (0, 0)))
            far = run.cfg.half.level_side(missing) // 2
            at = ((far, 0), (0, 0)) if missing == level else ((0, 0), (far, 0))
            stays = sample(level + 1 if missing == level else level, (0, 0))
            first, *others = await run.cycles_of(sample(level, *at), *[stays] * 3)
            run.expect("it waits for memory", True, first > run.cfg.memory.latency)
            run.expect("cycles of those behind it", True, max(others) <= first <= min(others) + 4)


STILL = 37  # cycles


async def still_counting(run: TrilinearSequence, what: str, names: set[str], after: int = 60) -> None:
    """When all has stood still for ``after`` cycles, ``names`` count each cycle, no other does."""
    await run.clocking.cycles(after)
    before = half_waits(run)
    await run.clocking.cycles(STILL)
    steps = {name: value - before[name] for name, value in half_waits(run).items()}
    run.expect(f"cycles counted while {what}", {name: STILL * (name in names) for name in steps}, steps)


def half_waits(run: TrilinearSequence) -> dict[str, int]:
    """Cycles of waiting that each half has counted, by half and counter."""
    shown = {name: checker.counters() for name, checker in run.env.halves.items()}
    end = "_wait_cycles"
    return {
        f"{half} {name.removesuffix(end)}": value
        for half, counters in shown.items()
        for name, value in counters.items()
        if name.endswith(end) or name == "stop_cycles"
    }


@testcase()
async def half_waits_are_counted(run: TrilinearSequence) -> None:
    """A half counts each cycle that it waits for a line, for the other half, or for the consumer."""
    half = run.cfg.half
    for level in (0, 1):
        finer, coarser = HALVES[level], HALVES[1 - level]
        far, near = half.level_side(level) // 2, half.level_side(level + 1) // 2
        lacking = (
            (finer, sample(level, (far, 0), (0, 0)), {f"{coarser} result"}),
            (coarser, sample(level, (0, 0), (near, 0)), {f"{finer} result"}),
            (None, sample(level, (far, 0), (near, 0)), set[str]()),
        )
        for lacking_half, request, waits in lacking:
            await run.results(invalidate(), sample(level, (0, 0), (0, 0)))
            run.env.memory.hold("r")
            memory = {f"{name} memory" for name in HALVES if lacking_half in (None, name)}
            sending = cocotb.start_soon(run.send([request]))
            await still_counting(run, "lines are held", memory | waits)
            run.env.memory.release("r")
            await sending
            await run.settle()
    run.hold()
    sending = cocotb.start_soon(run.send([request] * (4 * half.fifo.depth)))
    await still_counting(run, "results are held", {f"{name} result" for name in HALVES}, 8 * half.fifo.depth)
    run.pace(ALWAYS)
    await sending
    await run.settle()
    await run.results(invalidate(), sample(0, (0, 0)))
    before = half_waits(run)
    await run.results(sample(1, (0, -4), modes=(1, 1)))  # both rows are the first one: a single line
    waited = {name: value - before[name] for name, value in half_waits(run).items()}
    line = fill_cycles(half, run.cfg.memory)
    run.expect("cycles of one line", {name: line * (name == "odd memory") for name in waited}, waited)


@testcase()
async def samples_count_when_taken(run: TrilinearSequence) -> None:
    """Samples and pairs count when their results are taken, not before; a change of the table never does."""

    def counted() -> tuple[int, int]:
        shown = run.env.performance.counters()
        return shown["samples"], shown["pairs"]

    run.hold()
    await run.send([sample(0, (0, 0)), sample(1, (0, 0), (0, 0)), write(0, 2, int(run.table[0, 2]))])
    await run.clocking.cycles(run.cfg.memory.latency + 8 * run.cfg.beats + 8)
    run.expect("samples and pairs while results are held", (0, 0), counted())
    run.pace(ALWAYS)
    await run.settle()
    await run.clocking.cycles(LATE + 1)
    run.expect("samples and pairs", (2, 1), counted())


@testcase()
async def errors_count_while_held(run: TrilinearSequence) -> None:
    """A line that failed counts once, however long it waits behind a result that is held."""
    pairs = [sample(0, (16 * n, 4 * row), (8 * n, 4 * row)) for row in range(2) for n in range(4)]
    results = run.foreseen(pairs)
    run.env.poison([line for half in HALVES for line in lines_of(results[half])])
    run.hold()
    sending = cocotb.start_soon(run.send(pairs))
    await run.clocking.cycles(400)
    run.pace(ALWAYS)
    await sending
    await run.settle()


@testcase()
async def runs_ahead(run: TrilinearSequence) -> None:
    """While a result is held, samples go on until a half is full, and their lines are asked for meanwhile.

    A half is full of samples that hit with a tag FIFO of them and one in each of the six stages around it:
    tag compare and the register behind it, head, fill, read, output. Of others its places for lines are, of
    which a footprint takes 4 at most.
    """
    depth = run.cfg.half.fifo.depth
    hits = [sample(0, (2, 2), (1, 1))] * (4 * depth)
    await run.results(hits[0])
    wanted = depth + 6, {1}
    run.expect("samples under way, and cycles between their results", wanted, await held_back(run, hits))
    await run.results(hits[0])
    under_way, _ = await held_back(run, PAIRS.draw(run.cfg, run.rng, 4 * depth))
    run.expect("samples under way", True, depth // 4 <= under_way <= run.cfg.open_samples)


async def held_back(run: TrilinearSequence, requests: Any) -> tuple[int, set[int]]:
    """How many of ``requests`` are under way while results are held, and the cycles between results then."""
    run.hold()
    sending = cocotb.start_soon(run.send(requests))
    waits = run.cfg.memory.latency + run.cfg.beats
    await run.clocking.cycles(8 * run.cfg.half.fifo.depth + 20 * waits)
    under_way = run.env.reference.in_flight
    run.pace(ALWAYS)
    answers = await run.answers(sending)
    results = [transfer.cycle for response in answers for transfer in response.answered]
    return under_way, set(np.diff(results).tolist())


@testcase()
async def turns(run: TrilinearSequence) -> None:
    """Both halves ask memory, which takes an address now and then: one of each in turn.

    Each sample misses as many lines in either half, so that both always ask.
    """
    places = [(8 * column, 4 * row) for row in range(8) for column in range(4)]
    run.env.scoreboard.steady = False
    run.env.pace_memory(MemoryPacing(address=Pacing(1, 8, longest=8)))
    for _ in range(8):
        await run.results(invalidate())
        before = [len(run.matched(half)) for half in HALVES]
        chosen = [places[n] for n in run.rng.permutation(len(places))[:12]]
        await run.send([sample(0, (2 * u, v), (u, v)) for u, v in chosen])
        await run.settle()
        offered = sorted(
            (fill.cycle, half) for n, half in enumerate(HALVES) for fill in run.matched(half)[before[n] :]
        )
        first = [half for _, half in offered[1:9]]  # the very first one is alone
        run.expect(
            "halves in turn", True, all(half_before != other for half_before, other in pairwise(first))
        )


@testcase()
async def errors_of_each_half(run: TrilinearSequence) -> None:
    """A line of either half fails, or of both: each sample that needs it says so, until it is forgotten."""
    for level in (0, 1):
        both = sample(level, (2, 2), (1, 1))
        [clean] = run.foreseen([both])
        lines = {name: int(clean[name]["line"][0]) for name in HALVES}
        for failing in (("even",), ("odd",), HALVES):
            await run.results(invalidate())
            run.env.poison([lines[name] for name in failing])
            finer, coarser = HALVES[level & 1], HALVES[1 - (level & 1)]
            samples = both, sample(level, (2, 2)), sample(level + 1, (1, 1)), both
            errors = [int(result["err"]) for result in await run.results(*samples)]
            run.expect("errors", [1, int(finer in failing), int(coarser in failing), 1], errors)
            run.env.heal()
            run.expect("kept", 1, int((await run.results(both))[0]["err"]))
            run.expect("forgotten", 0, int((await run.results(invalidate(), both))[1]["err"]))


@testcase(lambda cfg: cfg.half.level_side(1) > cfg.half.line_texels, "several lines in a row")
async def error_of_each_line(run: TrilinearSequence) -> None:
    """Each of the four lines of a footprint fails alone, in either half: its sample says so."""
    places = range(run.cfg.half.line_texels)
    for level, half in enumerate(HALVES):
        tried = [sample(level, at) for at in product(places, places)]
        looked_up = run.foreseen(tried)[half]
        chosen = int(np.argmax(looked_up["valid"].all(axis=1)))
        run.expect("lines", 4, int(looked_up["valid"][chosen].sum()))
        for line in looked_up["line"][chosen].tolist():
            run.env.poison([line])
            run.expect("error", 1, int((await run.results(invalidate(), tried[chosen]))[1]["err"]))
            run.env.heal()


@testcase()
async def invalidations(run: TrilinearSequence) -> None:
    """All lines of both halves are forgotten, behind samples that wait, several times in a row, or held."""
    both = [sample(level, (level, 0), (0, level)) for level in (0, 1)]
    for times in (1, 2, 3):
        for quiet in (True, False):
            if quiet:
                await run.results(*both)
            else:
                await run.send(PAIRS.draw(run.cfg, run.rng, 5))
            results = await run.results(*[invalidate()] * times, *both)
            fresh = results[-2]
            run.expect("lines that are there", [0, 0], [int(fresh[name]["hit"].sum()) for name in HALVES])
    run.hold()
    sending = cocotb.start_soon(run.send([invalidate(), invalidate(), *both, invalidate(), *both]))
    await run.clocking.cycles(40)
    run.pace(ALWAYS)
    await sending
    await run.send([invalidate(), write(0, 0, int(run.table[0, 0])), *both])
