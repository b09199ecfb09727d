# SPDX-License-Identifier: Apache-2.0
"""Why a tile waits, counted cycle by cycle: each cause alone, held for as long as the test likes."""

from typing import Any

from configs.zcache.counters import CAUSES
from configs.zcache.schema import Config
from tb.common.components.testcase import testcase
from tb.zcache.base import ZcacheSequence
from tb.zcache.tests.ahead import AHEAD, EQUAL, fills_a_set, leads

CYCLES = 12
NAMES = (
    "wait_cycles",
    "result_wait_cycles",
    "tile_wait_cycles",
    *(f"{cause}_wait_cycles" for cause in CAUSES),
)


async def arrive(run: ZcacheSequence) -> None:
    """Long enough for the last tile that was sent to come to its test, and for what it asks for."""
    await run.clocking.cycles(run.latency + (0 if run.cfg.given else run.cfg.shading.cycles))


async def ask_behind(run: ZcacheSequence, index: int) -> None:
    """A tile of set ``index`` waits for its read: the address of one before it, asked for ahead, stands."""
    first, second = run.rivals(2, index)
    tiles = [run.at(first, 3, mask=0), run.at(second, 4)]
    for channel in ("ar", "r"):
        run.env.memory.hold(channel)
    await run.ahead(tiles)
    run.shade(run.items(tiles))
    await arrive(run)
    await stand_still(run, "wait_cycles", "read_wait_cycles")


def crowded(run: ZcacheSequence, count: int) -> int:
    """Sets that :func:`crowd` needs for so many tiles."""
    return (count - 1) // run.cfg.cache.ways + 1


