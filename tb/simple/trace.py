# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``simple`` for ``python -m tb trace``."""

from tb.common.replay.request_trace import RequestTrace
from tb.simple.replay import defaults, predict, requester

run = RequestTrace(requester, predict, defaults).run
