# SPDX-License-Identifier: Apache-2.0
"""Speed of the testbench beside bare cocotb and the bare Verilated model, on the same requests."""

from bench.benchmark import Benchmark
from bench.requests import RequestTestbench
from tb.dcache.replay import requester

BENCHMARK = Benchmark(
    "testbench", "requests", preset="paper", patterns=("random_traffic",), count=1_000,
    measure=RequestTestbench(requester, same=("loads", "stores", "hits")),
)  # fmt: skip
