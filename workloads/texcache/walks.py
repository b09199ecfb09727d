# SPDX-License-Identifier: Apache-2.0
"""A textured rectangle that fills a screen, walked through in quads: the regular part of texture traffic."""

import numpy as np
from numpy.typing import NDArray

from configs.texcache.schema import Config
from models.texcache.address import FOOTPRINT
from workloads.texcache.trace import Trace, of_chains

Rng = np.random.Generator


def screen(n: int, width: int, tile: int) -> NDArray[np.int64]:
    """The first ``n`` pixels [2, n] of a screen ``width`` wide, in rows of quads, by tiles if ``tile``."""
    index = np.arange(n)
    side = tile or width
    pixel = index % (side * (tile or 2))
    block = index // (side * (tile or 2))
    quad, corner = pixel // 4, pixel % 4
    x = quad % (side // 2) * 2 + (corner & 1)
    y = quad // (side // 2) * 2 + (corner >> 1)
    across = width // side
    return np.stack([x + block % across * side, y + block // across * (tile or 2)])


def walk(
    cfg: Config,
    n: int,
    rng: Rng,
    name: str,
    scale: tuple[float, float],
    tile: int = 0,
    pairs: bool = False,
    width: int = 256,
) -> Trace:
    """``n`` footprints of a rectangle turned by a random angle, with a random corner, texture repeating.

    ``scale``: texels of the largest level per pixel, along and across; the level follows from the larger one
    (nearest, or the two around it with ``pairs``). Has the pixel columns and weights of a rendered frame.
    """
    pixels = (n + 1) // 2 if pairs else n
    x, y = screen(pixels, width, tile)
    angle, corner = rng.uniform(0, 2 * np.pi), rng.uniform(0, cfg.max_side, 2)
    along, across = scale
    u = corner[0] + np.cos(angle) * x * along - np.sin(angle) * y * across
    v = corner[1] + np.sin(angle) * x * along + np.cos(angle) * y * across
    lod = float(np.clip(np.log2(max(scale)), 0, cfg.levels - 1))
    first = min(int(lod), cfg.levels - 2) if pairs else round(lod)
    steps = 2 if pairs else 1
    level = np.tile(first + np.arange(steps), pixels)[:n]
    pixel = np.repeat(np.arange(pixels), steps)[:n]
    fixed = np.floor(np.stack([u, v])[:, pixel] / (1 << level) * 256).astype(np.int64) - 128
    records = np.zeros(n, FOOTPRINT)
    records["level"] = level
    records["u"], records["v"] = (fixed >> 8) % (cfg.max_side >> level)
    fu, fv = (fixed & 255).astype(np.uint8)
    weight = int(256 * (lod - first)) if pairs else 0
    return of_chains(
        cfg,
        records,
        [cfg.max_side],
        name=name,
        meta={"kind": "pattern", "pattern": name},
        x=x[pixel].astype(np.uint16),
        y=y[pixel].astype(np.uint16),
        pixel=pixel.astype(np.uint32),
        fu=fu,
        fv=fv,
        lw=np.full(n, min(weight, 255), np.uint8),
    )
