# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``trilinear`` for ``python -m tb trace``."""

from tb.common.replay.request_trace import RequestTrace
from tb.trilinear.replay import predict, requester
from workloads.trilinear.trace import defaults

run = RequestTrace(requester, predict, defaults).run
