# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``zcache`` for ``python -m tb trace``: words of ``tile``, and the final depth buffer."""

from configs.zcache.schema import Config
from models.memory import Memory
from models.zcache import depth_buffer
from tb.common.replay.request_trace import RequestTrace
from tb.common.replay.requests import Columns
from tb.zcache.replay import predict, requester, words
from workloads.zcache.trace import defaults


def _more(cfg: Config, columns: Columns, memory: Memory) -> dict[str, Columns]:
    return {"depth": depth_buffer(cfg, words(columns), memory)}


run = RequestTrace(requester, predict, defaults, more=_more).run
