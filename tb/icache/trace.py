# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``icache`` for ``python -m tb trace``."""

from tb.common.replay.request_trace import RequestTrace
from tb.icache.replay import predict, requester
from workloads.icache.trace import defaults, fetched

run = RequestTrace(requester, predict, defaults, references=fetched).run
