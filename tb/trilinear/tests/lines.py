# SPDX-License-Identifier: Apache-2.0
"""What a half does with its lines: tags, hits around the arrival of one, one asked for in each cycle."""

from itertools import count, product

import numpy as np

from configs.texcache.schema import Config as Texcache
from configs.trilinear.schema import HALVES
from models.texcache.address import geometry, line_of
from models.texcache.timing import compare_cycles, fifo_latency, fill_cycles, hit_latency
from tb.common.components.requests import latencies
from tb.common.components.testcase import testcase
from tb.texcache.shapes import nearly_alike
from tb.trilinear.base import TrilinearSequence, invalidate, sample, write
from tb.trilinear.reference import ADDRESS


@testcase(lambda cfg: cfg.half.textures > cfg.half.cache.ways, "more textures than ways")
async def tag_bits(run: TrilinearSequence) -> None:
    """Every bit of a tag counts in every way of either half: a line that differs in one alone is another."""
    for level in run.smallest:
        for lines in nearly_alike(run.cfg.half, run.rng):
            entries = list(enumerate(lines.tolist()))
            await run.send([invalidate(), *(write(tex, level, line) for tex, line in entries)])
            await run.send([sample(level, (0, 0), tex=tex) for tex, _ in entries])


def answered(half: Texcache, taken: int, before: int) -> int:
    """The cycle of a hit's result, behind one in cycle ``before``: straight, or through the FIFOs.

    The result before leaves them a cycle earlier than it is offered; from then on a hit goes straight.
    """
    if taken + compare_cycles(half) >= before:
        return taken + hit_latency(half, 1)
    return max(before + 1, taken + fifo_latency(half, 1))


@testcase(lambda cfg: cfg.half.textures > 2, "three textures")
async def hit_at_each_distance(run: TrilinearSequence) -> None:
    """A hit around the arrival of a line before it, and soon another: none is lost, overtakes, or waits."""
    geo, tags = geometry(run.cfg.half), count(1)
    half = run.cfg.half
    alone = fifo_latency(half, 1) + fill_cycles(half, run.cfg.memory)
    for level in run.smallest:
        miss, *hits = (sample(level, (0, 0), tex=tex) for tex in range(3))
        there = [write(tex, level, line_of(geo, 0, tex - 1, 2)) for tex in (1, 2)]
        await run.results(*there, *hits)
        for distance, gap in product(range(max(1, alone - 9), alone + 2), range(1, 6)):
            requests = [write(0, level, line_of(geo, 1, 0, 2 * next(tags))), miss, *hits]
            responses = await run.answers(run.send_spaced(requests, [0, 0, distance - 1, gap - 1]))
            first = answered(half, distance, alone)
            second = answered(half, distance + gap, first)
            run.expect(
                f"cycles of a miss, a hit {distance} behind it and another one {gap} behind that",
                [alone, first - distance, second - distance - gap],
                latencies(responses)[1:],
            )


@testcase(lambda cfg: cfg.half.level_side(1) >= 4 * cfg.half.line_texels, "four lines in a row")
async def one_line_each(run: TrilinearSequence) -> None:
    """Samples of one half miss a line each: in each cycle one is taken, and a line is asked for."""
    steps = np.arange(4)
    for level, half in enumerate(HALVES):
        # above the edge both rows are the first one
        missing = [sample(level, (run.cfg.half.line_texels * n, -4), modes=(1, 1)) for n in steps.tolist()]
        await run.results(invalidate())
        before = len(run.matched(half))
        responses = await run.answers(run.send(missing))
        taken = [transfer.cycle for response in responses for transfer in response.taken]
        addresses = [address.cycle for address in run.matched(half)[before:]]
        wanted = [(taken[0] + steps).tolist(), (taken[0] + ADDRESS + steps).tolist()]
        run.expect("cycles of requests and of addresses", wanted, [taken, addresses])
