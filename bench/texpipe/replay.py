# SPDX-License-Identifier: Apache-2.0
"""Speed of frames through the pipelined texture unit beside the bare Verilated model, on the same quads.

See :mod:`bench.replays`; compared are every texel, look-up and counter.
"""

from bench.texunit.replay import benchmark
from tb.texpipe import replay

BENCHMARK = benchmark(replay)
