# SPDX-License-Identifier: Apache-2.0
"""Speed of the golden model beside pycachesim, on the same loads and stores: see :mod:`bench.golden`."""

from typing import Any

from numpy.typing import NDArray

from bench.benchmark import Benchmark
from bench.golden import RequestModel
from bench.oracle import Accesses
from configs.dcache.schema import STORE, Config
from models.dcache import REQUEST, DcacheModel
from workloads.dcache.patterns import columns


def accesses(cfg: Config, asked: NDArray[Any]) -> Accesses:
    """Loads and stores, a REQUEST array [n]."""
    addresses = (asked["word"] * cfg.word_bytes).tolist()
    return Accesses((asked["op"] == STORE).tolist(), addresses, cfg.word_bytes)


BENCHMARK = Benchmark(
    "golden model", "requests", preset="base", patterns=("copy", "matrix", "scatter"), count=300_000,
    measure=RequestModel(DcacheModel, REQUEST, columns, accesses),
)  # fmt: skip
