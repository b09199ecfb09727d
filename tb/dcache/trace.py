# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``dcache`` for ``python -m tb trace``."""

from tb.common.replay.request_trace import RequestTrace
from tb.dcache.replay import predict, requester
from workloads.dcache.trace import accessed, defaults

run = RequestTrace(requester, predict, defaults, references=accessed).run
