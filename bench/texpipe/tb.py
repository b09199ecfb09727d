# SPDX-License-Identifier: Apache-2.0
"""Speed of the pipelined unit's testbench beside bare cocotb and the bare Verilated model, on the same quads.

Their clocks start in other phases, so that cycles may differ by a few; look-ups do not.
"""

from bench.texunit.tb import benchmark
from tb.texpipe import replay

BENCHMARK = benchmark(replay)
