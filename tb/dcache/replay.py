# SPDX-License-Identifier: Apache-2.0
"""How ``dcache`` is asked in a replay, and what its golden model says."""

from configs.dcache.schema import Config
from models import records
from models.dcache import REQUEST, DcacheModel
from models.memory import Memory
from tb.common.replay.requests import Columns, Model, Requester, WrittenMemory
from tb.dcache.items import event_columns, result_columns


def requester(cfg: Config) -> Requester:
    """One port; results in order or, under misses, in order of each warp."""
    return Requester(cfg.cache.line_bytes, key="warp" if cfg.nonblocking else None, told=True)


def predict(cfg: Config, columns: Columns, memory: Memory) -> Model:
    """What the golden model says of requests: results, counters, events and memory."""
    requests, model = records(REQUEST, columns), DcacheModel(cfg, memory)
    results = model.replay(requests)
    return Model(
        result_columns(requests, results),
        model.counters,
        event_columns(requests, results),
        memory=WrittenMemory(model.memory.line, model.memory.lines.tolist()),
    )
