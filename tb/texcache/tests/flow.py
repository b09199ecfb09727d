# SPDX-License-Identifier: Apache-2.0
"""Back-pressure on every channel, stop and begin, slow and irregular memory."""

from typing import Any

import cocotb
import numpy as np

from models.texcache.address import geometry, line_of
from models.texcache.timing import compare_cycles
from tb.common.components.counters import in_time
from tb.common.components.pacing import ALWAYS, PATIENT, PATIENT_MEMORY, MemoryPacing, Pacing
from tb.common.components.testcase import testcase
from tb.texcache import plan
from tb.texcache.base import TexcacheSequence
from tb.texcache.items import LutItem
from tb.texcache.sequences import Distribution
from tb.texcache.shapes import Shapes

LOCAL = Distribution(textures=3, span=24)
SLOW = Pacing(run=2, pause=4)


@testcase()
async def result_back_pressure(run: TexcacheSequence) -> None:
    """The consumer takes results now and then: hits and misses wait, nothing is lost."""
    for pacing in (Pacing(1, 1), SLOW, Pacing(10, 40), Pacing(1, 9)):
        run.pace(pacing)
        await run.send(LOCAL.draw(run.cfg, run.rng, max(40, run.count // 8)))


@testcase()
async def counters_in_time(run: TexcacheSequence) -> None:
    """A counter shows an event two cycles after it, in each cycle of many."""
    run.hold()
    await run.send(LOCAL.draw(run.cfg, run.rng, 1))
    await in_time(run)
    run.pace(ALWAYS)


@testcase()
async def request_gaps(run: TexcacheSequence) -> None:
    """Requests with pauses between them."""
    for pacing in (Pacing(4, 1), SLOW, Pacing(1, 12)):
        await run.send(LOCAL.draw(run.cfg, run.rng, max(40, run.count // 10)), pacing)


@testcase()
async def dependent_requests(run: TexcacheSequence) -> None:
    """Each request depends on the answer before it, which it waits for: nothing overlaps."""
    texel = int(run.rng.integers(1 << 32))
    for _ in range(max(20, run.count // 40)):
        level = texel % run.cfg.levels
        u, v = (texel >> shift & run.cfg.max_side - 1 for shift in (4, 18))
        before = run.env.stops.in_flight
        await run.send([(texel >> 30, level, 0, 0, u, v)])
        run.expect("requests in flight", (0, 1), (before, run.env.stops.in_flight))
        answer = await run.transfer("res")
        response = await run.response()
        texel = run.cfg.streams["res"].unpack(answer.word)["texel3"]
        run.expect("texel", int(response.prediction.results["texel"][-1][3]), texel)


@testcase()
async def address_stalls(run: TexcacheSequence) -> None:
    """The memory is slow to take addresses."""
    for pacing in (Pacing(1, 1), SLOW, Pacing(1, 12)):
        run.env.pace_memory(MemoryPacing(address=pacing))
        await run.send(Distribution().draw(run.cfg, run.rng, max(40, run.count // 10)))
        await run.settle()


@testcase()
async def memory_stalls(run: TexcacheSequence) -> None:
    """Random latency and pauses between data beats."""
    for pacing in (MemoryPacing(jitter=60), MemoryPacing(beat=SLOW), MemoryPacing(200, SLOW, SLOW)):
        run.env.pace_memory(pacing)
        await run.send(LOCAL.draw(run.cfg, run.rng, max(40, run.count // 10)))
        await run.settle()


@testcase()
async def patient(run: TexcacheSequence) -> None:
    """Whoever takes something is ready only once it is offered: no valid waits for a ready."""
    run.pace(PATIENT)
    run.env.pace_memory(PATIENT_MEMORY)
    await run.send(LOCAL.draw(run.cfg, run.rng, max(40, run.count // 10)))


@testcase()
async def all_channels(run: TexcacheSequence) -> None:
    """Everything stalls at random at once."""
    for _ in range(6):
        paces = [Pacing(float(run.rng.integers(1, 12)), float(run.rng.integers(1, 8))) for _ in range(4)]
        run.pace(paces[0])
        run.env.pace_memory(MemoryPacing(int(run.rng.integers(80)), paces[1], paces[2]))
        await run.send(LOCAL.draw(run.cfg, run.rng, max(40, run.count // 10)), paces[3])


async def stop_by_results(run: TexcacheSequence, footprint: object, beats: int) -> None:
    """Fill the tag FIFO while no result is taken, look, let go."""
    run.hold()
    before, depth = len(run.env.stops.pauses), run.cfg.fifo.depth
    sending = cocotb.start_soon(run.send([footprint] * (2 * depth + 20)))
    while len(run.env.stops.pauses) == before or run.env.stops.in_flight < depth // beats:
        await run.clocking.cycles(1)
    await run.clocking.cycles(30)
    waiting = run.env.stops.in_flight * beats
    stages = 4 + compare_cycles(run.cfg)  # a footprint in each, beside the FIFO
    run.expect(f"{waiting} beats wait in FIFO and pipeline", True, depth <= waiting <= depth + stages * beats)
    run.expect("stop without begin", True, run.env.stops.stopped)
    run.pace(ALWAYS)
    while run.env.stops.stopped:
        await run.clocking.cycles(1)
    await sending
    await run.settle()


@testcase()
async def stop_begin(run: TexcacheSequence) -> None:
    """A full tag FIFO stops the requests; begin follows when all that waited has been served."""
    shapes = Shapes(run.cfg, run.table, run.rng)
    possible = plan.beats(run.cfg)
    for beats in [number for number in possible if number <= 2] or possible[:1]:
        await run.invalidate()
        await stop_by_results(run, shapes.of_beats(beats), beats)
    run.env.pace_memory(MemoryPacing(jitter=20 * run.cfg.fifo.depth))
    await run.invalidate()
    await run.send(Distribution().draw(run.cfg, run.rng, 6 * run.cfg.fifo.depth))


def missed_lines(run: TexcacheSequence, shapes: Shapes, hit: Any, bank: int) -> Any:
    """A footprint with a line in ``bank`` that misses behind ``hit``."""
    while True:
        missing = run.rng.choice(shapes.footprints)
        _, result = shapes.replay([hit, missing])
        if (result["valid"] & ~result["hit"] & (result["bank"] == bank)).any():
            return missing


@testcase()
async def miss_behind_full_fifo(run: TexcacheSequence) -> None:
    """A beat without a place in the tag FIFO changes no tag until it has one, whoever took the last one."""
    shapes = Shapes(run.cfg, run.table, run.rng)
    hit = shapes.of_beats(plan.beats(run.cfg)[0])
    for bank in range(run.cfg.banks):
        missed = missed_lines(run, shapes, hit, bank)
        for more in range(-2, 6):
            await run.invalidate()
            await run.answer(hit)
            run.hold()
            footprints = [hit] * (run.cfg.fifo.depth + more) + [missed] + [hit] * 2
            sending = cocotb.start_soon(run.send(footprints))
            await run.clocking.cycles(4 * len(footprints) + 40)
            run.pace(ALWAYS)
            await sending
            await run.settle()


@testcase()
async def data_fifo_full(run: TexcacheSequence) -> None:
    """As many lines on their way as the data FIFO has places, and no more."""
    run.env.pace_memory(MemoryPacing(jitter=30 * run.cfg.fifo.depth))
    shapes = Shapes(run.cfg, run.table, run.rng, Distribution(textures=8))
    await run.send(shapes.missing_most(4 * run.cfg.fifo.depth))
    await run.settle()
    run.expect("most lines outstanding", run.cfg.fifo.depth, run.env.axi["m_axi"].monitor.most_open)


def three(run: TexcacheSequence, beats: int) -> tuple[Any, Any, Any]:
    """Footprints of so many beats: the first hits behind the second; this and the last miss at once."""
    shapes = Shapes(run.cfg, run.table, run.rng)
    rows = shapes.rows(lambda _, results: results["beats"] == beats)
    while True:
        first, second, last = shapes.footprints[run.rng.choice(rows, 3)]
        _, missed, hit, after = shapes.replay([first, second, first, last])
        if (hit["hit"] == hit["valid"]).all() and not missed["hit"][0] and not after["hit"][0]:
            return first, second, last


@testcase()
async def wait_behind_held_result(run: TexcacheSequence) -> None:
    """The FIFO's head waits for its line while a held result has stopped what is before it: that counts."""
    beats = plan.beats(run.cfg)[0]
    behind, ahead, last = three(run, beats)
    run.env.latency.timing = None
    for hits in range(4):
        await run.invalidate()
        await run.answer(behind)
        run.hold()
        await run.send([ahead, *[behind] * hits])
        while not run.env.agents["res"].monitor.waiting:
            await run.clocking.cycles(1)
        await run.clocking.cycles(20)
        run.env.memory.hold("r")
        await run.send([last])
        await run.clocking.cycles(20)
        before = run.env.performance.counters()["memory_wait_cycles"]
        await run.clocking.cycles(20)
        waited = run.env.performance.counters()["memory_wait_cycles"] - before
        # the first of those behind the result is in the read stage, the next in the fill stage
        want = 20 if hits * beats <= 2 else 0
        run.expect(f"cycles that the head waited, {hits} hits before it", want, waited)
        run.pace(ALWAYS)
        await run.clocking.cycles(5 * beats * hits + 20)
        run.env.memory.release("r")
        await run.settle()


def line(run: TexcacheSequence, bank: int) -> int:
    """Any line of a bank."""
    cfg, rng = run.cfg, run.rng
    tag = int(rng.integers(1 << (cfg.cache.tag_bits - cfg.bank_bits - 1)))
    tag = tag << 1 if cfg.parity else tag * cfg.banks + bank
    return line_of(geometry(cfg), bank, int(rng.integers(cfg.cache.sets)), tag)


@testcase()
async def fills_beside_reads(run: TexcacheSequence) -> None:
    """Lines that have come while a result was held are written beside the reads of those before them."""
    cfg = run.cfg
    beats = plan.beats(cfg)[0] if cfg.lookup == "texel" or cfg.parity else 2
    count = min(cfg.fifo.depth, 32) // beats + 1
    levels = [level for level in range(cfg.levels) if not cfg.is_small(level)]
    entries = [(tex, level) for level in levels for tex in range(cfg.textures)][:count]
    for turns in (1, 2)[: cfg.banks]:
        await run.settle()
        await run.invalidate()
        tex, level = np.array(entries).T
        await run.play("lut", LutItem(cfg, tex, level, [line(run, n % turns) for n in range(count)]))
        run.hold()
        await run.send([(*entry, 1, 1, -9, -9) for entry in entries])
        await run.clocking.cycles(20)
        while run.env.bursts:
            await run.clocking.cycles(1)
        await run.clocking.cycles(20)
        run.pace(ALWAYS)
        await run.settle()
        offered = [result.cycle - result.waited for result in run.matched("res")[-count:]]
        # what was in the read stage had been written before; a single port is written between two reads
        want = beats + (turns == 1 and cfg.fill_port == "shared")
        run.expect("cycles between results", [want] * (count - 2), np.diff(offered).tolist()[1:])


@testcase(needs=lambda cfg: cfg.resume == "drained", why="begin when all has drained")
async def begin_waits_for_addresses(run: TexcacheSequence) -> None:
    """All has drained but a footprint whose addresses memory does not take: begin waits for it."""
    shapes, depth = Shapes(run.cfg, run.table, run.rng), run.cfg.fifo.depth
    hit, misses = shapes.of_beats(plan.beats(run.cfg)[0]), shapes.missing_most(8)
    run.env.latency.timing = None
    for extra in range(10):
        await run.invalidate()
        await run.answer(hit)
        run.hold()
        hits = depth // plan.beats(run.cfg)[0] - 2 + extra
        sending = cocotb.start_soon(run.send([misses[0], *[hit] * hits, *misses[1:]]))
        await run.clocking.cycles(20)
        run.env.memory.hold("ar")
        await run.clocking.cycles(6 * depth)
        run.pace(ALWAYS)
        await run.clocking.cycles(6 * depth)
        run.env.memory.release("ar")
        await sending
        await run.settle()
