# SPDX-License-Identifier: Apache-2.0
"""How ``simple`` is asked in a replay, and what its golden model says."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.simple.schema import LOAD, Config
from models.memory import Memory
from models.simple import REQUEST, SimpleModel
from tb.common.replay.requests import Columns, Model, Requester, WrittenMemory
from tb.simple.items import EVENT, FIELDS
from workloads.traces.requests import counting


def requester(cfg: Config) -> Requester:
    """One port, results in order."""
    return Requester(cfg.cache.line_bytes)


def columns(requests: NDArray[Any]) -> Columns:
    """REQUEST array [n] by field."""
    return {name: requests[name] for name in FIELDS}


def predict(cfg: Config, asked: Columns, memory: Memory) -> Model:
    """What the golden model says of requests: results, events, reads, counters and memory."""
    requests = np.zeros(len(asked["op"]), REQUEST)
    for name in FIELDS:
        requests[name] = asked[name]
    model = SimpleModel(cfg, memory)
    results = model.replay(requests)
    return Model(
        {"value": results["value"], "err": results["err"], "id": requests["id"]},
        model.counters,
        {"op": requests["op"], **{name: results[name] for name in EVENT}},
        {"m_axi": results["line"][results["fill"] == 1] * cfg.cache.line_bytes},
        memory=WrittenMemory(model.memory.line, model.memory.lines.tolist()),
    )


def defaults(cfg: Config) -> dict[str, Any]:
    """Fields that a trace file may leave out: loads, or whole words of 0."""
    whole = (1 << cfg.word_bytes) - 1
    return {"op": LOAD, "value": 0, "strobe": whole, "id": counting(cfg.id_bits)}
