# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``dcache`` for ``python -m tb trace``."""

from models.dcache.traffic import defaults, of_references
from tb.common.replay.request_trace import RequestTrace
from tb.dcache.replay import predict, requester

run = RequestTrace(requester, predict, defaults, references=of_references).run
