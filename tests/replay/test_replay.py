# SPDX-License-Identifier: Apache-2.0
"""The Verilated RTL does exactly what the golden model says, whatever the traffic around it."""

from dataclasses import fields, replace

import numpy as np
import pytest

import configs
from configs import MemoryTiming, UserError
from configs.texcache.schema import Config
from models.texcache.timing import idle_latency
from tb.common.replay.machine import Replay
from tb.common.replay.structures import ROOM
from tb.common.replay.traffic import Traffic
from tb.common.replay.work import Work
from tb.texcache.replay import Records, Rtl, check, lut_words, memory_of, predict, replay, request_words
from tests.models.strategies import random_footprints
from tests.replay.traces import IMAGE, bound, footprints
from workloads.texcache.trace import Trace

COUNT = 4000
PRESETS = ("paper", "tiny", "single-port", "morton", "large")


def config(preset: str) -> Config:
    cfg: Config = configs.load("texcache", preset)
    return cfg


def agree(cfg: Config, trace: Trace, rtl: Rtl, **options: object) -> None:
    mismatches = check(cfg, trace, predict(cfg, trace, **options), rtl)  # type: ignore[arg-type]
    assert not mismatches, "\n".join(item.text for item in mismatches)


@pytest.mark.parametrize("preset", PRESETS)
def test_equals_the_model(preset: str) -> None:
    cfg = config(preset)
    trace = bound(cfg, random_footprints(cfg, COUNT, 1), with_image=True)
    rtl = replay(cfg, trace)
    agree(cfg, trace, rtl)
    assert rtl.counters["footprints"] == COUNT
    assert 0 < rtl.counters["hits"] < rtl.counters["lookups"]
    share = (rtl.result["texel"] >> 24 == IMAGE).mean()
    assert 0.1 < share < 0.9, f"{share:.0%} of the texels are of the image"


@pytest.mark.slow
def test_equals_the_model_where_ports_are_widest() -> None:
    changes = "line_bytes=128 axi.data_bits=1024 address_bits=34 id_bits=32 banks=1 ways=1 layout=tile4x4"
    cfg = configs.load("texcache", "paper", changes.split())
    trace = bound(cfg, random_footprints(cfg, COUNT, 8), with_image=True, base=(1 << 34) - (1 << 26))
    agree(cfg, trace, replay(cfg, trace))


@pytest.mark.parametrize("preset", PRESETS)
def test_stalls_change_cycles_and_nothing_else(preset: str) -> None:
    cfg = config(preset)
    poisoned = range(128, 2048, 3)
    trace = bound(cfg, random_footprints(cfg, COUNT, 2))
    steady = replay(cfg, trace, poisoned=poisoned)
    traffic = Traffic.random(7, request=0.4, result=0.5, address=0.6, data=0.3)
    stalled = replay(cfg, trace, traffic=traffic, poisoned=poisoned)
    agree(cfg, trace, stalled, poisoned=poisoned)
    assert stalled.result.tobytes() == steady.result.tobytes()
    assert stalled.cycles > steady.cycles
    assert stalled.counters["result_wait_cycles"] > 0
    assert stalled.counters["errors"] > 0
    assert stalled.result["err"].any()


def test_a_seed_fixes_everything() -> None:
    cfg = config("tiny")
    trace = bound(cfg, random_footprints(cfg, 1000, 3))
    traffic = Traffic.random(3, request=0.3, result=0.3, address=0.3, data=0.3)
    first, same, other = (replay(cfg, trace, seed, traffic=traffic) for seed in (5, 5, 6))
    for item in fields(Rtl):
        assert np.all(getattr(first, item.name) == getattr(same, item.name)), item.name
    assert (first.result["texel"] != other.result["texel"]).any(), "memory contents do not depend on the seed"
    assert (first.result["way"] == other.result["way"]).all()
    agree(cfg, trace, other, seed=6)


@pytest.mark.parametrize("timing", [(1, 0), (26, 0), (7, 3), (200, 1)])
@pytest.mark.parametrize("preset", ["paper", "tiny"])
def test_idle_latency_is_as_the_model_says(preset: str, timing: tuple[int, int]) -> None:
    memory = MemoryTiming(latency=timing[0], gap=timing[1])
    cfg = config(preset)
    trace = bound(cfg, random_footprints(cfg, 1000, 4))
    rtl = replay(cfg, trace, timing=memory, traffic=Traffic.spaced(1200))
    agree(cfg, trace, rtl)
    timed = cfg.with_(memory=memory)
    assert isinstance(timed, Config)
    for row, (record, latency) in enumerate(zip(rtl.result, rtl.latency, strict=True)):
        least, most = idle_latency(timed, record)
        assert least <= latency <= most, f"footprint {row}: {latency} cycles, not {least}..{most}"


#: level of the paper's machine, and what is added when both rows of it share a single-port cache
CASES = [(3, 0), (1, 1), (6, 1)]


