# SPDX-License-Identifier: Apache-2.0
"""Widths: every entry of the mip ROM, coordinates and gradients bit by bit, carries of addresses, aliases."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from models.texunit.address import RGB8, TABLE_BYTES, TEXEL_BYTES, mip_offset, mips, texture_bytes
from tb.common.components.aliases import alias_rounds
from tb.common.components.testcase import testcase
from tb.texunit.base import TexunitSequence
from tb.texunit.items import ONE, primitive, quads_at

LEVELS = 8  # the last one that a quad can reach
LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1  # coordinates


class NearMemory(TexunitSequence):
    """With a memory that answers at once: what is read counts here, not when."""

    def answer_at_once(self) -> None:
        """No latency from now on."""
        self.env.memory.set_timing(MemoryTiming(latency=1))


def around_powers(bits: int) -> NDArray[np.int64]:
    """0, and one less than each power of two below 2 ** ``bits``, it, and one more; all with both signs."""
    powers = (1 << np.arange(bits, dtype=np.int64))[:, None] + np.array([-1, 0, 1])
    return np.unique(np.concatenate([powers.ravel(), -powers.ravel()]))


def at_level(prim: Any, level: int, u: float, v: float) -> NDArray[Any]:
    """One quad, one pixel: a place of the texture on a level of its own."""
    quads = quads_at([(u, v)], valid=1)
    longer = int(prim["log2h"] > prim["log2w"])
    quads["uv"][0, 1, longer] += ONE << level >> int(max(prim["log2w"], prim["log2h"]))
    return quads


async def every_level(run: NearMemory, turn: int) -> None:
    """Of each size, square and not, each level: first texel, last, or one in between; the formats in turn."""
    sides = range(run.cfg.max_log2 + 1)
    for log2w in sides:
        for log2h in sides:
            kind = (log2w + 2 * log2h + turn) % 4
            most = (1 << run.cfg.cache.line_bits) - texture_bytes(log2w, log2h, kind) // 16
            prim = primitive(base=int(run.rng.integers(most)), log2w=log2w, log2h=log2h, format=kind)
            await run.begin(prim)
            levels = range(min(mips(log2w, log2h), LEVELS + 1))
            places = [(0.0, 0.0), (1 - 1 / ONE, 1 - 1 / ONE), tuple(run.rng.random(2))]
            await run.send(np.concatenate([at_level(prim, level, *places[level % 3]) for level in levels]))


@testcase()
async def every_mip(run: NearMemory) -> None:
    """Each level of each size, square and not: every entry of the ROM that a quad can reach."""
    run.answer_at_once()
    await every_level(run, 0)


@testcase()
async def coordinates(run: NearMemory) -> None:
    """Coordinates around each power of two and at the ends of their range, u and v apart, in every mode."""
    run.answer_at_once()
    values = np.clip(np.append(around_powers(32), [LOWEST, HIGHEST]), LOWEST, HIGHEST)
    values = np.append(values, values[: -len(values) % 4])
    most = run.cfg.max_log2
    for turn, (log2w, log2h) in enumerate(((most, 0), (3, most), (0, 4), (most, most))):
        for mode in range(3):
            prim = primitive(
                base=int(run.rng.integers(1 << 20)), log2w=log2w, log2h=log2h, mode_u=mode,
                mode_v=(mode + turn) % 3, bilinear=(mode + turn) % 2, max_lod=0, format=2 + turn % 2,
            )  # fmt: skip
            await run.begin(prim)
            quads = quads_at([(0, 0)] * (len(values) // 4))
            for axis in range(2):
                quads["uv"][:, :, axis] = run.rng.permutation(values).reshape(-1, 4)
            await run.send(quads)


@testcase()
async def gradients(run: NearMemory) -> None:
    """Differences around each power of two: to the right and down, in u, in v and in both, of either sign."""
    run.answer_at_once()
    steps = around_powers(33)
    steps = steps[np.abs(steps) <= HIGHEST - LOWEST]
    for log2w, log2h in ((8, run.cfg.max_log2), (run.cfg.max_log2, 6)):
        await run.begin(primitive(base=321, log2w=log2w, log2h=log2h))
        for second in ([1, 3], [2, 3]):  # the pixels that lie further right, or further down
            for axes in ([0], [1], [0, 1]):
                quads = quads_at([(0, 0)] * len(steps), valid=1)
                quads["valid"][run.rng.random(len(steps)) < 0.2] = 15
                for axis in axes:
                    begin = run.rng.integers(
                        np.maximum(LOWEST, LOWEST - steps), np.minimum(HIGHEST, HIGHEST - steps) + 1
                    )
                    quads["uv"][:, :, axis] = begin[:, None]
                    quads["uv"][:, second, axis] += steps[:, None].astype(np.int32)
                await run.send(quads)


async def numbers(run: NearMemory, kind: int, first: int) -> None:
    """Texels beside each multiple of a power of two, and where the bytes before them are one."""
    chosen = set()
    for bit in range(4, 26):
        for edge in (1 << bit, -(-(1 << bit) // TEXEL_BYTES[kind]), 3 << bit >> 1):
            chosen |= {edge - 1, edge, edge + 1}
    prim = primitive(base=0, log2w=run.side, log2h=run.side, format=kind)
    await run.begin(prim)
    await run.send(np.concatenate([texel(run, prim, n) for n in sorted(chosen) if first <= n < run.texels]))


async def bases_of(run: NearMemory, kind: int, bit: int, first: int) -> None:
    """A texture whose colour table, or whose texel, lies across a multiple of 2 ** ``bit`` bytes."""
    edge = (1 << bit) * (1 + 2 * int(run.rng.integers(4)))
    n = int(run.rng.integers(first + 16, run.texels))
    n -= (n - 10) % 16  # three bytes of this one lie in two lines, and so of that 5 before
    ahead = TABLE_BYTES[kind] + n * TEXEL_BYTES[kind]
    across = edge - ahead // 16 * 16 - 16 * (kind == RGB8)
    bases = [across]
    if TABLE_BYTES[kind]:
        bases.append(edge - 16 * int(run.rng.integers(1, TABLE_BYTES[kind] // 16)))
    for base in bases:
        line = (base >> 4) & ((1 << run.cfg.cache.line_bits) - 1)
        prim = primitive(base=line, log2w=run.side, log2h=run.side, format=kind)
        await run.begin(prim)
        near = (first, n - 16, n - 5, n - 1, n, n + 1, n + 6)
        await run.send(np.concatenate([texel(run, prim, k) for k in near if k < run.texels]))


def texel(run: NearMemory, prim: Any, n: int) -> NDArray[Any]:
    """The quad that samples texel ``n``, counted from the start of the mips."""
    level = next(k for k in range(run.side + 1) if 16 * mip_offset(run.side, run.side, k) <= n)
    side = run.side - level
    tile, place = divmod(n - 16 * mip_offset(run.side, run.side, level), 16)
    row, column = divmod(tile, max(1, (1 << side) // 4))
    x, y = 4 * column + place % 4, 4 * row + place // 4
    return at_level(prim, level, (x + 0.5) / (1 << side), (y + 0.5) / (1 << side))


@testcase()
async def carries(run: NearMemory) -> None:
    """Sums that make an address: a carry into each bit of texel number, three times it, table and base."""
    run.answer_at_once()
    run.side = run.cfg.max_log2
    run.texels = texture_bytes(run.side, run.side, RGB8) // 3
    first = 16 * mip_offset(run.side, run.side, min(LEVELS, run.side))  # texel that a quad can reach
    for kind in range(4):
        await numbers(run, kind, first)
        for bit in range(5, run.cfg.cache.address_bits + 1):
            await bases_of(run, kind, bit, first)


@testcase()
async def aliases(run: NearMemory) -> None:
    """Lines that differ in one bit of tag or set index, in every way: none is taken for the other."""
    run.answer_at_once()
    for lines in alias_rounds(run.cfg.cache, run.rng):
        for number, line in enumerate(lines):
            await run.begin(primitive(base=line, invalidate=int(not number)))
            await run.send(quads_at([(0.5, 0.5)], valid=1))
