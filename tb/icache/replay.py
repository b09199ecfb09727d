# SPDX-License-Identifier: Apache-2.0
"""How ``icache`` is asked in a replay, and what its golden model says."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.icache.schema import Config
from models import records
from models.icache import REQUEST, IcacheModel
from models.memory import Memory
from tb.common.replay.requests import Columns, Model, Requester
from tb.icache.items import event_columns, result_columns


def requester(cfg: Config) -> Requester:
    """One port, results in order."""
    return Requester(cfg.cache.line_bytes)


def predict(cfg: Config, columns: Columns, memory: Memory) -> Model:
    """What the golden model says of requests: results, counters, events and reads.

    Where memory fails, requests must be offered in each cycle: see :meth:`IcacheModel.replay`.
    """
    requests, model = records(REQUEST, columns), IcacheModel(cfg, memory)
    results = model.replay(requests)
    return Model(
        result_columns(requests, results),
        model.counters,
        event_columns(requests, results),
        {"m_axi": read(cfg, results[results["fill"] == 1])},
    )


def read(cfg: Config, fills: NDArray[Any]) -> NDArray[np.int64]:
    """Byte addresses of the bursts of lines, RESULT [n] of the fetches that missed."""
    lines = fills["line"] * cfg.cache.line_bytes
    if not cfg.early:
        return lines
    both = np.stack([lines + fills["beat"].astype(np.int64) * cfg.axi.strobe_bits, lines], axis=1)
    needed = np.stack([np.ones(len(fills), np.bool_), fills["beat"] > 0], axis=1)
    return both[needed]