@pytest.mark.parametrize(("level", "shared"), CASES)
def test_published_cycles_of_hit_and_miss(level: int, shared: int) -> None:
    """2 and 35 cycles with the rows in different single-port caches, 3 and 36 in the same one."""
    cfg = config("paper")
    # rows 0 and 1 miss, then row 2 alone, then all is there
    trace = bound(cfg, footprints((level, 0, 0), (level, 0, 1), (level, 0, 1)))
    rtl = replay(cfg, trace, traffic=Traffic.spaced(100))
    agree(cfg, trace, rtl)
    assert rtl.latency[1:].tolist() == [35 + shared, 2 + shared]


@pytest.mark.parametrize(("level", "shared"), CASES)
def test_published_cycles_through_the_fifo(level: int, shared: int) -> None:
    """A hit behind a miss goes through the FIFOs: 6 or 7 cycles when the line is there already."""
    cfg = config("paper")
    trace = bound(cfg, footprints((level, 0, 0), (level, 0, 1), (level, 0, 0)))
    latencies = []
    for later in range(3, 50):
        traffic = Traffic(np.isin(np.arange(1000), (0, 200, 200 + later)).astype(np.uint8))
        rtl = replay(cfg, trace, traffic=traffic)
        assert rtl.t_request.tolist() == [0, 200, 200 + later]
        latencies.append(int(rtl.latency[2]))
    # it waits for the miss before it, then only for the FIFOs, then for nothing
    assert latencies == sorted(latencies, reverse=True)
    assert set(latencies[-1:]) == {2 + shared}
    assert min(set(latencies) - {2 + shared}) == 6 + shared


def test_no_footprints() -> None:
    cfg = config("tiny")
    trace = bound(cfg, footprints())
    rtl = replay(cfg, trace)
    agree(cfg, trace, rtl)
    assert rtl.cycles == 0


def test_one_machine_runs_trace_after_trace() -> None:
    """The second run finds the lines of the first, until the cache is told to forget them."""
    cfg = config("tiny")
    trace = bound(cfg, footprints((2, 0, 0)))
    machine = Replay(cfg, memory_of(trace), cfg.cache.line_bytes)
    machine.feed("lut", lut_words(cfg, trace.lut))
    words = request_words(cfg, trace.footprints)

    def reads() -> int:
        return sum(len(chunk.axi[0].reads) for chunk in machine.run(Work(words)))

    assert [reads(), reads()] == [2, 0]
    machine.feed("inv", np.zeros((1, 0), np.uint32))
    machine.idle(10)
    assert reads() == 2
    assert machine.counters()["footprints"] == 3
    machine.reset()
    assert machine.counters()["footprints"] == 0


def test_reset_in_mid_traffic() -> None:
    """Memory goes on answering: what comes late is dropped, reads from before are none of those after."""
    cfg = config("tiny")
    trace = bound(cfg, random_footprints(cfg, 2 * ROOM, 11))
    words = request_words(cfg, trace.footprints)
    short = replace(trace, footprints=trace.footprints[:COUNT])
    for seed in range(3):
        traffic = Traffic.random(seed, address=0.9, data=0.7)  # an address waits, and lines are on their way
        machine = Replay(cfg, memory_of(trace), cfg.cache.line_bytes, seed=seed, traffic=traffic)
        machine.feed("lut", lut_words(cfg, trace.lut))
        [port] = next(iter(machine.run(Work(words)))).ports
        assert len(port.request_cycle) > len(port.result_cycle)
        machine.reset()
        records = Records(cfg, COUNT)
        for chunk in machine.run(Work(words[:COUNT])):
            records.add(chunk)
        agree(cfg, short, records.finish(machine.counters()))


def test_two_configurations_in_one_process() -> None:
    for preset in ("paper", "tiny", "paper"):
        cfg = config(preset)
        trace = bound(cfg, random_footprints(cfg, 300, 6))
        agree(cfg, trace, replay(cfg, trace))


def test_progress_reaches_the_end() -> None:
    cfg = config("tiny")
    trace = bound(cfg, np.tile(footprints((0, 0, 0), (0, 1, 0)), 30_000))
    reported: list[int] = []
    replay(cfg, trace, progress=reported.append)
    assert reported == sorted(reported)
    assert len(reported) > 1
    assert reported[-1] == len(trace)


def test_refuses_what_the_configuration_cannot_run() -> None:
    cfg = config("tiny")
    with pytest.raises(UserError, match="level"):
        replay(cfg, bound(cfg, footprints((cfg.levels, 0, 0))))
    other = config("tiny").with_(cache={"line_bytes": 32})
    assert isinstance(other, Config)
    with pytest.raises(UserError, match="lines of 32 bytes"):
        replay(cfg, bound(other, footprints((0, 0, 0))))


def test_a_pattern_that_is_never_active_is_refused() -> None:
    with pytest.raises(ValueError, match="never active"):
        Traffic(result=np.zeros(3, np.uint8))
