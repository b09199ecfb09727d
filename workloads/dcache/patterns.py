# SPDX-License-Identifier: Apache-2.0
"""What programs load and store, eight lanes at a time; arrays lie one behind the other from address 0 on."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import CLEAN, LANES, LOAD, STORE, Config
from configs.simt import WORD_BYTES

#: word addresses [n, LANES], and what is done there [n]
Accesses = tuple[NDArray[np.int64], NDArray[np.int64]]
LANE = np.arange(LANES)


def capacity(cfg: Config) -> int:
    """Words of the cache."""
    return cfg.cache.capacity_bytes // WORD_BYTES


def copy(cfg: Config, size: int) -> Accesses:
    """Load words of one array, store them to the next, lane by lane side by side."""
    words = (np.arange(size // 2) * LANES)[:, None] + LANE
    there = words + size // 2 * LANES
    return np.stack([words, there], axis=1).reshape(-1, LANES), np.tile([LOAD, STORE], size // 2)


def loop(cfg: Config, size: int) -> Accesses:
    """Add to each word of an array, an eighth longer than the cache, again and again."""
    words = (np.arange(size // 2) * LANES)[:, None] % (capacity(cfg) * 9 // 8) + LANE
    return np.repeat(words, 2, axis=0), np.tile([LOAD, STORE], size // 2)


def columns_of(cfg: Config, size: int) -> Accesses:
    """Load a matrix of twice the cache's words column by column, each lane a row of its own."""
    side = max(LANES, 1 << (2 * capacity(cfg)).bit_length() // 2)
    number = np.arange(size)
    rows = number[:, None] * LANES % side + LANE
    return rows * side + (number * LANES // side % side)[:, None], np.full(size, LOAD)


def gather(cfg: Config, size: int) -> Accesses:
    """Each lane loads, and every fourth time stores, somewhere in an array of twice the cache."""
    rng = np.random.default_rng(1)
    return rng.integers(2 * capacity(cfg), size=(size, LANES)), np.where(
        np.arange(size) % 4 == 3, STORE, LOAD
    )


def stencil(cfg: Config, size: int) -> Accesses:
    """Five points of a grid whose three rows fill three quarters of the cache, then a store beside it."""
    side = max(LANES, capacity(cfg) // 4 // LANES * LANES)
    words = (np.arange(size // 6) * LANES + side)[:, None] + LANE
    points = [words + step for step in (0, -1, 1, -side, side)] + [words + 2 * size * LANES]
    return np.stack(points, axis=1).reshape(-1, LANES), np.tile([LOAD] * 5 + [STORE], size // 6)


PATTERNS: dict[str, Callable[[Config, int], Accesses]] = {
    "copy": copy, "loop": loop, "columns": columns_of, "gather": gather, "stencil": stencil,
}  # fmt: skip


def columns(cfg: Config, pattern: str, count: int) -> dict[str, NDArray[Any]]:
    """About ``count`` requests of a pattern, by field; all lanes, whole words; a clean at the end."""
    words, op = PATTERNS[pattern](cfg, max(12, count - 1))
    words = words % (1 << cfg.cache.address_bits - cfg.uncached_bits.bit_length() - 2)
    words, op = np.concatenate([words, words[:1]]), np.append(op, CLEAN)
    number = np.arange(len(op))
    asked = {"op": op, "warp": number % cfg.warps, "mask": np.full(len(op), (1 << LANES) - 1)}
    asked |= {f"addr{lane}": words[:, lane] * WORD_BYTES for lane in range(LANES)}
    asked |= {f"data{lane}": number * LANES + lane for lane in range(LANES)}
    return asked | {f"strobe{lane}": np.full(len(op), (1 << WORD_BYTES) - 1) for lane in range(LANES)}
