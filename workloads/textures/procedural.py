# SPDX-License-Identifier: Apache-2.0
"""Procedural surfaces: walls, floors, grounds. Each makes a picture float32 [side, side, 3], sRGB 0..1."""

import numpy as np
from numpy.typing import NDArray

from workloads.textures.noise import (
    Plane,
    cellular,
    fractal,
    grid,
    mix,
    normalised,
    palette,
    relief,
    smoothstep,
    value_noise,
)

Picture = NDArray[np.float32]
Rng = np.random.Generator


def blocks(side: int, columns: int, rows: int, shift: float) -> tuple[Plane, NDArray[np.int64]]:
    """Masonry: distance of every texel to its block's border (in block heights), and the block's number.

    Every second row is shifted by ``shift`` of a block.
    """
    x, y = grid(side)
    row = np.floor(y * rows).astype(np.int64)
    along = x * columns + shift * (row % 2)
    column = np.floor(along).astype(np.int64) % columns
    fx, fy = along - np.floor(along), y * rows - row
    wide = rows / columns
    border = np.minimum(np.minimum(fx, 1 - fx) * wide, np.minimum(fy, 1 - fy))
    return border.astype(np.float32), row * columns + column


def per_block(rng: Rng, numbers: NDArray[np.int64]) -> Plane:
    """A random value 0..1 for each block number."""
    return rng.random(int(numbers.max()) + 1, dtype=np.float32)[numbers]


def brick(rng: Rng, side: int) -> Picture:
    """Red bricks in running bond."""
    border, number = blocks(side, 4, 10, 0.5)
    rough = fractal(rng, side, 16, 5, 0.6)
    inside = smoothstep(0.05, 0.14, border + (rough - 0.5) * 0.06)
    colour = palette(per_block(rng, number) * 0.75 + rough * 0.25, (96, 42, 32), (150, 70, 50), (176, 96, 66))
    mortar = palette(rough, (120, 116, 108), (170, 164, 152))
    return mix(mortar, colour, inside) * relief(inside * 0.8 + rough * 0.5, 1.0)[..., None]


def wood(rng: Rng, side: int) -> Picture:
    """Floor of long planks with grain."""
    x, y = grid(side)
    planks = 6
    number = np.floor(y * planks).astype(np.int64)
    tone = per_block(rng, number)
    fibre = fractal(rng, side, 64, 3, 0.7, stretch=32)
    rings = 0.5 + 0.5 * np.sin(40 * (y + 0.06 * fractal(rng, side, 4, 3, stretch=2)) + 9 * tone + 2 * fibre)
    gap = np.minimum(y * planks - number, number + 1 - y * planks)
    joint = np.abs(((x + tone) % 1.0) - 0.5) * planks
    groove = smoothstep(0.0, 0.05, np.minimum(gap, joint))
    shade = np.asarray(0.35 * rings + 0.35 * fibre + 0.3 * tone, np.float32)
    return palette(shade, (84, 50, 26), (140, 92, 52), (182, 132, 82)) * (0.35 + 0.65 * groove)[..., None]


def marble(rng: Rng, side: int) -> Picture:
    """White marble with grey veins."""
    x, y = grid(side)
    bend = fractal(rng, side, 3, 6, 0.55)
    veins = 1 - np.abs(np.sin(2 * np.pi * (x + y + 1.6 * bend)))
    fine = 1 - np.abs(np.sin(2 * np.pi * (2 * x - y + 1.2 * fractal(rng, side, 5, 5))))
    dark = np.clip(0.9 * veins**7 + 0.45 * fine**12 + 0.25 * bend, 0, 1)
    return palette(np.asarray(dark, np.float32), (236, 233, 226), (190, 188, 184), (88, 90, 96))


def noise(rng: Rng, side: int) -> Picture:
    """Coloured noise, every texel on its own: what filters and caches like least."""
    return rng.random((side, side, 3), dtype=np.float32)


def checker(rng: Rng, side: int) -> Picture:
    """Checkerboard of eight by eight fields, without chance."""
    x, y = grid(side)
    odd = (np.floor(x * 8) + np.floor(y * 8)) % 2
    return palette(odd.astype(np.float32), (28, 30, 34), (228, 226, 218))


