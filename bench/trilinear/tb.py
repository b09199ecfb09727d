# SPDX-License-Identifier: Apache-2.0
"""Speed of the testbench beside bare cocotb and the bare Verilated model, on the same requests."""

from bench.benchmark import Benchmark
from bench.requests import RequestTestbench
from tb.trilinear.replay import requester

BENCHMARK = Benchmark(
    "testbench", "requests", preset="base", patterns=("random_traffic",), count=3_000,
    measure=RequestTestbench(requester, same=("samples", "pairs")),
)  # fmt: skip
