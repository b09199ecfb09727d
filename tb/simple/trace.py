# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``simple`` for ``python -m tb trace``."""

from models.simple.traffic import defaults, of_references
from tb.common.replay.request_trace import RequestTrace
from tb.simple.replay import predict, requester

run = RequestTrace(requester, predict, defaults, references=of_references).run
