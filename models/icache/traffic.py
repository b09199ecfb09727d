# SPDX-License-Identifier: Apache-2.0
"""Traffic of ``icache``: patterns of warps, and trace files (:mod:`workloads.traces.requests`)."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.icache.schema import BASE, FETCH, Config
from configs.simt import WORD_BYTES
from workloads.traces.references import FETCH as FETCHED
from workloads.traces.references import References, words
from workloads.traces.requests import Default, Made

Words = NDArray[np.int64]  # places of instructions: byte addresses / 4


def straight(cfg: Config, size: int) -> Words:
    """Straight on, each instruction once."""
    return np.arange(size)


def loop(cfg: Config, size: int) -> Words:
    """A loop of half the cache."""
    return np.arange(size) % (cfg.cache.capacity_bytes // WORD_BYTES // 2)


def long_loop(cfg: Config, size: int) -> Words:
    """A loop one line longer than the cache: under LRU each line is replaced before it is needed again."""
    return np.arange(size) % (cfg.cache.capacity_bytes // WORD_BYTES + cfg.line_words)


def calls(cfg: Config, size: int) -> Words:
    """A loop that calls one of some routines each time, all lines of one set: one line more than ways."""
    stride, run = cfg.line_words * cfg.cache.sets, min(8, cfg.line_words)
    routines = np.random.default_rng(1).integers(cfg.cache.ways + 1, size=size // run + 1)
    return ((routines * stride)[:, None] + np.arange(run)).reshape(-1)[:size]


def warps(cfg: Config, size: int) -> Words:
    """All warps run the same program, each a few instructions at a time."""
    slice_, rounds = 4, np.arange(size) // (4 * cfg.warps)
    program = cfg.cache.capacity_bytes // WORD_BYTES // 4
    return (rounds * slice_ + np.arange(size) % slice_) % program


PATTERNS: dict[str, Callable[[Config, int], Words]] = {
    function.__name__: function for function in (straight, loop, long_loop, calls, warps)
}


def columns(cfg: Config, pattern: str, count: int) -> dict[str, NDArray[Any]]:
    """About ``count`` requests of a pattern, by field: the base of block 1, then fetches from there."""
    words = PATTERNS[pattern](cfg, max(4, count - 1)) % (1 << cfg.cache.address_bits - 3)
    pc = np.concatenate([[cfg.cache.line_bytes], words * WORD_BYTES])
    number = np.arange(len(pc))
    return {
        "op": np.where(number == 0, BASE, FETCH), "block": np.ones_like(pc), "pc": pc,
        "warp": number // 4 % cfg.warps, "sign": np.zeros_like(pc),
    }  # fmt: skip


def of_references(cfg: Config, references: References) -> Made:
    """What other programs' fetches ask, by field: the words that each touches, from a block based at 0.

    Raises :class:`UserError` where there are none.
    """
    chosen = references.of(FETCHED)
    if not len(chosen.label):
        raise UserError(
            "no fetches (din's label 2, lackey's I) among its references: loads and stores go to BLOCK=dcache"
        )
    owner, pc, _ = words(chosen, cfg.cache.address_bits)
    return Made({"pc": pc}, chosen, owner)


def defaults(cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: fetches of block 0 and warp 0."""
    return {"op": FETCH, "block": 0, "warp": 0, "sign": 0}


def plain(cfg: Config, requests: NDArray[Any]) -> tuple[list[bool], list[int], int]:
    """Stores [n], of which there are none, byte addresses [n] and bytes of each fetch, as any cache simulator
    takes them. All are of one base, a line's multiple: lines keep their places.
    """
    addresses = requests["pc"][requests["op"] == FETCH].tolist()
    return [False] * len(addresses), addresses, WORD_BYTES
