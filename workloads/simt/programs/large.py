# SPDX-License-Identifier: Apache-2.0
"""Programs of ours whose code does not fit into the instruction cache, or into a set of it."""

from collections.abc import Sequence

import numpy as np

from workloads.simt.programs.program import Expected, Program, Space

Made = tuple[Sequence[int], Expected]
STEPS = 1700  # of unrolled.s
PASSES = 20  # that ways.s makes


def unrolled(space: Space, n: int, rng: np.random.Generator) -> Made:
    """A word for each thread, through n times 1,700 steps of xorshift."""
    words = rng.integers(1, 1 << 32, space.threads, np.uint32)
    address = space.place(words)
    for _ in range(n * STEPS):
        words = words ^ (words << np.uint32(13))
        words ^= words >> np.uint32(17)
        words ^= words << np.uint32(5)
    return (address, n), {"words": (address, words)}


def ways(space: Space, n: int, rng: np.random.Generator) -> Made:
    """A word for each thread, through n routines, 20 times."""
    words = rng.integers(0, 1 << 32, space.threads, np.uint32)
    address = space.place(words)
    for _ in range(PASSES):
        for routine in range(1, n + 1):
            words = words * np.uint32(9) + np.uint32(routine)
    return (address, n, PASSES), {"words": (address, words)}


PROGRAMS = (
    Program("unrolled", "40 KB of code in a straight line", unrolled, 2, "passes", 1, 1000),
    Program("ways", "calls of routines 2 KB apart, in one set of the icache", ways, 17, "routines", 1, 32),
)
