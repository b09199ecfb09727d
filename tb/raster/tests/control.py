# SPDX-License-Identifier: Apache-2.0
"""Resets, at any time, and nothing at all."""

from configs.raster.schema import LINES, POINTS, TRIANGLES
from models.raster import setup_cycles
from tb.common.components.pacing import ALWAYS
from tb.common.components.packing import columns, pack_words
from tb.common.components.request_tests import STREAM_RESETS, quiet, register
from tb.common.components.testcase import testcase
from tb.raster.base import RasterSequence
from tb.raster.items import SUBPIXEL, Distribution, begin, passed, vertices

ONE = SUBPIXEL
CORNERS = [(0, 0, 5), (9 * ONE, ONE, 1 << 30), (ONE, 9 * ONE, 7)]

register(__name__, RasterSequence, quiet, silent=True)
register(__name__, RasterSequence, *STREAM_RESETS, distribution=Distribution(window=24, size=12, passes=0.1))


@testcase()
async def reset_at_every_cycle(run: RasterSequence) -> None:
    """A reset in each cycle of the way of each kind of primitive; then a point, then more."""
    long = setup_cycles(run.cfg)
    for topology, words in (
        (TRIANGLES, vertices(CORNERS)),
        (LINES, vertices(CORNERS[:2])),
        (POINTS, [passed(1)]),
    ):
        length = long + 20 if topology != POINTS else 6
        near = range(1, 8), range(max(8, long - 4), length) if length > 8 else range(0)
        for after in (cycle for part in near for cycle in part):
            await run.send([begin(topology, 16, 16), *words])
            await run.clocking.cycles(after)
            await run.reset(1)
            await run.send([*vertices([(0, 0, 9)]), begin(topology, 16, 16), *words])
            await run.settle()


@testcase()
async def second_resets(run: RasterSequence) -> None:
    """A reset soon after a reset, with a word or two in between, while a word waits at the output or not."""
    for gap in range(1, 12):
        for hold in (False, True):
            if hold:
                run.hold()
            await run.send([begin(POINTS, 9, 9), *vertices(CORNERS[:2])])
            await run.clocking.cycles(3)
            await run.reset(1)
            await run.send(vertices([(0, 0, 3)]))
            await run.clocking.cycles(gap)
            await run.reset(2)
            run.pace(ALWAYS)
            await run.send(vertices([(0, 0, 4)]))
            await run.settle()


@testcase()
async def reset_while_held(run: RasterSequence) -> None:
    """A reset while a word waits and the walk stands still: neither comes afterwards."""
    for topology, words in (
        (TRIANGLES, vertices(CORNERS)),
        (LINES, vertices(CORNERS[:2])),
        (POINTS, [passed(3)] * 2),
    ):
        run.hold()
        await run.send([begin(topology, 16, 16), *words])
        await run.clocking.cycles(setup_cycles(run.cfg) + 20)
        await run.reset(1)
        run.pace(ALWAYS)
        await run.clocking.cycles(setup_cycles(run.cfg) + 20)
        await run.send([begin(topology, 16, 16), *words])
        await run.settle()


@testcase()
async def offered_in_resets(run: RasterSequence) -> None:
    """A word that is offered in the one cycle of a reset, and only there, is not taken."""
    stream, driver = run.cfg.streams["vtx"], run.env.agents["vtx"].driver
    for _ in range(max(30, run.count // 10)):
        drawn = run.draw(10)
        await run.send_records(drawn[:4])
        await run.clocking.cycles(int(run.rng.integers(2, 8)))
        driver.offer(pack_words(stream, columns(drawn[int(run.rng.integers(5)) :][:1]))[0])
        await run.reset(1)
        driver.withdraw()
        await run.send_records(drawn[5:])
