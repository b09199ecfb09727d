# SPDX-License-Identifier: Apache-2.0
"""The published cycle counts, and the ranges of several misses."""

from configs import load
from models.memory import Memory
from models.texcache import TexcacheModel, allocate, fifo_latency, hit_latency, idle_latency


def test_published_cycles() -> None:
    """2 and 3 for hits, 6 and 7 through the FIFO, 35 and 36 with one line from memory."""
    cfg = load("texcache", "paper")
    assert [hit_latency(cfg, number) for number in (1, 2)] == [2, 3]
    assert [fifo_latency(cfg, number) for number in (1, 2)] == [6, 7]
    model = TexcacheModel(cfg, Memory(), allocate(cfg, [1024])[0])
    different, same = (0, 3, 1, 1, 0, 4), (0, 0, 1, 1, 0, 4)
    for footprint, hit, miss in ((different, 2, 35), (same, 3, 36)):
        model.access((*footprint[:5], footprint[5] - 1))
        assert idle_latency(cfg, model.access(footprint)) == (miss, miss), (
            "one row is cached, the other missing"
        )
        assert idle_latency(cfg, model.access(footprint)) == (hit, hit)


def test_ranges_of_several_misses() -> None:
    """Four lines of four data beats: at least three more transfers than one line."""
    cfg = load("texcache", "paper")
    model = TexcacheModel(cfg, Memory(), allocate(cfg, [1024])[0])
    two = idle_latency(cfg, model.access((0, 3, 1, 1, 0, 4)))
    four = idle_latency(cfg, model.access((0, 0, 1, 1, 7, 0)))
    assert two == (35 + 4, 35 + 5)
    assert four == (35 + 12, 38 + 15)


def test_memory_timing_enters() -> None:
    cfg = load("texcache", "paper", ["memory.latency=10", "memory.gap=2"])
    model = TexcacheModel(cfg, Memory(), allocate(cfg, [1024])[0])
    result = model.access((0, 9, 1, 1, 0, 0))
    assert idle_latency(cfg, result) == (7 + 10 + 9, 7 + 10 + 9), (
        "two beats, one line of four beats 3 cycles apart"
    )
