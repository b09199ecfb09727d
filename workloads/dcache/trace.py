# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``dcache``: a column for each field of its requests (:mod:`workloads.traces.requests`)."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.dcache.schema import LANES, LOAD, STORE, Config
from configs.simt import WORD_BYTES
from workloads.traces.references import READ, WRITE, References, words
from workloads.traces.requests import Columns, Default, Made


def accessed(cfg: Config, references: References) -> Made:
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
