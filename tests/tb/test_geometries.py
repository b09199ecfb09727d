# SPDX-License-Identifier: Apache-2.0
"""Caches in geometries that no preset has: ways that are no power of two, one way, one set."""

import pytest

from tb.common.running import sim_cli

TESTS = {
    "icache": "cold_fill,policies,switches,every_line",
    "dcache": "cold_fill,policies,switches,every_line,clean_and_flush",
    "texcache": "smoke,lru_order,hit_latency",
    "trilinear": "smoke",
}
GEOMETRIES = [
    ("icache", "tiny", "cache.ways=3 cache.sets=1", "icarus"),
    ("icache", "early", "cache.ways=1", "verilator"),
    ("dcache", "tiny", "cache.ways=6 cache.sets=1", "verilator"),
    ("dcache", "fast-tiny", "cache.ways=3", "icarus"),
    ("dcache", "ahead-tiny", "cache.ways=2", "verilator"),
    ("texcache", "tiny", "cache.sets=1", "verilator"),
    ("trilinear", "tiny", "half.cache.sets=1 axi.id_bits=1", "icarus"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("block", "preset", "changes", "simulator"), GEOMETRIES)
def test_the_model_predicts_every_access(block: str, preset: str, changes: str, simulator: str) -> None:
    """Hits, ways and victims, under each policy."""
    arguments = [block, "--config", preset, "--set", changes, "--sim", simulator, "--test", TESTS[block]]
    assert sim_cli.main([*arguments, "-n", "100"]) == 0