async def crowd(run: ZcacheSequence, count: int) -> list[Any]:
    """Tiles [count], each of which replaces a dirty line; those for which the write buffer has room are sent,
    and AW is held.
    """
    ways, room = run.cfg.cache.ways, run.cfg.write_buffer
    places = [run.rivals(2 * ways, index) for index in range(crowded(run, count))]
    await run.outcomes(*(run.at(place, 5) for listed in places for place in listed[:ways]))
    run.env.memory.hold("aw")
    tiles = [run.at(places[number // ways][ways + number % ways], 0, write=0) for number in range(count)]
    for tile in tiles[:room]:
        await run.outcome_soon(tile)
    return tiles


async def stand_still(run: ZcacheSequence, *causes: str) -> None:
    """While nothing moves these counters step in each cycle, and no other one of waiting."""
    before = run.counted()
    await run.clocking.cycles(CYCLES)
    counted = run.counted()
    stepped = {name: counted[name] - before[name] for name in NAMES if counted[name] != before[name]}
    run.expect(f"counted in {CYCLES} cycles", dict.fromkeys(causes, CYCLES), stepped)


@testcase(**AHEAD)
async def waits_for_a_prefetch(run: ZcacheSequence) -> None:
    """A tile comes to its test, and its line, asked for ahead, is still on its way."""
    await run.outcomes(run.wide())
    run.env.memory.hold("r")
    tile = run.at(run.rivals(1)[0], 3)
    await run.ahead([tile])
    run.shade(run.items([tile]))
    await arrive(run)
    await stand_still(run, "wait_cycles", "late_wait_cycles")
    run.env.memory.release("r")
    await run.settle()


@testcase(**AHEAD)
async def waits_for_a_read(run: ZcacheSequence) -> None:
    """A tile cannot ask for its line: another address is offered, and then, where one read is all there may
    be, this one is under way; else it asks, and waits for what it has asked for.
    """
    await run.outcomes(run.wide())
    await ask_behind(run, 0)
    run.env.memory.release("ar")
    await run.clocking.cycles(run.latency)
    await stand_still(run, "wait_cycles", "read_wait_cycles" if run.cfg.fills == 1 else "fill_wait_cycles")
    run.env.memory.release("r")
    await run.settle()


@testcase(**AHEAD)
async def waits_for_a_read_alone(run: ZcacheSequence) -> None:
    """A tile cannot ask for its line, and the write buffer is full, of which it needs nothing."""
    room = run.cfg.write_buffer
    await run.outcomes(run.wide())
    await crowd(run, room)
    await ask_behind(run, crowded(run, room))
    for channel in ("aw", "ar", "r"):
        run.env.memory.release(channel)
    await run.settle()


@testcase(needs=lambda cfg: not leads(cfg), why="tiles that come to their test before their lines")
async def waits_for_its_fill(run: ZcacheSequence) -> None:
    """A tile has asked for its line, which is on its way."""
    await run.outcomes(run.wide())
    run.env.memory.hold("r")
    await run.send([run.at(run.rivals(1)[0], 3)])
    await arrive(run)
    await stand_still(run, "wait_cycles", "fill_wait_cycles")
    run.env.memory.release("r")
    await run.settle()


@testcase()
async def waits_for_a_write(run: ZcacheSequence) -> None:
    """A tile's line was replaced, and memory has not answered to its writing."""
    ways = run.cfg.cache.ways
    base = run.wide()
    await run.outcomes(base)
    places = run.rivals(ways + 1)
    old, *reading = (run.at(place, 77, write=int(not number)) for number, place in enumerate(places))
    await run.outcomes(old, *reading[: ways - 1])
    run.env.memory.hold("b")
    await run.outcome_soon(reading[-1])
    await run.send([run.at(places[0], 77, func=EQUAL)])
    await arrive(run)
    await stand_still(run, "wait_cycles", "writing_wait_cycles")
    run.env.memory.release("b")
    await run.settle()


def has_crowds(cfg: Config) -> bool:
    """Whether all lines of a set can be on their way for tiles that have passed their test."""
    return fills_a_set(cfg) and cfg.fills >= cfg.cache.ways


@testcase(needs=has_crowds, why="lines fetched ahead that fill a set, all of them at the same time")
async def waits_for_a_victim(run: ZcacheSequence) -> None:
    """All lines of a tile's set are on their way, for tiles that had nothing to test."""
    await run.outcomes(run.wide())
    *places, last = run.rivals(run.cfg.cache.ways + 1)
    tiles = [*(run.at(place, 3, mask=0) for place in places), run.at(last, 4)]
    run.env.memory.hold("r")
    await run.ahead(tiles)
    run.shade(run.items(tiles))
    await arrive(run)
    await stand_still(run, "wait_cycles", "victim_wait_cycles")
    run.env.memory.release("r")
    await run.settle()


@testcase()
async def waits_for_room(run: ZcacheSequence) -> None:
    """The victim of a tile is dirty, and as many lines wait to be written as may."""
    await run.outcomes(run.wide())
    reading = await crowd(run, run.cfg.write_buffer + 1)
    await run.send(reading[-1:])
    await arrive(run)
    await stand_still(run, "wait_cycles", "buffer_wait_cycles")
    run.env.memory.release("aw")
    await run.settle()


@testcase(
    needs=lambda cfg: not leads(cfg) or cfg.given,
    why="tiles that come to their test before their lines are asked for",
)
async def waits_for_the_test(run: ZcacheSequence) -> None:
    """A tile that misses right behind one of its set waits a cycle: it may have made a victim dirty."""
    await run.outcomes(run.wide())
    first, *others = run.rivals(run.cfg.cache.ways)
    await run.outcomes(run.at(first, 3))
    for place in others:
        before = run.counted()
        await run.outcomes(run.at(first, 3, write=0), run.at(place, 4, write=0))
        counted = run.counted()
        behind = "set_wait_cycles"
        run.expect("cycles behind its set", 1, counted[behind] - before[behind])


@testcase()
async def waits_to_be_taken(run: ZcacheSequence) -> None:
    """A result is not taken, as many tiles are in flight as may, and the next one is offered."""
    await run.outcomes(run.wide(), run.tile(0, 0, 1))
    tiles = run.cfg.shading.tiles
    run.hold()
    sent = run.begin(run.items([run.tile(0, 0, number) for number in range(tiles + 1)]))
    await run.clocking.cycles(2 * tiles)
    await arrive(run)
    await stand_still(run, "tile_wait_cycles", "result_wait_cycles")
    run.pace_all()
    await sent
    await run.settle()
