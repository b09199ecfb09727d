# SPDX-License-Identifier: Apache-2.0
"""Cycles: the page's table from a rest, the highest rates, and what back-pressure does."""

from itertools import pairwise

from configs.raster.schema import LINES, POINTS, TRIANGLES
from models.raster import setup_cycles
from tb.common.components.pacing import ALWAYS
from tb.common.components.testcase import testcase
from tb.raster.base import RasterSequence
from tb.raster.items import SUBPIXEL, begin, passed, vertices

ONE = SUBPIXEL


@testcase()
async def cycles(run: RasterSequence) -> None:
    """From the word that completes a primitive to its first word and its last, as the page has them."""
    long = setup_cycles(run.cfg)
    corners = [(0, 0), (9 * ONE, 0), (0, 9 * ONE)]
    slow = run.cfg.walk == "serpentine" and run.cfg.emit == "visited"
    cases = (
        ("a point", POINTS, vertices(corners[:1]), 2 + 4, 2 + 4),
        ("a passed word", POINTS, [passed(1)], 2 + 4, 2 + 4),
        ("a line of 9 pixels", LINES, vertices(corners[:2]), long + 4 + 4, long + 4 + 9),
        ("a triangle of 3 x 3 tiles", TRIANGLES, vertices(corners), long + 4, long + 4 + (8 if slow else 6)),
    )
    for what, topology, words, first, last in cases:
        await run.send([begin(topology, 16, 16)])
        await run.settle()
        await run.send(words)
        await run.settle()
        taken = run.env.scoreboard.latest
        matched = run.env.scoreboard.by_name["tile"].matched
        came = [transfer.cycle - taken for transfer in matched if transfer.cycle > taken]
        run.expect(f"{what}: first word, last word", (first, last), (came[0], came[-1]))


@testcase()
async def maximum_rate(run: RasterSequence) -> None:
    """A point in three cycles; triangles at the pace of the set-up, or of the walk; tiles without a pause."""
    long = setup_cycles(run.cfg)
    small = [(ONE, ONE), (3 * ONE, ONE), (ONE, 3 * ONE)]
    side = 4 * 8 * ONE
    large = [(0, 0), (side, 0), (0, side)]
    for topology, corners, count, pace in ((POINTS, small[:1], 30, 3), (TRIANGLES, small, 6, long + 3)):
        await run.send([begin(topology, 32, 32), *vertices(corners * count)])
        await run.settle()
        matched = [transfer.cycle for transfer in run.env.scoreboard.by_name["tile"].matched[-count:]]
        run.expect("cycles between primitives", {pace}, {b - a for a, b in pairwise(matched)})
    await run.send([begin(TRIANGLES, 32, 32), *vertices(large * 4)])
    await run.settle()


@testcase()
async def held(run: RasterSequence) -> None:
    """The consumer holds each word of a scene, for a while that is different each time."""
    corners = [(0, 0), (9 * ONE, 0), (0, 9 * ONE)]
    scene = [begin(TRIANGLES, 16, 16), *vertices(corners), begin(LINES, 16, 16), *vertices(corners[1:])]
    scene += [begin(POINTS, 16, 16), *vertices(corners), passed(2, 1, 2, 3), *vertices(corners)]
    for pause in (1, 2, 3, 7):
        sink = run.env.agents["tile"].sink
        sink.play(([False] * pause + [True]) * 300)
        await run.send(scene)
        run.pace(ALWAYS)
        await run.settle()


@testcase()
async def full(run: RasterSequence) -> None:
    """Nothing is taken while set-up, walk, pixels and register are full; then all goes on as it was."""
    run.hold()
    await run.send([begin(POINTS, 16, 16), *vertices([(0, 0, 1), (ONE, 0, 2), (0, ONE, 3), (ONE, ONE, 4)])])
    driver = run.env.agents["vtx"].driver
    await run.clocking.cycles(20)
    run.expect("taken", 5, run.env.scoreboard.words)
    run.expect("ready", 0, int(run.bench.dut.vtx_ready.value))
    run.expect("loaded", False, driver.loaded)
    run.pace(ALWAYS)
    await run.send(vertices([(0, 0, 5)]))
    await run.settle()
