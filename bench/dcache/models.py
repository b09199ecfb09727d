# SPDX-License-Identifier: Apache-2.0
"""Speed of the golden model beside pycachesim, on the same loads and stores: see :mod:`bench.golden`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.benchmark import Benchmark
from bench.golden import RequestModel
from bench.oracle import Accesses
from configs.dcache.schema import LANES, STORE, Config
from configs.simt import WORD_BYTES
from models.dcache import REQUEST, DcacheModel, by_lane
from tb.common.components.packing import Columns
from workloads.dcache.patterns import columns


def accesses(cfg: Config, asked: NDArray[Any]) -> Accesses:
    """The words of loads and stores of all lanes, a REQUEST array [n]."""
    words = asked[asked["op"] <= STORE]
    stores = np.repeat(words["op"] == STORE, LANES).tolist()
    return Accesses(stores, by_lane(words, "addr").ravel().tolist(), WORD_BYTES)


def loads_and_stores(cfg: Config, pattern: str, count: int) -> Columns:
    """A pattern without the clean at its end, which pycachesim does not know."""
    asked = columns(cfg, pattern, count)
    kept = asked["op"] <= STORE
    return {name: column[kept] for name, column in asked.items()}


BENCHMARK = Benchmark(
    "golden model", "requests", preset="paper", patterns=("copy", "stencil", "gather"), count=40_000,
    measure=RequestModel(DcacheModel, REQUEST, loads_and_stores, accesses, fifo=True),
)  # fmt: skip
