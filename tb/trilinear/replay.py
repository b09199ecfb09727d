# SPDX-License-Identifier: Apache-2.0
"""How ``trilinear`` is asked in a replay, and what its golden model says."""

from configs.trilinear.schema import HALVES, Config
from models import records
from models.memory import Memory
from models.trilinear import REQUEST, TrilinearModel
from tb.common.replay.library import Port
from tb.common.replay.requests import Columns, Model, Requester
from tb.trilinear.items import result_columns


def requester(cfg: Config) -> Requester:
    """One port, results in order; what the halves look up has no results of its own, but is counted."""
    return Requester(cfg.half.cache.line_bytes, Port(event=None), counted=tuple(map(counters_of, HALVES)))


def counters_of(half: str) -> str:
    """The stream of a half's counters."""
    return f"{half}_perf"


def predict(cfg: Config, columns: Columns, memory: Memory) -> Model:
    """What the golden model says of requests: results and counters."""
    requests, model = records(REQUEST, columns), TrilinearModel(cfg, memory)
    results = model.replay(requests)
    counted = {counters_of(name): half.counters for name, half in model.halves.items()}
    return Model(result_columns(requests, results), model.counters, counted=counted)
