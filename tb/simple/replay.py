# SPDX-License-Identifier: Apache-2.0
"""How ``simple`` is asked in a replay, and what its golden model says."""

from configs.simple.schema import Config
from models import records
from models.memory import Memory
from models.simple import REQUEST, SimpleModel
from tb.common.replay.requests import Columns, Model, Requester, WrittenMemory
from tb.simple.items import event_columns, result_columns


def requester(cfg: Config) -> Requester:
    """One port, results in order."""
    return Requester(cfg.cache.line_bytes)


def predict(cfg: Config, asked: Columns, memory: Memory) -> Model:
    """What the golden model says of requests: results, counters, events, reads and memory."""
    requests, model = records(REQUEST, asked), SimpleModel(cfg, memory)
    results = model.replay(requests)
    return Model(
        result_columns(requests, results),
        model.counters,
        event_columns(requests, results),
        {"m_axi": results["line"][results["fill"] == 1] * cfg.cache.line_bytes},
        memory=WrittenMemory(model.memory.line, model.memory.lines.tolist()),
    )
