# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``zcache`` for ``python -m tb trace``."""

from tb.common.replay.request_trace import RequestTrace
from tb.zcache.replay import predict, requester
from workloads.zcache.trace import defaults

run = RequestTrace(requester, predict, defaults).run
