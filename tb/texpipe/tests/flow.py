# SPDX-License-Identifier: Apache-2.0
"""Back-pressure on every channel, primitives in flight, how far tags run ahead, a quiet unit."""

import cocotb
import numpy as np

from configs import MemoryTiming
from configs.texpipe.schema import PRIMS
from tb.common.components.pacing import ALWAYS
from tb.common.components.testcase import register, testcase
from tb.texpipe.base import LEVELS, PLACES, TexpipeSequence
from tb.texunit.items import Distribution, primitive, quads_at
from tb.texunit.tests import flow

SMALL = Distribution(log2=(2, 6), lods=(-2, 1))


register(__name__, TexpipeSequence, flow.quiet, flow.request_gaps, flow.memory_stalls, flow.patient)


@testcase()
async def results_held(run: TexpipeSequence) -> None:
    """A consumer that holds results fills the unit to the brim; then all comes out, in order."""
    for valid in (1, 15, 0):
        await run.begin(run.prim())
        await run.lines([0])
        await run.settle()
        run.hold()
        most = 8 * (run.cfg.ahead.depth + 4 * run.cfg.fifo.depth + 64)
        sending = cocotb.start_soon(run.send(run.quads([0] * most, valid)))
        await run.clocking.cycles(4 * most // 8 + 400)
        held = run.env.flights[0].quads_in_flight
        await run.clocking.cycles(400)
        run.expect("quads taken while held", held, run.env.flights[0].quads_in_flight)
        run.expect("quads that fit", True, 2 * run.cfg.fifo.depth < held < most)
        run.pace(ALWAYS)
        await sending
        await run.settle()


@testcase()
async def primitives_in_flight(run: TexpipeSequence) -> None:
    """Primitives do not wait for quads of those before them, but for the fifth: and none is mistaken."""
    run.env.memory.set_timing(MemoryTiming(latency=400))
    for turn in range(3):
        prims = [
            primitive(
                base=1000 * n + 37 * turn,
                log2w=3 + n % 4,
                log2h=5 - n % 3,
                format=n % 2,
                mode_u=n % 3,
                mode_v=(n + turn) % 3,
                bilinear=n % 2,
                max_lod=n % 3,
            )
            for n in range(2 * PRIMS)
        ]
        before = len(run.responses)
        for prim in prims:
            await run.begin(prim)
            await run.send(quads_at([(0.3, 0.4)], 0.07))
        if not turn:
            run.expect("quads answered before all primitives were taken", before, len(run.responses))
        await run.settle()
    for _ in range(60):  # one quad each, or none
        await run.begin(SMALL.prim(run.cfg, run.rng, invalidate=0))
        if run.rng.random() < 0.7:
            await run.send(quads_at([tuple(run.rng.random(2))], 0.02))


@testcase()
async def primitive_and_quad_at_once(run: TexpipeSequence) -> None:
    """Both offered at once: the primitive goes first, and the quad is of it."""
    for n in range(40):
        prim = primitive(base=2000 + 64 * n, log2w=4, log2h=4, format=n % 4, bilinear=n % 2)
        task = cocotb.start_soon(run.begin(prim))
        await run.send(quads_at([(0.1 * n, 0.3)], 0.06))
        await task
        await run.clocking.cycles(int(run.rng.integers(1, 30)))


@testcase()
async def number_in_use(run: TexpipeSequence) -> None:
    """A primitive does not get the number of one that 16 quads before the cache still need."""
    for turn in range(PRIMS):
        await run.settle()
        run.env.memory.hold("r")
        await run.begin(run.prim())
        room = run.cfg.ahead.depth + 2  # all that the look-up and what is behind it hold
        await run.send(run.quads([4000 + 8 * turn] * room))
        await run.clocking.cycles(room + 100)
        await run.begin(primitive(base=900 + turn, log2w=4, log2h=3, format=1, bilinear=1))
        await run.send(quads_at([tuple(run.rng.random(2)) for _ in range(16)], valid=1))
        for n in range(PRIMS):  # the last one would have the number of the one with quads
            await run.begin(primitive(base=77 * n, log2w=2 + n, log2h=5, format=n % 2))
        await run.clocking.cycles(100)
        run.in_setup(1)
        run.env.memory.release("r")
        await run.send(quads_at([(0.1, 0.7)], 0.05))
        await run.begin(SMALL.prim(run.cfg, run.rng, invalidate=0))  # the next turn has another number


async def alone(run: TexpipeSequence, lines: list[int]) -> None:
    """Pixels in these lines, and a primitive that invalidates: it waits."""
    await run.lines(lines)
    await run.begin(run.prim(invalidate=1))
    await run.clocking.cycles(len(lines) + 150)
    run.in_setup(1)


@testcase()
async def alone_behind_quads(run: TexpipeSequence) -> None:
    """A primitive that must be alone waits for all quads before it: each bit of their number counts."""
    run.env.memory.set_timing(MemoryTiming(latency=1))
    await run.begin(run.prim())
    await run.lines([0])
    for inside in (1, 2, 4, 8, 16, 32, 57):
        await run.settle()
        run.hold()
        await alone(run, [0] * (run.cfg.fifo.depth + inside))
        run.pace(ALWAYS)
        await run.lines([0])
    for inside in (64, 128):
        if inside <= run.cfg.ahead.depth:
            await run.settle()
            run.env.memory.hold("r")
            await alone(run, [8] * inside)
            run.env.memory.release("r")
            await run.lines([0])


@testcase(lambda cfg: cfg.ahead.depth >= 256, "room for 256 quads behind a line")
async def unit_full_of_quads(run: TexpipeSequence) -> None:
    """With 256 quads in the unit a primitive waits that must not come while there is one."""
    for turn, bases in enumerate(([], [500 + 64 * number for number in range(run.cfg.tables)])):
        theirs, *others = [run.prim(format=2, base=base) for base in bases] or [run.prim()]
        for prim in (theirs, *others, theirs):  # now the turn is that of their slot
            await run.begin(prim)
        await run.settle()
        if turn:
            run.hold()
        else:
            run.env.memory.hold("r")
        left = turn * (run.cfg.fifo.depth + PLACES)  # the unit already
        single, whole = ([4000 + 8 * turn] * count for count in (236 + left, 20))
        await run.send(run.quads(single))
        await run.send(run.quads(whole, valid=15))  # some of these wait before the look-up
        for prim in others[-1:]:  # it is there, and their slot is not the last used any more
            await run.begin(prim)
        await run.begin(run.prim(format=2, base=9000) if turn else run.prim(invalidate=1))
        await run.clocking.cycles(400)
        run.in_setup(1)
        run.env.memory.release("r")
        run.pace(ALWAYS)
        await run.lines([4000 + 8 * turn, 3])


async def hold_pixels(run: TexpipeSequence, lines: list[int]) -> tuple[int, int]:
    """Take no results of pixels in these lines: how many are read, and lines asked for, meanwhile."""
    await run.settle()
    flight, reads = run.env.flights[0], run.env.reads
    before = len(flight.handed["read"]), reads.compared
    run.hold()
    sending = cocotb.start_soon(run.lines(lines))
    await run.clocking.cycles(2 * len(lines) + 200)
    ahead = len(flight.handed["read"]) - before[0], reads.compared - before[1]
    run.pace(ALWAYS)
    await sending
    await run.settle()
    return ahead


@testcase()
async def ahead_while_held(run: TexpipeSequence) -> None:
    """Results are held: tags run ahead behind a hit that cannot be read, as behind a pixel that misses."""
    run.env.memory.set_timing(MemoryTiming(latency=1))
    await run.begin(run.prim())
    await run.lines([0])
    read, _ = await hold_pixels(run, [0] * (run.cfg.fifo.depth * 3 + 100))
    hits = [0] * read
    run.expect("read, asked for behind a hit", (read, 3), await hold_pixels(run, [*hits, 0, 101, 202, 303]))
    run.expect("behind a miss", (read, 3), await hold_pixels(run, [*hits, 404, 0, 505, 606]))


@testcase(lambda cfg: cfg.fifo.depth >= 16, "FIFOs that reach across the clocks")
async def stage_rates(run: TexpipeSequence) -> None:
    """Each stage takes something new in each cycle: levels of quads, pixels, look-ups, reads."""
    await run.begin(run.prim(bilinear=1))
    await run.send(run.quads([0, 5], 15))
    await run.settle()
    gpu, tex = run.cfg.clocks["gpu_clk"], run.cfg.clocks["tex_clk"]
    for valid, per_quad in ((1, gpu / tex), (15, 4.0), (3, 2.0), (0, gpu / tex)):
        count = 120
        flight = run.env.flights[0]
        first = {name: len(cycles) for name, cycles in flight.handed.items()}
        await run.send(run.quads([0] * count, valid))
        await run.settle()
        for name, pixels in (("quad_out", 1), ("pixel_out", None), ("beat", None), ("read", None)):
            each = max(1, bin(valid).count("1")) if pixels is None else pixels
            cycles = np.array(flight.handed[name][first.get(name, 0) :])
            run.expect(f"handshakes {name} of quads {valid:04b}", count * each, len(cycles))
            middle = cycles[20 * each : -20 * each]
            rate = float(middle[-1] - middle[0]) / (len(middle) - 1)
            run.expect(
                f"{name} of quads {valid:04b} every {per_quad / each:.2f} cycles, not {rate:.3f}",
                True, rate < per_quad / each + 0.02,
            )  # fmt: skip


@testcase()
async def queued_rates(run: TexpipeSequence) -> None:
    """Quads that have queued up behind a line go on in cycles that follow one another, empty ones too."""
    await run.begin(run.prim())
    for turn, valid in enumerate((1, 0)):
        await run.settle()
        run.env.memory.hold("r")
        await run.send(run.quads([8 * turn] * (run.most_pixels // 4), valid=15))
        await run.send(run.quads([8 * turn] * (1 + LEVELS), valid))
        await run.clocking.cycles(run.cfg.ahead.depth + 100)
        run.env.memory.release("r")
        await run.settle()
        for name in ("quad_out", "pixel_out", "beat", "read"):
            apart = np.diff(run.env.flights[0].handed[name][-LEVELS:]).tolist()
            run.expect(f"cycles between {name} of quads {valid:04b}", [1] * (LEVELS - 1), apart)


async def hold_hits(run: TexpipeSequence) -> None:
    """Take no results of hits, of which there are more than are read; an even number of them."""
    await run.settle()
    before, count = len(run.env.flights[0].handed["read"]), run.cfg.fifo.depth + PLACES + 20
    run.hold()
    sending = cocotb.start_soon(run.lines([0] * count))
    await run.clocking.cycles(2 * count + 200)
    read = len(run.env.flights[0].handed["read"]) - before
    run.expect("pixels read while results are held", run.cfg.fifo.depth + 1 + PLACES, read)
    run.pace(ALWAYS)
    await sending
    await run.settle()


@testcase()
async def read_while_held(run: TexpipeSequence) -> None:
    """While results are held exactly those pixels are read that have a place behind the cache."""
    run.env.memory.set_timing(MemoryTiming(latency=1))
    await run.begin(run.prim())
    await run.lines([0])
    await hold_hits(run)
    await run.lines([0])
    await hold_hits(run)
    run.hold()
    await run.lines([0] * (run.cfg.fifo.depth + 4))
    await run.clocking.cycles(100)
    await run.reset()
    run.pace(ALWAYS)
    await run.begin(run.prim())
    await run.lines([0])
    await hold_hits(run)
