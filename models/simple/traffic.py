# SPDX-License-Identifier: Apache-2.0
"""Traffic of ``simple``: patterns of small programs, and trace files (:mod:`workloads.traces.requests`).

Arrays of a pattern lie one behind the other from address 0 on.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.simple.schema import LOAD, STORE, Config
from workloads.traces.references import READ, WRITE, References, words
from workloads.traces.requests import Default, Made, counting

Accesses = tuple[NDArray[np.int64], NDArray[np.int64]]  # word addresses, operations


def copy(size: int) -> Accesses:
    """Load a word of one array, store it to the next: ``size`` words each."""
    words = np.arange(size)
    return np.stack([words, words + size], axis=1).reshape(-1), np.tile([LOAD, STORE], size)


def histogram(size: int) -> Accesses:
    """Count ``size`` random values in 256 bins: load the value, load and store its bin."""
    bins = np.random.default_rng(1).integers(256, size=size)
    words = np.stack([256 + np.arange(size), bins, bins], axis=1)
    return words.reshape(-1), np.tile([LOAD, LOAD, STORE], size)


def matrix(size: int) -> Accesses:
    """Product of two matrices of about ``size`` multiplications: a row, a column, then a store."""
    side = max(2, round(size ** (1 / 3)))
    i, j, k = np.indices((side,) * 3)
    factors = np.stack([i * side + k, side * side + k * side + j], axis=-1).reshape(side * side, -1)
    stores = 2 * side * side + np.arange(side * side)
    words = np.concatenate([factors, stores[:, None]], axis=1)
    return words.reshape(-1), np.tile([LOAD] * (2 * side) + [STORE], side * side)


def sort(size: int) -> Accesses:
    """Merge sort in about ``size`` steps: each pass doubles the runs, to and fro between two arrays."""
    passes = 1
    while (passes + 1) << (passes + 1) <= size:
        passes += 1
    words, source, target = [], np.arange(1 << passes), (1 << passes) + np.arange(1 << passes)
    for _ in range(passes):
        words.append(np.stack([source, target], axis=1).reshape(-1))
        source, target = target, source
    return np.concatenate(words), np.tile([LOAD, STORE], sum(map(len, words)) // 2)


def scatter(size: int) -> Accesses:
    """Loads and stores anywhere within 64 KB of words."""
    rng = np.random.default_rng(2)
    return rng.integers(1 << 14, size=size), rng.integers(2, size=size)


PATTERNS: dict[str, Callable[[int], Accesses]] = {
    function.__name__: function for function in (copy, histogram, matrix, sort, scatter)
}


def columns(cfg: Config, pattern: str, count: int) -> dict[str, NDArray[Any]]:
    """About ``count`` requests of a pattern, by field; whole words, stored values by their number."""
    words, ops = (column[:count] for column in PATTERNS[pattern](max(4, count // 2)))
    number = np.arange(len(words))
    value, identity = number & ((1 << cfg.word_bits) - 1), number & ((1 << cfg.id_bits) - 1)
    strobe = np.full(len(words), (1 << cfg.word_bytes) - 1)
    return {"op": ops, "word": words, "value": value, "strobe": strobe, "id": identity}


def of_references(cfg: Config, references: References) -> Made:
    """What other programs' loads and stores ask, by field: each the words that it touches, one by one. A
    store writes the number of its request: such files do not say what was stored.

    Raises :class:`UserError` where there are none.
    """
    taken = references.of(READ, WRITE)
    if not len(taken.label):
        raise UserError("no loads or stores among its references: fetches go to BLOCK=icache")
    owner, address, strobe = words(taken, cfg.cache.address_bits, cfg.word_bytes)
    store = taken.label[owner] == WRITE
    value = np.where(store, np.arange(len(owner)) & (1 << cfg.word_bits) - 1, 0)
    word, op = address // cfg.word_bytes, np.where(store, STORE, LOAD)
    return Made({"op": op, "word": word, "value": value, "strobe": strobe}, taken, owner)


def defaults(cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: loads, or whole words of 0."""
    whole = (1 << cfg.word_bytes) - 1
    return {"op": LOAD, "value": 0, "strobe": whole, "id": counting(cfg.id_bits)}


def plain(cfg: Config, requests: NDArray[Any]) -> tuple[list[bool], list[int], int]:
    """Stores [n], byte addresses [n] and bytes of each access, as any cache simulator takes them."""
    return (requests["op"] == STORE).tolist(), (requests["word"] * cfg.word_bytes).tolist(), cfg.word_bytes
