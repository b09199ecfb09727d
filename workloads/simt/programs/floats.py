# SPDX-License-Identifier: Apache-2.0
"""Programs on float32: convolution, linear equations, vertex shading, FFT.

numpy does the same operations in the same order, so results are the same in every bit.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workloads.simt.programs.program import Expected, Program, Space

Made = tuple[Sequence[int], Expected]
F4 = np.float32
Floats = NDArray[np.float32]


def convolution(space: Space, n: int, rng: np.random.Generator) -> Made:
    """A random picture and a random kernel."""
    picture, kernel = rng.random((n, n), F4), rng.standard_normal((3, 3), F4)
    side = n - 2
    result = np.zeros((side, side), F4)
    for v in range(3):
        for u in range(3):
            result += picture[v : v + side, u : u + side] * kernel[v, u]
    address = space.place(np.zeros_like(result))
    return (space.place(picture), space.place(kernel), address, n), {"result": (address, result)}


def equations(space: Space, n: int, rng: np.random.Generator) -> Made:
    """A random matrix: rows are exchanged in nearly every step."""
    matrix = rng.standard_normal((n, n + 1), F4)
    place, address = space.place(matrix), space.place(np.zeros(n, F4))
    return (place, address, n), {"x": (address, eliminate(matrix))}


def eliminate(matrix: Floats) -> Floats:
    """Gauss-Jordan elimination of [n, n + 1]: x [n]."""
    m, n = matrix.copy(), len(matrix)
    for k in range(n):
        pivot = k + int(np.abs(m[k:, k]).argmax())
        m[[k, pivot]] = m[[pivot, k]]
        factor = m[:, k] / m[k, k]
        factor[k] = 0
        m[:, k:] -= factor[:, None] * m[k, k:]
    return np.asarray(m[:, n] / m.diagonal(), F4)


def vertices(space: Space, n: int, rng: np.random.Generator) -> Made:
    """Vertices before a camera, normals of any length and direction."""
    matrix = np.array([[1.2, 0, 0.1, 0], [0, 1.6, 0, 0.2], [0.05, 0, -1.02, -0.4], [0, 0, -1, 8]], F4)
    light = np.array([0.48, 0.64, 0.6, 0.15], F4)
    position, normal = rng.uniform(-3, 3, (2, n, 3)).astype(F4)
    inverse = F4(1) / _dot(matrix[3], position)
    screen = np.stack([*(_dot(row, position) * inverse for row in matrix[:3]), inverse], axis=1)
    length = np.sqrt(_dot(normal.T, normal))
    facing = np.maximum(_dot(light[:3], normal) / length, F4(0))
    shade = (np.minimum(light[3] + facing, F4(1)) * F4(255) + F4(0.5)).astype(np.uint32)
    inputs = [space.place(array) for array in (matrix, position, normal, light)]
    to_screen, to_shade = space.place(np.zeros_like(screen)), space.place(np.zeros_like(shade))
    return (*inputs, to_screen, to_shade, n), {"screen": (to_screen, screen), "shade": (to_shade, shade)}


def _dot(row: Any, vectors: Floats) -> Floats:
    """``row[0] * x + row[1] * y + row[2] * z``, and ``row[3]`` where there is one, from left to right."""
    total = row[0] * vectors[:, 0] + row[1] * vectors[:, 1] + row[2] * vectors[:, 2]
    return np.asarray(total + row[3] if len(row) > 3 else total, F4)


def fft(space: Space, n: int, rng: np.random.Generator) -> Made:
    """Random complex numbers."""
    re, im = rng.standard_normal((2, n), F4)
    angle = -2 * np.pi * np.arange(n // 2) / n
    cosine, sine = np.cos(angle).astype(F4), np.sin(angle).astype(F4)
    places = [space.place(array) for array in (re, im, cosine, sine)]
    real, imaginary = transform(re, im, cosine, sine)
    return (*places, n), {"re": (places[0], real), "im": (places[1], imaginary)}


def transform(re: Floats, im: Floats, cosine: Floats, sine: Floats) -> tuple[Floats, Floats]:
    """Decimation in time, [n] each: bit reversal, then log2(n) stages."""
    n = len(re)
    bits = n.bit_length() - 1
    order = [int(f"{i:0{bits}b}"[::-1], 2) for i in range(n)]
    re, im = re[order], im[order]
    half = 1
    while half < n:
        pair = np.arange(n // 2)
        k = pair & (half - 1)
        upper, lower = 2 * pair - k, 2 * pair - k + half
        c, s = cosine[k * (n // 2 // half)], sine[k * (n // 2 // half)]
        x, y = re[lower] * c - im[lower] * s, re[lower] * s + im[lower] * c
        re[lower], im[lower] = re[upper] - x, im[upper] - y
        re[upper] += x
        im[upper] += y
        half *= 2
    return re, im


PROGRAMS = (
    Program("convolution", "n x n picture with a 3 x 3 kernel", convolution, 34, "rows", 3, 1024),
    Program(
        "equations", "n linear equations by Gauss-Jordan elimination", equations, 24, "equations", 1, 512,
        shares=True,
    ),
    Program("vertices", "vertex shading", vertices, 256, "vertices"),
    Program("fft", "fast Fourier transform", fft, 256, "numbers", 2, 1 << 17, power_of_two=True, shares=True),
)  # fmt: skip
