# SPDX-License-Identifier: Apache-2.0
"""How ``icache`` is asked in a replay, and what its golden model says."""

from configs.icache.schema import Config
from models.icache import REQUEST, IcacheModel
from models.memory import Memory
from tb.common.replay.requests import Columns, Model, Requester
from tb.icache.items import event_columns, result_columns
from workloads.traces.requests import records


def requester(cfg: Config) -> Requester:
    """One port, results in order."""
    return Requester(cfg.cache.line_bytes)


def predict(cfg: Config, asked: Columns, memory: Memory) -> Model:
    """What the golden model says of requests: results, counters, events and reads.

    Where memory fails, requests must be offered in each cycle: see :meth:`IcacheModel.replay`.
    """
    requests, model = records(REQUEST, asked), IcacheModel(cfg, memory)
    results = model.replay(requests)
    return Model(
        result_columns(requests, results),
        model.counters,
        event_columns(requests, results),
        {"m_axi": results["line"][results["fill"] == 1] * cfg.cache.line_bytes},
    )
