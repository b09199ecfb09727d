# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``simple`` for ``python -m tb trace``."""

from tb.common.replay.request_trace import RequestTrace
from tb.simple.replay import predict, requester
from workloads.simple.trace import accessed, defaults

run = RequestTrace(requester, predict, defaults, references=accessed).run