def grass(rng: Rng, side: int) -> Picture:
    """Meadow seen from above."""
    patches = fractal(rng, side, 4, 4)
    blades = np.maximum(
        fractal(rng, side, side // 8, 3, 0.8), np.rot90(fractal(rng, side, side // 8, 3, 0.8, stretch=4))
    )
    shade = np.asarray(normalised(blades) * 0.7 + patches * 0.3, np.float32)
    green = palette(shade, (28, 46, 14), (62, 92, 28), (118, 142, 54))
    dry = palette(shade, (60, 52, 22), (116, 104, 48), (168, 154, 84))
    return mix(green, dry, smoothstep(0.62, 0.9, patches))


def tiles(rng: Rng, side: int) -> Picture:
    """Ceramic floor tiles, four by four."""
    border, number = blocks(side, 4, 4, 0.0)
    inside = smoothstep(0.02, 0.06, border)
    cloud = fractal(rng, side, 8, 4)
    tone = np.asarray(per_block(rng, number) * 0.4 + cloud * 0.6, np.float32)
    glaze = palette(tone, (120, 134, 140), (164, 176, 176), (198, 204, 198))
    dark = ((number // 4 + number % 4) % 2 == 0).astype(np.float32)
    glaze = mix(glaze, glaze * np.array([0.45, 0.5, 0.56], np.float32), dark)
    joint = palette(cloud, (70, 66, 62), (96, 92, 86))
    return mix(joint, glaze, inside) * relief(smoothstep(0.0, 0.1, border), 0.35)[..., None]


def metal(rng: Rng, side: int) -> Picture:
    """Riveted, brushed and slightly rusty plates, two by two."""
    border, number = blocks(side, 2, 2, 0.0)
    brushed = fractal(rng, side, 128, 2, 0.6, stretch=64)
    tone = np.asarray(0.3 + 0.35 * brushed + 0.35 * per_block(rng, number), np.float32)
    plate = palette(tone, (66, 72, 78), (112, 118, 124), (164, 168, 170))
    x, y = grid(side)
    fx, fy = np.abs((x * 2) % 1 - 0.5), np.abs((y * 2) % 1 - 0.5)
    rivets = np.minimum(np.hypot(fx - 0.42, fy - 0.42), np.hypot(fx - 0.42, fy))
    rivets = np.minimum(rivets, np.hypot(fx, fy - 0.42))
    dome = 1 - smoothstep(0.0, 0.045, np.asarray(rivets, np.float32))
    height = smoothstep(0.0, 0.03, border) + dome
    rust = smoothstep(0.5, 0.8, fractal(rng, side, 6, 5)) * (1 - smoothstep(0.0, 0.25, border))
    rusty = palette(fractal(rng, side, 24, 3), (74, 38, 20), (136, 78, 42))
    return mix(plate, rusty, rust) * relief(height, 0.9)[..., None]


def concrete(rng: Rng, side: int) -> Picture:
    """Stained concrete with cracks and form-work joints."""
    stain, grain = fractal(rng, side, 3, 5), fractal(rng, side, side // 8, 3, 0.8)
    x, y = grid(side)
    warp = (fractal(rng, side, 8, 4) - 0.5) * 0.12
    first, second, _ = cellular(rng, side, 5)
    ridges = np.abs(second - first + warp)
    crack = (1 - smoothstep(0.0, 0.018, ridges)) * smoothstep(0.45, 0.62, value_noise(rng, side, 6))
    joint = 1 - smoothstep(0.0, 0.004, np.minimum(np.abs((y * 2) % 1 - 0.5), np.abs(x % 1 - 0.5) + 0.001) / 2)
    tone = np.asarray(0.55 * stain + 0.45 * grain, np.float32)
    base = palette(tone, (92, 90, 86), (134, 132, 126), (172, 168, 160))
    dark = np.clip(1 - 0.65 * crack - 0.45 * joint, 0, 1)
    return base * np.asarray(dark, np.float32)[..., None] * relief(grain, 0.35)[..., None]


def crate(rng: Rng, side: int) -> Picture:
    """One face of a wooden crate: boards in a frame with a brace."""
    x, y = grid(side)
    grain = fractal(rng, side, 32, 3, 0.7, stretch=8)
    edge = np.minimum(np.minimum(x, 1 - x), np.minimum(y, 1 - y))
    frame = (edge < 0.13).astype(np.float32)
    brace = ((np.abs(x - y) < 0.085) & (edge >= 0.13)).astype(np.float32)
    boards = smoothstep(0.0, 0.08, np.abs(((x * 5) % 1) - 0.5))
    raised = np.maximum(frame, brace)
    tone = np.asarray(grain * 0.6 + raised * 0.35, np.float32)
    colour = palette(tone, (74, 48, 22), (128, 88, 44), (186, 140, 82))
    colour = colour * np.where(raised > 0, 1.0, 0.55 + 0.45 * boards).astype(np.float32)[..., None]
    nails = np.hypot(np.abs(np.abs(x - 0.5) - 0.435), np.abs(np.abs(y - 0.5) - 0.435))
    iron = palette(np.zeros_like(x), (40, 40, 44), (40, 40, 44))
    return mix(colour, iron, 1 - smoothstep(0.012, 0.02, nails)) * relief(raised, 0.5)[..., None]
