# SPDX-License-Identifier: Apache-2.0
"""Procedural cards, signs and decals, some with alpha: float32 [side, side, 3 or 4], sRGB 0..1."""

import numpy as np
from numpy.typing import NDArray

from workloads.textures.noise import Plane, cellular, fractal, grid, palette, smoothstep

Picture = NDArray[np.float32]
Rng = np.random.Generator


def with_alpha(colour: Picture, alpha: Plane) -> Picture:
    """A picture with an alpha channel."""
    return np.concatenate([colour, alpha[..., None]], axis=-1).astype(np.float32)


def letters(rng: Rng, side: int) -> Picture:
    """A printed page: lines of random glyphs of 3 x 5 strokes in words, a headline, margins."""
    ink = np.zeros((side, side), np.float32)
    scale = max(1, side // 128)

    def line(top: int, size: int) -> None:
        left = 8 * scale
        while left + 4 * size < side - 8 * scale:
            if rng.random() < 0.17:  # space between words
                left += 2 * size
                continue
            glyph = rng.random((5, 3)) < 0.58
            ink[top : top + 5 * size, left : left + 3 * size] = np.kron(glyph, np.ones((size, size)))
            left += 4 * size

    line(8 * scale, 3 * scale)
    for top in range(30 * scale, side - 12 * scale, 8 * scale):
        line(top, scale)
    paper = palette(fractal(rng, side, 4, 4), (226, 216, 190), (246, 240, 222))
    return np.asarray(paper * (1 - 0.86 * ink)[..., None], np.float32)


def gradient(rng: Rng, side: int) -> Picture:
    """Hue from left to right, brightness from top to bottom; without chance."""
    x, y = grid(side)
    hue = palette(
        x, (220, 60, 50), (220, 200, 60), (60, 190, 90), (60, 120, 220), (170, 70, 190), (220, 60, 50)
    )
    return hue * (1 - 0.7 * y)[..., None]


def door(rng: Rng, side: int) -> Picture:
    """A sliding steel door with hazard stripes, a window and a status lamp."""
    x, y = grid(side)
    brushed = fractal(rng, side, 128, 2, 0.6, stretch=32)
    colour = palette(
        np.asarray(0.25 + 0.5 * brushed, np.float32), (58, 66, 76), (92, 104, 116), (132, 144, 152)
    )
    stripes = ((x * 8 + y * 8) % 2 < 1) & (np.abs(y - 0.82) < 0.07)
    band = np.abs(y - 0.82) < 0.07
    colour[band] = (0.12, 0.12, 0.13)
    colour[stripes] = (0.85, 0.66, 0.1)
    window = (np.abs(x - 0.5) < 0.28) & (np.abs(y - 0.3) < 0.1)
    colour[window] = palette(y, (20, 34, 46), (70, 110, 130))[window]
    colour[np.abs(x - 0.5) < 0.008] *= 0.3
    frame = np.minimum(np.minimum(x, 1 - x), np.minimum(y, 1 - y))
    colour *= (0.45 + 0.55 * smoothstep(0.03, 0.045, frame))[..., None]
    lamp = smoothstep(0.02, 0.03, np.hypot(x - 0.86, y - 0.55))
    return colour * lamp[..., None] + np.array([0.25, 0.95, 0.4], np.float32) * (1 - lamp)[..., None]


def tree(rng: Rng, side: int) -> Picture:
    """A leafy tree on a card: crown of many round clumps on a trunk; transparent around it."""
    x, y = grid(side)
    crown = np.zeros((side, side), np.float32)
    light = np.zeros((side, side), np.float32)
    leaves = fractal(rng, side, side // 16, 4, 0.7)
    for _ in range(60):
        angle, radius = rng.random() * 2 * np.pi, np.sqrt(rng.random()) * 0.33
        cx, cy = 0.5 + radius * np.cos(angle), 0.42 + 0.85 * radius * np.sin(angle)
        size = 0.07 + 0.05 * rng.random()
        distance = np.hypot(x - cx, y - cy) / size + (leaves - 0.5) * 1.3
        clump = 1 - smoothstep(0.85, 1.0, np.asarray(distance, np.float32))
        shine = np.clip(0.55 - (x - cx + y - cy) / size * 0.3, 0, 1)
        light = np.where(clump > crown * 0.6, shine, light)
        crown = np.maximum(crown, clump)
    lean = 0.012 * np.sin(9 * y)
    bark = 1 - smoothstep(
        0.020, 0.032, np.asarray(np.abs(x - 0.5 - lean) - 0.03 * np.maximum(y - 0.85, 0), np.float32)
    )
    trunk = np.where((y > 0.45) & (y < 0.998), bark, 0).astype(np.float32)
    green = palette(
        np.asarray(0.6 * light + 0.4 * leaves, np.float32), (22, 40, 14), (58, 92, 30), (132, 160, 66)
    )
    brown = palette(fractal(rng, side, 64, 2), (46, 32, 20), (104, 78, 52))
    colour = np.where(crown[..., None] > 0.5, green, brown)
    return with_alpha(np.asarray(colour, np.float32), np.maximum(crown, trunk))


def blades(rng: Rng, side: int) -> Picture:
    """A tuft of grass on a card."""
    x, y = grid(side)
    alpha, tone = np.zeros((side, side), np.float32), np.zeros((side, side), np.float32)
    height = 1 - y
    for _ in range(34):
        root, bend, tall = 0.5 + rng.normal() * 0.16, rng.normal() * 0.35, 0.45 + 0.5 * rng.random()
        middle = root + bend * height**2
        width = 0.024 * np.clip(1 - height / tall, 0, 1)
        blade = (np.abs(x - middle) < width).astype(np.float32)
        tone = np.where(blade > 0, 0.25 * rng.random() + 0.75 * height, tone)
        alpha = np.maximum(alpha, blade)
    colour = palette(np.asarray(tone, np.float32), (38, 60, 18), (86, 118, 36), (168, 178, 84))
    return with_alpha(colour, alpha)


def splat(rng: Rng, side: int) -> Picture:
    """A paint splat with droplets."""
    x, y = grid(side)
    angle, radius = np.arctan2(y - 0.5, x - 0.5), np.hypot(x - 0.5, y - 0.5)
    rays = sum(rng.random() * np.cos(k * angle + 6.3 * rng.random()) / k**0.5 for k in range(2, 14))
    body = 1 - smoothstep(0.0, 0.03, np.asarray(radius - 0.22 - 0.05 * rays, np.float32))
    first, _, owner = cellular(rng, side, 9)
    sizes = rng.random(81, dtype=np.float32)[owner] ** 4 * 0.4
    drops = (1 - smoothstep(0.0, 0.1, first - sizes)) * (radius < 0.47) * (sizes > 0.05)
    alpha = np.asarray(np.maximum(body, drops), np.float32)
    return with_alpha(palette(fractal(rng, side, 6, 3), (150, 16, 18), (206, 40, 30)), alpha)
