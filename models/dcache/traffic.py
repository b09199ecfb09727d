# SPDX-License-Identifier: Apache-2.0
"""Traffic of ``dcache``: patterns of programs, eight lanes at a time, and trace files.

Arrays of a pattern lie one behind the other from address 0 on.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.dcache.schema import CLEAN, LANES, LOAD, STORE, Config
from configs.simt import WORD_BYTES
from models.dcache import by_lane
from workloads.traces.references import READ, WRITE, References, words
from workloads.traces.requests import Columns, Default, Made

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
    requests = {"op": op, "warp": number % cfg.warps, "mask": np.full(len(op), (1 << LANES) - 1)}
    requests |= {f"addr{lane}": words[:, lane] * WORD_BYTES for lane in range(LANES)}
    requests |= {f"data{lane}": number * LANES + lane for lane in range(LANES)}
    return requests | {f"strobe{lane}": np.full(len(op), (1 << WORD_BYTES) - 1) for lane in range(LANES)}


def of_references(cfg: Config, references: References) -> Made:
    """What other programs' loads and stores ask, by field: each the words that it touches, in a lane each,
    eight at a time. What was stored such files do not say: here it is the number of the request.

    Raises :class:`UserError` where there are none.
    """
    chosen = references.of(READ, WRITE)
    if not len(chosen.label):
        raise UserError(
            "no loads or stores (din's labels 0 and 1, lackey's L, S and M) among its references: fetches go "
            "to BLOCK=icache"
        )
    columns, owner = lanes_of(cfg, chosen)
    return Made(columns, chosen, owner)


def lanes_of(cfg: Config, chosen: References) -> tuple[Columns, NDArray[np.int64]]:
    """Loads and stores as requests [n], by field, and of each the number of its reference [n]."""
    owner, address, strobe = words(chosen, cfg.cache.address_bits)
    nth = np.arange(len(owner)) - np.searchsorted(owner, owner)  # of its reference
    lane = nth % LANES
    first = lane == 0
    request = np.cumsum(first) - 1
    count = int(first.sum())
    columns: Columns = {
        "op": np.where(chosen.label[owner[first]] == WRITE, STORE, LOAD),
        "mask": np.bincount(request, 1 << lane, count).astype(np.int64),
    }
    for name, value in (("addr", address), ("strobe", strobe)):
        table = np.zeros((count, LANES), np.int64)
        table[request, lane] = value
        columns |= {f"{name}{i}": table[:, i] for i in range(LANES)}
    stored = np.where(columns["op"] == STORE, np.arange(count) & 0xFFFFFFFF, 0)
    return columns | {f"data{i}": stored for i in range(LANES)}, owner[first]


def defaults(cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: loads of lane 0, or whole words of 0, by warp 0."""
    others: dict[str, Default] = {f"addr{lane}": 0 for lane in range(1, LANES)}
    others |= {f"data{lane}": 0 for lane in range(LANES)}
    others |= {f"strobe{lane}": (1 << WORD_BYTES) - 1 for lane in range(LANES)}
    return {"op": LOAD, "warp": 0, "mask": 1, **others}


def plain(cfg: Config, requests: NDArray[Any]) -> tuple[list[bool], list[int], int]:
    """Stores [n], byte addresses [n] and bytes of each word that loads and stores of all lanes touch, as any
    cache simulator takes them.
    """
    words = requests[requests["op"] <= STORE]
    stores = np.repeat(words["op"] == STORE, LANES).tolist()
    return stores, by_lane(words, "addr").ravel().tolist(), WORD_BYTES
