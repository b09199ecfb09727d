# SPDX-License-Identifier: Apache-2.0
"""Speed of trace replay beside the bare Verilated model, on the same requests: see :mod:`bench.replays`."""

from bench.benchmark import Benchmark
from bench.requests import RequestReplay
from tb.dcache.replay import predict, requester
from workloads.dcache.patterns import columns

BENCHMARK = Benchmark(
    "trace replay", "requests", preset="paper", patterns=("copy", "gather"), count=20_000,
    measure=RequestReplay(requester, predict, columns),
)  # fmt: skip
