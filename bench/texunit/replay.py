# SPDX-License-Identifier: Apache-2.0
"""Speed of frames through the texture unit beside the bare Verilated model, on the same quads.

See :mod:`bench.replays`; compared are every texel, query and counter.
"""

from functools import partial
from types import ModuleType
from typing import Any

from bench import replays
from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, silent
from models.memory import Memory
from tb.common.replay.machine import Replay
from tb.common.replay.work import Work
from tb.texunit import replay
from tb.texunit.units import work
from workloads.scenes import built_in
from workloads.texunit.quads import QuadStream, quad_frame


def frame(scene: str, count: int) -> tuple[QuadStream, Memory]:
    """The first ``count`` quads of a scene, or all if it has fewer, and its textures."""
    whole = quad_frame(built_in(scene))
    stream = QuadStream(whole.prims, whole.quads[:count], whole.prim_of_quad[:count])
    return stream, Memory(1, 0, whole.image)


def bare_run(machine: Replay, packed: Work) -> dict[str, int]:
    """Run a unit's packed work and throw away what comes out; its counters."""
    for _ in machine.run(packed):
        pass
    return machine.counters()


def measure(
    rtl: ModuleType, cfg: Any, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent
) -> list[Row]:
    """Quads per second of one unit; ``rtl``: the module ``replay`` of the block's testbench."""
    say("building")
    stream, memory = frame(pattern, count)
    packed = work(cfg, 0, stream)

    def bare() -> dict[str, int]:
        return bare_run(rtl.machine(cfg, memory), packed)

    def compared() -> None:
        _, _, found = rtl.verified(cfg, [stream], memory)
        assert not found, found[0].text

    whole = rtl.replay(cfg, [stream], memory)
    rtl.predict(cfg, QuadStream(stream.prims, stream.quads[:1], stream.prim_of_quad[:1]), memory)  # compiles
    [unit] = whole.units
    names = [name for name in unit.counters if not name.startswith("quad_wait")]  # goes on after the last one
    counters = bare()
    assert all(counters[name] == unit.counters[name] for name in names), f"{cfg.name}, {pattern}"
    return replays.compare(
        bare,
        lambda: rtl.replay(cfg, [stream], memory),
        compared,
        len(stream.quads),
        whole.cycles,
        rounds,
        say,
    )


def benchmark(rtl: ModuleType) -> Benchmark:
    """Frames through the RTL that the module ``rtl`` runs."""
    scenes = ("corridors", "terrain")
    return Benchmark("frames", "quads", "one-unit", scenes, 20_000, partial(measure, rtl))


BENCHMARK = benchmark(replay)
