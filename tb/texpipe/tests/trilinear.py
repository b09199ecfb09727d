# SPDX-License-Identifier: Apache-2.0
"""Two levels mixed: fractions, the levels they belong to, what the cache has of both, resets between them."""

from itertools import product

import cocotb
import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.texunit.schema import mixes
from models.texpipe.levels import level_of
from tb.common.components.testcase import testcase
from tb.texpipe.base import TexpipeSequence
from tb.texunit.items import ONE, primitive, quads_at

NEED = "a trilinear filter"
SIDE = 8  # log2: a step of 1/65536 is 1/256 texel
OUTCOMES = ("hit", "miss", "error")


def at_lod(prim: np.void, lod: float, u: float, v: float, valid: int = 1) -> NDArray[np.void]:
    """A quad at a level of detail: a step to the right so long, none down."""
    quads = quads_at([(u, v)], valid=valid)
    quads["uv"][:, 1::2, 0] += round(2.0**lod * ONE / 2.0 ** prim["log2w"])
    return quads


@testcase(mixes, NEED)
async def fractions(run: TexpipeSequence) -> None:
    """Every level with every fraction, from the shortest step that has it; steps that saturate."""
    run.env.memory.set_timing(MemoryTiming(latency=1))
    prim = primitive(base=77, log2w=SIDE, log2h=SIDE, bilinear=1, trilinear=1)
    lods = np.arange(8 * 256)
    squares = 2.0 ** (lods // 128) * (1 + lods % 128 / 128)  # of the step, in texels
    steps = np.ceil(np.sqrt(squares) * 256).astype(np.int64)
    quads = np.repeat(quads_at([(0.3, 0.4)], valid=1), len(steps))
    quads["uv"][0::2, 1, 0] += steps[0::2]
    quads["uv"][1::2, 2, 1] -= steps[1::2]
    both = np.repeat(quads[:1], 64)
    both["uv"][:, 1] = both["uv"][:, 0] + run.rng.integers(-3000, 3000, (64, 2))
    steep = np.repeat(quads[:1], 3)
    steep["uv"][:, 1, 0] = (1 << 16) - 1 + np.array([ONE, 1 << 20, 1 << 30])
    await run.begin(prim)
    for some in (quads, both, steep):
        await run.send(some)
    levels = {level_of(prim, quad, True) for quad in quads}
    run.expect("levels with fractions", True, len(levels) > 1950)
    run.expect("fractions", set(range(256)), {fraction for _, fraction in levels})
    run.expect("the steepest", (7, 255), level_of(prim, steep[2], True))


@testcase(mixes, NEED)
async def last_level(run: TexpipeSequence) -> None:
    """A pixel is one beat if it is magnified, exactly on a level, or on the last one; else it is two."""
    handed = run.env.flights[0].handed
    for last in range(SIDE + 1):
        prim = primitive(base=77, log2w=SIDE, log2h=5, max_lod=last, bilinear=last % 2, trilinear=1)
        await run.begin(prim)
        for lod in (-3, -0.1, 0, 0.25, 0.5, 1, 1.75, 2, 2.5, 3.9, 4, 5.5, 6, 6.8, 7, 7.7):
            await run.settle()
            before = len(handed.get("beat", ()))
            await run.send(at_lod(prim, lod, 0.3, 0.6))
            await run.settle()
            levels = 2 if 0 < lod < last and lod % 1 else 1
            run.expect(f"beats at {lod} of {last}", levels, len(handed["beat"]) - before)


@testcase(mixes, NEED)
async def both_levels(run: TexpipeSequence) -> None:
    """Lines of either level are here, are read, or come with an error: all pairs, in each format."""
    run.env.memory.set_timing(MemoryTiming(latency=5))
    for turn, (kind, bilinear) in enumerate(product(range(4), (0, 1))):
        fields = {"base": 4000 + 999 * turn, "log2w": 6, "log2h": 6, "format": kind, "bilinear": bilinear}
        prim = primitive(**fields, trilinear=1)
        quad = at_lod(prim, 1.6, 0.3 + turn / 50, 0.7)
        for wanted in product(OUTCOMES, repeat=2):
            await run.settle()
            await run.begin(primitive(base=0, invalidate=1))
            lines = run.lines_of(prim, quad[0])
            run.env.poison([lines[n][turn % len(lines[n])] for n in range(2) if wanted[n] == "error"])
            for level in (n for n in range(2) if wanted[n] == "hit"):
                await run.begin(primitive(**fields))
                await run.send(at_lod(prim, 1.25 + level, 0.3 + turn / 50, 0.7))
            await run.begin(prim)
            await run.send(np.repeat(quad, 2))
            await run.settle()
            run.env.heal()


@testcase(mixes, NEED)
async def mixed_formats(run: TexpipeSequence) -> None:
    """Every format, filter and wrap mode on two levels; sides that end before the level does."""
    run.env.memory.set_timing(MemoryTiming(latency=3))
    near = [-1.01, -0.5, -0.001, 0.0, 0.26, 0.5, 0.99, 1.0, 1.49, 2.001]
    for turn, (kind, (log2w, log2h)) in enumerate(product(range(4), ((4, 4), (5, 2), (1, 6), (3, 0)))):
        for mode in range(9):
            prim = primitive(
                base=(1 << run.cfg.cache.line_bits) - 900 * turn - 400, log2w=log2w, log2h=log2h,
                mode_u=mode // 3, mode_v=mode % 3, format=kind, bilinear=(turn + mode) % 2, trilinear=1,
            )  # fmt: skip
            await run.begin(prim)
            v = run.rng.permutation(near)
            for place, lod in zip(zip(near, v, strict=True), np.linspace(0.1, 3.3, 10), strict=True):
                await run.send(at_lod(prim, lod, *place, 15))


@testcase(mixes, NEED)
async def every_pair(run: TexpipeSequence) -> None:
    """Each size, square and not, each level that can be the first of two: where the second mip begins."""
    run.env.memory.set_timing(MemoryTiming(latency=1))
    sides = range(run.cfg.max_log2 + 1)
    for log2w, log2h in product(sides, sides):
        base = int(run.rng.integers(1 << 20))
        kind = (log2w + 2 * log2h) % 4
        prim = primitive(base=base, log2w=log2w, log2h=log2h, format=kind, trilinear=1)
        levels = range(min(max(log2w, log2h), 8))
        if levels:
            await run.begin(prim)
            u, v = run.rng.random(2)
            await run.send(np.concatenate([at_lod(prim, level + 0.4, u, v) for level in levels]))


@testcase(mixes, NEED)
async def levels_in_a_row(run: TexpipeSequence) -> None:
    """Quads of one level and of two in a row, whole, in part and empty, of one primitive and of others."""
    run.env.memory.set_timing(MemoryTiming(latency=20))
    for _ in range(60):
        prim = primitive(
            base=640, log2w=6, log2h=6, bilinear=int(run.rng.integers(2)),
            trilinear=int(run.rng.random() < 0.7), max_lod=int(run.rng.integers(3, 7)),
        )  # fmt: skip
        await run.begin(prim)
        lods = run.rng.choice([-1.0, 0.3, 1.0, 1.9, 2.5], 5)
        valid = run.rng.choice([0, 1, 6, 8, 15], 5)
        places = run.rng.random((5, 2))
        quads = [at_lod(prim, lod, u, v, some) for lod, (u, v), some in zip(lods, places, valid, strict=True)]
        await run.send(np.concatenate(quads))


@testcase(lambda cfg: cfg.trilinear and cfg.fifo.depth >= 16, "a trilinear filter, FIFOs across the clocks")
async def mixed_rate(run: TexpipeSequence) -> None:
    """A pixel of two levels takes two cycles of each stage, one of one level a cycle."""
    prim = primitive(base=640, log2w=5, log2h=5, bilinear=1, trilinear=1)
    await run.begin(prim)
    gpu, tex = run.cfg.clocks["gpu_clk"], run.cfg.clocks["tex_clk"]
    for valid, lod, per_quad in ((15, 1.5, 8.0), (3, 0.1, 4.0), (1, 1.5, 2.0), (15, 1.0, 4.0)):
        quad = at_lod(prim, lod, 0.3, 0.3, valid)
        await run.send(quad)
        await run.settle()
        handed = run.env.flights[0].handed
        first = {name: len(cycles) for name, cycles in handed.items()}
        count, beats = 100, valid.bit_count() * (2 if lod % 1 else 1)
        await run.send(np.repeat(quad, count))
        await run.settle()
        for name in ("pixel_out", "beat", "read"):
            cycles = np.array(handed[name][first[name] :])
            run.expect(f"handshakes {name} at {lod}", count * beats, len(cycles))
            middle = cycles[10 * beats : -10 * beats]
            rate = float(middle[-1] - middle[0]) / (len(middle) - 1) * beats
            most = max(per_quad, gpu / tex) + 0.02 * beats
            run.expect(f"{name}: {rate:.2f} cycles a quad, at most {most:.2f}", True, rate <= most)


@testcase(mixes, NEED)
async def reset_between_levels(run: TexpipeSequence) -> None:
    """A reset in each cycle of the way of pixels of two levels: what comes behind is not mixed with them."""
    prim = primitive(base=640, log2w=5, log2h=5, bilinear=1, trilinear=1)
    mixed, single = at_lod(prim, 1.5, 0.2, 0.3, 15), at_lod(prim, 1.0, 0.6, 0.1, 15)
    for cycles in range(1, 60):
        await run.begin(prim)
        await run.send(mixed)
        await run.settle()
        sending = cocotb.start_soon(run.send(np.repeat(mixed, 3)))
        await run.clocking.cycles(cycles)
        await run.reset(1 + cycles % 2, side=("both", "gpu", "tex")[cycles % 3])
        await run.begin(prim)
        await sending
        await run.send(np.concatenate([single, mixed, single]))
        await run.settle()
