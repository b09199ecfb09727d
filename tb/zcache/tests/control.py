# SPDX-License-Identifier: Apache-2.0
"""Barriers, resets, and nothing at all."""

from itertools import product

import cocotb

from configs.depth import BASE, CLEAR, FLUSH, FUNCTIONS
from tb.common.components.pacing import MemoryPacing
from tb.common.components.packing import pack_words
from tb.common.components.request_tests import RESETS, quiet, register
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.zcache.base import ZcacheSequence
from tb.zcache.items import ALL, Distribution, Surface, tile_columns

EQUAL = FUNCTIONS.index("equal")
KINDS: tuple[Kind, ...] = ("design", "memory", "all")
LARGE = 16  # bits of a number that a clear goes through in a minute
SHORT = 6  # bits of a tile's number with which a clear of all tiles is soon over
HOME = Distribution(sets=2, tags=6, flushes=0.03, clears=0.03, bases=0.0)

register(__name__, ZcacheSequence, quiet, silent=True)


@testcase()
async def flush(run: ZcacheSequence) -> None:
    """A flush writes every dirty line once, be it none, the first row, the last or all; lines stay."""
    sets, ways = run.cfg.cache.sets, run.cfg.cache.ways
    await run.outcomes(run.wide())
    for dirty in ((), (0,), (sets - 1,), (0, sets - 1), range(min(sets, 8))):
        tiles = [run.at(place, 9) for index in dirty for place in run.rivals(ways, index)]
        await run.outcomes(*tiles, run.at(run.rivals(1)[0], 1, mask=0))
        before = run.counted()["writebacks"]
        await run.outcome(run.flush())
        run.expect("lines written", len(tiles), run.counted()["writebacks"] - before)
        await run.outcome(run.flush())
        run.expect("lines written again", len(tiles), run.counted()["writebacks"] - before)
        again = await run.outcomes(*(run.item_with(tile, func=EQUAL) for tile in tiles), run.flush())
        run.expect("no line lost", {1}, {outcome.event["kind"] for outcome in again[:-1]} or {1})


