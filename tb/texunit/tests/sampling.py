# SPDX-License-Identifier: Apache-2.0
"""Levels, wrap modes, formats and filtering: the places where samplers go wrong."""

from itertools import product

import numpy as np

from models.texunit import lod_of
from tb.common.components.testcase import testcase
from tb.texunit.base import TexunitSequence
from tb.texunit.items import ONE, primitive, quads_at


@testcase()
async def levels(run: TexunitSequence) -> None:
    """Every level, its thresholds one step below and above, and gradients that saturate."""
    for fields in (
        {"log2w": 8, "log2h": 8},
        {"log2w": 8, "log2h": 5},
        {"log2w": 3, "log2h": 11, "max_lod": 4},
    ):
        prim = primitive(base=77, bilinear=0, **fields)
        await run.begin(prim)
        for axis, further, sign in product((0, 1), ((1, 3), (2, 3)), (1, -1)):
            size = fields["log2h" if axis else "log2w"]
            quads = quads_at([(0.1, 0.2)] * 40, valid=15 if (further, sign) == ((1, 3), 1) else 1)
            for i, level in enumerate(range(-1, 9)):
                edge = int(np.ceil(2.0 ** (level + 0.5) * ONE / 2.0**size))
                for j, step in enumerate((edge - 1, edge, edge + 1, 2 * edge)):
                    quads["uv"][4 * i + j, further, axis] += sign * min(step, (1 << 31) - 1 - ONE)
            await run.send(quads)
            levels = {lod_of(prim, quad) for quad in quads}
            run.expect("levels", True, len(levels) > min(4, int(prim["max_lod"])))
        steep = quads_at([(0, 0)] * 4)
        steep["uv"][0, 1:] = (1 << 31) - 1
        steep["uv"][1, 1:] = -(1 << 31)
        steep["uv"][2, 1, 0], steep["uv"][2, 0, 0] = (1 << 31) - 1, -(1 << 31)
        steep["uv"][3, 2, 1], steep["uv"][3, 0, 1] = -(1 << 31), (1 << 31) - 1
        await run.send(steep)
        run.expect("steepest level", min(8, int(prim["max_lod"])), max(lod_of(prim, quad) for quad in steep))
        await run.settle()


@testcase()
async def rows_and_columns(run: TexunitSequence) -> None:
    """Which row and column the level comes from, for every set of valid pixels, the empty one too."""
    prim = primitive(base=4096, log2w=9, log2h=9, bilinear=1)
    await run.begin(prim)
    for steps in ((1, 8, 2, 4), (16, 1, 64, 2), (2, 32, 1, 128)):
        quads = np.repeat(quads_at([(0.3, 0.4)]), 16)
        top, bottom, left, right = (step * ONE // 512 for step in steps)
        quads["valid"] = np.arange(16)
        quads["uv"][:, 1, 0] += top
        quads["uv"][:, 3, 0] += bottom
        quads["uv"][:, 2, 1] += left
        quads["uv"][:, 3, 1] += right
        await run.send(quads)


@testcase()
async def wrap_modes(run: TexunitSequence) -> None:
    """Each mode in u and v at and around every edge, negative, at exactly 1.0 and far away; down to 1 x n."""
    for log2w, log2h in ((3, 3), (0, 4), (5, 0), (0, 0), (1, 2), (2, 11), (11, 2)):
        for mode in range(9):
            prim = primitive(
                base=int(run.rng.integers(1 << 20)), log2w=log2w, log2h=log2h, mode_u=mode // 3,
                mode_v=mode % 3, bilinear=mode % 2, max_lod=0,
            )  # fmt: skip
            await run.begin(prim)
            near = [-2, -1, 0, 1, 2]
            fine = [-0.75, -0.5, -1 / 256, 0, 1 / 512, 0.5, 1]
            u = [n + f / (1 << log2w) for n in near for f in fine]
            v = [n + f / (1 << log2h) for n in near for f in fine]
            chosen = run.rng.permutation(len(v))
            await run.send(quads_at([(u[i], v[j]) for i, j in enumerate(chosen)]))
    await run.begin(primitive(base=1, log2w=4, log2h=4, mode_u=2, mode_v=0, bilinear=1))
    await run.send(quads_at([(-32768.0, 32767.99), (32767.99, -32768.0), (30000.5, -30000.25)]))


@testcase()
async def rounding(run: TexunitSequence) -> None:
    """Weights: every eighth bit of the coordinate, ties among them, on sides where they need rounding."""
    for log2 in range(9):
        await run.begin(primitive(base=99, log2w=log2, log2h=8 - log2, bilinear=1, max_lod=0))
        quads = quads_at([(0.5, 0.5)] * 64)
        steps = ONE >> log2 >> 8
        quads["uv"][:, :, 0] += np.arange(256).reshape(64, 4) * max(steps // 2, 1) + steps // 2
        quads["uv"][:, :, 1] += np.arange(256).reshape(64, 4)
        await run.send(quads)


@testcase()
async def formats(run: TexunitSequence) -> None:
    """All four formats on all levels; a texel of three bytes in two lines; tables of both sizes."""
    for kind in range(4):
        for bilinear in (0, 1):
            prim = primitive(
                base=(1 << run.cfg.cache.line_bits) - 40 - 70 * kind, log2w=4, log2h=3, format=kind,
                bilinear=bilinear, mode_u=kind % 3, mode_v=(kind + 1) % 3,
            )  # fmt: skip
            await run.begin(prim)
            places = [((x + 0.25) / 16, (y + 0.25) / 8) for y in range(0, 8, 2) for x in range(0, 16, 2)]
            await run.send(quads_at(places, 1 / 16))
            for level in range(1, 5):
                await run.send(quads_at([(0.1, 0.2), (0.6, 0.7)], 2.0**level / 16))
