# SPDX-License-Identifier: Apache-2.0
"""Speed of the golden model beside pycachesim, on the same fetches: see :mod:`bench.golden`."""

from typing import Any

from numpy.typing import NDArray

from bench.benchmark import Benchmark
from bench.golden import RequestModel
from bench.oracle import Accesses
from configs.icache.schema import FETCH, Config
from configs.simt import WORD_BYTES
from models.icache import REQUEST, IcacheModel
from workloads.icache.patterns import columns


def accesses(cfg: Config, asked: NDArray[Any]) -> Accesses:
    """Fetches of a REQUEST array [n], all of one base, a line's multiple: lines keep their places."""
    addresses = asked["pc"][asked["op"] == FETCH].tolist()
    return Accesses([False] * len(addresses), addresses, WORD_BYTES)


BENCHMARK = Benchmark(
    "golden model", "requests", preset="small", patterns=("warps", "calls", "long_loop"), count=300_000,
    measure=RequestModel(IcacheModel, REQUEST, columns, accesses, "hits", "HIT_count", "hits"),
)  # fmt: skip