@testcase()
async def clear(run: ZcacheSequence) -> None:
    """A clear gives each tile of the surface its value, none, one, or many; the cache is empty afterwards."""
    for tiles, value in ((0, 5), (1, 0xDEADBEEF), (3, 0), (11, 0xFFFFFFFF), (40, 0x12345678)):
        await run.outcomes(run.wide(tiles), *(run.tile(number % 8, 0, number) for number in range(4)))
        before = run.counted()["writebacks"]
        await run.outcomes(run.tile(0, 0, 3, mask=0x00FF), run.clear(value))
        written = run.counted()["writebacks"] - before
        run.expect("written at least", True, written >= max(0, tiles - run.cfg.fast_clear))
        side = 1 << run.cfg.coordinate_bits
        places = [(number % side, number // side) for number in range(tiles)]
        outcomes = await run.outcomes(*(run.at(place, value, func=EQUAL) for place in places), run.flush())
        run.expect("passed", {ALL}, {outcome.result["passed"] for outcome in outcomes[:-1]} or {ALL})
        if not tiles:
            await run.outcomes(run.clear(value), run.clear(value))


@testcase()
async def clear_of_all(run: ZcacheSequence) -> None:
    """A clear of so many tiles that the write buffer is full, memory slow and fast; where it only marks
    them, a flush after it.
    """
    for pacing in (MemoryPacing(), MemoryPacing(jitter=30)):
        run.env.pace_memory(pacing)
        await run.outcomes(run.wide(3 * run.cfg.write_buffer + 2))
        if run.cfg.marks:
            await run.outcomes(run.clear(0x5A))
        run.env.memory.hold("b")
        await run.send([run.flush() if run.cfg.marks else run.clear(0x5A)])
        await run.clocking.cycles(run.rows + 60)
        run.env.memory.release("b")
        await run.settle()


@testcase()
async def clear_beyond_numbers(run: ZcacheSequence) -> None:
    """A clear of as many tiles as have numbers, and of more, goes on to the last one; bits above those of the
    number of tiles do not count. Where that would take too long a reset ends it.
    """
    bits, side = run.cfg.tile_bits, 1 << run.cfg.coordinate_bits
    run.env.memory.set_timing(run.cfg.memory.model_copy(update={"latency": 1}))
    for tiles in (1 << bits, (1 << bits) + 3, (2 << bits) - 1):
        await run.outcome(run.base(Surface(0x7000, side, tiles | 5 << 1 + bits)))
        run.surface = Surface(0x7000, side, tiles)
        before = run.counted()["writebacks"]
        await run.send([run.clear(tiles)])
        if bits > SHORT:
            await run.clocking.cycles(run.rows + 3 * run.latency)
            await run.reset(1)
            continue
        await run.settle()
        run.expect("lines written", tiles - run.cfg.fast_clear, run.counted()["writebacks"] - before)
        outcomes = await run.outcomes(
            *(run.tile(n % side, n // side, tiles, func=EQUAL) for n in range(1 << bits))
        )
        run.expect("passed", {ALL}, {outcome.result["passed"] for outcome in outcomes})


@testcase(
    needs=lambda cfg: cfg.tile_bits > LARGE and not (cfg.walked or cfg.prefetching),
    why=f"numbers of more than {LARGE} bits; no prefetch, as one preset is enough",
    simulators=("verilator",),
)
async def large_clear(run: ZcacheSequence) -> None:
    """A clear of more than 2^16 tiles: their number carries from each bit to the next, up to that one."""
    tiles = (1 << LARGE) + 3
    run.env.memory.set_timing(run.cfg.memory.model_copy(update={"latency": 1}))
    await run.outcomes(run.wide(tiles), run.clear(tiles))
    run.expect("lines written", tiles, run.counted()["writebacks"])


@testcase()
async def barriers_among(run: ZcacheSequence) -> None:
    """Each barrier after each, with everything under way: misses, prefetches, lines to be written."""
    await run.outcomes(run.wide(2))
    ops = (FLUSH, CLEAR, BASE)
    shape = Distribution(sets=1, tags=8, flushes=0, clears=0, bases=0)
    arguments = run.surface.base, run.surface.pitch, 2
    for first, second in product(ops, ops):
        tiles = shape.draw(run.cfg, run.rng, 5, run.surface)
        pair = [run.barrier(op, *(arguments if op == BASE else (7,))) for op in (first, second)]
        await run.send([*tiles, pair[0], pair[1], *tiles[:2], pair[0], tiles[2]])
    await run.outcome(run.flush())


@testcase()
async def held_barrier(run: ZcacheSequence) -> None:
    """A barrier waits for the result before it, for lines on their way, and for lines to be written."""
    await run.outcomes(run.wide(2))
    for op, channel in product((FLUSH, CLEAR, BASE), ("r", "b", "res")):
        tiles = [run.at(place, 3) for place in run.rivals(run.cfg.cache.ways + 1)]
        if channel == "res":
            run.hold()
        else:
            run.env.memory.hold(channel)
        items = run.items([*tiles[: run.room], run.barrier(op, run.surface.base, run.surface.pitch, 2)])
        before, taken = len(run.responses), run.begin(items)
        await run.clocking.cycles(run.rows + 3 * run.latency)
        run.expect("no result of the barrier", True, len(run.responses) - before < len(items))
        run.pace_all()
        run.env.memory.release("r", "b")
        await taken
        await run.settle()


@testcase()
async def reset_at_every_cycle(run: ZcacheSequence) -> None:
    """A reset in each cycle of a miss that writes back: what memory was asked for happens, no more."""
    run.env.tiles.renews = False
    ways = run.cfg.cache.ways
    lead = 0 if run.cfg.given else run.cfg.shading.cycles
    run.surface = Surface()
    places = run.rivals(2 * ways + 1)
    for cycles, kind in product(range(1, run.latency + 22, 1 if run.rows < 64 else 3), KINDS):
        await run.outcomes(*(run.at(place, cycles) for place in places[:ways]))
        await run.send([run.at(place, 1) for place in places[ways : ways + 2]])
        await run.clocking.cycles(cycles + lead)
        await run.reset(1, kind)
        await run.outcomes(*(run.at(place, 0, func=EQUAL, write=0) for place in places[:2]))


register(__name__, ZcacheSequence, *RESETS, distribution=HOME, home=True)


@testcase()
async def second_reset(run: ZcacheSequence) -> None:
    """A reset while what was asked for before the last one is still on its way, in any state of it."""
    run.home, run.distribution = True, HOME
    memory = run.env.memory
    for channel, kind, gap in product(("ar", "r", "aw", "w", "b"), KINDS, (1, 3, 9)):
        drawn = run.draw(8)
        await run.send_records(drawn[:6])
        await run.clocking.cycles(1)
        memory.hold(channel)
        await run.clocking.cycles(int(run.rng.integers(1, 40)))
        await run.reset(1)
        await run.clocking.cycles(gap)
        await run.reset(1, kind)
        await run.clocking.cycles(gap)
        memory.release(channel)
        await run.send_records(drawn[6:])
    await run.settle()


@testcase()
async def reset_in_barriers(run: ZcacheSequence) -> None:
    """A reset in each step of a flush, clear or base: rows looked at, lines being written, the end."""
    run.env.tiles.renews = False
    run.surface = Surface()
    places = run.rivals(run.cfg.cache.ways)
    last = run.rows + 2 * run.latency
    steps = sorted({*range(1, min(last, 30)), *range(max(1, run.rows - 4), last, 5)})
    for number, cycles in enumerate(steps):
        await run.outcomes(*(run.at(place, cycles) for place in places))
        await run.send([run.barrier((FLUSH, CLEAR, BASE)[number % 3], 0x1000, 4, 3)])
        await run.clocking.cycles(cycles)
        await run.reset(1, KINDS[number % 3])
        outcomes = await run.outcomes(*(run.at(place, cycles, write=0) for place in places), run.flush())
        run.expect("errors", {0}, {outcome.result["err"] for outcome in outcomes})


@testcase()
async def offered_in_resets(run: ZcacheSequence) -> None:
    """A tile that is offered in the one cycle of a reset, and only there, is not taken."""
    run.home, run.distribution = True, HOME
    stream = run.cfg.streams["tile"]
    for _ in range(max(30, run.count // 8)):
        drawn = run.draw(8)
        await run.send_records(drawn[:3])
        await run.clocking.cycles(int(run.rng.integers(2, 8)))
        [word] = pack_words(stream, tile_columns(drawn[3:4]))
        driver = run.env.tiles
        driver.offer(word)
        await run.reset(1)
        driver.withdraw()
        await run.send_records(drawn[4:])
    await run.settle()


@testcase(needs=lambda cfg: cfg.given, why="a shader")
async def shaded_in_resets(run: ZcacheSequence) -> None:
    """The shader's word on a tile, there in the one cycle of a reset and only there, tests nothing: not that
    of a tile whose line is there, nor of one whose line is on its way, or was not asked for.
    """
    driver = run.env.agents["shade"].driver
    for (row, fields), cycles in product(((0, {}), (1, {}), (0, {"test": 0}), (0, {"mask": 0})), (0, 1, 4)):
        await run.outcomes(run.tile(0, 0, 1))
        lost = run.items([run.tile(0, row, 2, **fields)])
        await run.offer(lost, shaded=False)
        await run.clocking.cycles(cycles)
        driver.offer(0)
        await run.reset(1)
        driver.withdraw()
        run.shade(lost)  # which the driver passes over
        outcomes = await run.outcomes(run.flush(), run.tile(0, 0, 2, func=EQUAL, write=0))
        run.expect("passed", 0, outcomes[-1].result["passed"])


@testcase()
async def taken_at_release(run: ZcacheSequence) -> None:
    """A tile that is offered when a reset ends is taken at once, and tested as soon as it can be."""
    for name in ("tile", "shade") if run.cfg.given else ("tile",):
        run.env.agents[name].driver.eager = True
    for kind, test in product(KINDS, (0, 1)):
        await run.settle()
        pulse = cocotb.start_soon(run.reset(3, kind))
        await run.clocking.cycles(1)
        sent = run.begin(run.items([run.tile(0, 1, 5, test=test), run.tile(0, 1, 6, test=test)]))
        await pulse
        released = run.clocking.cycle
        await sent
        await run.settle()
        first = run.responses[-2]
        run.expect("taken", released, first.taken.cycle)
        if not test:
            cycles = 1 if run.cfg.given else run.cfg.shading.cycles
            run.expect("result", released + cycles + 1, first.answered.cycle)
