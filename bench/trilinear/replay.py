# SPDX-License-Identifier: Apache-2.0
"""Speed of trace replay beside the bare Verilated model, on the same requests: see :mod:`bench.replays`."""

from bench.benchmark import Benchmark
from bench.requests import RequestReplay
from tb.trilinear.replay import predict, requester
from workloads.trilinear.samples import columns

BENCHMARK = Benchmark(
    "trace replay", "requests", preset="base", patterns=("trilinear", "thrashing"), count=100_000,
    measure=RequestReplay(requester, predict, columns),
)  # fmt: skip
