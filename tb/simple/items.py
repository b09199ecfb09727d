# SPDX-License-Identifier: Apache-2.0
"""Requests of ``simple``: as words of the pins, and at random."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.simple.schema import FLUSH, INVALIDATE, LOAD, STORE, Config
from models.simple import REQUEST
from tb.common.components.packing import pack_words, unpack_words

FIELDS = REQUEST.names or ()
EVENT = ("hit", "line", "evict", "victim", "write")  # of RESULT, what the observer sees


def request_words(cfg: Config, requests: NDArray[Any]) -> list[int]:
    """The words of REQUEST array [n]."""
    return pack_words(cfg.streams["req"], {name: requests[name] for name in FIELDS})


def requests_of(cfg: Config, words: Sequence[int]) -> NDArray[Any]:
    """The REQUEST array [n] of words."""
    requests = np.zeros(len(words), REQUEST)
    for name, column in unpack_words(cfg.streams["req"], words).items():
        requests[name] = column
    return requests


def result_words(cfg: Config, requests: NDArray[Any], results: NDArray[Any]) -> list[int]:
    """What the pins show for RESULT array [n]."""
    columns = {"value": results["value"], "err": results["err"], "id": requests["id"]}
    return pack_words(cfg.streams["res"], columns)


def event_words(cfg: Config, requests: NDArray[Any], results: NDArray[Any]) -> list[int]:
    """What the observer's port shows for RESULT array [n]."""
    return pack_words(cfg.streams["evt"], {"op": requests["op"], **{name: results[name] for name in EVENT}})


@dataclass(frozen=True)
class Distribution:
    """What random requests look like.

    ``sets``: so many sets are used, all if 0; ``tags``: lines that compete for a set; ``again``: share of
    requests that stay in the line of the one before; ``stores``: share of stores; ``flushes``,
    ``invalidations``: share of those.
    """

    sets: int = 0
    tags: int = 3
    again: float = 0.4
    stores: float = 0.5
    flushes: float = 0.01
    invalidations: float = 0.005

    def draw(self, cfg: Config, rng: np.random.Generator, count: int) -> NDArray[Any]:
        """REQUEST array [count]."""
        drawn = np.zeros(count, REQUEST)
        rolled = rng.random(count)
        accesses = np.where(rng.random(count) < self.stores, STORE, LOAD)
        drawn["op"] = np.select(
            [rolled < self.flushes, rolled < self.flushes + self.invalidations], [FLUSH, INVALIDATE], accesses
        )
        tags = rng.integers(1 << cfg.cache.tag_bits, size=self.tags)
        lines = tags[rng.integers(self.tags, size=count)] << cfg.cache.set_bits
        lines |= rng.integers(min(self.sets or cfg.cache.sets, cfg.cache.sets), size=count)
        jumps = rng.random(count) >= self.again
        jumps[:1] = True
        lines = lines[np.maximum.accumulate(np.where(jumps, np.arange(count), 0))]
        drawn["word"] = lines << cfg.slot_bits | rng.integers(1 << cfg.slot_bits, size=count)
        drawn["value"] = rng.integers(1 << cfg.word_bits, size=count)
        drawn["strobe"] = rng.integers(1 << cfg.word_bytes, size=count)
        drawn["id"] = rng.integers(1 << cfg.id_bits, size=count)
        return drawn
