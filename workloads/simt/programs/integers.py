# SPDX-License-Identifier: Apache-2.0
"""Programs on integers: sort, maximum, matrix multiply, loop, lines."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workloads.simt.programs.program import Expected, Program, Space

Made = tuple[Sequence[int], Expected]
#: The source's product (the figure with the factors is lost): it is that of this matrix and its transpose, a
#: reconstruction by us.
FACTOR = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [1, 3, 5, 7], [2, 4, 6, 8]], np.int32)
PRODUCT = np.array(
    [[0x1E, 0x46, 0x32, 0x3C], [0x46, 0xAE, 0x72, 0x8C], [0x32, 0x72, 0x54, 0x64], [0x3C, 0x8C, 0x64, 0x78]],
    np.int32,
)


def sort(space: Space, n: int, rng: np.random.Generator) -> Made:
    """Words of any sign; some of them are the same."""
    data = rng.integers(-2 * n, 2 * n, n, np.int32)
    address = space.place(data)
    return (address, n), {"data": (address, np.sort(data))}


def maximum(space: Space, n: int, rng: np.random.Generator) -> Made:
    """The largest one is there more than once in most cases."""
    data = rng.integers(-n, n // 4 + 1, n, np.int32)
    result = space.place(np.zeros(2, np.int32))
    expected = np.array([data.max(), data.argmax()], np.int32)
    return (space.place(data), n, result), {"result": (result, expected)}


def matmul(space: Space, n: int, rng: np.random.Generator) -> Made:
    """Products wrap around as words do."""
    a, b = rng.integers(-(1 << 20), 1 << 20, (2, n, n), np.int64)
    return _product(space, a.astype(np.int32), b.astype(np.int32), (a @ b).astype(np.int32))


def product(space: Space, n: int, _: np.random.Generator) -> Made:
    """The source's own product."""
    return _product(space, FACTOR, FACTOR.T, PRODUCT)


def _product(space: Space, a: NDArray[np.int32], b: NDArray[np.int32], c: NDArray[np.int32]) -> Made:
    address = space.place(np.zeros_like(c))
    return (space.place(a), space.place(b), address, len(c)), {"c": (address, c)}


def loop(space: Space, n: int, rng: np.random.Generator) -> Made:
    """Collatz sequences of 1 step to more than 200."""
    start = rng.integers(1, 10_000, n, np.uint32)
    x, steps = start.astype(np.int64), np.zeros(n, np.uint32)
    while (x != 1).any():
        steps += x != 1
        x = np.where(x == 1, 1, np.where(x % 2, 3 * x + 1, x // 2))
    address = space.place(np.zeros(n, np.uint32))
    return (space.place(start), address, n), {"steps": (address, steps)}


def lines(space: Space, n: int, rng: np.random.Generator) -> Made:
    """Lines of all directions and lengths, single points included, in a picture of 128 x 128."""
    width = 128
    ends = rng.integers(0, width, (n, 4), np.int32)
    ends[n // 2 : n // 2 + n // 8, 2:] = ends[n // 2 : n // 2 + n // 8, :2]
    picture = np.zeros((width, width), np.uint8)
    for x, y, x1, y1 in ends.tolist():
        dx, dy = abs(x1 - x), abs(y1 - y)
        error = dx - dy
        for _ in range(max(dx, dy) + 1):
            picture[y, x] = 255
            twice = 2 * error
            if twice >= -dy:
                error, x = error - dy, x + (1 if x1 > x else -1)
            if twice <= dx:
                error, y = error + dx, y + (1 if y1 > y else -1)
    address = space.place(np.zeros_like(picture))
    return (space.place(ends), address, n, width), {"picture": (address, picture)}


PROGRAMS = (
    Program("sort", "bitonic sort", sort, 512, "words", 2, 1 << 18, power_of_two=True, shares=True),
    Program("maximum", "largest word and its place", maximum, 4096, "words", shares=True),
    Program("matmul", "product of two n x n integer matrices", matmul, 32, "rows", most=512),
    Program(
        "product", "the source's 4 x 4 product, on 4 warps of 4 threads", product, 4, "rows", 4, 4,
        image="matmul", warps=4, threads=4,
    ),
    Program("loop", "lengths of Collatz sequences: threads leave at different times", loop, 256, "sequences"),
    Program("lines", "lines by Bresenham's algorithm, 128 x 128", lines, 64, "lines"),
)  # fmt: skip
