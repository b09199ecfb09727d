# SPDX-License-Identifier: Apache-2.0
"""Traffic for the golden model of ``lpas``: warm caches, one-shot writes, full load."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.lpas.schema import STORE, Config
from models.lpas import REQUEST, LpasModel


def requests(pes: Any, words: Any, op: Any = STORE, value: Any = 0, at: Any = 0) -> NDArray[Any]:
    """REQUEST array [n] of columns, or of numbers for all."""
    columns = np.broadcast_arrays(pes, op, words, value, at)
    drawn = np.zeros(len(columns[0]), REQUEST)
    for name, column in zip(("pe", "op", "word", "value", "at"), columns, strict=True):
        drawn[name] = column
    return drawn


def warmed(cfg: Config) -> LpasModel:
    """A model whose caches have line 0 of tag 0; all pointers are set back to their start."""
    model = LpasModel(cfg)
    model.replay(requests(np.zeros(cfg.pes, int), word_of(cfg, np.arange(cfg.pes))))
    for name in ("pointers", "link_pointers"):
        getattr(model.machine, name)[:] = 0
    model.machine.credits[:] = model.geometry.start
    return model


def word_of(cfg: Config, cache: Any) -> Any:
    """The address of the first word in line 0 of a cache."""
    return np.asarray(cache) << cfg.slot_bits


def one_shot(cfg: Config, pes: Any, caches: Any) -> NDArray[np.int64]:
    """Latencies of one write per PE, all at once, into warm caches."""
    model = warmed(cfg)
    results = model.replay(requests(pes, word_of(cfg, caches), at=model.now + 3))
    latencies: NDArray[np.int64] = results["done"] - results["first"] + 1
    return latencies


def full_load(cfg: Config, caches: Any, cycles: int) -> NDArray[Any]:
    """Results of PEs that write as fast as they may; ``caches`` [pes, n]: where. It ends after ``cycles``."""
    model = warmed(cfg)
    count = np.shape(caches)[1]
    accesses = requests(np.repeat(np.arange(cfg.pes), count), word_of(cfg, np.ravel(caches)))
    return model.replay(accesses, cycles)
