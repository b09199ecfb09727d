# SPDX-License-Identifier: Apache-2.0
"""Requests of ``simple`` in a replay, and the golden model's results."""

from configs.simple.schema import Config
from models import records
from models.memory import Memory
from models.simple import REQUEST, SimpleModel
from tb.common.replay.requests import Columns, Model, Requester, WrittenMemory
from tb.simple.items import event_columns, result_columns


def requester(cfg: Config) -> Requester:
    """One port, results in order."""
    return Requester(cfg.cache.line_bytes)


def predict(cfg: Config, columns: Columns, memory: Memory) -> Model:
    """The golden model's results, counters, events, reads and memory."""
    requests, model = records(REQUEST, columns), SimpleModel(cfg, memory)
    results = model.replay(requests)
    return Model(
        result_columns(requests, results),
        model.counters,
        event_columns(requests, results),
        {"m_axi": results["line"][results["fill"] == 1] * cfg.cache.line_bytes},
        memory=WrittenMemory(model.memory.line, model.memory.lines.tolist()),
    )
