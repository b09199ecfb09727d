# SPDX-License-Identifier: Apache-2.0
"""Speed of the testbench beside bare cocotb and the bare Verilated model, on the same tiles.

Hits hang on when each tile comes, as lines are asked for ahead; how many tiles need a line does not.
"""

from bench.benchmark import Benchmark
from bench.requests import RequestTestbench
from tb.zcache.replay import requester

BENCHMARK = Benchmark(
    "testbench", "tiles", preset="paper", patterns=("random_traffic",), count=1_000,
    measure=RequestTestbench(requester, same=("tiles", "hits+lates+misses")),
)  # fmt: skip
