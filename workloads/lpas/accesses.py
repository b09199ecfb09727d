# SPDX-License-Identifier: Apache-2.0
"""Access patterns for the library and the benchmarks: what all PEs ask, as fast as they may."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.lpas.schema import LOAD, STORE, Config

#: word addresses and operations, each [PEs, n]
Accesses = tuple[NDArray[np.int64], NDArray[np.int64]]


def scatter(cfg: Config, size: int) -> Accesses:
    """Loads and stores in equal shares anywhere in what all caches hold together: each cache has its turn."""
    rng = np.random.default_rng(1)
    held = cfg.pes * cfg.cache.sets << cfg.slot_bits
    shape = cfg.pes, size
    return rng.integers(held, size=shape), rng.integers(2, size=shape)


def own(cfg: Config, size: int) -> Accesses:
    """Each PE adds up words of its own cache: load, load, store, through all of its lines."""
    number = np.arange(size)
    line, slot = (number >> cfg.slot_bits) % cfg.cache.sets, number & (1 << cfg.slot_bits) - 1
    lines = (line << cfg.array.pe_bits) + np.arange(cfg.pes)[:, None]
    ops = np.where(number % 3 == 2, STORE, LOAD)
    return lines << cfg.slot_bits | slot, np.broadcast_to(ops, (cfg.pes, size))


def stencil(cfg: Config, size: int) -> Accesses:
    """Each PE goes through a row of a picture: loads itself and its neighbours above and below, stores."""
    row_words = cfg.pes << cfg.slot_bits  # a line of each cache
    x, step = np.divmod(np.arange(size), 4)
    row = np.arange(cfg.pes)[:, None] + np.array([0, 1, 2, cfg.pes + 2])[step]
    words = row * row_words + x % row_words
    ops = np.where(step == 3, STORE, LOAD)
    return words % (1 << cfg.word_address_bits), np.broadcast_to(ops, (cfg.pes, size))


def histogram(cfg: Config, size: int) -> Accesses:
    """Each PE counts values in bins that all share: loads a value of its own, loads and stores the bin."""
    rng = np.random.default_rng(2)
    bins = 1 << cfg.slot_bits + 1  # two lines: two caches are hot
    number, step = np.divmod(np.arange(size), 3)
    own_words = own(cfg, int(number.max(initial=0)) + 1)[0][:, number]
    shared = rng.integers(bins, size=(cfg.pes, int(number.max(initial=0)) + 1))[:, number]
    words = np.where(step == 0, own_words, shared)
    return words, np.broadcast_to(np.where(step == 2, STORE, LOAD), words.shape)


PATTERNS: dict[str, Callable[[Config, int], Accesses]] = {
    function.__name__: function for function in (scatter, own, stencil, histogram)
}


def columns(cfg: Config, pattern: str, count: int) -> dict[str, NDArray[Any]]:
    """About ``count`` requests of a pattern, by field, PE after PE in turn; values count up."""
    size = -(-count // cfg.pes)
    words, ops = PATTERNS[pattern](cfg, size)
    pes = np.tile(np.arange(cfg.pes), size)
    number = np.arange(len(pes))
    return {
        "pe": pes, "op": ops.T.reshape(-1), "word": words.T.reshape(-1),
        "value": number & 0xFFFF, "at": np.zeros(len(pes), np.int64),
    }  # fmt: skip
