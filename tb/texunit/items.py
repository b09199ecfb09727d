# SPDX-License-Identifier: Apache-2.0
"""Primitives and quads of the texture unit: as words of the pins, and at random."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texunit.schema import Config, Units, mixes
from models.texunit import PRIM, QUAD, RESULT
from models.texunit.address import texture_bytes
from tb.common.components.packing import pack_words, unpack_words

ONE = 1 << 16  # a coordinate of 1.0


def primitive(**fields: int) -> Any:
    """A PRIM record; what is not given is 0, ``max_lod`` the whole chain."""
    prim = np.zeros(1, PRIM)[0]
    fields.setdefault("max_lod", max(fields.get("log2w", 0), fields.get("log2h", 0)))
    for name, value in fields.items():
        prim[name] = value
    return prim


def prim_word(cfg: Units, prim: Any) -> int:
    """The word of a PRIM record."""
    return cfg.streams["prim0"].pack({name: int(prim[name]) for name in PRIM.names or ()})


def prim_of(cfg: Units, word: int) -> Any:
    """The PRIM record of a word."""
    return primitive(**cfg.streams["prim0"].unpack(word))


def quad_words(cfg: Units, quads: NDArray[Any]) -> list[int]:
    """The words of QUAD array [n]."""
    columns = {f"{'uv'[axis]}{pixel}": quads["uv"][:, pixel, axis] for pixel in range(4) for axis in range(2)}
    return pack_words(cfg.streams["quad0"], {"valid": quads["valid"], **columns})


def quad_of(cfg: Units, word: int) -> Any:
    """The QUAD record of a word."""
    columns = unpack_words(cfg.streams["quad0"], [word])
    quad = np.zeros(1, QUAD)
    quad["valid"] = columns["valid"]
    for pixel in range(4):
        for axis in range(2):
            quad["uv"][:, pixel, axis] = columns[f"{'uv'[axis]}{pixel}"]
    return quad[0]


def result_word(cfg: Units, result: Any) -> int:
    """What the pins show for a RESULT record."""
    assert RESULT.names
    texels = {f"texel{i}": int(result["texel"][i]) for i in range(4)}
    return cfg.streams["res0"].pack({**texels, "valid": int(result["valid"]), "err": int(result["err"])})


def event_words(cfg: Config, queries: NDArray[Any]) -> list[int]:
    """What the pins show for QUERY array [n]."""
    evt = cfg.streams["evt0"]
    return pack_words(evt, {field.name: queries[field.name] for field in evt.fields})


@dataclass(frozen=True)
class Distribution:
    """What random primitives and quads look like.

    ``log2``: range of the sides' logarithms; ``formats``, ``modes``, ``filters``: to choose from; ``lods``:
    range of the level asked for; ``walk``: share of quads that lie beside the one before; ``edges``: share of
    pixels put exactly on an edge of the texture or a texel; ``full``: share of quads with all pixels valid;
    ``trilinear``: share of primitives that want two levels mixed, of units that can.
    """

    log2: tuple[int, int] = (0, 8)
    formats: tuple[int, ...] = (0, 1, 2, 3)
    modes: tuple[int, ...] = (0, 1, 2)
    filters: tuple[int, ...] = (0, 1)
    lods: tuple[float, float] = (-1.5, 9.0)
    walk: float = 0.7
    edges: float = 0.1
    full: float = 0.7
    reach: float = 2.0  # coordinates lie within this of 0
    squash: tuple[float, float] = (0.2, 1)  # range of the step down, in steps to the right
    trilinear: float = 0.5

    def prim(self, cfg: Units, rng: np.random.Generator, *, invalidate: float = 0.1) -> Any:
        """A primitive with a texture somewhere in memory."""
        w, h = (int(rng.integers(self.log2[0], min(self.log2[1], cfg.max_log2) + 1)) for _ in range(2))
        kind = int(rng.choice(self.formats))
        lines = -(-texture_bytes(w, h, kind) // cfg.cache.line_bytes)
        return primitive(
            base=int(rng.integers(0, max(1, (1 << cfg.cache.line_bits) - lines))),
            log2w=w,
            log2h=h,
            max_lod=int(rng.integers(0, max(w, h) + 1)) if rng.random() < 0.2 else max(w, h),
            format=kind,
            mode_u=int(rng.choice(self.modes)),
            mode_v=int(rng.choice(self.modes)),
            bilinear=int(rng.choice(self.filters)),
            trilinear=int(mixes(cfg) and rng.random() < self.trilinear),
            invalidate=int(rng.random() < invalidate),
        )

    def quads(self, rng: np.random.Generator, prim: Any, count: int) -> NDArray[Any]:
        """``count`` quads on a texture."""
        drawn = np.zeros(count, QUAD)
        drawn["valid"] = np.where(rng.random(count) < self.full, 15, rng.integers(0, 16, count))
        sides = 2.0 ** np.array([prim["log2w"], prim["log2h"]], np.float64)
        step = 2.0 ** rng.uniform(*self.lods, count)[:, None] / sides
        angle = rng.uniform(0, 2 * np.pi, count)
        right = np.stack([np.cos(angle), np.sin(angle)], axis=1) * step
        down = (
            np.stack([-np.sin(angle), np.cos(angle)], axis=1) * step * rng.uniform(*self.squash, (count, 1))
        )
        jumps = rng.random(count) >= self.walk
        start = rng.uniform(-self.reach, self.reach, (count, 2))
        moves = np.where(jumps[:, None], start, right * 2)
        corner = np.empty((count, 2))
        place = start[0]
        for i in range(count):
            place = moves[i] if jumps[i] else place + moves[i]
            if np.abs(place).max() > 100:
                place = start[i]
            corner[i] = place
        offsets = np.stack([np.zeros((count, 2)), right, down, right + down], axis=1)
        uv = np.rint((corner[:, None] + offsets) * ONE)
        grid = np.maximum(ONE // (sides * 2), 1)  # half texels of level 0
        snapped = np.rint(uv / grid) * grid
        uv = np.where(rng.random((count, 4, 1)) < self.edges, snapped, uv)
        drawn["uv"] = np.clip(uv, -(1 << 31), (1 << 31) - 1).astype(np.int64)
        return drawn


def quads_at(places: Sequence[tuple[float, float]], step: float = 0.0, valid: int = 15) -> NDArray[Any]:
    """Quads whose upper left pixel is at each of ``places`` (u, v), the others ``step`` further."""
    drawn = np.zeros(len(places), QUAD)
    drawn["valid"] = valid
    offsets = np.array([(0, 0), (step, 0), (0, step), (step, step)])
    uv = np.rint((np.array(places, np.float64)[:, None] + offsets) * ONE)
    drawn["uv"] = np.clip(uv, -(1 << 31), (1 << 31) - 1).astype(np.int64)
    return drawn
